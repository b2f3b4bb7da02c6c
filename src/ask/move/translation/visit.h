// SPDX-License-Identifier: MIT
// A moves, B rests: visits all pairs of their triangles that may meet, but for those that the visitor says it can skip.
// The walk for the first contact (translation_walk.h) goes in another order.
#ifndef GRZ_ASK_MOVE_TRANSLATION_VISIT_H
#define GRZ_ASK_MOVE_TRANSLATION_VISIT_H

#include "ask/move/translation/follow.h"
#include "ask/move/translation/opening.h"

typedef struct grz_pair_visitor {
    void *context;
    // True if no pair of triangles below a pair, which may meet from one time of the path to another, is needed.
    bool (*skip)(void *context, double enter, double leave);
    // A triangle of A, and `count` of B. False if there is no memory.
    bool (*compare)(void *context, uint32_t triangle, const uint32_t *others, uint32_t count);
} grz_pair_visitor;

// Visit them in no particular order. Returns GRZ_OK, the control's status, or GRZ_ERROR_MEMORY.
grz_status grz_visit_pairs(grz_move_call *call, const grz_path *path, const grz_pair_visitor *visitor);

#endif
