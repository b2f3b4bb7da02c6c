// SPDX-License-Identifier: MIT
// The search for the overlap depth: cells that cover the common box, each with an upper bound of the depth of its
// points, and the deepest point that was found.
#ifndef GRZ_ASK_OVERLAP_DEPTH_DEPTH_COVER_H
#define GRZ_ASK_OVERLAP_DEPTH_DEPTH_COVER_H

#include "ask/overlap/depth/facet.h"
#include "ask/overlap/depth/parted.h"
#include "ask/overlap/depth/ways.h"

// Bounds need not be closer than this, relative to the coordinates: a few times the margin of moves (clipped.h).
#define GRZ_COVER_FINEST 0x1p-39

typedef struct grz_cover_cell {
    grz_box box;
    double upper; // no point in it is deeper
} grz_cover_cell;

// The deepest of some points. Depth 0: there is none.
typedef struct grz_cover_point {
    double depth, at[3];
} grz_cover_point;

// A cell that is, or may be, deeper than was asked.
typedef struct grz_cover_place {
    grz_cover_cell cell;
    grz_cover_point deepest; // of its points that were measured
} grz_cover_place;

// When a search ends.
typedef struct grz_cover_goal {
    bool decide; // whether some point is deeper than `depth`; else bounds, to a relative tolerance
    // With `decide`: go on until all cells are done but those that hold a deeper point, and these are no longer than
    // `place_size`, or may hold one, and are no longer than `maybe_size`; they become places.
    bool find_places;
    double depth; // bounds at most this prove that none is
    double place_size;
    double maybe_size;
    double tolerance; // of bounds
    uint64_t max_cells;
} grz_cover_goal;

// Used by one thread. grz_cover_finish() is due after grz_cover_init().
typedef struct grz_cover {
    grz_call *call;
    grz_depth_side *sides;
    grz_parted parted;
    grz_posed_surface surfaces[2]; // once some cells have been cut
    bool has_surfaces;
    double size; // of coordinates
    grz_cover_point best;
    grz_box here;              // the cell that is looked at
    grz_cover_point best_here; // of its points
    double settled;            // no point of a cell that is done is deeper
    double stuck;              // nor one of a cell that is too small to be cut
    uint64_t cell_count;       // made so far
    int climbs;
    grz_ways recent;                // that parted before, the last one first
    GRZ_ARRAY(grz_cover_cell) open; // a heap: the first has the largest upper bound
    GRZ_ARRAY(grz_cover_place) places;
} grz_cover;

grz_status grz_cover_init(grz_cover *cover, grz_call *call, grz_depth_side sides[2]);
void grz_cover_finish(grz_cover *cover);

// Go on until the goal is reached, or no more can be done. May be called again with another goal.
grz_status grz_cover_search(grz_cover *cover, const grz_cover_goal *goal);

// Measure points, and go on from the deepest one until one is deeper than `enough`. False: the control says to end.
bool grz_cover_try_points(grz_cover *cover, const double (*points)[3], size_t count, double enough);

// Measure points. False: the control says to end.
bool grz_cover_measure_points(grz_cover *cover, const double (*points)[3], size_t count);

// Open the cells of some places again, and forget these. `again`: of each place. False: there is no memory.
bool grz_cover_open_again(grz_cover *cover, const bool *again);

// What is proved: no point is deeper. Places do not count.
double grz_cover_upper(const grz_cover *cover);

#endif
