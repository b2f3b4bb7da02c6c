// SPDX-License-Identifier: MIT
// Reads items, and decides whether two have a point in common: two convex sets of the plane have none if and only if a
// line parallel to an edge of one of them separates them. The lines along the axes are comparisons of boxes, those
// along segments two signs of orient2d. Source: the separating axis test, S. Gottschalk et al., "OBBTree" (1996).
#include "space/flat/flat_item.h"

#include <math.h>

#include "geometry/exact/predicates.h"

static const double LARGEST = 0x1p300;

const char *grz_flat_coordinate_fault(double x)
{
    if (!isfinite(x))
        return "is not finite";
    return fabs(x) > LARGEST ? "is above 2^300 in magnitude" : NULL;
}

static const char *fault_of(const grz_flat_item *given)
{
    for (int k = 0; k < 2; k++) {
        const char *fault = grz_flat_coordinate_fault(given->from[k]);
        if (fault == NULL)
            fault = grz_flat_coordinate_fault(given->to[k]);
        if (fault != NULL)
            return fault;
    }
    switch (given->kind) {
    case GRZ_FLAT_POINT:
        return given->from[0] == given->to[0] && given->from[1] == given->to[1] ? NULL : "differs between from and to";
    case GRZ_FLAT_BOX:
        return given->from[0] <= given->to[0] && given->from[1] <= given->to[1] ? NULL : "of from is above that of to";
    case GRZ_FLAT_SEGMENT:
        return NULL;
    }
    return "has no kind";
}

const char *grz_flat_read(const grz_flat_item *given, grz_flat_held *out)
{
    const char *fault = fault_of(given);
    if (fault != NULL)
        return fault;
    for (int k = 0; k < 2; k++) {
        out->swaps[k] = given->from[k] > given->to[k];
        out->min[k] = (out->swaps[k] ? given->to[k] : given->from[k]) + 0.0; // no -0
        out->max[k] = (out->swaps[k] ? given->from[k] : given->to[k]) + 0.0;
    }
    out->kind = (uint8_t)given->kind;
    out->form = GRZ_FLAT_FULL;
    if (given->kind == GRZ_FLAT_SEGMENT && out->min[0] < out->max[0] && out->min[1] < out->max[1])
        out->form = out->swaps[0] == out->swaps[1] ? GRZ_FLAT_RISING : GRZ_FLAT_FALLING;
    return NULL;
}

grz_flat_item grz_flat_given(const grz_flat_held *held)
{
    grz_flat_item item = {.kind = (grz_flat_kind)held->kind};
    for (int k = 0; k < 2; k++) {
        item.from[k] = held->swaps[k] ? held->max[k] : held->min[k];
        item.to[k] = held->swaps[k] ? held->min[k] : held->max[k];
    }
    return item;
}

void grz_flat_ends(const grz_flat_held *box, bool falling, double p[2], double q[2])
{
    p[0] = box->min[0];
    q[0] = box->max[0];
    p[1] = falling ? box->max[1] : box->min[1];
    q[1] = falling ? box->min[1] : box->max[1];
}

bool grz_flat_on_one_side(const double p[2], const double q[2], bool rises, const grz_flat_held *item)
{
    double r[2], s[2]; // the item's points farthest to both sides
    grz_flat_ends(item, item->form == GRZ_FLAT_FULL ? rises : item->form == GRZ_FLAT_FALLING, r, s);
    return grz_orient2d(p, q, r) * grz_orient2d(p, q, s) > 0;
}

// Does the line of a segment separate it from the other item?
static bool separates(const grz_flat_held *segment, const grz_flat_held *other)
{
    if (segment->form == GRZ_FLAT_FULL)
        return false;
    double p[2], q[2];
    grz_flat_ends(segment, segment->form == GRZ_FLAT_FALLING, p, q);
    return grz_flat_on_one_side(p, q, segment->form == GRZ_FLAT_RISING, other);
}

bool grz_flat_touch(const grz_flat_held *a, const grz_flat_held *b)
{
    return grz_flat_boxes_overlap(a, b) && !separates(a, b) && !separates(b, a);
}
