// SPDX-License-Identifier: MIT
// What a structure over items of the plane must provide. It proposes items by their boxes and never leaves one out; the
// callers decide exactly. So every structure gives the same answers.
#ifndef GRZ_SPACE_FLAT_FLAT_STRUCTURE_H
#define GRZ_SPACE_FLAT_FLAT_STRUCTURE_H

#include <math.h>

#include "base/control.h"
#include "space/flat/flat_line.h"

// Who asks, and what for. `visit` is called with each item that is proposed; false: end.
typedef struct grz_flat_seeker {
    bool (*visit)(struct grz_flat_seeker *seeker, uint32_t number);
    double bound; // what is certainly farther away, or met at a later t, need not be proposed; `visit` may lower it
} grz_flat_seeker;

// Called with each pair of items whose boxes overlap, once, in any order of the two. False: end.
typedef bool grz_flat_pair_seeker(void *context, uint32_t a, uint32_t b);

// All functions that return bool: false if they were told to end, or, those with a control, if it says so.
typedef struct grz_flat_structure {
    // Make the state for all items. Its memory is the control's allocator's, and may be released by its base.
    grz_status (*build)(const grz_flat_items *items, grz_control *control, void **state);
    void (*destroy)(void *state, const grz_allocator *allocator);

    // Make room for numbers below `count`, so that what follows cannot fail.
    bool (*reserve)(void *state, const grz_allocator *allocator, size_t count);
    // An item has come to its place, is about to leave it, or has taken the place of another one. settle() follows,
    // once for many of them.
    void (*insert)(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number);
    void (*remove)(void *state, const grz_flat_items *items, uint32_t number);
    void (*replace)(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number,
                    const grz_flat_held *before);
    void (*settle)(void *state, const grz_flat_items *items);
    // Is an item where the state was made for? Many that are not make it slow.
    bool (*fits)(const void *state, const grz_flat_held *item);

    bool (*pairs)(const void *state, const grz_flat_items *items, grz_control *control, grz_flat_pair_seeker *pair,
                  void *context);
    // Each item whose box overlaps a box, once.
    bool (*near_box)(const void *state, const grz_flat_items *items, const grz_flat_held *box, grz_flat_seeker *seeker);
    // Each item that may be within the seeker's bound from a point; some perhaps several times.
    bool (*near_point)(const void *state, const grz_flat_items *items, const double point[2], grz_flat_seeker *seeker);
    // Each item that a line may meet at a t up to the seeker's bound; some perhaps several times.
    bool (*near_line)(const void *state, const grz_flat_items *items, const grz_flat_line *line,
                      grz_flat_seeker *seeker);
} grz_flat_structure;

extern const grz_flat_structure grz_flat_list, grz_flat_cells, grz_flat_tree, grz_flat_sorted;

// Visit an item if a line may meet its box at a t up to the seeker's bound.
static inline bool grz_flat_visit_on_line(const grz_flat_items *items, const grz_flat_line *line, uint32_t number,
                                          grz_flat_seeker *seeker)
{
    const grz_flat_held *item = &items->items[number];
    const double t = grz_flat_box_entry(line, item->min, item->max);
    return !(t < HUGE_VAL && t <= seeker->bound) || seeker->visit(seeker, number);
}

#endif
