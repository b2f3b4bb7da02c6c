// SPDX-License-Identifier: MIT
// A bounding-volume hierarchy over a mesh's triangles: built once, refitted when positions change. Eight children a node, their
// boxes as floats side by side, so that one operation compares eight.
#ifndef GRZ_SPACE_BVH_H
#define GRZ_SPACE_BVH_H

#include <stdatomic.h>

#include "space/filter.h"

enum {
    GRZ_BVH_WIDTH = 8,
    GRZ_BVH_MAX_DEPTH = 40,                                 // no node lies deeper below the root
    GRZ_BVH_STACK = GRZ_BVH_WIDTH * (GRZ_BVH_MAX_DEPTH + 1) // nodes on the way down
};

#define GRZ_BVH_TRIANGLE UINT32_C(0x80000000) // marks a child that is a triangle, by its number
#define GRZ_BVH_NONE UINT32_C(0xffffffff)     // no child: its box is empty

// Boxes are in the tree's own coordinates: (x - origin) · scale, rounded to floats, about -1 to 1. Rounding is monotone, so boxes
// of one tree that overlap do so in floats; against other trees and points, half a float's last bit must be allowed for.
typedef struct grz_bvh_node {
    float bounds[2][3][GRZ_BVH_WIDTH]; // least and largest coordinates; empty: +inf and -inf
    uint32_t child[GRZ_BVH_WIDTH];     // nodes by number first, then GRZ_BVH_TRIANGLE | triangle, then GRZ_BVH_NONE
} grz_bvh_node;

typedef struct grz_bvh_slab grz_bvh_slab; // bvh_slabs.h

typedef struct grz_bvh {
    grz_bvh_node *nodes; // the root is node 0, each node comes before its children; on a boundary of 64 bytes
    uint32_t node_count;
    uint32_t triangle_count;
    double origin[3];
    double scale, unit;            // a power of two, and one over it
    double reach;                  // the largest magnitude of a tree coordinate
    double spread;                 // how large the children's boxes are beside the whole, on average, when it was built
    uint32_t refits;               // since then
    bool worn;                     // boxes have grown so much that the next new positions are worth a new tree
    _Atomic(grz_bvh_slab *) slabs; // one a node, once it has been walked enough
    atomic_bool fitting;           // they are being made
    atomic_ullong openings;        // pairs of nodes opened since it was built or refitted, while it has no slabs
    _Atomic(uint32_t *) fans;      // bvh_fans.h: a name for each of fan_count vertices, once it has been walked with itself
    uint32_t fan_count;
    atomic_bool judging; // they are being made
    void *block;         // what was allocated for nodes
    size_t block_size;
} grz_bvh;

// The hierarchy of the mesh's present positions, kept in its slot. Borrowed.
grz_status grz_mesh_bvh(const grz_mesh *mesh, grz_control *control, const grz_bvh **bvh, grz_error *error);

// A box in mesh coordinates that holds all triangles below child `i` of a node.
grz_box grz_bvh_child_box(const grz_bvh *bvh, uint32_t node, int i);

static inline bool grz_bvh_is_triangle(uint32_t child)
{
    return child >= GRZ_BVH_TRIANGLE;
}

static inline uint32_t grz_bvh_triangle(uint32_t child)
{
    return child & ~GRZ_BVH_TRIANGLE;
}

extern const grz_slot_type grz_bvh_slot_type;

#endif
