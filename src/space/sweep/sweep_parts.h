// SPDX-License-Identifier: MIT
// The data that the files of sweep and prune share. Space is cut into slabs along one axis, each slab into columns
// along a second axis, each column into segments along the third. A segment lists the objects that reach into it,
// sorted by (min along the third axis, id). The cuts stay the same until a rebuild. Where they lie decides about cost
// only, never about the answer.
#ifndef GRZ_SPACE_SWEEP_SWEEP_PARTS_H
#define GRZ_SPACE_SWEEP_SWEEP_PARTS_H

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/lanes.h"
#include "space/sweep/sweep_and_prune.h"

enum {
    // Costs in tenths of a nanosecond, measured on the machine of docs/internals/sweep.md. Only their ratios matter,
    // and only for speed.
    GRZ_SWEEP_COST_OBJECT = 800,      // rebuild: an object gathered and sorted
    GRZ_SWEEP_COST_ENTRY = 250,       // rebuild: an object placed in a segment
    GRZ_SWEEP_COST_PAIR = 130,        // rebuild: a pair found and sorted
    GRZ_SWEEP_COST_COLUMN = 500,      // rebuild: a column, empty or not
    GRZ_SWEEP_COST_TEST = 65,         // an entry compared
    GRZ_SWEEP_COST_CHANGE = 3000,     // repair: finding the segments of an object
    GRZ_SWEEP_COST_VISIT = 6000,      // repair: a segment visited
    GRZ_SWEEP_COST_SHIFT = 100,       // repair: an entry moved
    GRZ_SWEEP_COST_PAIR_CHANGE = 600, // repair: a pair found or gone, and merged into the list
    GRZ_SWEEP_COST_COPY = 4,          // repair: a pair of the list moved
    GRZ_SWEEP_COST_FILTER = 50        // fat AABBs: a candidate tested
};

// An object in a segment's list.
typedef struct grz_sweep_entry {
    grz_box box; // its axes are in the order of grz_sweep_lists::axes
    uint32_t id;
    // Bit i: along axis i (0 slab, 1 column, 2 segment), this list is the first one that the object reaches into.
    uint32_t starts;
} grz_sweep_entry;

enum {
    GRZ_SWEEP_STARTS_ALL = 7,
    // A full segment moves to the end of the entries and leaves a gap. If the entries take more than twice the room
    // after the last rebuild, plus this many, a rebuild is due.
    GRZ_SWEEP_SPARE_ROOM = 4096
};

typedef struct grz_sweep_segment {
    size_t first; // index into grz_sweep_lists::entries
    uint32_t count, capacity;
} grz_sweep_segment;

// The children of a slab (columns) or of a column (segments).
typedef struct grz_sweep_range {
    uint32_t first, count;
} grz_sweep_range;

typedef GRZ_ARRAY(double) grz_sweep_starts;
typedef GRZ_ARRAY(uint64_t) grz_sweep_numbers;
typedef GRZ_ARRAY(grz_sweep_pair) grz_sweep_pairs;
typedef GRZ_ARRAY(uint32_t) grz_sweep_ids;

// The lists. Slab, column or segment i holds the coordinates from starts[i] up to, but not including, the start of its
// right neighbour in the same parent. The first child of each parent starts at minus infinity.
typedef struct grz_sweep_lists {
    int axes[3]; // the axes along which slabs, columns and segments are cut
    grz_sweep_starts slab_starts, column_starts, segment_starts;
    GRZ_ARRAY(grz_sweep_range) slabs;   // the columns of each slab
    GRZ_ARRAY(grz_sweep_range) columns; // the segments of each column
    GRZ_ARRAY(grz_sweep_segment) segments;
    GRZ_ARRAY(grz_sweep_entry) entries; // the entries of all segments; `count` is the end of the last segment's room
} grz_sweep_lists;

// Statistics of the last rebuild, to estimate the cost of the next one.
typedef struct grz_sweep_built {
    size_t live, entries, room; // objects; entries in all segments; entries with spare room
    uint64_t tests, next_check; // next_check: check the control when there have been so many tests
    double change_cost;         // estimate for the repair of one object
} grz_sweep_built;

// An object in a column, used while the lists are built.
typedef struct grz_sweep_place {
    uint32_t column_starts; // column << 2 | bits of grz_sweep_entry::starts
    uint32_t id;
} grz_sweep_place;

typedef GRZ_ARRAY(grz_sweep_place) grz_sweep_places;

// Working memory of a rebuild, kept for the next one.
typedef struct grz_sweep_scratch {
    grz_sweep_numbers keys, spare_keys;
    grz_sweep_ids ids, spare_ids;
    grz_sweep_places places, sorted_places;
    grz_sweep_numbers column_ends;
    grz_sweep_ids sample;
} grz_sweep_scratch;

// How an object moved before it got its present fat AABB.
typedef struct grz_sweep_motion {
    double from[3], step[3]; // from: lower corner of its box when it got its fat AABB; step: its last move before that
    double max_step;         // largest recent step along any axis; infinite: not known
    uint64_t since;          // the update in which it got its fat AABB
    uint32_t steady;         // bit i: along axis i it moves steadily
} grz_sweep_motion;

