// SPDX-License-Identifier: MIT
// How two placed shapes lie to each other.
//
// With R the sum of the radii and D the distance of the sets before they are grown: apart iff D > R. If D > 0, the
// depth is R - D; if not, it is R and the depth of the two sets. All sums are rounded outward.
#include "ask/shape/compare.h"

#include <math.h>
#include <string.h>

#include "ask/shape/contact.h"
#include "base/certainty.h"
#include "geometry/convex/exact_round.h"
#include "geometry/vector.h"

// A little more, a little less.
static double up(double x)
{
    return nextafter(x, HUGE_VAL);
}

static double down(double x)
{
    return nextafter(x, -HUGE_VAL);
}

static bool has_corners(const grz_shape_pair *p)
{
    return p->a->form == GRZ_CONVEX_CORNERS && p->b->form == GRZ_CONVEX_CORNERS;
}

// Round shapes: the directions in which the searches ended are guesses of the normal, and so is that of the middles.
static grz_convex_relation decide_round(grz_shape_pair *p)
{
    double guesses[3][3], middle_a[3], middle_b[3];
    grz_convex_round round = {.a = p->a,
                              .b = p->b,
                              .radius_a = p->radius_a,
                              .radius_b = p->radius_b,
                              .scale = p->place.scale,
                              .guess_count = 3};
    const bool has_depth = p->gap.lower == 0.0; // see relate()
    grz_convex_middle(p->a, middle_a);
    grz_convex_middle(p->b, middle_b);
    for (int k = 0; k < 3; k++) {
        guesses[0][k] = has_depth ? -p->depth.along[k] : p->gap.along[k];
        guesses[1][k] = p->gap.way[k];
        guesses[2][k] = middle_b[k] - middle_a[k];
        round.origin[k] = p->place.origin[k];
    }
    round.guesses = (const double(*)[3])guesses;
    return grz_convex_decide_round(&round, p->normal);
}

static grz_shape_relation decide(grz_shape_pair *p)
{
    static const grz_shape_relation SAME[] = {[GRZ_CONVEX_UNDECIDED] = GRZ_SHAPES_UNDECIDED,
                                              [GRZ_CONVEX_APART] = GRZ_SHAPES_APART,
                                              [GRZ_CONVEX_TOUCHING] = GRZ_SHAPES_TOUCHING,
                                              [GRZ_CONVEX_PENETRATING] = GRZ_SHAPES_PENETRATING};
    if (!has_corners(p))
        return SAME[decide_round(p)];
    grz_convex_decide(p->a, p->b, p->radius_a, p->radius_b, &p->gap.simplex, true, &p->exact);
    p->has_exact = true;
    return SAME[p->exact.relation];
}

static grz_shape_relation relate(grz_shape_pair *p, bool depth)
{
    if (p->gap.lower > p->radius_high)
        return GRZ_SHAPES_APART;
    if (p->gap.upper < p->radius_low || p->gap.inside)
        return GRZ_SHAPES_PENETRATING;
    if (p->gap.lower == 0.0) {
        grz_convex_measure_depth(p->a, p->b, depth ? HUGE_VAL : 0.0, &p->depth);
        p->has_depth = depth;
        if (p->depth.lower > 0.0)
            return GRZ_SHAPES_PENETRATING;
    }
    return decide(p);
}

void grz_shapes_join(const grz_placed_shape *a, const grz_placed_shape *b, const grz_place *place, grz_shape_pair *pair)
{
    const double sum = a->radius * place->scale + b->radius * place->scale;
    pair->a = &a->convex;
    pair->b = &b->convex;
    pair->radius_a = a->radius;
    pair->radius_b = b->radius;
    pair->radius_high = sum > 0.0 ? up(up(sum)) : 0.0;
    pair->radius_low = sum > 0.0 ? down(down(sum)) : 0.0;
    pair->place = *place;
    pair->has_depth = pair->has_exact = false;
    memset(pair->normal, 0, sizeof pair->normal);
}

grz_shape_relation grz_shapes_relate(grz_shape_pair *pair, double limit, bool depth)
{
    grz_convex_measure_gap(pair->a, pair->b, 0.0, up(limit + pair->radius_high), &pair->gap);
    return relate(pair, depth);
}

// A point at the place, moved by `far` along a direction, in the world.
static void to_world(const grz_place *place, const double at[3], const double along[3], double far, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = at[k] / place->scale + far * along[k] + place->origin[k];
}

// Measure the distance of the two before they are grown, exactly, if that is asked for or the search in doubles has
// left it in doubt: it may end early between edges that are nearly parallel, and what reaches far out, as lines do, has
// a wide gap. False: it is not measured.
static bool measure_exactly(const grz_shape_pair *p, bool asked, grz_convex_exact *exact)
{
    if (p->has_exact) {
        *exact = p->exact;
        return exact->measured;
    }
    // Chosen: bounds that agree to 2^-40 leave no doubt.
    if (!has_corners(p) || (!asked && p->gap.upper - p->gap.lower < 0x1p-40 * p->gap.upper))
        return false;
    grz_convex_decide(p->a, p->b, p->radius_a, p->radius_b, &p->gap.simplex, true, exact);
    return exact->measured;
}

