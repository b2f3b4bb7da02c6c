// SPDX-License-Identifier: MIT
// A ray or a segment that asks: does it meet an item, and where first? Enclosed in doubles, then exactly.
#ifndef GRZ_SPACE_FLAT_FLAT_LINE_H
#define GRZ_SPACE_FLAT_FLAT_LINE_H

#include "space/flat/flat_item.h"

typedef struct grz_flat_line {
    double from[2], way[2]; // way: to - from, rounded; its signs are exact
    double to[2];
    bool endless;
    grz_flat_held box; // of all its points; infinite where it is endless. Its form says which diagonal it is
} grz_flat_line;

// Read a ray of the caller's. False: `text` says what is wrong with it.
bool grz_flat_line_read(const grz_flat_ray *given, grz_flat_line *out, char text[GRZ_FLAT_FAULT]);

// True if the line and an item have a point in common.
bool grz_flat_line_meets(const grz_flat_line *line, const grz_flat_held *item);

// Where the line first meets an item: lower <= exact t <= upper. Equal: that is it.
typedef struct grz_flat_entry {
    double lower, upper;
} grz_flat_entry;

// Of an item that the line meets.
grz_flat_entry grz_flat_entry_of(const grz_flat_line *line, const grz_flat_held *item);

// The lowest t at which the line may be in a box, or HUGE_VAL: it certainly does not meet the box.
double grz_flat_box_entry(const grz_flat_line *line, const double min[2], const double max[2]);

// The exact t of two items that the line meets compared: -1, 0 or 1.
int grz_flat_entries_compare(const grz_flat_line *line, const grz_flat_held *x, const grz_flat_held *y);

// The double nearest to the exact t, ties to even; infinite above all doubles.
double grz_flat_entry_round(const grz_flat_line *line, const grz_flat_held *item);

#endif
