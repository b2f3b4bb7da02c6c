// SPDX-License-Identifier: MIT
// Two bodies penetrate each other: which way A should move, and how far.
#ifndef GRZ_ASK_MANIFOLD_MANIFOLD_PART_H
#define GRZ_ASK_MANIFOLD_MANIFOLD_PART_H

#include "ask/move/translation/follow.h"

typedef struct grz_parting {
    double normal[3];           // of length 1
    double depth, lower, upper; // upper: infinite if no way was found
    bool solid;                 // the depth is that of the solids; else of the surfaces
    const char *reason;         // as grz_penetration_answer::reason
} grz_parting;

// `direction` may be zeros: then the normals of contacts and of the faces that meet are tried. `result` has the
// contacts of the two, and how they lie as solids.
grz_status grz_parting_find(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_result *result,
                            const double direction[3], grz_parting *parting);

#endif
