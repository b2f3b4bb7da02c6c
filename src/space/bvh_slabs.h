// SPDX-License-Identifier: MIT
// Slabs of a hierarchy's nearly flat nodes, which part surfaces that run side by side where boxes overlap.
#ifndef GRZ_SPACE_BVH_SLABS_H
#define GRZ_SPACE_BVH_SLABS_H

#include "space/bvh.h"

// In tree coordinates.
struct grz_bvh_slab {
    float centre[3], half;   // no corner below the node is further from the centre along the normal; infinite: there is no slab
    float normal[3], radius; // of length 1, nearly; and further from the line through the centre along it
};

// The slabs of a tree's nodes, made now if it has been walked so much that they pay; NULL where there are none. Borrowed, until the
// tree is refitted. Any thread.
const grz_bvh_slab *grz_bvh_slabs(const grz_bvh *shared, const grz_mesh *mesh, grz_control *control);

// Say that so many pairs of a tree's nodes have been opened. Any thread.
void grz_bvh_count_openings(const grz_bvh *bvh, uint64_t count);

// Release them; no walk is under way.
void grz_bvh_forget_slabs(grz_bvh *bvh, const grz_allocator *allocator);

#endif
