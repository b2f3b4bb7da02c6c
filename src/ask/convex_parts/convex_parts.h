// SPDX-License-Identifier: MIT
// The inside of grz_convex_parts, and how a call fills it.
#ifndef GRZ_ASK_CONVEX_PARTS_CONVEX_PARTS_H
#define GRZ_ASK_CONVEX_PARTS_CONVEX_PARTS_H

#include <graze/convex_parts.h>

#include "ask/hull/hull.h"
#include "base/memory.h"

typedef struct grz_convex_part_entry {
    grz_hull hull;
    double lower, upper; // around how far the part's farthest point is from the solid
} grz_convex_part_entry;

typedef GRZ_ARRAY(grz_convex_part_entry) grz_convex_part_list;

// Give what was found to the caller if `status` is GRZ_OK; else destroy it. The list is empty afterwards.
grz_status grz_convex_parts_hand_over(grz_device *device, const grz_allocator *allocator, grz_convex_part_list *found,
                                      double rounding, grz_status status, grz_convex_parts **parts);

// How far a rounded corner may be from the exact one: half of the last digit on each axis, and the root of 3 is below
// 2.
double grz_convex_parts_rounding_at(const double corner[3]);

#endif
