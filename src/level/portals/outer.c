// SPDX-License-Identifier: MIT
// One shell of a component goes round it; the others bound spaces inside. The signed volumes of all shells of a
// component add up to 0, those of bounded spaces are positive: so the one that goes round is the one whose volume is
// not. The sign is that of a sum in doubles if it is larger than what may be rounded, else of a sum in integers.
#include <math.h>

#include "base/control.h"
#include "geometry/exact/integer.h"
#include "geometry/vector.h"
#include "level/portals/shells.h"
#include "mesh/triangles.h"

static void corners_of(const grz_mesh *mesh, uint32_t side, const double *corners[3])
{
    for (int i = 0; i < 3; i++)
        corners[i] = grz_mesh_position(mesh, mesh->triangles[3 * (size_t)(side / 2) + (size_t)i]);
}

// Six times the volume, as seen from inside: a side in front of its triangle looks against its normal.
static double rounded_volume(const grz_shells *s, const grz_shell *shell, double *bound)
{
    const double *origin = grz_mesh_position(s->level->all.mesh, s->level->all.mesh->triangles[0]);
    double sum = 0.0, size = 0.0;
    for (uint32_t i = 0; i < shell->count; i++) {
        const uint32_t side = s->members[shell->first + i];
        const double *corners[3];
        double from[3][3], across[3];
        corners_of(s->level->all.mesh, side, corners);
        for (int j = 0; j < 9; j++)
            from[j / 3][j % 3] = corners[j / 3][j % 3] - origin[j % 3];
        grz_cross(from[1], from[2], across);
        const double volume = grz_dot(from[0], across);
        sum += side % 2 == 1 ? volume : -volume;
        double product = 6.0;
        for (int j = 0; j < 3; j++)
            product *= fabs(from[j][0]) + fabs(from[j][1]) + fabs(from[j][2]);
        size += product;
    }
    // Each product has some 8 roundings, and each sum one. Products that underflow are far below the last term.
    *bound = size * ((double)shell->count + 32.0) * 0x1p-51 + (double)shell->count * 0x1p-900;
    return sum;
}

// The sign of the volume, with the numbers as they are.
static grz_status exact_sign(const grz_shells *s, const grz_shell *shell, grz_control *control, int *sign)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const double **points = grz_allocate(allocator, shell->count, 3 * sizeof *points);
    grz_integer *sums = grz_allocate(allocator, 2, sizeof *sums);
    if (points != NULL && sums != NULL) {
        for (uint32_t i = 0; i < shell->count; i++)
            corners_of(s->level->all.mesh, s->members[shell->first + i], points + 3 * (size_t)i);
        // A side after the other, so that no list is too long for an int.
        int shift = 0;
        for (uint32_t i = 0; i < shell->count; i++) {
            const int wanted = grz_integer_common_shift(points + 3 * (size_t)i, 3, 3);
            shift = i == 0 || wanted > shift ? wanted : shift;
        }
        grz_integer_from_double(0.0, 0, &sums[0]);
        for (uint32_t i = 0; i < shell->count; i++) {
            grz_integer corners[3][3], volume;
            for (int j = 0; j < 9; j++)
                grz_integer_from_double(points[3 * (size_t)i + (size_t)(j / 3)][j % 3], shift, &corners[j / 3][j % 3]);
            grz_integer_determinant3(corners[0], corners[1], corners[2], &volume);
            grz_integer_add(&sums[i % 2], &volume, s->members[shell->first + i] % 2 == 1 ? 1 : -1, &sums[1 - i % 2]);
        }
        *sign = sums[shell->count % 2].sign;
    }
    const bool done = points != NULL && sums != NULL;
    grz_release(allocator, points, shell->count, 3 * sizeof *points);
    grz_release(allocator, sums, 2, sizeof *sums);
    return done ? GRZ_OK : GRZ_ERROR_MEMORY;
}

grz_status grz_shells_find_outer(grz_shells *s, grz_control *control, grz_error *error)
{
    for (uint32_t i = 0; i < s->count; i++) {
        grz_shell *shell = &s->shells[i];
        grz_component *component = &s->components[shell->component];
        double bound;
        int sign = -1;
        if (component->shells > 1) {
            const double volume = rounded_volume(s, shell, &bound);
            sign = volume > bound ? 1 : -1;
            const grz_status status = volume > bound || volume < -bound ? GRZ_OK : exact_sign(s, shell, control, &sign);
            if (status != GRZ_OK)
                return grz_control_explain(control, status, "portals", error);
        }
        shell->unbounded = sign <= 0;
        if (shell->unbounded)
            component->outer = i;
    }
    return GRZ_OK;
}
