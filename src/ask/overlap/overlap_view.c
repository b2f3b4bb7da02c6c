// SPDX-License-Identifier: MIT
// Compares the boxes of two objects along the three axes, and scales the box that they have in common to about 1.
#include "ask/overlap/overlap_view.h"

#include <math.h>

#include "geometry/pose.h"
#include "mesh/mesh.h"

// Makes a product larger than its roundings (2^-53 each) can have made it smaller.
static const double MORE = 1.0 + 0x1p-50;

enum {
    LEAST_EXPONENT = -1000 // of a side of the box: 2^-LEAST_EXPONENT is a double
};

static grz_box box_of(const grz_object *object)
{
    return grz_world_box(&object->pose, &object->mesh->bounds);
}

// The exponent of the power of two that is next above a length.
static int exponent_of(double length)
{
    int exponent;
    frexp(length, &exponent);
    return exponent > LEAST_EXPONENT && length > 0.0 ? exponent : LEAST_EXPONENT;
}

// Scale the sides of a box, along the axes of the frame, to at most 1.
static void set_scale(grz_volume_view *view, const double sides[3])
{
    view->exponent = 0;
    for (int k = 0; k < 3; k++) {
        const int exponent = exponent_of(sides[k]);
        view->frame.scale[k] = ldexp(1.0, -exponent);
        view->exponent += exponent;
    }
}

static bool fits(const grz_volume_view *view, const grz_box *box)
{
    for (int k = 0; k < 3; k++) {
        const int axis = view->frame.axis[k];
        if (!(fmax(fabs(box->min[axis]), fabs(box->max[axis])) * view->frame.scale[k] <= GRZ_PRISM_MOST))
            return false;
    }
    return true;
}

static void set_axis(grz_volume_view *view, int axis)
{
    for (int k = 0; k < 3; k++)
        view->frame.axis[k] = (axis + 1 + k) % 3;
}

static double common_side(const grz_box *a, const grz_box *b, int axis)
{
    return fmin(a->max[axis], b->max[axis]) - fmax(a->min[axis], b->min[axis]);
}

// Which of two boxes comes first, by their coordinates: below 0, 0 or above 0.
static int compare_boxes(const grz_box *a, const grz_box *b)
{
    for (int k = 0; k < 3; k++) {
        if (a->min[k] != b->min[k])
            return a->min[k] < b->min[k] ? -1 : 1;
        if (a->max[k] != b->max[k])
            return a->max[k] < b->max[k] ? -1 : 1;
    }
    return 0;
}

void grz_volume_view_choose(const grz_object *a, const grz_object *b, grz_volume_view *view)
{
    const grz_box boxes[2] = {box_of(a), box_of(b)};
    const int order = compare_boxes(&boxes[0], &boxes[1]);
    double least = HUGE_VAL;
    int best = 0;
    view->upper = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int turn = 0; turn < 2; turn++) {
            const int upper = (order < 0) != (turn > 0); // the later box first
            const double height = boxes[upper].max[axis] - boxes[1 - upper].min[axis];
            if (height < least) {
                least = height;
                best = axis;
                view->upper = upper;
            }
        }
    if (order == 0)
        view->upper = -1;
    set_axis(view, best);
    const double sides[3] = {common_side(&boxes[0], &boxes[1], view->frame.axis[0]),
                             common_side(&boxes[0], &boxes[1], view->frame.axis[1]), least};
    set_scale(view, sides);
    view->column = grz_box_intersection(&boxes[0], &boxes[1]);
    if (view->upper >= 0) { // no triangle of the upper surface counts that is below all of the lower one's, and so on
        view->column.min[best] = boxes[1 - view->upper].min[best];
        view->column.max[best] = boxes[view->upper].max[best];
    }
    view->range[0] = boxes[view->upper > 0].min[best] * view->frame.scale[2];
    view->range[1] = boxes[view->upper == 0].max[best] * view->frame.scale[2];
    view->fits = fits(view, &boxes[0]) && fits(view, &boxes[1]);
    view->floor = 0.0;
}

void grz_volume_view_of(const grz_object *object, grz_volume_view *view)
{
    const grz_box box = box_of(object);
    double sides[3];
    int best = 0;
    for (int axis = 1; axis < 3; axis++)
        if (box.max[axis] - box.min[axis] < box.max[best] - box.min[best])
            best = axis;
    set_axis(view, best);
    for (int k = 0; k < 3; k++)
        sides[k] = box.max[view->frame.axis[k]] - box.min[view->frame.axis[k]];
    set_scale(view, sides);
    view->column = box;
    view->upper = -1;
    view->range[0] = -HUGE_VAL;
    view->range[1] = HUGE_VAL;
    view->floor = box.min[best] * view->frame.scale[2];
    view->fits = fits(view, &box);
}

double grz_common_box_volume(const grz_object *a, const grz_object *b)
{
    const grz_box boxes[2] = {box_of(a), box_of(b)};
    double product = 1.0;
    int exponent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double side = common_side(&boxes[0], &boxes[1], axis);
        int more;
        if (!(side > 0.0))
            return 0.0;
        product *= frexp(side, &more) * MORE;
        exponent += more;
    }
    return nextafter(ldexp(product, exponent), HUGE_VAL);
}
