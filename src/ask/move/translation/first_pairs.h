// SPDX-License-Identifier: MIT
// The pairs of triangles that may meet first: collected with bounds of the times at which they do, and decided exactly
// at the end.
#ifndef GRZ_ASK_MOVE_TRANSLATION_FIRST_PAIRS_H
#define GRZ_ASK_MOVE_TRANSLATION_FIRST_PAIRS_H

#include <graze/move.h>

#include "ask/move/translation/translation_path.h"
#include "base/control_type.h"
#include "geometry/sweep/meeting_filter.h"

typedef struct grz_first_pair {
    uint32_t a, b; // triangles
    double lower;  // they do not meet before; 0 or above
} grz_first_pair;

typedef struct grz_first_pairs {
    const grz_path *path;
    grz_control *control;
    grz_meeting_filter *filter;
    double upper; // the objects certainly meet no later; infinite if that is not known
    double until; // what meets later does not count: `upper`, or 1
    // The last triangle of A that was compared.
    bool has_mover;
    uint32_t mover_triangle;
    double mover_corners[3][3];
    grz_meeting_mover mover;
    uint64_t compared;
    size_t next_look; // drop the pairs that meet too late when there are this many
    GRZ_ARRAY(grz_first_pair) pairs;
} grz_first_pairs;

void grz_first_pairs_init(grz_first_pairs *pairs, const grz_path *path, grz_simd simd, grz_control *control);
void grz_first_pairs_finish(grz_first_pairs *pairs);

// Compare a triangle of A with some of B. False if there is no memory.
bool grz_first_pairs_compare(grz_first_pairs *pairs, uint32_t triangle, const uint32_t *others, uint32_t count);

// No pair that was compared meets before; infinite if none can.
double grz_first_pairs_lower(const grz_first_pairs *pairs);

// Decide exactly which of the pairs meets first, and fill in the answer, but for `started_inside` and `compared`. False
// if the control says to end; the answer is then unchanged.
bool grz_first_pairs_decide(grz_first_pairs *pairs, grz_move_answer *answer);

#endif
