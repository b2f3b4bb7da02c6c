// SPDX-License-Identifier: MIT
// A bounding-volume hierarchy over a mesh's triangles, in mesh coordinates: built once, refitted when positions change.
#ifndef GRZ_SPACE_BVH_H
#define GRZ_SPACE_BVH_H

#include "space/filter.h"

// A node's box holds all its triangles, exactly: its bounds are coordinates of theirs. Children stand side by side, after their
// parent.
typedef struct grz_bvh_node {
    grz_box box;
    uint32_t first; // leaf: index of its first entry in `order`; inner: its left child, the right one follows
    uint32_t count; // leaf: number of triangles, at least 1; inner: 0
} grz_bvh_node;

typedef struct grz_bvh {
    grz_bvh_node *nodes; // the root is node 0
    uint32_t node_count;
    uint32_t node_capacity;
    uint32_t *order; // triangle_count triangles, leaf by leaf
    uint32_t triangle_count;
} grz_bvh;

enum {
    GRZ_BVH_MAX_LEAF = 4,
    GRZ_BVH_MAX_DEPTH = 96 // no node lies deeper below the root; traversal stacks count on it
};

// The hierarchy of the mesh's present positions, kept in its slot. Borrowed.
grz_status grz_mesh_bvh(const grz_mesh *mesh, grz_control *control, const grz_bvh **bvh, grz_error *error);

extern const grz_slot_type grz_bvh_slot_type;

#endif