// Fat AABBs (fat_boxes.c). While they are in use, grz_sweep::boxes are the fat AABBs, and grz_sweep::pairs are
// candidates: the pairs of fat AABBs that overlap.
typedef struct grz_sweep_fat {
    bool on;                             // fat AABBs are in use
    bool stale;                          // a box or a candidate has changed since `pairs` were made
    GRZ_ARRAY(grz_box) boxes;            // the objects' own boxes, by id; empty: id not in use
    GRZ_ARRAY(grz_sweep_motion) motions; // by id
    GRZ_ARRAY(grz_sweep_pair) pairs;     // the answer, sorted
    uint64_t update;                     // number of the next update
    size_t moved;                        // boxes that were set since the last update
    // Estimated costs without fat AABBs (repair of one object; rebuild), and what fat AABBs have saved so far.
    double change_cost, rebuild_cost, balance;
    // Updates in a row in which fat AABBs would have been cheaper. They begin after a few of these, plus `wait`.
    uint32_t cheaper_updates, wait;
} grz_sweep_fat;

struct grz_sweep {
    grz_allocator own;       // the caller's
    grz_allocator allocator; // the one in use: the caller's, or the control's
    grz_control *control;    // may be NULL
    grz_sweep_way way;
    GRZ_ARRAY(grz_box) boxes;       // by id: the box that the lists shall hold; empty: id not in use
    GRZ_ARRAY(grz_box) previous;    // by id: the box that the lists held after the last complete update
    grz_sweep_ids changed;          // ids whose box was set since the last update; has room for all ids
    grz_sweep_numbers changed_bits; // one bit for each id: it is in `changed`
    grz_sweep_numbers pending_bits; // one bit for each id: it is in `changed`, and the running repair has not reached
                                    // it yet
    bool broken;                    // an update failed: lists and pairs do not agree with `previous`; rebuild
    size_t live;                    // number of objects whose box is not empty
    grz_sweep_lists lists;
    grz_sweep_built built;
    double share; // share of the other objects that an object overlaps along the lists' axis, by the last sample
    // Tests in the last rebuild / tests expected from `share`. More than 1: objects that are close along one axis are
    // close along the others, too.
    double clustering;
    double cost_ratio;  // cost of recent repairs / their estimate
    double excess_cost; // cost of repairs beyond twice their estimate, since the last rebuild
    grz_sweep_pairs pairs;
    grz_sweep_numbers found, gone; // pairs that an update found or lost, as numbers (grz_sweep_pair_number())
    grz_sweep_scratch scratch;
    grz_sweep_fat fat;
    grz_sweep_work work;
};

static inline bool grz_sweep_bit(const grz_sweep_numbers *bits, uint32_t id)
{
    return (bits->items[id >> 6] >> (id & 63u) & 1u) != 0;
}

static inline bool grz_sweep_same_box(const grz_box *x, const grz_box *y)
{
    for (int axis = 0; axis < 3; axis++)
        if (x->min[axis] != y->min[axis] || x->max[axis] != y->max[axis])
            return false;
    return true;
}

// True if two boxes overlap along their axes 0 and 1. No branch depends on the boxes.
static inline bool grz_sweep_meet_across(const grz_box *a, const grz_box *b)
{
    return grz_mask2_all(grz_mask2_and(grz_f64x2_less_equal(grz_f64x2_load(a->min), grz_f64x2_load(b->max)),
                                       grz_f64x2_less_equal(grz_f64x2_load(b->min), grz_f64x2_load(a->max))));
}

// True if two boxes, neither empty, overlap. No branch depends on the boxes.
static inline bool grz_sweep_meet(const grz_box *a, const grz_box *b)
{
    const grz_mask2 low = grz_f64x2_less_equal(grz_f64x2_load(a->min), grz_f64x2_load(b->max)),
                    high = grz_f64x2_less_equal(grz_f64x2_load(b->min), grz_f64x2_load(a->max)),
                    last = grz_f64x2_less_equal(grz_f64x2_of(a->min[2], b->min[2]), grz_f64x2_of(b->max[2], a->max[2]));
    return grz_mask2_all(grz_mask2_and(grz_mask2_and(low, high), last));
}

// The last of `count` children that starts at or before the coordinate, by binary search. No branch depends on the
// coordinate. So where a box ends is found faster by a second search than by going on, child by child, from its start.
static inline uint32_t grz_sweep_locate(const double *starts, uint32_t count, double coordinate)
{
    uint32_t place = 0;
    assert(count > 0);
    while (count > 1) {
        const uint32_t half = count / 2;
        place = starts[place + half] <= coordinate ? place + half : place;
        count -= half;
    }
    return place;
}

// The box with its axes in the order of the lists.
static inline grz_box grz_sweep_permuted(const grz_box *box, const int axes[3])
{
    return (grz_box){{box->min[axes[0]], box->min[axes[1]], box->min[axes[2]]},
                     {box->max[axes[0]], box->max[axes[1]], box->max[axes[2]]}};
}

