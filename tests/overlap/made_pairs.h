// SPDX-License-Identifier: MIT
// Pairs of solids that a building or a machine is made of, whose overlap depth is known: walls and slabs, pipes in
// drilled holes, shafts in collars, windows in openings, columns in corners, and solids that truly overlap. Noise on
// every coordinate changes the depth by no more than `error`.
#ifndef GRZ_TESTS_MADE_PAIRS_H
#define GRZ_TESTS_MADE_PAIRS_H

#include <stdbool.h>

#include "support_meshes.h"

typedef enum made_kind {
    MADE_SLAB,    // a slab on a wall
    MADE_BOXES,   // two boxes at random
    MADE_PIPE,    // a pipe or a bar of n sides in a drilled hole
    MADE_SHAFT,   // a shaft in a collar
    MADE_WINDOW,  // a window of several shells in the opening of a wall
    MADE_COLUMN,  // a column in the corner of three walls
    MADE_THROUGH, // a pipe through a wall that has no hole for it
    MADE_TURNED,  // two convex prisms, turned at random
    MADE_KIND_COUNT
} made_kind;

typedef struct made_pair {
    made_kind kind;
    test_mesh meshes[2];
    bool fitted;  // parts that fit, or overlap by little; else solids deep in each other
    double depth; // as meant, without noise; 0: flush, or apart
    double gap;   // how far apart they are meant to be, at least, if depth is 0
    double noise; // the largest, on each coordinate
    double error; // the depth is known to this: noise, and roundings
    double size;  // the largest coordinate
} made_pair;

const char *made_kind_name(made_kind kind);

// The pair is determined by the kind and the stream.
void made_pair_make(made_pair *pair, made_kind kind, random_stream *random);
void made_pair_finish(made_pair *pair);

#endif
