// SPDX-License-Identifier: MIT
// Lines of sight by brute force: the triangle is met where the line crosses its plane, and the three volumes that the
// line spans with its edges have one sign (T. Möller, B. Trumbore, 1997, in other words).
#include "support_projections.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double NEAR_EDGE = 1e-7; // of a triangle's area

static double triple(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// True if the line meets the triangle, at *distance.
static bool meets(const double point[3], const double direction[3], const double triangle[3][3], double *distance,
                  bool *sure)
{
    double from[3][3], parts[3], sum = 0.0, least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            from[i][j] = triangle[i][j] - point[j];
    for (int i = 0; i < 3; i++) {
        parts[i] = triple(direction, from[(i + 1) % 3], from[(i + 2) % 3]);
        sum += parts[i];
    }
    if (fabs(sum) < 1e-12) { // the triangle is in the line of sight
        return false;
    }
    *distance = 0.0;
    for (int i = 0; i < 3; i++) {
        const double share = parts[i] / sum;
        least = fmin(least, share);
        most = fmax(most, share);
        for (int j = 0; j < 3; j++)
            *distance += share * from[i][j] * direction[j];
    }
    *sure = *sure && fabs(least) > NEAR_EDGE;
    return least >= 0.0;
}

sight_truth sight_cast(const double point[3], const double direction[3], const double (*triangles)[3][3], size_t count,
                       const bool *own, const bool *cap)
{
    sight_truth line = {HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL, true};
    for (size_t i = 0; i < count; i++) {
        double distance;
        if (!meets(point, direction, triangles[i], &distance, &line.sure))
            continue;
        if (cap == NULL || !cap[i]) {
            if (distance > 0.0)
                line.above = fmin(line.above, distance);
            else
                line.below = fmax(line.below, distance);
        }
        if (own == NULL || own[i]) {
            line.top = fmax(line.top, distance);
            line.bottom = fmin(line.bottom, distance);
        }
    }
    return line;
}

double sight_truth_depth(const sight_truth *line, int facing)
{
    if (line->top <= 0.0 || line->bottom >= 0.0)
        return 0.0;
    const double above = fmin(line->above, line->top), below = -fmax(line->below, line->bottom);
    return facing > 0 ? above : facing < 0 ? below : above + below;
}

test_mesh sight_shape(const char *const rows[25])
{
    solid_cells cells;
    for (int z = 0; z < SOLID_CELLS; z++)
        for (int y = 0; y < SOLID_CELLS; y++)
            for (int x = 0; x < SOLID_CELLS; x++)
                cells.full[x][y][z] = rows[5 * z + y][x] == '#';
    return solid_surface(&cells, false);
}

grz_projections *projections_find(grz_device *device, const grz_mesh *const *poses, uint32_t count,
                                  const grz_projections_options *options)
{
    grz_projections *found;
    grz_error error;
    if (grz_projections_find(device, poses, count, options, &found, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return found;
}

grz_projections_summary projections_summary(const grz_projections *found)
{
    grz_projections_summary summary;
    assert_true(grz_projections_summary_of(found, &summary));
    return summary;
}

grz_projections_options projections_bounded(void)
{
    grz_projections_options options = grz_default_projections_options();
    options.projection = GRZ_PROJECTION_BOUNDED;
    return options;
}