// The direction from A to B, and the points of the grown shapes that lie there.
static void take_points(const grz_shape_pair *p, const grz_convex_exact *exact, grz_shape_answer *out)
{
    double along[3];
    memcpy(along, exact->along, sizeof along);
    grz_make_unit(along);
    for (int k = 0; k < 3; k++) {
        out->point_a[k] = exact->on_a[k] + p->radius_a * along[k];
        out->point_b[k] = exact->on_b[k] - p->radius_b * along[k];
        out->direction[k] = along[k];
    }
}

static void describe_apart(const grz_shape_pair *p, bool exactly, grz_shape_answer *out)
{
    const grz_place *place = &p->place;
    out->lower = grz_place_length_low(place, fmax(down(p->gap.lower - p->radius_high), 0.0));
    out->upper = grz_place_length_high(place, up(p->gap.upper - p->radius_low));
    // If the nearest points are only some roundings apart, the difference of the rounded points has a random direction.
    memcpy(out->direction, p->gap.lower > 0.0 ? p->gap.along : p->gap.way, sizeof out->direction);
    if (p->gap.lower <= p->radius_high && grz_dot(p->normal, p->normal) > 0.0) { // a plane was guessed, and proved
        grz_shape_contact contact;
        memcpy(out->direction, p->normal, sizeof out->direction);
        grz_shapes_look_along(p, p->normal, 0.0, &contact);
        grz_shape_contact_points(p, &contact, contact.overlap.middle, 0.0, out->point_a, out->point_b);
    } else if (grz_make_unit(out->direction)) {
        to_world(place, p->gap.on_a, out->direction, p->radius_a, out->point_a);
        to_world(place, p->gap.on_b, out->direction, -p->radius_b, out->point_b);
    }
    grz_convex_exact exact;
    if (measure_exactly(p, exactly, &exact)) {
        const double sum = p->radius_a + p->radius_b;
        const bool grown = sum > 0.0;
        out->lower = grown ? fmax(down(exact.root.lower - up(sum)), 0.0) : exact.root.lower;
        out->upper = grown ? up(exact.root.upper - down(sum)) : exact.root.upper;
        out->distance = grown ? fmin(fmax(exact.root.nearest - sum, out->lower), out->upper) : exact.root.nearest;
        out->certainty =
            grown ? grz_certainty_of_estimate(out->lower, out->upper) : grz_certainty_of_bounds(out->lower, out->upper);
        take_points(p, &exact, out);
        return;
    }
    out->distance = out->lower + 0.5 * (out->upper - out->lower);
    out->certainty = grz_certainty_of_estimate(out->lower, out->upper);
}

// Enclose the depth. Returns false if no direction is known; else n is the normal of the contact, from A to B, and
// *loose how far apart the bounds are, at the place.
static bool enclose_depth(const grz_shape_pair *p, bool depth, double n[3], double *loose, grz_shape_answer *out)
{
    const grz_place *place = &p->place;
    double low = fmax(down(p->radius_low - p->gap.upper), 0.0), high = HUGE_VAL;
    grz_convex_exact exact;
    *loose = 0.0;
    if (p->gap.lower > 0.0 && measure_exactly(p, false, &exact)) {
        const double sum = p->radius_a + p->radius_b;
        out->depth_lower = fmax(down(down(sum) - exact.root.upper), 0.0);
        out->depth_upper = up(up(sum) - exact.root.lower);
        memcpy(n, exact.along, sizeof exact.along);
        return grz_make_unit(n);
    }
    if (p->gap.lower > 0.0) {
        high = up(p->radius_high - p->gap.lower);
        memcpy(n, p->gap.along, sizeof p->gap.along);
    } else if (depth) {
        grz_convex_depth d = p->depth;
        if (!p->has_depth)
            grz_convex_measure_depth(p->a, p->b, HUGE_VAL, &d);
        low = fmax(low, d.lower > 0.0 ? down(d.lower + p->radius_low) : 0.0);
        high = up(d.upper + p->radius_high);
        *loose = d.lower > 0.0 ? d.upper - d.lower : 0.0;
        for (int k = 0; k < 3; k++)
            n[k] = -d.along[k];
    }
    out->depth_lower = grz_place_length_low(place, fmin(low, high));
    out->depth_upper = grz_place_length_high(place, high);
    return high < HUGE_VAL && grz_make_unit(n);
}

static void describe_penetrating(const grz_shape_pair *p, bool depth, grz_shape_answer *out)
{
    double n[3] = {0.0, 0.0, 0.0}, loose;
    if (!enclose_depth(p, depth, n, &loose, out)) {
        out->depth = out->depth_lower;
        return;
    }
    grz_shape_contact contact;
    grz_shapes_find_contact(p, n, loose, &contact);
    if (memcmp(n, contact.frame.n, sizeof n) != 0)
        out->depth_upper = grz_place_length_high(&p->place, up(grz_shape_contact_depth(p, &contact) + p->radius_high));
    out->depth = out->depth_upper;
    for (int k = 0; k < 3; k++)
        out->direction[k] = -contact.frame.n[k];
    grz_shape_contact_points(p, &contact, contact.overlap.middle, out->depth, out->point_a, out->point_b);
}

