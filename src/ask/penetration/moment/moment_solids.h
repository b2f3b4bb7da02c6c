// SPDX-License-Identifier: MIT
// Do the insides of two solids have a common point at one exact time?
#ifndef GRZ_ASK_PENETRATION_MOMENT_MOMENT_SOLIDS_H
#define GRZ_ASK_PENETRATION_MOMENT_MOMENT_SOLIDS_H

#include "ask/move/translation/follow.h"
#include "ask/penetration/moment/instant.h"
#include "inside/solids/surface.h"

typedef enum grz_overlap {
    GRZ_OVERLAP_UNKNOWN,
    GRZ_OVERLAP_NO,
    GRZ_OVERLAP_YES
} grz_overlap;

// surfaces: of A and of B where the path begins. If one is not clean, the answer is UNKNOWN. Exact; UNKNOWN also if
// numbers would be longer than GRZ_MAX_LIMBS, or a shell that is not in contact is too small to be placed.
grz_status grz_overlap_at_instant(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                                  const grz_instant *when, grz_overlap *overlap);

#endif
