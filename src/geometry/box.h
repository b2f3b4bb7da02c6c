// SPDX-License-Identifier: MIT
// Axis-aligned bounding boxes (AABBs) of doubles. Boxes are closed: two boxes that share only a face or a corner
// overlap. An empty box has min > max in some coordinate and overlaps nothing.
#ifndef GRZ_GEOMETRY_BOX_H
#define GRZ_GEOMETRY_BOX_H

#include <math.h>
#include <stdbool.h>

typedef struct grz_box {
    double min[3], max[3];
} grz_box;

// The empty box: adding a point to it gives the box of that point.
static inline grz_box grz_box_empty(void)
{
    return (grz_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

static inline bool grz_box_is_empty(const grz_box *box)
{
    return !(box->min[0] <= box->max[0] && box->min[1] <= box->max[1] && box->min[2] <= box->max[2]);
}

static inline void grz_box_add_point(grz_box *box, const double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = point[axis] < box->min[axis] ? point[axis] : box->min[axis];
        box->max[axis] = point[axis] > box->max[axis] ? point[axis] : box->max[axis];
    }
}

static inline void grz_box_add_box(grz_box *box, const grz_box *other)
{
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = other->min[axis] < box->min[axis] ? other->min[axis] : box->min[axis];
        box->max[axis] = other->max[axis] > box->max[axis] ? other->max[axis] : box->max[axis];
    }
}

static inline bool grz_boxes_overlap(const grz_box *a, const grz_box *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
           a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

// True if the box contains the point.
static inline bool grz_box_contains(const grz_box *box, const double point[3])
{
    return point[0] >= box->min[0] && point[0] <= box->max[0] && point[1] >= box->min[1] && point[1] <= box->max[1] &&
           point[2] >= box->min[2] && point[2] <= box->max[2];
}

// The intersection of two boxes; empty if they do not overlap.
static inline grz_box grz_box_intersection(const grz_box *a, const grz_box *b)
{
    grz_box common;
    for (int axis = 0; axis < 3; axis++) {
        common.min[axis] = a->min[axis] > b->min[axis] ? a->min[axis] : b->min[axis];
        common.max[axis] = a->max[axis] < b->max[axis] ? a->max[axis] : b->max[axis];
    }
    return common;
}

// A box that contains all points nearer than `reach`, which is 0 or above, to a point of the box, whatever is rounded.
// With 0 it is the box itself.
static inline grz_box grz_box_grown(const grz_box *box, double reach)
{
    grz_box grown = *box;
    for (int axis = 0; axis < 3 && reach > 0.0; axis++) {
        grown.min[axis] = nextafter(box->min[axis] - reach, -HUGE_VAL);
        grown.max[axis] = nextafter(box->max[axis] + reach, HUGE_VAL);
    }
    return grown;
}

// The bounding box of a triangle.
static inline grz_box grz_triangle_box(const double corners[3][3])
{
    grz_box box = grz_box_empty();
    for (int i = 0; i < 3; i++)
        grz_box_add_point(&box, corners[i]);
    return box;
}

#endif
