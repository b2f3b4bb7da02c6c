// SPDX-License-Identifier: MIT
// The separation of a core and a triangle, by the core's kind. docs/use/mover.md, "The path", derives the bound of what
// is rounded.
#include "level/mover/body/separation.h"

#include <math.h>

#include "level/mover/body/separating.h"

// Of the largest number: what rounding can do to the gap between two projections, or to a distance of two points.
static const double ROUNDING = 0x1p-46;

double grz_separation_error(double size)
{
    return size * ROUNDING;
}

double grz_separation_size(const grz_core *core, const double c[3][3])
{
    double size = core->size;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < core->count; i++)
            size = grz_larger(size, fabs(core->ends[i][k]));
        for (int i = 0; i < 3; i++)
            size = grz_larger(size, fabs(c[i][k]));
    }
    return size;
}

void grz_separation_find(const grz_core *core, const double c[3][3], grz_separation *out)
{
    const double error = grz_separation_error(grz_separation_size(core, c));
    if (core->kind == GRZ_CORE_BOX)
        grz_separation_of_box(core, c, error, out);
    else if (core->kind == GRZ_CORE_CYLINDER)
        grz_separation_of_cylinder(core, c, error, out);
    else if (core->kind == GRZ_CORE_ELLIPSOID)
        grz_separation_of_ellipsoid(core, c, error, out);
    else
        grz_separation_of_round(core, c, error, out);
}
