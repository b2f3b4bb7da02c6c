// SPDX-License-Identifier: MIT
// Scenes of AABBs for the tests of broad phases: boxes of many styles, how they change, and the overlapping pairs by
// brute force.
#ifndef GRZ_TESTS_SUPPORT_BOXES_H
#define GRZ_TESTS_SUPPORT_BOXES_H

#include "pair_generator.h"
#include "space/sweep/sweep_and_prune.h"

typedef enum box_style {
    BOXES_UNIFORM,   // spread evenly, each overlaps about six others
    BOXES_GRID,      // small integers: many equal bounds, touching faces and corners, -0
    BOXES_NESTED,    // boxes in boxes
    BOXES_TOWER,     // one above the other: only one axis can separate them
    BOXES_IDENTICAL, // every box is one of three
    BOXES_EXTREME,   // bounds from 2^-1074 to 2^301, and infinite ones
    BOXES_CLUSTERS,  // clusters of different scales, far apart, and a few boxes at 2^300
    BOXES_TERRAIN,   // evenly spread, with a few boxes that span everything and some long rods
    BOXES_STYLE_COUNT
} box_style;

const char *box_style_name(box_style style);

// Draw a box for a scene of `count` boxes of a style. Never empty; sometimes degenerate, except for BOXES_UNIFORM.
grz_box box_draw(box_style style, random_stream *random, uint32_t count);

// Move a box by about a tenth of its size; BOXES_GRID by at most 1, BOXES_EXTREME by a few ulps, which may make it
// empty.
void box_move(box_style style, random_stream *random, grz_box *box);

// Draw an empty box: the usual one, one with min > max along some axes, or one with a NaN.
grz_box box_draw_empty(random_stream *random);

// True if two boxes are not empty and have a common point.
bool boxes_meet(const grz_box *a, const grz_box *b);

// Fail the test, printing `what` and the first difference, unless the list has exactly the overlapping pairs, in order.
void expect_box_pairs(const char *what, const grz_box *boxes, uint32_t count, const grz_sweep_pair *pairs,
                      size_t pair_count);

// Objects with boxes of one style, which change at random. An unused id has an empty box. Whoever keeps pairs of them
// is told of each change.
typedef struct box_crowd {
    box_style style;
    uint32_t count; // of ids
    random_stream random;
    grz_box *boxes; // by id
    void (*set)(void *user, uint32_t id, const grz_box *box);
    void (*remove)(void *user, uint32_t id);
    void *user;
} box_crowd;

void box_crowd_put(box_crowd *crowd, uint32_t id, const grz_box *box);

// Put a box of the style, sometimes an empty one.
void box_crowd_draw(box_crowd *crowd, uint32_t id);

// Move a box a little; an unused id stays so.
void box_crowd_nudge(box_crowd *crowd, uint32_t id);

// One change of a kind from 0 to 7: moves, jumps, comes, goes, goes and comes back, grows or shrinks.
void box_crowd_change(box_crowd *crowd, uint32_t kind, uint32_t id);

// The changes of one step: of none, few, many or all of the objects.
void box_crowd_step(box_crowd *crowd);

#endif
