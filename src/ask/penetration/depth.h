// SPDX-License-Identifier: MIT
// The penetration along one direction, for the calls that ask about one or many.
#ifndef GRZ_ASK_PENETRATION_DEPTH_H
#define GRZ_ASK_PENETRATION_DEPTH_H

#include <graze/penetration.h>

#include "ask/move/translation/follow.h"
#include "ask/solids_overlap.h"
#include "geometry/exact/integer.h"
#include "inside/solids/surface.h"

// The answer of which nothing is known.
extern const grz_penetration_answer grz_penetration_nothing;

// How two solids lie where they are.
typedef struct grz_overlapping {
    grz_solids solids;
    const char *reason; // if they have no inside
    bool clean;         // neither surface meets itself
    grz_posed_surface surfaces[2];
} grz_overlapping;

// But for the surfaces, and whether they are clean.
grz_status grz_overlapping_find(grz_move_call *call, const grz_object *a, const grz_object *b,
                                grz_overlapping *overlapping);

// The objects are borrowed. grz_overlapping_finish() is due in any case.
grz_status grz_overlapping_find_surfaces(grz_move_call *call, const grz_object *a, const grz_object *b,
                                         grz_overlapping *overlapping);
void grz_overlapping_finish(grz_move_call *call, grz_overlapping *overlapping);

// Fill in the answer for a direction that is not zero. `limit`: depths above this, in world units, are not asked for,
// and then `upper` may be infinite. parting: the triangles that part at `upper`; UINT32_MAX if they are not known.
grz_status grz_depth_along(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_overlapping *start,
                           const double direction[3], double limit, grz_penetration_answer *answer,
                           uint32_t parting[2]);

// A vector that is not 0, at length 1: each component rounded once to the nearest double, never -0.
void grz_unit_round(const grz_integer direction[3], double out[3]);

#endif
