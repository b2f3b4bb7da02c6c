// SPDX-License-Identifier: MIT
// First hits that have yet to be described: four that go through insides of triangles are described together.
#ifndef GRZ_ASK_PICK_PENDING_H
#define GRZ_ASK_PICK_PENDING_H

#include "ask/pick/pick_search.h"

// All 0 at first; for one thread.
typedef struct grz_pick_pending {
    grz_line_four four;
    struct {
        grz_pick_candidate candidate;
        grz_line line;
        grz_ray_hit *hit;
    } items[GRZ_LINE_FOUR];
    uint32_t count;
} grz_pick_pending;

// Have a candidate of a search described in *hit: at once, or later, but not after grz_pick_pending_finish(). The hit
// is borrowed until then; all searches are of one question.
void grz_pick_pending_add(grz_pick_pending *pending, const grz_pick_search *search, const grz_pick_candidate *candidate,
                          grz_ray_hit *hit);
void grz_pick_pending_finish(grz_pick_pending *pending, const grz_pick_question *question);

#endif