// Whether a touch of shapes, one of them round, has one normal only: where their faces do not tell, one of them is
// smooth there.
static bool is_fixed(const grz_shape_pair *p, const grz_shape_contact *contact)
{
    const grz_convex *const both[2] = {p->a, p->b};
    const grz_convex_face *const faces[2] = {&contact->a, &contact->b};
    if (contact->overlap.fixed || p->gap.lower > 0.0)
        return true;
    for (int i = 0; i < 2; i++) {
        if (both[i]->form == GRZ_CONVEX_ELLIPSOID)
            return true;
        if (both[i]->form == GRZ_CONVEX_CORNERS || faces[i]->count != 2)
            continue;
        const double *p_end = faces[i]->at[0], *q_end = faces[i]->at[1], *at = contact->overlap.middle;
        const double length = grz_length2(q_end[0] - p_end[0], q_end[1] - p_end[1]);
        const double ends =
            fmin(grz_length2(at[0] - p_end[0], at[1] - p_end[1]), grz_length2(at[0] - q_end[0], at[1] - q_end[1]));
        if (ends > 0x1p-30 * length) // the side of a cylinder or a cone, but not its rim
            return true;
    }
    return false;
}

// Whether shapes of corners that touch have one normal only.
static bool knows_normal(const grz_shape_pair *p)
{
    return p->has_exact && (p->exact.measured || p->exact.has_normal);
}

static bool touching_normal(const grz_shape_pair *p, double n[3])
{
    const bool is_known = knows_normal(p);
    for (int k = 0; k < 3; k++)
        n[k] = is_known ? p->exact.along[k] : p->has_exact ? -p->depth.along[k] : p->normal[k];
    return (is_known || p->has_depth || !p->has_exact) && grz_make_unit(n);
}

bool grz_shapes_normal(const grz_shape_pair *pair, const grz_shape_answer *answer, double n[3])
{
    if (answer->relation == GRZ_SHAPES_TOUCHING)
        return touching_normal(pair, n);
    for (int k = 0; k < 3; k++)
        n[k] = -answer->direction[k];
    return grz_make_unit(n);
}

// The direction is the normal, where only one plane separates the two; the points are in the middle of the contact.
static void describe_touching(const grz_shape_pair *p, grz_shape_answer *out)
{
    double n[3];
    const bool has_normal = knows_normal(p);
    grz_shape_contact contact;
    if (!touching_normal(p, n))
        return;
    grz_shapes_find_contact(p, n, 0.0, &contact);
    grz_shape_contact_points(p, &contact, contact.overlap.middle, 0.0, out->point_a, out->point_b);
    if (has_normal || (!p->has_exact && is_fixed(p, &contact)))
        memcpy(out->direction, n, sizeof n);
}

// -0 becomes 0: in a report it would look like a mistake.
static void drop_signs_of_zeros(grz_shape_answer *answer)
{
    for (int k = 0; k < 3; k++) {
        answer->direction[k] += 0.0;
        answer->point_a[k] += 0.0;
        answer->point_b[k] += 0.0;
    }
}

void grz_shapes_describe(const grz_shape_pair *pair, grz_shape_relation relation, bool exactly, bool depth,
                         grz_shape_answer *answer)
{
    static const double NOWHERE[3] = {0.0, 0.0, 0.0};
    *answer = (grz_shape_answer){.relation = relation, .certainty = GRZ_EXACT}; // what touches has the distance 0
    if (relation == GRZ_SHAPES_APART) {
        describe_apart(pair, exactly, answer);
        drop_signs_of_zeros(answer);
        return;
    }
    to_world(&pair->place, pair->gap.on_a, NOWHERE, 0.0, answer->point_a);
    to_world(&pair->place, pair->gap.on_b, NOWHERE, 0.0, answer->point_b);
    if (relation == GRZ_SHAPES_PENETRATING) {
        describe_penetrating(pair, depth, answer);
        answer->certainty = grz_certainty_of_estimate(answer->depth_lower, answer->depth_upper);
    }
    if (relation == GRZ_SHAPES_TOUCHING)
        describe_touching(pair, answer);
    if (relation == GRZ_SHAPES_UNDECIDED) {
        answer->certainty = GRZ_UNDECIDED;
        double n[3], loose;
        grz_shape_answer other = {.relation = relation};
        answer->upper = grz_place_length_high(&pair->place, fmax(up(pair->gap.upper - pair->radius_low), 0.0));
        enclose_depth(pair, true, n, &loose, &other);
        answer->depth_upper = other.depth_upper;
    }
    drop_signs_of_zeros(answer);
}
