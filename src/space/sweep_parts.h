// SPDX-License-Identifier: MIT
// What the files of sweep and prune share. Space is cut into slabs along one axis, each slab into columns along a second, each
// column into segments along the third. A segment lists the objects that reach into it, sorted by (min along the third axis, id).
// The cuts stay where they are until a rebuild; where they are decides about cost, never about the answer.
#ifndef GRZ_SPACE_SWEEP_PARTS_H
#define GRZ_SPACE_SWEEP_PARTS_H

#include <string.h>

#include "space/sweep_and_prune.h"

enum {
    // Costs in tenths of a nanosecond on the machine of docs/sweep.md. Only their ratios matter, and only for speed.
    GRZ_SWEEP_COST_OBJECT = 800,  // rebuild: an object gathered and sorted
    GRZ_SWEEP_COST_ENTRY = 250,   // rebuild: an object placed in a segment
    GRZ_SWEEP_COST_PAIR = 130,    // rebuild: a pair found and sorted
    GRZ_SWEEP_COST_COLUMN = 500,  // rebuild: a column, empty or not
    GRZ_SWEEP_COST_TEST = 65,     // an entry compared
    GRZ_SWEEP_COST_CHANGE = 3000, // repair: an object's way to its segments
    GRZ_SWEEP_COST_VISIT = 6000,  // repair: a segment looked into
    GRZ_SWEEP_COST_SHIFT = 100,   // repair: an entry moved
    GRZ_SWEEP_COST_NEWS = 600,    // repair: a pair found or gone, and brought into the list
    GRZ_SWEEP_COST_COPY = 4,      // repair: a pair of the list moved
    GRZ_SWEEP_COST_FILTER = 50    // coasting: a candidate tested
};

typedef struct grz_sweep_entry {
    grz_box box; // axes in the order of grz_sweep_lists::axes
    uint32_t id;
    uint32_t starts; // bit i: along axis i, the slab, column or segment of this list is the first that the object reaches into
} grz_sweep_entry;

enum {
    GRZ_SWEEP_STARTS_ALL = 7,
    // A full segment moves and leaves its room behind. More than a rebuild's room and so many entries left: a rebuild is due.
    GRZ_SWEEP_SPARE_ROOM = 4096
};

typedef struct grz_sweep_segment {
    size_t first; // index into grz_sweep_lists::entries
    uint32_t count, capacity;
} grz_sweep_segment;

// Children of a slab or a column.
typedef struct grz_sweep_range {
    uint32_t first, count;
} grz_sweep_range;

typedef GRZ_ARRAY(double) grz_sweep_starts;
typedef GRZ_ARRAY(uint64_t) grz_sweep_numbers;
typedef GRZ_ARRAY(uint32_t) grz_sweep_ids;

// Slab, column or segment i holds the coordinates from starts[i] up to, not including, that of its right neighbour in the same
// parent; the first of a parent starts at minus infinity.
typedef struct grz_sweep_lists {
    int axes[3]; // along which slabs, columns, segments are cut
    grz_sweep_starts slab_starts, column_starts, segment_starts;
    GRZ_ARRAY(grz_sweep_range) slabs;   // columns of each
    GRZ_ARRAY(grz_sweep_range) columns; // segments of each
    GRZ_ARRAY(grz_sweep_segment) segments;
    GRZ_ARRAY(grz_sweep_entry) entries; // the segments' room; count: the end of the last one's
} grz_sweep_lists;

// What the last rebuild did, from which the next one's cost is guessed.
typedef struct grz_sweep_built {
    size_t live, entries, room;
    uint64_t tests, look_at; // look_at: so many tests, and it is time to look at the control
    double change_cost;      // guess for the repair of one object
} grz_sweep_built;

// An object in a column, while lists are built.
typedef struct grz_sweep_place {
    uint32_t column_starts; // column << 2 | bits of grz_sweep_entry::starts
    uint32_t id;
} grz_sweep_place;

