// SPDX-License-Identifier: MIT
// The search for the overlap depth: cells that cover the common box, each with an upper bound of the depth of its
// points, and the deepest point that was found.
#ifndef GRZ_ASK_OVERLAP_DEPTH_COVER_H
#define GRZ_ASK_OVERLAP_DEPTH_COVER_H

#include "ask/overlap/depth/parted.h"
#include "ask/overlap/depth/ways.h"

typedef struct grz_cover_cell {
    grz_box box;
    double upper; // no point in it is deeper
} grz_cover_cell;

// When a search ends.
typedef struct grz_cover_goal {
    bool decide;      // whether some point is deeper than `depth`; else bounds, to a relative tolerance
    double depth;     // bounds at most this prove that none is
    double tolerance; // of bounds
    uint64_t max_cells;
} grz_cover_goal;

// Used by one thread. grz_cover_finish() is due after grz_cover_init().
typedef struct grz_cover {
    grz_call *call;
    grz_depth_side *sides;
    grz_parted parted;
    double size;         // of coordinates
    double lower;        // depth of the deepest point
    double centre[3];    // that point
    double settled;      // no point of a cell that is done is deeper
    double stuck;        // nor one of a cell that is too small to be cut
    uint64_t cell_count; // made so far
    int climbs;
    grz_ways recent;                // that parted before, the last one first
    GRZ_ARRAY(grz_cover_cell) open; // a heap: the first has the largest upper bound
} grz_cover;

grz_status grz_cover_init(grz_cover *cover, grz_call *call, grz_depth_side sides[2]);
void grz_cover_finish(grz_cover *cover);

// Go on until the goal is reached, or no more can be done. May be called again with another goal.
grz_status grz_cover_search(grz_cover *cover, const grz_cover_goal *goal);

// What is proved: no point is deeper.
double grz_cover_upper(const grz_cover *cover);

#endif
