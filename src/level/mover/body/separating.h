// SPDX-License-Identifier: MIT
// What the kinds of cores share: directions that separate a core from a triangle.
#ifndef GRZ_LEVEL_MOVER_BODY_SEPARATING_H
#define GRZ_LEVEL_MOVER_BODY_SEPARATING_H

#include "level/mover/body/core_vectors.h"
#include "level/mover/body/separation.h"

// Take a direction, or its opposite, if its gap to what is not round is larger by more than `margin`. False: not.
bool grz_separation_offer(const grz_core *core, const double c[3][3], const double direction[3], double margin,
                          grz_separation *out);

// `error`: what is rounded in a gap.
void grz_separation_of_round(const grz_core *core, const double c[3][3], double error, grz_separation *out);
void grz_separation_of_box(const grz_core *core, const double c[3][3], double error, grz_separation *out);
void grz_separation_of_cylinder(const grz_core *core, const double c[3][3], double error, grz_separation *out);
void grz_separation_of_ellipsoid(const grz_core *core, const double c[3][3], double error, grz_separation *out);

#endif
