// SPDX-License-Identifier: MIT
// The answers of <graze/flat.h> again, slow: every item is looked at, in rational numbers. Segments and boxes are
// clipped by intervals of the line's parameter, and equations are solved; the library compares separating axes.
#ifndef GRZ_TESTS_FLAT_TWIN_H
#define GRZ_TESTS_FLAT_TWIN_H

#include <gmp.h>

#include <graze/flat.h>

// Items by number; those that are not there are marked.
typedef struct flat_twin {
    const grz_flat_item *items;
    const bool *is_there;
    uint32_t count;
} flat_twin;

bool flat_twin_touch(const grz_flat_item *a, const grz_flat_item *b);

// All answers sorted as the library's. The arrays have room for all; they return how many.
uint64_t flat_twin_pairs(const flat_twin *twin, grz_flat_pair *pairs);
uint64_t flat_twin_in_box(const flat_twin *twin, const double min[2], const double max[2], uint32_t *numbers);
uint64_t flat_twin_in_circle(const flat_twin *twin, const double centre[2], double radius, uint32_t *numbers);
uint64_t flat_twin_hits(const flat_twin *twin, const grz_flat_ray *ray, uint32_t *numbers);

uint32_t flat_twin_nearest(const flat_twin *twin, const double point[2]);

// Is this the double nearest to an exact distance or t, ties to even?
bool flat_twin_is_distance(const grz_flat_item *item, const double point[2], double distance);
bool flat_twin_is_entry(const grz_flat_item *item, const grz_flat_ray *ray, double t);

#endif
