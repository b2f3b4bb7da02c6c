// SPDX-License-Identifier: MIT
// Models of the sizes of the paper's, whose files nobody has: branching airways, a colon, a spine with hips. Made of
// tubes and balls from fixed seeds; every coordinate is a float.
#ifndef GRZ_BENCH_SELECTION_ANATOMY_H
#define GRZ_BENCH_SELECTION_ANATOMY_H

#include "shapes.h"

enum {
    AIRWAYS_TRIANGLES = 14436,
    COLON_TRIANGLES = 32375,
    SPINE_TRIANGLES = 51910
};

// A windpipe that divides in two five times: 63 tubes, which overlap where they meet.
peer_mesh anatomy_airways(void);

// One winding tube with folds.
peer_mesh anatomy_colon(void);

// 24 vertebrae, each a ball with three spines and a ring, a sacrum and two hip bones.
peer_mesh anatomy_spine(void);

#endif
