// SPDX-License-Identifier: MIT
#include "geometry/inclusion/distinct_corners.h"

#include <stdbool.h>
#include <string.h>

#include "geometry/exact/predicates.h"
#include "geometry/triangle/pair.h"

void grz_moving_corners_init(grz_moving_corners *c, const double (*const x[2])[3], int count)
{
    c->count = c->given = count;
    for (int i = 0; i < count; i++) {
        c->from[i] = (uint8_t)i;
        for (int time = 0; time < 2; time++)
            memcpy(c->at[time][i], x[time][i], sizeof c->at[time][i]);
    }
}

static bool is_one_point(const grz_moving_corners *c, int i, int j)
{
    for (int time = 0; time < 2; time++)
        for (int axis = 0; axis < 3; axis++)
            if (c->at[time][i][axis] != c->at[time][j][axis])
                return false;
    return true;
}

static void remove_corner(grz_moving_corners *c, int i)
{
    for (c->count--; i < c->count; i++) {
        c->from[i] = c->from[i + 1];
        for (int time = 0; time < 2; time++)
            memcpy(c->at[time][i], c->at[time][i + 1], sizeof c->at[time][i]);
    }
}

// Three different corners of which one is between the others, at one and the same ratio at all times: as points with
// six coordinates, three at each time, they lie on a line. Returns the one between, or -1.
static int corner_between(const grz_moving_corners *c)
{
    int row = -1; // a coordinate in which the corners differ
    for (int i = 0; i < 6; i++) {
        const double *const at_i[3] = {&c->at[i / 3][0][i % 3], &c->at[i / 3][1][i % 3], &c->at[i / 3][2][i % 3]};
        if (row < 0 && (*at_i[0] != *at_i[1] || *at_i[0] != *at_i[2]))
            row = i;
        for (int j = 0; j < i; j++) {
            double p[3][2];
            for (int k = 0; k < 3; k++) {
                p[k][0] = *at_i[k];
                p[k][1] = c->at[j / 3][k][j % 3];
            }
            if (grz_orient2d(p[0], p[1], p[2]) != 0)
                return -1;
        }
    }
    for (int k = 0; k < 3 && row >= 0; k++) {
        const double x = c->at[row / 3][k][row % 3];
        const double y = c->at[row / 3][(k + 1) % 3][row % 3], z = c->at[row / 3][(k + 2) % 3][row % 3];
        if ((y < x && x < z) || (z < x && x < y))
            return k;
    }
    return -1;
}

void grz_moving_corners_reduce(grz_moving_corners *c)
{
    for (int i = c->count - 1; i > 0; i--) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again = again || is_one_point(c, i, j);
        if (again)
            remove_corner(c, i);
    }
    if (c->count == 3) {
        const int between = corner_between(c);
        if (between >= 0)
            remove_corner(c, between);
    }
}

uint8_t grz_given_feature(const grz_moving_corners *c, uint8_t feature)
{
    if (c->count == c->given)
        return feature;
    if (feature < GRZ_EDGE_0)
        return (uint8_t)(GRZ_CORNER_0 + c->from[feature - GRZ_CORNER_0]);
    if (c->count == 1)
        return (uint8_t)(GRZ_CORNER_0 + c->from[0]);
    // The edge between the two corners left: edge k of a face joins the corners k and k + 1.
    return (uint8_t)(GRZ_EDGE_0 + (c->from[1] == c->from[0] + 1 ? c->from[0] : c->from[1]));
}
