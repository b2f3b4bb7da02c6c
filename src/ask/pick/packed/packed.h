// SPDX-License-Identifier: MIT
// A tree in less memory, for many rays. The planes of the eight boxes of a node are stored as bytes, relative to a
// corner that comes from the node above; they are rounded outwards, so that each box holds the one that it stands for.
// A node is one line of the cache. The corners of the triangles lie in the order of the nodes.
#ifndef GRZ_ASK_PICK_PACKED_PACKED_H
#define GRZ_ASK_PICK_PACKED_PACKED_H

#include <string.h>

#include "ask/pick/packed/ray_map.h"

enum {
    GRZ_PACKED_LINE = 64,  // bytes that come from memory together
    GRZ_PACKED_NEAR = 4096 // so many nodes, those of the upper levels, are in the cache
};

// Byte b of axis k is the plane origin[k] + b · 2^exponents[k], in the tree's coordinates. The origin of the root is
// the tree's; that of a child is the lower corner of its box, each coordinate rounded to a float in the ordinary way.
typedef struct grz_packed_node {
    uint8_t planes[2][3][GRZ_BVH_WIDTH]; // lower and upper
    uint32_t first_node;                 // child i is this + i if i is below `nodes`,
    uint32_t first_child;                // else it is this + i, modulo 2^32: GRZ_BVH_TRIANGLE | leaf
    int8_t exponents[3];
    uint8_t used;  // bit i: there is a child i
    uint8_t nodes; // how many children are nodes
    uint8_t unused[3];
} grz_packed_node;

// The step 2^exponent, which is no subnormal number.
static inline float grz_packed_step(int exponent)
{
    const uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// A triangle with its corners in mesh coordinates, where all of the mesh are floats; else with its vertices.
typedef struct grz_packed_corners {
    float at[3][3]; // at[k][i]: coordinate k of corner i
    uint32_t triangle;
} grz_packed_corners;

typedef struct grz_packed_vertices {
    uint32_t vertex[3], triangle;
} grz_packed_vertices;

typedef struct grz_packed_tree {
    grz_packed_node *nodes; // node 0 is the root; aligned to lines
    float origin[3];        // of the root
    uint32_t node_count, leaf_count;
    // One of these, `leaf_count` long; the other is NULL.
    grz_packed_corners *corners;
    grz_packed_vertices *vertices;
    void *block; // holds the nodes
} grz_packed_tree;

// A node or a triangle that has yet to be looked at, and where the ray may enter its box.
typedef struct grz_pick_waiting {
    float enter;
    uint32_t child;  // as in grz_bvh_node; in a packed tree a triangle is the number of its leaf
    float origin[3]; // of a packed node
} grz_pick_waiting;

// Bring memory that is needed soon into the cache. A macro, because gcc drops the calls of a function that does nothing
// but prefetch.
#if defined(__GNUC__)
#define GRZ_PREFETCH(address) __builtin_prefetch(address)
#else
#define GRZ_PREFETCH(address) ((void)(address))
#endif

// Where a child lies: its first and its last byte.
static inline const char *grz_packed_place(const grz_packed_tree *tree, uint32_t child, const char **last)
{
    const uint32_t leaf = grz_bvh_triangle(child);
    const void *place = !grz_bvh_is_triangle(child) ? (const void *)&tree->nodes[child]
                        : tree->corners != NULL     ? (const void *)&tree->corners[leaf]
                                                    : (const void *)&tree->vertices[leaf];
    const size_t size = !grz_bvh_is_triangle(child) ? sizeof *tree->nodes
                        : tree->corners != NULL     ? sizeof *tree->corners
                                                    : sizeof *tree->vertices;
    *last = (const char *)place + size - 1;
    return place;
}

// True if a child has to come from memory.
static inline bool grz_packed_is_far(const grz_packed_tree *tree, uint32_t child)
{
    return (grz_bvh_is_triangle(child) ? tree->node_count : child) >= GRZ_PACKED_NEAR;
}

// The packed tree of a mesh, for so many rays. It is made once enough rays have been followed since the tree was built
// or refitted; NULL: not yet, or there is no memory. Kept with the mesh; borrowed.
grz_status grz_packed_tree_get(const grz_mesh *mesh, const grz_bvh *bvh, uint64_t rays, grz_control *control,
                               const grz_packed_tree **tree, grz_error *error);

// What rays need of a posed tree's frame (ask/distance/distance_frames.h), ready for a whole vector of axes.
typedef struct grz_packed_frame {
    bool is_straight; // axis i of the frame takes coordinate i of the tree alone; else the rest is not set
    double columns[3][4], middle[3], size, scale, reach;
    double factor[4], shift[4], margin[4]; // of the rows
} grz_packed_frame;

void grz_packed_frame_set(grz_packed_frame *frame, const grz_distance_frames *frames);

// A walk of one ray through a packed tree.
typedef struct grz_packed_walk {
    const grz_packed_tree *tree;
    // The ray's map: on axis k it enters a box at m · b + enter at least, and minus s at the exit is at least
    // -m · b + leave (ray_map.h).
    float m[4], enter[4], leave[4];
    uint8_t near[3], far[3]; // where the planes are that it enters and leaves by: bytes from the first plane of a node
    float from, limit;
    size_t depth;
    grz_pick_waiting *stack; // room for GRZ_BVH_STACK
} grz_packed_walk;

#define GRZ_PACKED_DONE UINT32_MAX        // nothing is left of the walk
#define GRZ_PACKED_LATER (UINT32_MAX - 1) // it waits for memory: go on with other rays first

typedef struct grz_packed_steps {
    // Begin with a ray: map->start, speed, from and to are set, and what the walk needs. False: numbers leave the range
    // of floats.
    bool (*begin)(grz_packed_walk *walk, grz_ray_map *map, const grz_packed_frame *frame, const grz_line *line,
                  double from, double to);
    // Go on to the next leaf, which is returned; or GRZ_PACKED_DONE or GRZ_PACKED_LATER.
    uint32_t (*next)(grz_packed_walk *walk);
} grz_packed_steps;

const grz_packed_steps *grz_packed_steps_for(grz_simd simd);

extern const grz_packed_steps grz_packed_steps_of_scalar, grz_packed_steps_of_base;
#ifdef GRZ_SIMD_X86
extern const grz_packed_steps grz_packed_steps_of_avx2, grz_packed_steps_of_avx512;
#endif

#endif
