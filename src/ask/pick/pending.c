// SPDX-License-Identifier: MIT
#include "ask/pick/pending.h"

static void describe_all(grz_pick_pending *pending, const grz_pick_question *question)
{
    grz_line_hit known[GRZ_LINE_FOUR];
    // One alone takes less time by itself.
    const uint32_t done = pending->count > 1 ? question->describe_four(&pending->four, known) : 0;
    for (uint32_t i = 0; i < pending->count; i++) {
        const grz_pick_candidate *candidate = &pending->items[i].candidate;
        if ((done >> i & 1) != 0)
            grz_pick_write_crossing(question, candidate, &known[i], pending->items[i].hit);
        else
            grz_pick_describe_crossing(question, &pending->items[i].line, candidate, pending->items[i].hit);
    }
    pending->count = 0;
}

void grz_pick_pending_add(grz_pick_pending *pending, const grz_pick_search *search, const grz_pick_candidate *candidate,
                          grz_ray_hit *hit)
{
    double c[3][3];
    if (candidate->crossing != GRZ_CROSSING_FACE) {
        grz_pick_describe(search, candidate, hit);
        return;
    }
    const uint32_t i = pending->count++;
    grz_pick_corners(search->question, candidate, c);
    grz_line_four_set(&pending->four, i, &search->line, (const double(*)[3])c);
    pending->items[i].candidate = *candidate;
    pending->items[i].line = search->line;
    pending->items[i].hit = hit;
    if (pending->count == GRZ_LINE_FOUR)
        describe_all(pending, search->question);
}

void grz_pick_pending_finish(grz_pick_pending *pending, const grz_pick_question *question)
{
    describe_all(pending, question);
}
