// SPDX-License-Identifier: MIT
// Distances of the cell's corners from triangles, enclosed in doubles.
#include "ask/overlap/depth/facet.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/distance/gap.h"
#include "geometry/exact/predicates.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

enum {
    CORNERS = 8
};

// Is a, b, d, c a convex quadrilateral, where a, b, c and d, c, b are triangles in one plane? Seen along an axis along
// which the first has an area.
static bool is_convex(int axis, const double *a, const double *b, const double *c, const double *d)
{
    const int turn = grz_orient_projected(axis, a, b, c);
    return turn != 0 && grz_orient_projected(axis, b, d, c) == turn && grz_orient_projected(axis, a, b, d) != -turn &&
           grz_orient_projected(axis, d, c, a) != -turn;
}

// Does the neighbour across an edge, a to b seen from the triangle's corner `apex`, make a quadrilateral with it?
static bool find_partner(const grz_posed_surface *surface, uint32_t triangle, const double c[3][3], int apex,
                         double partner[3][3])
{
    const grz_object *object = surface->object;
    const uint32_t *vertices = object->mesh->triangles + (size_t)triangle * 3;
    const int from = (apex + 1) % 3, to = (apex + 2) % 3;
    uint32_t count;
    const uint64_t *edge = grz_surface_edge(surface->surface, vertices[from], vertices[to], &count);
    if (count != 2)
        return false;
    const uint32_t other = (uint32_t)(edge[0] & UINT32_MAX) == triangle ? (uint32_t)(edge[1] & UINT32_MAX)
                                                                        : (uint32_t)(edge[0] & UINT32_MAX);
    grz_world_corners(object->mesh, &object->pose, other, partner);
    for (int i = 0; i < 3; i++) {
        const double *d = partner[i];
        if (memcmp(d, c[from], sizeof c[from]) == 0 || memcmp(d, c[to], sizeof c[to]) == 0)
            continue;
        if (grz_orient3d(c[0], c[1], c[2], d) != 0)
            return false;
        for (int axis = 0; axis < 3; axis++)
            if (is_convex(axis, c[apex], c[from], c[to], d))
                return true;
        return false;
    }
    return false;
}

void grz_facet_set(grz_facet *facet, const grz_posed_surface *surface, uint32_t triangle, double scale)
{
    const unsigned char sides = surface->surface->sides[triangle];
    double c[3][3];
    facet->count = 0;
    if (sides != GRZ_NORMAL_SIDE_INSIDE && sides != GRZ_OTHER_SIDE_INSIDE)
        return;
    grz_world_corners(surface->object->mesh, &surface->object->pose, triangle, c);
    memcpy(facet->corners[0], c, sizeof c);
    facet->count = 1;
    for (int i = 0; i < 3 && facet->count == 1; i++)
        if (find_partner(surface, triangle, (const double(*)[3])c, i, facet->corners[1]))
            facet->count = 2;
    for (int t = 0; t < facet->count; t++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                facet->corners[t][i][k] *= scale;
}

void grz_facet_set_alone(grz_facet *facet, const grz_object *object, uint32_t triangle, double scale)
{
    double c[3][3];
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    facet->count = 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            facet->corners[0][i][k] = scale * c[i][k];
}

static double distance_from(const grz_facet *facet, const double point[3])
{
    double least = HUGE_VAL;
    for (int i = 0; i < facet->count; i++)
        least = fmin(least, grz_point_gap(point, (const double(*)[3])facet->corners[i], HUGE_VAL).upper);
    return least;
}

static double sum_at(const grz_facet facets[2], const double point[3])
{
    return distance_from(&facets[0], point) + distance_from(&facets[1], point);
}

// From the middle, the sum grows most towards one of the sides across this axis.
static int steepest_axis(const grz_facet facets[2], const double low[3], const double high[3])
{
    double middle[3], largest = -1.0;
    int axis = 0;
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * low[k] + 0.5 * high[k];
    for (int k = 0; k < 3; k++) {
        double at_low[3] = {middle[0], middle[1], middle[2]}, at_high[3] = {middle[0], middle[1], middle[2]};
        at_low[k] = low[k];
        at_high[k] = high[k];
        const double most = fmax(sum_at(facets, at_low), sum_at(facets, at_high));
        if (low[k] < high[k] && most > largest) {
            largest = most;
            axis = k;
        }
    }
    return axis;
}

void grz_facets_bound(const grz_facet facets[2], const grz_box *cell, double scale, double unit, double *bound,
                      int *axis)
{
    double low[3], high[3], most = 0.0;
    for (int k = 0; k < 3; k++) {
        low[k] = scale * cell->min[k];
        high[k] = scale * cell->max[k];
    }
    for (int i = 0; i < CORNERS; i++) {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = i >> k & 1 ? high[k] : low[k];
        most = fmax(most, sum_at(facets, point));
    }
    *axis = steepest_axis(facets, low, high);
    *bound = most * unit * GRZ_MORE(16) + GRZ_UNDERFLOWS;
}
