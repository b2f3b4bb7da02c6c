// SPDX-License-Identifier: MIT
// The broad phase behind one interface: which of many AABBs overlap, kept up to date while boxes move, appear and
// disappear. Every kind gives the same list, byte for byte; kinds differ in speed and memory (docs/internals/pairs.md).
#ifndef GRZ_SPACE_PAIRS_PAIRS_H
#define GRZ_SPACE_PAIRS_PAIRS_H

#include "base/simd.h"
#include "space/sweep/sweep_and_prune.h"

typedef enum grz_pairs_kind {
    GRZ_PAIRS_SWEEP, // sweep and prune (space/sweep)
    GRZ_PAIRS_TREE,  // a dynamic AABB tree
    GRZ_PAIRS_GRID,  // a uniform grid, one for each size of boxes
    GRZ_PAIRS_AUTO,  // sweep or grid, by what the last updates did
    GRZ_PAIRS_KIND_COUNT
} grz_pairs_kind;

// Only one thread at a time may use it.
typedef struct grz_pairs grz_pairs;

// The allocator is copied. NULL: there is no memory.
grz_pairs *grz_pairs_create(grz_pairs_kind kind, const grz_allocator *allocator, grz_simd simd);

// Destroy it. NULL is accepted.
void grz_pairs_destroy(grz_pairs *pairs);

// As the functions of grz_sweep with these names.
void grz_pairs_set_control(grz_pairs *pairs, grz_control *control);
bool grz_pairs_set(grz_pairs *pairs, uint32_t id, const grz_box *box);
void grz_pairs_remove(grz_pairs *pairs, uint32_t id);
bool grz_pairs_update(grz_pairs *pairs, const grz_sweep_pair **list, size_t *count);

// The name of a kind: sweep, tree, grid or auto.
const char *grz_pairs_kind_name(grz_pairs_kind kind);

// How a tree or a grid is updated, for tests; other kinds ignore it. The pairs do not depend on it.
typedef enum grz_pairs_way {
    GRZ_PAIRS_CHEAPEST,
    GRZ_PAIRS_FEW,   // look up each object that changed, unless nothing is known yet
    GRZ_PAIRS_COAST, // keep pairs of enlarged boxes, and filter them
    GRZ_PAIRS_RENEW  // rebuild everything
} grz_pairs_way;

void grz_pairs_force(grz_pairs *pairs, grz_pairs_way way);

// Counts of work since creation, for tests and measurements.
typedef struct grz_pairs_work {
    uint64_t renewed;   // updates that rebuilt everything
    uint64_t few;       // updates that looked up each object that changed
    uint64_t coasted;   // updates that filtered the pairs of enlarged boxes
    uint64_t looked_up; // objects that were looked up
    uint64_t filtered;  // pairs of enlarged boxes tested
} grz_pairs_work;

// NULL: it is neither a tree nor a grid.
const grz_pairs_work *grz_pairs_work_done(const grz_pairs *pairs);

// How often GRZ_PAIRS_AUTO changed from one kind to the other.
uint64_t grz_pairs_switches(const grz_pairs *pairs);

#endif
