// SPDX-License-Identifier: MIT
// Slabs: for a nearly flat node, two parallel planes and a radius that enclose everything below it. They separate
// surfaces that run side by side, where boxes overlap.
#ifndef GRZ_SPACE_BVH_SLABS_H
#define GRZ_SPACE_BVH_SLABS_H

#include "space/bvh/bvh.h"

// A slab, in tree coordinates.
struct grz_bvh_slab {
    // Every corner below the node is at most `half` away from the centre along the normal, and at most `radius` away
    // from the line through the centre along the normal. `half` infinite: the node has no slab. The normal has length
    // 1, up to rounding.
    float centre[3], half;
    float normal[3], radius;
};

// The slabs of a tree's nodes. They are made now if the tree has been walked often enough. NULL: there are none.
// Borrowed until the tree is refitted. May be called on any thread.
const grz_bvh_slab *grz_bvh_slabs(const grz_bvh *shared, const grz_mesh *mesh, grz_control *control);

// Count pairs of nodes that were opened, to decide when slabs pay. May be called on any thread.
void grz_bvh_count_openings(const grz_bvh *bvh, uint64_t count);

// Release the slabs. No walk may be running.
void grz_bvh_forget_slabs(grz_bvh *bvh, const grz_allocator *allocator);

#endif
