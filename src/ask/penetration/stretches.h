// SPDX-License-Identifier: MIT
// The times of a path at which surfaces touch, or at which triangles prove that the solids overlap, as exact instants.
#ifndef GRZ_ASK_PENETRATION_STRETCHES_H
#define GRZ_ASK_PENETRATION_STRETCHES_H

#include "ask/move/translation/follow.h"
#include "ask/penetration/moment/instant.h"
#include "base/memory.h"
#include "inside/solids/surface.h"

// Times from one to the other, and the triangles that meet at the beginning and part at the end.
typedef struct grz_stretch {
    grz_instant enter, leave;
    uint32_t enter_a, enter_b; // UINT32_MAX: none, it begins with the path
    uint32_t a, b;
} grz_stretch;

typedef GRZ_ARRAY(grz_stretch) grz_stretches; // sorted

// As grz_spans_find(): closed stretches in which the surfaces touch, or, with `surfaces`, open ones in which triangles
// prove an overlap.
grz_status grz_stretches_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                              grz_stretches *out);

#endif
