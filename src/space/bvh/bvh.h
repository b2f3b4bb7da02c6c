// SPDX-License-Identifier: MIT
// A bounding-volume hierarchy (BVH) over a mesh's triangles. It is built once and refitted when positions change. A
// node has eight children. Their boxes are stored as floats, side by side, so that one SIMD operation compares eight
// boxes.
#ifndef GRZ_SPACE_BVH_BVH_H
#define GRZ_SPACE_BVH_BVH_H

#include <stdatomic.h>

#include <graze/object.h>

#include "mesh/mesh.h"

enum {
    GRZ_BVH_WIDTH = 8,
    GRZ_BVH_MAX_DEPTH = 40,                                 // no node is deeper below the root
    GRZ_BVH_STACK = GRZ_BVH_WIDTH * (GRZ_BVH_MAX_DEPTH + 1) // the largest stack of a depth-first walk through one tree
};

#define GRZ_BVH_TRIANGLE UINT32_C(0x80000000) // a child with this bit is a triangle; the other bits are its number
#define GRZ_BVH_NONE UINT32_C(0xffffffff)     // no child; its box is empty

// Boxes are in the tree's own coordinates: (x - origin) · scale, rounded to floats, about -1 to 1; if the tree is
// turned, along its own axes. Rounding is monotone, so if two boxes of one tree overlap, their rounded boxes overlap,
// too. Comparing them with other trees or with points needs a margin of half a unit in the last place of a float.
typedef struct grz_bvh_node {
    float bounds[2][3][GRZ_BVH_WIDTH]; // lower and upper coordinates; an empty box has +inf and -inf
    uint32_t child[GRZ_BVH_WIDTH];     // nodes (their number), then GRZ_BVH_TRIANGLE | triangle, then GRZ_BVH_NONE
} grz_bvh_node;

typedef struct grz_bvh_slab grz_bvh_slab;   // slabs.h
typedef struct grz_fan_names grz_fan_names; // fans.h
typedef struct grz_hubs grz_hubs;           // hubs.h

typedef struct grz_bvh {
    // Node 0 is the root; each node comes before its children. Aligned to 64 bytes.
    grz_bvh_node *nodes;
    uint32_t node_count;
    uint32_t triangle_count;
    double origin[3];
    double scale, unit; // scale is a power of two; unit = 1 / scale
    double max_abs;     // the largest |coordinate| in tree coordinates
    bool turned;        // tree coordinates are axes · (x - origin) · scale; else (x - origin) · scale
    double axes[3][4];  // of a turned tree: three directions in mesh coordinates, perpendicular and of length 1; then 0
    double margin[3];   // of grz_bvh_child_box(), along each axis of the mesh
    // The root's box, stored as a node stores its first child's: the other seven places are not used.
    float whole[2][3][GRZ_BVH_WIDTH];
    double spread;   // sum of sampled children's areas / area of the root, when the tree was built (see spread_of())
    uint32_t refits; // since the build
    // The boxes have grown so much, or would be so much thinner along other axes, that the next new positions get a new
    // tree instead of a refit.
    bool worn;
    _Atomic(grz_bvh_slab *) slabs; // one for each node; NULL until the tree has been walked enough
    atomic_bool fitting;           // a thread is making the slabs
    atomic_ullong openings;        // pairs of nodes opened since the build or refit; counted while slabs are NULL
    // A name for each of fan_count vertices (fans.h); NULL until the tree has been walked with itself.
    _Atomic(uint32_t *) fans;
    uint32_t fan_count;
    grz_fan_names *fan_nodes; // made with `fans`, one for each node, if there are large fans or hubs; else NULL
    grz_hubs *fan_hubs;       // made with `fans`; NULL: no vertex is a hub
    atomic_bool judging;      // a thread is making the fan names
    void *block;              // the allocated memory; `nodes` points into it
    size_t block_size;
} grz_bvh;

// The hierarchy for the mesh's current positions, built or refitted if necessary. It is kept with the mesh; borrowed.
grz_status grz_mesh_bvh(const grz_mesh *mesh, grz_control *control, const grz_bvh **bvh, grz_error *error);

// A box in mesh coordinates that encloses all triangles below child `i` of a node. It includes a margin for rounding.
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
