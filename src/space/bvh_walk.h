// SPDX-License-Identifier: MIT
// Walking two hierarchies together, or one with itself. The walk is written once, in bvh_walk_lanes.h, and compiled for each width
// of the processor's registers.
#ifndef GRZ_SPACE_BVH_WALK_H
#define GRZ_SPACE_BVH_WALK_H

#include "base/simd.h"
#include "space/bvh_fans.h"
#include "space/bvh_frames.h"
#include "space/bvh_slabs.h"

// A walk under way.
typedef struct grz_bvh_walk {
    const grz_mesh *mesh_a, *mesh_b;
    const grz_bvh *bvh_a, *bvh_b;
    const grz_bvh_slab *slabs_a, *slabs_b; // both, or neither
    const uint32_t *fans;                  // for self; NULL: there are none
    bool self;
    uint32_t job;
    grz_sink *sink;
    grz_bvh_frames frames;
} grz_bvh_walk;

// A child of A's and one of B's that may touch. At most one of them is a triangle. Where a child is kept: node × 8 + place; for the
// roots GRZ_BVH_NONE.
typedef struct grz_bvh_pair {
    uint32_t a, b;
    uint32_t place_a, place_b;
} grz_bvh_pair;

enum {
    GRZ_BVH_MOST_PAIRS = GRZ_BVH_WIDTH * GRZ_BVH_WIDTH + GRZ_BVH_WIDTH, // that one pair opens to
    // Pairs on the way down: each step goes a level deeper in both trees, until one of them ends in a triangle.
    GRZ_BVH_WALK_STACK = (GRZ_BVH_MAX_DEPTH + 1) * (GRZ_BVH_MOST_PAIRS + GRZ_BVH_WIDTH)
};

typedef struct grz_bvh_walker {
    // Compare all children of a pair: pairs of triangles go to the chunk, others to `out`, which has room for GRZ_BVH_MOST_PAIRS.
    // Returns how many; *go_on becomes false where the sink needs no more.
    size_t (*open)(const grz_bvh_walk *walk, const grz_bvh_pair *pair, grz_bvh_pair *out, grz_chunk *chunk, bool *go_on);
    // Walk down from the pairs of a stack that has room for GRZ_BVH_WALK_STACK, one pair or what an earlier call has left: until
    // nothing is left, the sink needs no more, or *steps pairs have been opened, which it counts down. Returns how many are left.
    size_t (*down)(const grz_bvh_walk *walk, grz_bvh_pair *stack, size_t depth, uint64_t *steps);
} grz_bvh_walker;

// The walker for a width that this processor has.
const grz_bvh_walker *grz_bvh_walker_for(grz_simd simd);

extern const grz_bvh_walker grz_bvh_walker_scalar;
extern const grz_bvh_walker grz_bvh_walker_base; // SSE2, NEON, or what else every processor of this kind has
#ifdef GRZ_SIMD_X86
extern const grz_bvh_walker grz_bvh_walker_avx2, grz_bvh_walker_avx512;
#endif

#endif