typedef GRZ_ARRAY(grz_sweep_place) grz_sweep_places;

// Storage of a rebuild, kept for the next one.
typedef struct grz_sweep_scratch {
    grz_sweep_numbers keys, spare_keys;
    grz_sweep_ids ids, spare_ids;
    grz_sweep_places places, sorted_places;
    grz_sweep_numbers column_ends;
    grz_sweep_ids sample;
} grz_sweep_scratch;

// How an object went until it got its room, while coasting.
typedef struct grz_sweep_way_gone {
    double from[3], step[3]; // where it got its room; its last step before that
    double furthest;         // of the steps along any axis, lately; infinite: not known
    uint64_t since;          // update that it has had its room since
    uint32_t steady;         // bit i: along axis i it went on as it had gone
} grz_sweep_way_gone;

// While coasting (sweep_coast.c), grz_sweep::boxes are larger than those that were set, and grz_sweep::pairs are candidates.
typedef struct grz_sweep_coast {
    bool on;
    bool stale;                                // a box or a candidate changed since `pairs` were made
    GRZ_ARRAY(grz_box) boxes;                  // by id, as last set; empty where the id is not in use
    GRZ_ARRAY(grz_sweep_way_gone) ways;        // by id
    GRZ_ARRAY(grz_sweep_pair) pairs;           // the answer
    uint64_t update;                           // number of the next
    size_t moved;                              // boxes set since the last update
    double change_cost, rebuild_cost, balance; // what an update would cost without; what coasting has saved
    uint32_t restless, wait; // updates in a row for which it would have paid; for so many more of them it waits to begin
} grz_sweep_coast;

