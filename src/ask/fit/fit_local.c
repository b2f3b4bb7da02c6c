// SPDX-License-Identifier: MIT
// A hull's vertices near the origin and of size 1, so that squares and volumes neither overflow nor underflow.
#include <string.h>

#include "ask/fit/fit_parts.h"
#include "base/control.h"
#include "geometry/box.h"
#include "geometry/principal_axes.h"
#include "geometry/vector.h"

bool grz_fit_points_init(const grz_hull_shape *shape, grz_control *control, grz_fit_points *points)
{
    grz_box box = grz_box_empty();
    *points = (grz_fit_points){.count = shape->vertex_count, .shape = shape, .control = control};
    points->at = grz_allocate(grz_control_allocator(control), points->count, sizeof *points->at);
    if (points->at == NULL)
        return false;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++)
        grz_box_add_point(&box, shape->positions + 3 * (size_t)i);
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        points->origin[k] = box.min[k] + 0.5 * (box.max[k] - box.min[k]);
        most = fmax(most, box.max[k] - box.min[k]);
    }
    points->shift = most > 0.0 ? -ilogb(most) : 0;
    points->extent = ldexp(most, points->shift);
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++)
        grz_fit_way(points, i, points->origin, points->at[i]);
    points->volume = grz_fit_volume((const double(*)[3])points->at, shape->triangles,
                                    shape->dimension == 3 ? shape->triangle_count : 0, control);
    return true;
}

void grz_fit_points_finish(grz_fit_points *points)
{
    grz_release(grz_control_allocator(points->control), points->at, points->count, sizeof *points->at);
}

void grz_fit_place(const grz_fit_points *points, const double at[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = points->origin[k] + ldexp(at[k], -points->shift);
}

double grz_fit_length_up(const grz_fit_points *points, double length)
{
    return length > 0.0 ? nextafter(ldexp(length, -points->shift), HUGE_VAL) : 0.0;
}

double grz_fit_length_down(const grz_fit_points *points, double length)
{
    return length > 0.0 ? nextafter(ldexp(length, -points->shift), 0.0) : 0.0;
}

double grz_fit_volume(const double (*at)[3], const uint32_t *triangles, uint32_t count, grz_control *control)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < count && !grz_fit_ended(control, t); t++) {
        const uint32_t *v = triangles + 3 * (size_t)t;
        double a[3], b[3], c[3];
        for (int k = 0; k < 3; k++) {
            a[k] = at[v[0]][k] - at[triangles[0]][k];
            b[k] = at[v[1]][k] - at[triangles[0]][k];
            c[k] = at[v[2]][k] - at[triangles[0]][k];
        }
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return fmax(sum, 0.0) / 6.0;
}

void grz_fit_principal(const grz_fit_points *points, double axes[3][3])
{
    double mean[3] = {0.0}, matrix[3][3] = {{0.0}};
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++)
        for (int k = 0; k < 3; k++)
            mean[k] += points->at[i][k] / points->count;
    for (uint32_t i = 0; i < points->count && !grz_fit_ended(points->control, i); i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                matrix[j][k] += (points->at[i][j] - mean[j]) * (points->at[i][k] - mean[k]);
    grz_principal_axes(matrix, axes);
}

double grz_fit_axes_error(const double axes[3][3])
{
    double skew = 0.0;
    for (int i = 0; i < 3; i++) {
        double row = 0.0;
        for (int j = 0; j < 3; j++)
            row += fabs(grz_dot(axes[i], axes[j]) - (i == j ? 1.0 : 0.0)) + 8.0 * GRZ_FIT_U;
        skew = fmax(skew, row);
    }
    return 4.0 * skew + 32.0 * GRZ_FIT_U;
}

int grz_fit_lone_axis(const double axes[3][3], int i)
{
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        if (fabs(axes[i][k]) == 1.0 && axes[i][next] == 0.0 && axes[i][last] == 0.0 && axes[(i + 1) % 3][k] == 0.0 &&
            axes[(i + 2) % 3][k] == 0.0)
            return k;
    }
    return -1;
}

double grz_fit_farthest_along(const grz_fit_points *points, const double centre[3], int k)
{
    double most = 0.0;
    for (uint32_t p = 0; p < points->count && !grz_fit_ended(points->control, p); p++) {
        const double way = fabs(points->shape->positions[3 * (size_t)p + (size_t)k] - centre[k]);
        most = fmax(most, way > 0.0 ? nextafter(way, HUGE_VAL) : 0.0);
    }
    return most;
}
