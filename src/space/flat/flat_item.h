// SPDX-License-Identifier: MIT
// Items of the plane as they are kept, and whether two of them have a point in common. A segment is a diagonal of its
// box, or, if it lies along an axis, the box itself. Exact for coordinates up to 2^300 in magnitude.
#ifndef GRZ_SPACE_FLAT_FLAT_ITEM_H
#define GRZ_SPACE_FLAT_FLAT_ITEM_H

#include <graze/flat.h>

typedef enum grz_flat_form {
    GRZ_FLAT_ABSENT,  // no item has this number
    GRZ_FLAT_FULL,    // the whole box
    GRZ_FLAT_RISING,  // its diagonal from (min, min) to (max, max); the box has width and height
    GRZ_FLAT_FALLING, // the one from (min, max) to (max, min)
} grz_flat_form;

typedef struct grz_flat_held {
    double min[2], max[2];
    uint8_t form;  // grz_flat_form
    uint8_t kind;  // as given
    bool swaps[2]; // coordinate k of `from` is the larger one
} grz_flat_held;

// The items of a set, by number.
typedef struct grz_flat_items {
    grz_flat_held *items;
    size_t count, capacity;
} grz_flat_items;

static inline bool grz_flat_boxes_overlap(const grz_flat_held *a, const grz_flat_held *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1];
}

enum {
    GRZ_FLAT_FAULT = 128 // bytes of a text that says what is wrong
};

// Read an item of the caller's. False: `text` says what is wrong with it.
bool grz_flat_read(const grz_flat_item *given, grz_flat_held *out, char text[GRZ_FLAT_FAULT]);

// NULL, or what is wrong with a coordinate.
const char *grz_flat_coordinate_fault(double x);

// The item as the caller gave it.
grz_flat_item grz_flat_given(const grz_flat_held *held);

// The ends of a diagonal, the one with the lower x first.
void grz_flat_ends(const grz_flat_held *box, bool falling, double p[2], double q[2]);

// True if both items have a point in common.
bool grz_flat_touch(const grz_flat_held *a, const grz_flat_held *b);

// True if all points of an item are on one side of the line through the ends of a diagonal, none on the line. `rises`:
// the line does not fall.
bool grz_flat_on_one_side(const double p[2], const double q[2], bool rises, const grz_flat_held *item);

#endif
