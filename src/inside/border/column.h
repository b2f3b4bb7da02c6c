// SPDX-License-Identifier: MIT
// How often a surface winds around the points just over and just under a place of one of its triangles. Exact.
#ifndef GRZ_INSIDE_BORDER_COLUMN_H
#define GRZ_INSIDE_BORDER_COLUMN_H

#include <graze/object.h>

#include "base/control_type.h"
#include "space/bvh/bvh.h"

// A triangle is seen along an axis; over is where the axis points.
typedef struct grz_column {
    const grz_object *object;
    const grz_bvh *bvh;
    int axis;
    grz_control *control;
} grz_column;

typedef struct grz_column_numbers {
    bool known;          // false: another triangle has a single point in common with this one there. Try another place
    int64_t over, under; // winding numbers; of a surface that is not wound consistently only the parity has a meaning
} grz_column_numbers;

// `at`: the coordinates along the axes (axis + 1) % 3 and (axis + 2) % 3 of a place strictly inside the triangle, as it
// is seen along the axis; it is not seen edge-on. No other triangle may cross it there, or end on it. Others may lie on
// it: these are then taken as layers over each other, in an order that depends only on their corners.
// False: the control says to end.
bool grz_column_count(const grz_column *column, uint32_t triangle, const double at[2], grz_column_numbers *numbers);

#endif