// Swap the memory of two arrays, but not their counts.
static inline void grz_sweep_exchange_numbers(grz_sweep_numbers *x, grz_sweep_numbers *y)
{
    const grz_sweep_numbers was = *x;
    *x = (grz_sweep_numbers){y->items, x->count, y->capacity};
    *y = (grz_sweep_numbers){was.items, y->count, was.capacity};
}

static inline void grz_sweep_exchange_ids(grz_sweep_ids *x, grz_sweep_ids *y)
{
    const grz_sweep_ids was = *x;
    *x = (grz_sweep_ids){y->items, x->count, y->capacity};
    *y = (grz_sweep_ids){was.items, y->count, was.capacity};
}

// Prefetch a box that is needed soon, where objects are visited in an order other than that in memory.
static inline void grz_sweep_fetch(const grz_box *box)
{
#if defined(__GNUC__)
    __builtin_prefetch(&box->min[0]);
    __builtin_prefetch(&box->max[2]);
#else
    (void)box;
#endif
}

// A number that orders as the coordinate does. Minus zero must have been replaced by zero.
static inline uint64_t grz_sweep_key(double coordinate)
{
    uint64_t bits;
    assert(coordinate == coordinate); // not a NaN
    memcpy(&bits, &coordinate, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static inline double grz_sweep_coordinate(uint64_t key)
{
    const uint64_t bits = key >> 63 != 0 ? key & ~(UINT64_C(1) << 63) : ~key;
    double coordinate;
    memcpy(&coordinate, &bits, sizeof coordinate);
    return coordinate;
}

static inline grz_sweep_pair grz_sweep_pair_of(uint64_t number)
{
    return (grz_sweep_pair){(uint32_t)(number >> 32), (uint32_t)number};
}

// A number for a pair, so that numbers order as pairs do.
static inline uint64_t grz_sweep_pair_number(uint32_t x, uint32_t y)
{
    assert(x != y);
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

// True if the control says to end. The control is checked only if the low `bits` bits of `step` are zero.
static inline bool grz_sweep_expired(const grz_sweep *sweep, size_t step, unsigned bits)
{
    return sweep->control != NULL && grz_control_expired_at(sweep->control, step, bits);
}

// Set the box that the lists shall hold for an object after the next update. The box must be grz_box_empty() or contain
// no minus zero.
void grz_sweep_set_listed(grz_sweep *sweep, uint32_t id, const grz_box *box);

// Decide before an update whether fat AABBs begin or end. Changes the lists' boxes accordingly. `change` and `rebuild`:
// the estimated costs of repairing one object and of a rebuild.
void grz_sweep_fat_choose(grz_sweep *sweep, double change, double rebuild);

// While fat AABBs are in use. grow: make room for ids less than `count` (false: there is no memory). set: set an
// object's box. renew: give all objects new fat AABBs, before a rebuild.
bool grz_sweep_fat_grow(grz_sweep *sweep, size_t count);
void grz_sweep_fat_set(grz_sweep *sweep, uint32_t id, const grz_box *box);
void grz_sweep_fat_renew(grz_sweep *sweep);

// While fat AABBs are in use, after the lists are up to date: make fat.pairs from the candidates. False: there is no
// memory, or the control says to end.
bool grz_sweep_fat_filter(grz_sweep *sweep);

// While fat AABBs are in use: account for the cost of an update of the lists.
void grz_sweep_fat_account(grz_sweep *sweep, double cost);

// Build lists and pairs from the objects' boxes. False: there is no memory, or the control says to end; lists and pairs
// are then broken.
bool grz_sweep_rebuild(grz_sweep *sweep);

typedef enum grz_sweep_outcome {
    GRZ_SWEEP_DONE,
    GRZ_SWEEP_TOO_EXPENSIVE, // given up: a rebuild is cheaper
    GRZ_SWEEP_FAILED         // there is no memory, or the control says to end
} grz_sweep_outcome;

// Repair lists and pairs for the objects that changed. Gives up when the cost exceeds `budget`. Unless the outcome is
// GRZ_SWEEP_DONE, lists and pairs are broken. `cost` receives the cost, `done` the number of objects that were
// repaired.
grz_sweep_outcome grz_sweep_repair(grz_sweep *sweep, double budget, double *cost, size_t *done);

// Choose the axes, and cut space into slabs and columns, by a sample of the objects with ids scratch.ids[0 … count -
// 1]. Uses scratch.keys, spare_keys and spare_ids. Each retry cuts more coarsely; at GRZ_SWEEP_LAST_RETRY there is a
// single column. False: there is no memory.
bool grz_sweep_cut(grz_sweep *sweep, unsigned retry);

enum {
    GRZ_SWEEP_LAST_RETRY = 8
};

// Sort `count` keys of `bits` bits, and with them their values if `values` is not NULL. The sort is stable. Arrays and
// spare arrays have room for `count` items and may swap their memory. `control` may be NULL. False: the control says to
// end; the items are then in no order.
bool grz_sweep_sort(grz_sweep_numbers *keys, grz_sweep_numbers *spare_keys, grz_sweep_ids *values,
                    grz_sweep_ids *spare_values, size_t count, unsigned bits, grz_control *control);

#endif
