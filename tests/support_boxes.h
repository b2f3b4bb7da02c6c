// SPDX-License-Identifier: MIT
// Scenes of boxes for the tests of sweep and prune: boxes of many styles, small moves, and the pairs by a plain loop over all.
#ifndef GRZ_TESTS_SUPPORT_BOXES_H
#define GRZ_TESTS_SUPPORT_BOXES_H

#include "pair_generator.h"
#include "space/sweep_and_prune.h"

typedef enum box_style {
    BOXES_UNIFORM,   // spread evenly, each meeting about six others
    BOXES_GRID,      // small integers: ties everywhere, faces and corners that just touch, minus zeros
    BOXES_NESTED,    // boxes in boxes
    BOXES_TOWER,     // one above the other: two axes tell nothing
    BOXES_IDENTICAL, // one of three boxes
    BOXES_EXTREME,   // bounds from 2^-1074 to 2^301, and infinite ones
    BOXES_CLUSTERS,  // crowds of different scales, far apart, and a few boxes at 2^300
    BOXES_TERRAIN,   // evenly spread, with a few that span everything and some long rods
    BOXES_STYLE_COUNT
} box_style;

const char *box_style_name(box_style style);

// A box of a scene of `count` such boxes. Never empty; degenerate now and then, but for BOXES_UNIFORM.
grz_box box_draw(box_style style, random_stream *random, uint32_t count);

// Move a box by about a tenth of its size, or to a neighbouring place where the style has no sizes; it may come out empty there.
void box_move(box_style style, random_stream *random, grz_box *box);

// An empty box: the usual one, one reversed along some axes, or one with a NaN.
grz_box box_draw_empty(random_stream *random);

// Whether two boxes have a common point, both being non-empty.
bool boxes_meet(const grz_box *a, const grz_box *b);

// Fail, naming `what` and the first difference, unless the list holds exactly the pairs of boxes that meet, in order.
void expect_box_pairs(const char *what, const grz_box *boxes, uint32_t count, const grz_sweep_pair *pairs, size_t pair_count);

#endif
