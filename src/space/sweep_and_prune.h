// SPDX-License-Identifier: MIT
// Sweep and prune: which of many boxes overlap, kept up to date while boxes move, come and go. The answer is exact, depends on the
// boxes alone and not on how they got there, and costs little where little changed (docs/sweep.md).
#ifndef GRZ_SPACE_SWEEP_AND_PRUNE_H
#define GRZ_SPACE_SWEEP_AND_PRUNE_H

#include "base/control.h"
#include "geometry/box.h"

enum {
    GRZ_SWEEP_MAX_ID = INT32_MAX // of an object; memory is needed for all ids up to the largest in use
};

// One thread at a time.
typedef struct grz_sweep grz_sweep;

typedef struct grz_sweep_pair {
    uint32_t a, b; // a < b
} grz_sweep_pair;

// The allocator is copied. NULL: no memory.
grz_sweep *grz_sweep_create(const grz_allocator *allocator);

// NULL is accepted.
void grz_sweep_destroy(grz_sweep *sweep);

// From now on memory is taken as the control allows, and updates end when it says so. NULL: no control. The last control must be
// taken back before it ends.
void grz_sweep_obey(grz_sweep *sweep, grz_control *control);

// Set the box of object `id`, new or known. An empty box, or one with a NaN, overlaps nothing. Only the last box before an update
// counts; setting the box that it has costs nothing later. False: no memory, or the id is past GRZ_SWEEP_MAX_ID; nothing changed.
// For ids up to the largest set before it never fails.
bool grz_sweep_set(grz_sweep *sweep, uint32_t id, const grz_box *box);

// Forget object `id`; the id may be used again. An unknown id: nothing.
void grz_sweep_remove(grz_sweep *sweep, uint32_t id);

// Bring the pairs up to date with all changes since the last call. `pairs` receives every pair of objects whose boxes overlap
// (closed boxes: touching counts), sorted by (a, b), borrowed until the next call. False: no memory, or the control says to end;
// `count` is 0 then, and a later call makes it whole again.
bool grz_sweep_update(grz_sweep *sweep, const grz_sweep_pair **pairs, size_t *count);

// What was done since creation: for tests and measurements.
typedef struct grz_sweep_work {
    uint64_t rebuilds;  // updates that sorted and swept everything
    uint64_t repairs;   // updates that repaired the lists for the objects that changed
    uint64_t abandoned; // repairs given up for a rebuild because they grew too dear
    uint64_t visits;    // lists that repairs looked into
    uint64_t tests;     // entries compared with an object
    uint64_t shifts;    // entries moved to make or to close a gap
    uint64_t copied;    // pairs moved within the sorted list by repairs
    uint64_t filtered;  // candidates looked at while most objects moved a little
} grz_sweep_work;

const grz_sweep_work *grz_sweep_work_done(const grz_sweep *sweep);

// How updates are done. The pairs are the same.
typedef enum grz_sweep_way {
    GRZ_SWEEP_CHEAPEST,
    GRZ_SWEEP_REPAIR, // wherever there is something to repair
    GRZ_SWEEP_REBUILD
} grz_sweep_way;

void grz_sweep_force(grz_sweep *sweep, grz_sweep_way way);

#endif