struct grz_sweep {
    grz_allocator own;       // as given
    grz_allocator allocator; // in use: its own, or the control's
    grz_control *control;    // may be NULL
    grz_sweep_way way;
    GRZ_ARRAY(grz_box) boxes;       // by id, as last set; empty where the id is not in use
    GRZ_ARRAY(grz_box) then;        // by id: what lists and pairs hold, as it was at the last update that came to its end
    grz_sweep_ids changed;          // ids set since the last update; has room for all
    grz_sweep_numbers changed_bits; // one an object: it is in `changed`
    grz_sweep_numbers pending_bits; // one an object: it is in `changed`, and a repair under way has not come to it yet
    bool broken;                    // lists and pairs do not agree with `then`: only a rebuild helps
    size_t live;                    // objects whose box is not empty now
    grz_sweep_lists lists;
    grz_sweep_built built;
    double share;    // of the others that an object meets along the lists, by the last sample
    double crowding; // how many times more the last rebuild met in a list: objects that are close on one axis may be so on others
    double dearness; // what a repair cost, lately, by its guess
    double excess;   // what repairs cost beyond twice their guess, since the last rebuild
    GRZ_ARRAY(grz_sweep_pair) pairs;
    grz_sweep_numbers found, gone; // pairs as numbers, while an update is under way
    grz_sweep_scratch scratch;
    grz_sweep_coast coast;
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

// The last of `count` children that starts at or before the coordinate.
static inline uint32_t grz_sweep_locate(const double *starts, uint32_t count, double coordinate)
{
    uint32_t place = 0;
    while (count > 1) {
        const uint32_t half = count / 2;
        place = starts[place + half] <= coordinate ? place + half : place;
        count -= half;
    }
    return place;
}

// The last child that an object reaches into, which reaches into child `first` and ends at `max`.
static inline uint32_t grz_sweep_locate_end(const double *starts, uint32_t count, uint32_t first, double max)
{
    while (first + 1 < count && starts[first + 1] <= max)
        first++;
    return first;
}

// The box with its axes in the lists' order.
static inline grz_box grz_sweep_turned(const grz_box *box, const int axes[3])
{
    return (grz_box){{box->min[axes[0]], box->min[axes[1]], box->min[axes[2]]},
                     {box->max[axes[0]], box->max[axes[1]], box->max[axes[2]]}};
}

// Exchange the storage of two arrays, not their counts.
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

// Ask for a box before it is needed, where objects come in an order of their own and not in memory's.
static inline void grz_sweep_fetch(const grz_box *box)
{
#if defined(__GNUC__)
    __builtin_prefetch(&box->min[0]);
    __builtin_prefetch(&box->max[2]);
#else
    (void)box;
#endif
}

// A number for a coordinate, ordered as coordinates are. Minus zero must have been made plus zero.
static inline uint64_t grz_sweep_key(double coordinate)
{
    uint64_t bits;
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

// Number a pair so that numbers are ordered as pairs are.
static inline uint64_t grz_sweep_pair_number(uint32_t x, uint32_t y)
{
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

// Whether an update is to end. Looks at the clock only where the low `bits` bits of `step` are zero.
static inline bool grz_sweep_expired(const grz_sweep *sweep, size_t step, unsigned bits)
{
    return sweep->control != NULL && grz_control_expired_at(sweep->control, step, bits);
}

// Give the lists another box for an object, at the next update. The box must be empty as grz_box_empty() is, or have no minus zero.
void grz_sweep_put(grz_sweep *sweep, uint32_t id, const grz_box *box);

// Begin or end coasting before an update; what is to be coasted by has changed in the lists' boxes then. `change` and `rebuild`: what
// the repair of one object and a rebuild should cost.
void grz_sweep_coast_choose(grz_sweep *sweep, double change, double rebuild);

// While coasting: make room for objects up to `count` (false: no memory); set a box; give all objects new room, before a rebuild.
bool grz_sweep_coast_grow(grz_sweep *sweep, size_t count);
void grz_sweep_coast_set(grz_sweep *sweep, uint32_t id, const grz_box *box);
void grz_sweep_coast_renew(grz_sweep *sweep);

// While coasting, after the lists' update: make coast.pairs from the candidates. False: no memory, or the control says to end.
bool grz_sweep_coast_filter(grz_sweep *sweep);

// While coasting: learn what the lists' update cost.
void grz_sweep_coast_account(grz_sweep *sweep, double cost);

// Make lists and pairs anew from the objects' boxes. False: no memory, or the control says to end; lists and pairs are broken.
bool grz_sweep_rebuild(grz_sweep *sweep);

typedef enum grz_sweep_outcome {
    GRZ_SWEEP_DONE,
    GRZ_SWEEP_TOO_DEAR, // a rebuild is cheaper
    GRZ_SWEEP_FAILED    // no memory, or the control says to end
} grz_sweep_outcome;

// Repair lists and pairs for the objects that changed, for at most `budget`. Unless it is done, they are broken. `cost` receives
// what it took, `done` the number of objects that were repaired.
grz_sweep_outcome grz_sweep_repair(grz_sweep *sweep, double budget, double *cost, size_t *done);

// Choose the axes and cut space into slabs and columns for the objects with ids scratch.ids[0 … count), by a sample of them. Uses
// scratch.keys, spare_keys, spare_ids. Each retry cuts more coarsely; at GRZ_SWEEP_LAST_RETRY there is one column. False: no
// memory, or the control says to end.
bool grz_sweep_cut(grz_sweep *sweep, unsigned retry);

enum {
    GRZ_SWEEP_LAST_RETRY = 8
};

// Sort `count` keys of `bits` bits, and with them their values where `values` is not NULL; equal keys keep their order. Arrays and
// spares have room for `count` items, and may change places. False: the control, which may be NULL, says to end; what is there then
// has no order.
bool grz_sweep_sort(grz_sweep_numbers *keys, grz_sweep_numbers *spare_keys, grz_sweep_ids *values, grz_sweep_ids *spare_values,
                    size_t count, unsigned bits, grz_control *control);

#endif
