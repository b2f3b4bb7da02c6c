// SPDX-License-Identifier: MIT
// Sweep and prune: finds which of many AABBs overlap, and keeps the list of pairs up to date while boxes move, appear
// and disappear. The answer is exact and depends on the boxes only, not on their history. An update is cheap if little
// has changed (docs/internals/sweep.md).
#ifndef GRZ_SPACE_SWEEP_SWEEP_AND_PRUNE_H
#define GRZ_SPACE_SWEEP_SWEEP_AND_PRUNE_H

#include "base/control_type.h"
#include "geometry/box.h"

enum {
    GRZ_SWEEP_MAX_ID = INT32_MAX // largest id of an object; memory is needed for all ids up to the largest in use
};

// Only one thread at a time may use it.
typedef struct grz_sweep grz_sweep;

typedef struct grz_sweep_pair {
    uint32_t a, b; // a < b
} grz_sweep_pair;

// The allocator is copied. NULL: there is no memory.
grz_sweep *grz_sweep_create(const grz_allocator *allocator);

// Destroy it. NULL is accepted.
void grz_sweep_destroy(grz_sweep *sweep);

// Set the control of the following calls: memory is taken from its allocator, and updates end when it says so. NULL: no
// control. Call again with NULL before the control ends.
void grz_sweep_set_control(grz_sweep *sweep, grz_control *control);

// Set the box of object `id`, new or known. An empty box, or one with a NaN, overlaps nothing. Only the last box before
// an update counts; setting the same box again costs nothing. False: there is no memory, or id > GRZ_SWEEP_MAX_ID;
// nothing has changed then. Never fails for an id that is not larger than one set before.
bool grz_sweep_set(grz_sweep *sweep, uint32_t id, const grz_box *box);

// Remove object `id`; the id may be used again. An unknown id is ignored.
void grz_sweep_remove(grz_sweep *sweep, uint32_t id);

// The box of an object as it was set; empty if there is none. `id` was set before.
const grz_box *grz_sweep_box(const grz_sweep *sweep, uint32_t id);

// Update the pairs for all changes since the last call. `pairs` receives every pair of objects whose boxes overlap
// (closed boxes: touching counts), sorted by (a, b); borrowed until the next call. False: there is no memory, or the
// control says to end; `count` is then 0, and the next call starts over.
bool grz_sweep_update(grz_sweep *sweep, const grz_sweep_pair **pairs, size_t *count);

// Counts of work since creation, for tests and measurements.
typedef struct grz_sweep_work {
    uint64_t rebuilds;  // updates that sorted and swept everything
    uint64_t repairs;   // updates that repaired the lists for the objects that changed
    uint64_t abandoned; // repairs given up for a rebuild because they became too expensive
    uint64_t visits;    // segments that repairs visited
    uint64_t tests;     // entries compared with an object
    uint64_t shifts;    // entries moved to open or close a gap
    uint64_t copied;    // pairs moved within the sorted list by repairs
    uint64_t filtered;  // candidates tested while fat AABBs were in use
} grz_sweep_work;

const grz_sweep_work *grz_sweep_work_done(const grz_sweep *sweep);

// How updates are done. The pairs do not depend on it.
typedef enum grz_sweep_way {
    GRZ_SWEEP_CHEAPEST,
    GRZ_SWEEP_REPAIR, // repair unless there is nothing to repair
    GRZ_SWEEP_REBUILD
} grz_sweep_way;

void grz_sweep_force(grz_sweep *sweep, grz_sweep_way way);

#endif
