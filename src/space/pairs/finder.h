// SPDX-License-Identifier: MIT
// What a data structure must offer so that kept.c can keep pairs with it. A finder holds boxes of floats. It answers
// exactly for these boxes, closed: touching counts. kept.c sees to it that they are conservative.
#ifndef GRZ_SPACE_PAIRS_FINDER_H
#define GRZ_SPACE_PAIRS_FINDER_H

#include "base/control.h"
#include "base/simd.h"
#include "geometry/box.h"
#include "space/sweep/sweep_and_prune.h"

enum {
    GRZ_PAIRS_NONE = -1 // as uint32_t: no object, no node, no cell
};

// A box in floats. The fourth entries are -1 and 1 where the box is not empty, so that they never separate two boxes.
// All entries of an empty box are NaN: no comparison with them is true.
typedef struct grz_pairs_box {
    float low[4], high[4];
} grz_pairs_box;

typedef GRZ_ARRAY(uint64_t) grz_pairs_numbers;
typedef GRZ_ARRAY(uint32_t) grz_pairs_ids;
typedef GRZ_ARRAY(grz_sweep_pair) grz_pairs_list;

// What a call of a finder may use.
typedef struct grz_pairs_tools {
    const grz_allocator *allocator;
    grz_control *control; // may be NULL
    grz_simd simd;
} grz_pairs_tools;

// A join: all pairs of boxes that overlap, once each, in any order.
typedef struct grz_pairs_join {
    const grz_pairs_tools *tools;
    grz_pairs_numbers *found; // receives smaller id << bits | larger id
    unsigned bits;            // of an id
    // Not NULL: the objects' own boxes, by id; the finder's boxes are those in floats. Pairs of boxes that overlap in
    // floats only are left out then.
    const grz_box *exact;
    uint64_t steps; // for the control
} grz_pairs_join;

typedef struct grz_pairs_finder_type {
    const char *name;
    size_t size; // of the state, which begins as zeros

    void (*finish)(void *state, const grz_allocator *allocator);

    // Forget all, and take these objects. `boxes` is indexed by id; none of the objects' is empty. `ids_end`: all ids
    // that will be used before the next build are smaller, unless grow() is called.
    bool (*build)(void *state, const grz_pairs_tools *tools, const grz_pairs_box *boxes, const uint32_t *ids,
                  size_t count, size_t ids_end);

    // Make room for larger ids. False: there is no memory, nothing has changed.
    bool (*grow)(void *state, const grz_pairs_tools *tools, size_t ids_end);

    bool (*join)(const void *state, grz_pairs_join *join);

    // Insert or move an object. False: there is no memory; the finder must be built again.
    bool (*set)(void *state, const grz_pairs_tools *tools, uint32_t id, const grz_pairs_box *box);
    void (*remove)(void *state, uint32_t id);

    // Add the objects whose boxes overlap `box` to `ids`.
    bool (*query)(const void *state, const grz_pairs_tools *tools, const grz_pairs_box *box, grz_pairs_ids *ids);

    // True if changes have made it so bad that it should be built again.
    bool (*worn)(const void *state);
} grz_pairs_finder_type;

extern const grz_pairs_finder_type grz_pairs_tree, grz_pairs_grid;

static inline bool grz_pairs_box_is_empty(const grz_pairs_box *box)
{
    return !(box->low[3] < box->high[3]);
}

static inline bool grz_pairs_boxes_overlap(const grz_pairs_box *a, const grz_pairs_box *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

// A pair as a number; numbers order as pairs do.
static inline uint64_t grz_pairs_number(uint32_t x, uint32_t y, unsigned bits)
{
    return x < y ? (uint64_t)x << bits | y : (uint64_t)y << bits | x;
}

// Sort numbers less than 2^bits in ascending order. `spare` has room for as many. False: the control says to end.
bool grz_pairs_sort(uint64_t *numbers, uint64_t *spare, size_t count, unsigned bits, grz_control *control);

// True if the control says to end; asked once in 2^bits steps.
static inline bool grz_pairs_expired(const grz_pairs_tools *tools, size_t step, unsigned bits)
{
    return tools->control != NULL && grz_control_expired_at(tools->control, step, bits);
}

#endif
