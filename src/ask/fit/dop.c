// SPDX-License-Identifier: MIT
// k-DOPs: the exact minimum and maximum of the points along fixed directions, rounded outwards.
#include <string.h>

#include "ask/fit/fit_parts.h"
#include "base/control.h"
#include "geometry/exact/expansion.h"
#include "geometry/vector.h"

// 3 along the axes, 4 along the diagonals of the cube, 6 along those of its faces.
static const int32_t directions[GRZ_FITTED_DOP_MAX][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 1},  {1, 1, -1},
                                                          {1, -1, 1}, {-1, 1, 1}, {1, 1, 0}, {1, -1, 0}, {1, 0, 1},
                                                          {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};

enum {
    MOST_CORNERS = 26 * 25 * 24 / 6 // of three planes each
};

// a + b + c: the doubles below and above, both equal to it if it is one.
static void bound_sum(double a, double b, double c, double *below, double *above)
{
    double sum, tail, total, rest, low, lowest;
    two_sum(a, b, &sum, &tail);
    two_sum(sum, c, &total, &rest);
    two_sum(rest, tail, &low, &lowest);
    two_sum(total, low, &total, &rest);
    const double off = rest + lowest; // its sign is right, as that of any rounded sum
    *below = off < 0.0 ? nextafter(total, -HUGE_VAL) : total;
    *above = off > 0.0 ? nextafter(total, HUGE_VAL) : total;
}

static bool is_used(uint32_t k, int i)
{
    return i < 3 || (i < 7 && (k == 14 || k == 26)) || (i >= 7 && k >= 18);
}

// The corner of three planes, if it is one of the k-DOP in local coordinates.
static bool corner_of(const double (*normals)[3], const double *offsets, uint32_t count, const uint32_t planes[3],
                      double corner[3])
{
    double yz[3], zx[3], xy[3];
    const double *a = normals[planes[0]], *b = normals[planes[1]], *c = normals[planes[2]];
    grz_cross(b, c, yz);
    grz_cross(c, a, zx);
    grz_cross(a, b, xy);
    const double determinant = grz_dot(a, yz);
    if (determinant == 0.0) // of small integers: exact
        return false;
    for (int k = 0; k < 3; k++)
        corner[k] =
            (offsets[planes[0]] * yz[k] + offsets[planes[1]] * zx[k] + offsets[planes[2]] * xy[k]) / determinant;
    for (uint32_t i = 0; i < count; i++)
        if (grz_dot(corner, normals[i]) > offsets[i] + 1e-11)
            return false;
    return true;
}

// The volume, by the hull of all corners, in local units.
static grz_status measure(const grz_fit_points *points, const grz_fitted_dop *dop, double *volume)
{
    grz_control *control = points->control;
    const grz_allocator *allocator = grz_control_allocator(control);
    double normals[2 * GRZ_FITTED_DOP_MAX][3], offsets[2 * GRZ_FITTED_DOP_MAX];
    const uint32_t planes = 2 * dop->count;
    uint32_t found = 0;
    grz_hull_shape shape;
    for (uint32_t i = 0; i < dop->count; i++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            normals[2 * (size_t)i][k] = dop->directions[i][k];
            normals[2 * (size_t)i + 1][k] = -normals[2 * (size_t)i][k];
        }
        for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
            const double y = grz_dot(points->at[p], normals[2 * (size_t)i]);
            low = fmin(low, y);
            high = fmax(high, y);
        }
        offsets[2 * (size_t)i] = high;
        offsets[2 * (size_t)i + 1] = -low;
    }
    double(*corners)[3] = grz_allocate(allocator, MOST_CORNERS, sizeof *corners);
    if (corners == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t a = 0; a < planes; a++)
        for (uint32_t b = a + 1; b < planes; b++)
            for (uint32_t c = b + 1; c < planes; c++) {
                const uint32_t three[3] = {a, b, c};
                found += corner_of((const double(*)[3])normals, offsets, planes, three, corners[found]);
            }
    grz_status status = found > 0 ? grz_hull_build(corners[0], NULL, found, control, &shape) : GRZ_OK;
    *volume = 0.0;
    if (found > 0 && status == GRZ_OK) {
        *volume = grz_fit_volume((const double(*)[3])shape.positions, shape.triangles,
                                 shape.dimension == 3 ? shape.triangle_count : 0, control);
        grz_hull_shape_finish(allocator, &shape);
    }
    grz_release(allocator, corners, MOST_CORNERS, sizeof *corners);
    return status;
}

grz_status grz_fit_dop_around(const grz_fit_points *points, uint32_t k, grz_fitted_dop *dop)
{
    double volume;
    *dop = (grz_fitted_dop){.ratio = HUGE_VAL};
    for (int i = 0; i < GRZ_FITTED_DOP_MAX; i++) {
        if (!is_used(k, i))
            continue;
        const uint32_t at = dop->count++;
        memcpy(dop->directions[at], directions[i], sizeof directions[i]);
        dop->min[at] = HUGE_VAL;
        dop->max[at] = -HUGE_VAL;
        for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
            const double *v = points->shape->positions + 3 * (size_t)p;
            double below, above;
            bound_sum(directions[i][0] * v[0], directions[i][1] * v[1], directions[i][2] * v[2], &below, &above);
            dop->min[at] = fmin(dop->min[at], below);
            dop->max[at] = fmax(dop->max[at], above);
        }
    }
    if (!(points->volume > 0.0))
        return GRZ_OK;
    const grz_status status = measure(points, dop, &volume);
    dop->ratio = volume / points->volume;
    return status;
}
