// SPDX-License-Identifier: MIT
// Walks two hierarchies together, or one with itself. The walk is written once, in bvh_walk_lanes.c, and compiled for
// each SIMD width.
#ifndef GRZ_FILTER_BVH_BVH_WALK_H
#define GRZ_FILTER_BVH_BVH_WALK_H

#include "base/simd.h"
#include "filter/sink.h"
#include "space/bvh/fans.h"
#include "space/frames/frames.h"
#include "space/bvh/hubs.h"
#include "space/bvh/slabs.h"

// A walk: what it needs to know about one job.
typedef struct grz_bvh_walk {
    const grz_mesh *mesh_a, *mesh_b;
    const grz_bvh *bvh_a, *bvh_b;
    const grz_bvh_slab *slabs_a, *slabs_b; // both, or neither (NULL)
    const uint32_t *fans;                  // fan names of vertices, for a mesh with itself; NULL: there are no fans
    const grz_fan_names *fan_nodes;        // what the triangles of each node have in common; NULL: nothing is known
    const grz_hubs *hubs;                  // their pairs of triangles are the walk's, too; NULL: there are none
    bool self, first_contact;              // self: a mesh with itself; first_contact: only the first contact is wanted
    bool near;                             // the frames have a reach: pairs nearer than `clearance` are wanted
    bool has_directions;                   // directions.h: numbers are such that directions can be used
    double clearance;                      // world units
    const grz_object *object_a, *object_b; // their meshes are the same as above
    uint32_t job;
    grz_sink *sink;
    grz_bvh_frames frames;
} grz_bvh_walk;

// A pair of children, one of A's tree and one of B's, whose boxes overlap. At most one of them is a triangle. A place
// says where a child is stored: node × 8 + position in the node; GRZ_BVH_NONE for the roots.
// If place_a is GRZ_BVH_HUB_ITEMS, it is no such pair: items a to b - 1 of the hubs are to be compared with those
// behind them.
typedef struct grz_bvh_pair {
    uint32_t a, b;
    uint32_t place_a, place_b;
} grz_bvh_pair;

#define GRZ_BVH_HUB_ITEMS (GRZ_BVH_NONE - 1)

enum {
    GRZ_BVH_MOST_PAIRS = GRZ_BVH_WIDTH * GRZ_BVH_WIDTH + GRZ_BVH_WIDTH, // the most pairs that opening one pair can
                                                                        // produce
    // The largest possible stack: each step goes one level deeper in both trees, until one of them ends in a triangle.
    // Below them there may be hub items, which are cut in halves: at most 32 times.
    GRZ_BVH_WALK_STACK = (GRZ_BVH_MAX_DEPTH + 1) * (GRZ_BVH_MOST_PAIRS + GRZ_BVH_WIDTH) + 33
};

// Open a range of hub items: cut it in two, or propose the pairs of its items. The same as grz_bvh_walker::open.
size_t grz_bvh_open_hub_items(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out, grz_chunk *chunk,
                              bool *go_on);

typedef struct grz_bvh_walker {
    // Open a pair: compare all its children. Pairs of triangles go to the chunk, other pairs to `out`, which has room
    // for GRZ_BVH_MOST_PAIRS. Returns the number of pairs in `out`; *go_on becomes false if the sink needs no more.
    size_t (*open)(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out, grz_chunk *chunk,
                   bool *go_on);
    // Walk down from the pairs on a stack that has room for GRZ_BVH_WALK_STACK: one pair, or the rest of an earlier
    // call. Ends when the stack is empty, the sink needs no more, or *steps pairs have been opened (*steps is counted
    // down). Returns the number of pairs left on the stack.
    size_t (*down)(const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth, uint64_t *steps);
} grz_bvh_walker;

// The walk for a SIMD width that this processor has.
const grz_bvh_walker *grz_bvh_walker_for(grz_simd simd);

extern const grz_bvh_walker grz_bvh_walker_scalar;
extern const grz_bvh_walker grz_bvh_walker_base; // SSE2 or NEON: what every processor of this architecture has
#ifdef GRZ_SIMD_X86
extern const grz_bvh_walker grz_bvh_walker_avx2, grz_bvh_walker_avx512;
#endif

#endif
