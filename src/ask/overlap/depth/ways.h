// SPDX-License-Identifier: MIT
// Directions in which A may be free of B in a box.
#ifndef GRZ_ASK_OVERLAP_DEPTH_WAYS_H
#define GRZ_ASK_OVERLAP_DEPTH_WAYS_H

#include "ask/overlap/depth/side.h"

enum {
    GRZ_MOST_WAYS = 128
};

typedef struct grz_ways {
    int count;
    double directions[GRZ_MOST_WAYS][3]; // of length 1, rounded
} grz_ways;

// Add a direction, unless one like it is there, or it is 0.
void grz_ways_add(grz_ways *ways, const double direction[3]);

// The normals of triangles in a cell, their opposites, and what leads out of two and three walls at once: by sums of
// normals, and where A reaches farther into one of them than into another, by as much farther. `most`: how long the way
// is going to be.
void grz_ways_add_normals(grz_ways *ways, grz_depth_side sides[2], const grz_box *cell, double most);

#endif
