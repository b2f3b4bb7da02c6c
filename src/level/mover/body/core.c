// SPDX-License-Identifier: MIT
#include "level/mover/body/core.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "level/mover/body/core_vectors.h"

void grz_core_set(grz_core *core, grz_core_kind kind, const double half[3], const double axes[3][3])
{
    *core = (grz_core){.kind = kind, .size = (half[0] + half[1]) + half[2]};
    memcpy(core->half, half, sizeof core->half);
    memcpy(core->axes, axes, sizeof core->axes);
    for (int i = 0; i < 3; i++) {
        grz_cross(axes[(i + 1) % 3], axes[(i + 2) % 3], core->normals[i]);
        grz_make_direction(core->normals[i]);
    }
}

double grz_core_support(const grz_core *core, const double n[3])
{
    double s[3];
    if (core->kind == GRZ_CORE_ROUND)
        return grz_larger(grz_dot(n, core->ends[0]), grz_dot(n, core->ends[core->count - 1]));
    for (int i = 0; i < 3; i++)
        s[i] = core->half[i] * fabs(grz_dot(n, core->axes[i]));
    if (core->kind == GRZ_CORE_CYLINDER)
        return grz_length2(s[0], s[1]) + s[2];
    return core->kind == GRZ_CORE_BOX ? (s[0] + s[1]) + s[2] : sqrt(grz_dot(s, s));
}

grz_box grz_core_bounds(const grz_core *core)
{
    grz_box box = grz_box_empty();
    for (int i = 0; i < core->count; i++)
        grz_box_add_point(&box, core->ends[i]);
    for (int k = 0; k < 3 && core->kind != GRZ_CORE_ROUND; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        box.max[k] = grz_core_support(core, unit) * GRZ_MORE(32);
        box.min[k] = -box.max[k];
    }
    return box;
}
