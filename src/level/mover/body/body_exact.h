// SPDX-License-Identifier: MIT
// Exact tests of where a mover's body is.
#ifndef GRZ_LEVEL_MOVER_BODY_BODY_EXACT_H
#define GRZ_LEVEL_MOVER_BODY_BODY_EXACT_H

#include <stdbool.h>

#include "level/mover/body/core.h"

// True if a point of a triangle is inside a box, an ellipsoid or a cylinder around a position, its surface left out:
// for the given doubles, exactly. Of ellipsoids and cylinders whose numbers have more digits than integers have room
// for (docs/use/mover.md, "Ellipsoids"), true.
bool grz_core_contains_part(const grz_core *core, const double position[3], const double triangle[3][3]);

#endif
