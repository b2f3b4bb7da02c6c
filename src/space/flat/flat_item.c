// SPDX-License-Identifier: MIT
// Reads items, and decides whether two have a point in common: two convex sets of the plane have none if and only if a
// line parallel to an edge of one of them separates them. The lines along the axes are comparisons of boxes, those
// along segments two signs of orient2d. Source: the separating axis test, S. Gottschalk et al., "OBBTree" (1996).
#include "space/flat/flat_item.h"

#include <math.h>
#include <stdio.h>

#include "geometry/exact/predicates.h"

static const double LARGEST = 0x1p300;

const char *grz_flat_coordinate_fault(double x)
{
    if (!isfinite(x))
        return "is not finite";
    return fabs(x) > LARGEST ? "is above 2^300 in magnitude" : NULL;
}

static bool find_fault(const grz_flat_item *given, char text[GRZ_FLAT_FAULT])
{
    static const char AXES[2] = {'x', 'y'};
    for (int i = 0; i < 4; i++) {
        const char *fault = grz_flat_coordinate_fault(i < 2 ? given->from[i] : given->to[i - 2]);
        if (fault != NULL) {
            snprintf(text, GRZ_FLAT_FAULT, "%c of %s %s", AXES[i % 2], i < 2 ? "from" : "to", fault);
            return true;
        }
    }
    for (int k = 0; k < 2; k++) {
        const double from = given->from[k], to = given->to[k];
        const bool differs = given->kind == GRZ_FLAT_POINT && from != to;
        if (differs || (given->kind == GRZ_FLAT_BOX && from > to)) {
            snprintf(text, GRZ_FLAT_FAULT, "%c of from is %.17g, %s %.17g, that of to", AXES[k], from,
                     differs ? "not" : "above", to);
            return true;
        }
    }
    const bool has_kind =
        given->kind == GRZ_FLAT_POINT || given->kind == GRZ_FLAT_BOX || given->kind == GRZ_FLAT_SEGMENT;
    if (!has_kind)
        snprintf(text, GRZ_FLAT_FAULT, "it has no kind");
    return !has_kind;
}

bool grz_flat_read(const grz_flat_item *given, grz_flat_held *out, char text[GRZ_FLAT_FAULT])
{
    if (find_fault(given, text))
        return false;
    for (int k = 0; k < 2; k++) {
        out->swaps[k] = given->from[k] > given->to[k];
        out->min[k] = (out->swaps[k] ? given->to[k] : given->from[k]) + 0.0; // no -0
        out->max[k] = (out->swaps[k] ? given->from[k] : given->to[k]) + 0.0;
    }
    out->kind = (uint8_t)given->kind;
    out->form = GRZ_FLAT_FULL;
    if (given->kind == GRZ_FLAT_SEGMENT && out->min[0] < out->max[0] && out->min[1] < out->max[1])
        out->form = out->swaps[0] == out->swaps[1] ? GRZ_FLAT_RISING : GRZ_FLAT_FALLING;
    return true;
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
