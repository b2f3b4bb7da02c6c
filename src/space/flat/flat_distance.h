// SPDX-License-Identifier: MIT
// How far an item is from a point: enclosed in doubles, which settles nearly all comparisons, then exactly.
#ifndef GRZ_SPACE_FLAT_FLAT_DISTANCE_H
#define GRZ_SPACE_FLAT_FLAT_DISTANCE_H

#include "geometry/distance/nearest.h"
#include "space/flat/flat_item.h"

// lower <= exact distance <= upper. Equal: that is the distance.
typedef struct grz_flat_gap {
    double lower, upper;
} grz_flat_gap;

grz_flat_gap grz_flat_gap_of(const grz_flat_held *item, const double point[2]);

// A number that is not above the distance of a box from a point.
double grz_flat_box_gap(const double min[2], const double max[2], const double point[2]);

// The exact distance, squared.
void grz_flat_square_of(const grz_flat_held *item, const double point[2], grz_square *out);

// The exact distances of two items from a point compared: -1 if that of x is smaller, 0 if they are the same, 1.
int grz_flat_distances_compare(const grz_flat_held *x, const grz_flat_held *y, const double point[2]);

// True if the exact distance is at most a radius, which is 0 or above.
bool grz_flat_is_within(const grz_flat_held *item, const double point[2], double radius);

// The double nearest to the exact distance, ties to even.
double grz_flat_distance_of(const grz_flat_held *item, const double point[2]);

#endif
