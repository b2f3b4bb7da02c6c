// SPDX-License-Identifier: MIT
// A triangle of a surface that meets itself, cut along all other triangles of it that it meets: convex leaves, and on
// which sides of each the solid is. docs/use/overlap.md derives how much of that may be wrong.
#ifndef GRZ_ASK_OVERLAP_BORDER_LEAVES_H
#define GRZ_ASK_OVERLAP_BORDER_LEAVES_H

#include "ask/overlap/prism.h"
#include "base/control_type.h"
#include "base/memory.h"
#include "inside/border/border.h"

enum {
    GRZ_LEAF_CORNERS = 12
};

// A polygon seen along the frame's z, in the frame.
typedef struct grz_leaf {
    double corners[GRZ_LEAF_CORNERS][2]; // counter-clockwise
    int count;
    bool below; // the solid is below, against z, and not above; false: above, and not below
} grz_leaf;

// Where another triangle meets the triangle: a segment, seen along z.
typedef struct grz_leaf_cut {
    double ends[2][2];
} grz_leaf_cut;

// A polygon that is not cut yet, and the cuts that may go through it: lists[first] to lists[first + cut_count - 1].
typedef struct grz_leaf_item {
    double corners[GRZ_LEAF_CORNERS][2];
    int count, depth;
    size_t first, cut_count;
} grz_leaf_item;

// Used for one triangle after another, on one thread. Zeroed memory is empty; grz_leaves_finish() is due in any case.
typedef struct grz_leaves {
    GRZ_ARRAY(grz_leaf) leaves; // exactly convex. Those that are no border are not listed
    double slack;               // how far leaves lie over each other, or are outside of the triangle, at most
    // The leaves say what the border is, but for places with this area together, each counted as often as what is said
    // there is off: by 1 where a border is missed, or is none, by 2 where its sides are exchanged.
    double wrong;

    // The work.
    GRZ_ARRAY(grz_leaf_cut) cuts;
    GRZ_ARRAY(grz_leaf_item) stack; // the last item has the last list
    GRZ_ARRAY(uint32_t) lists;
    GRZ_ARRAY(uint32_t) kept;
    double size; // of what is cut, along x and along y together
    double unit; // more than what rounding moves
} grz_leaves;

// Cut a triangle that is not edge-on. `whole`: the same in the frame. What is outside of `window` (in the frame, seen
// along z) is left out.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_leaves_cut(grz_leaves *leaves, const grz_posed_border *border, uint32_t triangle,
                          const grz_prism_frame *frame, const grz_prism *whole, const double window[2][2],
                          grz_control *control);
void grz_leaves_finish(grz_leaves *leaves, grz_control *control);

#endif
