// SPDX-License-Identifier: MIT
// Along which axis two solids are measured, and which of them from above.
#ifndef GRZ_ASK_OVERLAP_OVERLAP_VIEW_H
#define GRZ_ASK_OVERLAP_OVERLAP_VIEW_H

#include <graze/object.h>

#include "ask/overlap/prism.h"
#include "geometry/box.h"

typedef struct grz_volume_view {
    grz_prism_frame frame;
    int exponent;   // a volume in the frame, times 2^exponent, is one in the world
    int upper;      // of two solids: whose upper surface is compared with the other's lower one; -1: any, both ways
    grz_box column; // in the world: outside of it no triangle counts
    // Of two solids, along the frame's axis and in it: what is below all of the upper surface is as good as at
    // range[0], and what is above all of the lower one as at range[1].
    double range[2];
    double floor; // of one solid: its lowest z in the frame, or less
    bool fits;    // all coordinates are at most GRZ_PRISM_MOST
} grz_volume_view;

// For two solids: the axis along which their boxes have the least to go until they part, because then the fewest
// triangles lie over each other, and none far above. Exchanging the two changes nothing but their numbers.
void grz_volume_view_choose(const grz_object *a, const grz_object *b, grz_volume_view *view);

// For one solid.
void grz_volume_view_of(const grz_object *object, grz_volume_view *view);

// The volume of the box in which the boxes of two objects overlap, at most.
double grz_common_box_volume(const grz_object *a, const grz_object *b);

#endif
