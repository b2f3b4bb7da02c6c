// SPDX-License-Identifier: MIT
// The data that kept.c, renew.c, lists.c and kept_lanes.c share.
#ifndef GRZ_SPACE_PAIRS_PAIRS_PARTS_H
#define GRZ_SPACE_PAIRS_PAIRS_PARTS_H

#include "space/pairs/finder.h"
#include "space/pairs/kept.h"

enum {
    // Costs in nanoseconds, measured on the machine of docs/internals/pairs.md. Only their ratios matter, and only for
    // speed.
    GRZ_KEPT_COST_LOOK_UP = 5000, // an object looked up before and after its change, and its pairs merged into a list
    GRZ_KEPT_COST_RENEW = 200,    // an object put into a new finder, and its pairs found
    GRZ_KEPT_COST_PAIR = 14,      // a pair found anew and sorted
    GRZ_KEPT_COST_FILTER = 4,     // a candidate tested
    GRZ_KEPT_LANES = 0x77,        // the lanes of grz_kept_floats in use, as bits
    GRZ_KEPT_UPDATES = (1 << 23) - 1
};

// A box in floats, with its upper bounds negated: an object's box b overlaps a if each of b's numbers is at most
// (a's high, minus a's low). The fourth and eighth number are 0.
typedef struct grz_kept_floats {
    float low[4], minus_high[4];
} grz_kept_floats;

// How an object moves.
typedef struct grz_kept_motion {
    float step[3]; // the last one, in the finder's coordinates
    float longest; // the longest recent step along any axis; older ones count less. Infinite: not known
    // Number of the update after its last change << 9 | for each of the last three changes, the newest lowest, three
    // bits: the axes along which the step was like the one before.
    uint32_t when;
} grz_kept_motion;

struct grz_kept {
    grz_allocator own;       // the caller's
    grz_allocator allocator; // the one in use: the caller's, or the control's
    grz_pairs_tools tools;
    grz_pairs_way way;
    const grz_pairs_finder_type *type;
    void *finder;

    // Floats are (x - origin) * scale, rounded. That keeps the order of coordinates, so boxes that overlap do so in
    // floats, too.
    double origin[3], scale;
    bool mapped; // origin and scale have been chosen

    // By id.
    GRZ_ARRAY(grz_box) boxes;       // empty: id not in use
    GRZ_ARRAY(grz_kept_floats) now; // the same in floats; undefined where `boxes` are empty
    GRZ_ARRAY(grz_pairs_box) fat;   // the box that the finder has: around `now`, with room to move; NaN: none
    GRZ_ARRAY(grz_kept_motion) motions;
    size_t live;

    // Ids whose box was set since the last update; of these, ids whose box the finder does not cover. With a bit for
    // each id that is in the list. There is room for all ids.
    grz_pairs_ids changed, left;
    grz_pairs_numbers changed_bits, left_bits;

    bool finder_good, answer_good, candidates_good; // up to date, but for the changes
    grz_pairs_list answer;
    grz_pairs_list candidates; // the pairs of fat boxes that overlap
    double spent;              // cost of looking up since everything was rebuilt
    uint32_t update;           // number of the next update, modulo 2^23
    grz_pairs_numbers found, gone, spare;
    grz_pairs_ids ids; // scratch
    grz_pairs_work work;
};

static inline bool grz_kept_bit(const grz_pairs_numbers *bits, uint32_t id)
{
    return (bits->items[id >> 6] >> (id & 63u) & 1u) != 0;
}

// Bits of an id.
static inline unsigned grz_kept_id_bits(const grz_kept *kept)
{
    unsigned bits = 1;
    while (kept->boxes.count >> bits != 0)
        bits++;
    return bits;
}

static inline grz_kept_floats grz_kept_floats_of(const grz_kept *kept, const grz_box *box)
{
    grz_kept_floats floats = {{0.0f}, {0.0f}};
    for (int axis = 0; axis < 3; axis++) {
        floats.low[axis] = (float)((box->min[axis] - kept->origin[axis]) * kept->scale);
        floats.minus_high[axis] = -(float)((box->max[axis] - kept->origin[axis]) * kept->scale);
    }
    return floats;
}

static inline grz_pairs_box grz_kept_plain(const grz_kept_floats *floats)
{
    return (grz_pairs_box){{floats->low[0], floats->low[1], floats->low[2], -1.0f},
                           {-floats->minus_high[0], -floats->minus_high[1], -floats->minus_high[2], 1.0f}};
}

// The box that the finder gets for an object: its own, or one with room to move. True if there is room.
bool grz_kept_room(const grz_kept *kept, uint32_t id, grz_pairs_box *fat);

// Rebuild finder and answer from the boxes. False: there is no memory, or the control says to end.
bool grz_kept_renew(grz_kept *kept);

// Set `list` to the pairs in kept->found, sorted. False: there is no memory, or the control says to end.
bool grz_kept_publish(grz_kept *kept, grz_pairs_list *list);

// True if a sorted list holds a pair.
bool grz_kept_lists(const grz_pairs_list *list, uint32_t x, uint32_t y);

// Take the pairs in `gone` out of a sorted list, and put those in `found` in; both are sorted first. A pair may be in
// both. False: there is no memory, or the control says to end.
bool grz_kept_merge(grz_kept *kept, grz_pairs_list *list);

// Make the answer from the candidates. False: there is no memory, or the control says to end.
bool grz_kept_filter(grz_kept *kept);

typedef size_t grz_kept_filterer(const grz_sweep_pair *candidates, size_t count, const grz_kept_floats *now,
                                 const grz_box *boxes, grz_sweep_pair *kept);
grz_kept_filterer grz_kept_filter_scalar, grz_kept_filter_base;
#ifdef GRZ_SIMD_X86
grz_kept_filterer grz_kept_filter_avx2, grz_kept_filter_avx512;
#endif

#endif
