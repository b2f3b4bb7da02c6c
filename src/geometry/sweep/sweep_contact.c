// SPDX-License-Identifier: MIT
// What meets at the first contact: features and normal, from the axes on which the pair only just touches at that time.
// The smallest features that hold the inside of the contact are the corners that are extreme on all of these axes.
// docs/use/move.md ("The contact") has the proof.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/distance/nearest.h"
#include "geometry/sweep/contact_point.h"

// A direction that the normal may have; not yet of length 1.
typedef struct direction {
    int rank; // a lower one comes first
    // (n · v)² / |n|², how much it is against v, as a fraction. Of directions within one plane: both sides divided by
    // a number that they share.
    grz_integer against, square;
    grz_integer n[3];
} direction;

// The axes of a pair at the time of entering.
typedef struct tight {
    grz_exact_pair pair;
    const grz_meeting *m;
    uint8_t a, b;   // corners that are extreme on all of them
    int dimensions; // of the differences b - a
    int plane;      // the first axis that is not 0, of those that are products of edges; -1 if there is none
    bool has_best;
    direction best;
} tight;

// ---- Axes ---------------------------------------------------------------------------------------------------------

// True if x / along is the time of entering.
static bool is_at_enter(const tight *s, const grz_integer *x, const grz_integer *along)
{
    const grz_time *enter = &s->m->ends[GRZ_MEETING_ENTER];
    grz_integer left, right;
    if (along->sign == 0 || x->sign == 0 || enter->numerator.sign == 0) // enter is then 0 if it is x / along
        return x->sign == 0 && (along->sign == 0 || enter->numerator.sign == 0);
    grz_integer_multiply(x, &enter->denominator, &left);
    grz_integer_multiply(&enter->numerator, along, &right);
    return grz_integer_compare(&left, &right) == 0;
}

static void copy_vector(const grz_integer from[3], grz_integer to[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_copy(&from[k], &to[k]);
}

static void negate(grz_integer v[3])
{
    for (int k = 0; k < 3; k++)
        v[k].sign = -v[k].sign;
}

// How many dimensions the differences b - a span. Sets `plane` if it is two.
static void find_dimensions(tight *s)
{
    grz_exact_slab slab;
    grz_integer way[3];
    s->plane = -1;
    s->dimensions = s->m->is_flat ? 0 : 3;
    if (!s->m->is_flat)
        return;
    for (int axis = 0; axis < GRZ_AXIS_SPATIAL && s->plane < 0; axis++)
        if (grz_exact_project(&s->pair, axis, &slab)) {
            s->plane = axis;
            s->dimensions = grz_integer_compare(&slab.low, &slab.high) < 0 ? 3 : 2;
        }
    for (int i = 0; i < 6 && s->plane < 0; i++) {
        grz_exact_way(&s->pair, i, i % 3 == 2 ? i - 2 : i + 1, way);
        if (way[0].sign != 0 || way[1].sign != 0 || way[2].sign != 0)
            s->dimensions = 1;
    }
}

// ---- Normals ------------------------------------------------------------------------------------------------------

// -1 if x · |x| / x_square < y · |y| / y_square, and so on.
static int compare_roots(const grz_integer *x, const grz_integer *x_square, const grz_integer *y,
                         const grz_integer *y_square)
{
    grz_integer square, left, right;
    if (x->sign != y->sign || x->sign == 0)
        return (x->sign > y->sign) - (x->sign < y->sign);
    grz_integer_multiply(x, x, &square);
    grz_integer_multiply(&square, y_square, &left);
    grz_integer_multiply(y, y, &square);
    grz_integer_multiply(&square, x_square, &right);
    return x->sign * grz_integer_compare(&left, &right);
}

// True if x comes before y: by rank, then by how much it is against v, then by coordinates, seen so that exchanging A
// and B, which turns v and all directions round, changes nothing.
static bool comes_before(const tight *s, const direction *x, const direction *y)
{
    const grz_integer *v = s->pair.motion->exact;
    const int turn = v[0].sign != 0 ? v[0].sign : v[1].sign != 0 ? v[1].sign : v[2].sign;
    if (x->rank != y->rank)
        return x->rank < y->rank;
    int order = -compare_roots(&x->against, &x->square, &y->against, &y->square);
    for (int k = 0; k < 3 && order == 0; k++)
        order = turn * compare_roots(&x->n[k], &x->square, &y->n[k], &y->square);
    return order < 0;
}

static void offer(tight *s, const direction *one)
{
    if (s->has_best && !comes_before(s, one, &s->best))
        return;
    s->has_best = true;
    s->best.rank = one->rank;
    grz_integer_copy(&one->against, &s->best.against);
    grz_integer_copy(&one->square, &s->best.square);
    copy_vector(one->n, s->best.n);
}

// A plane that the two enter through; n · v > 0.
static void offer_plane(tight *s, int axis, const grz_exact_slab *slab)
{
    direction one;
    one.rank = axis < GRZ_AXIS_EDGES ? 0 : 1;
    copy_vector(slab->n, one.n);
    negate(one.n);
    grz_integer_copy(&slab->along, &one.against);
    grz_integer_dot(slab->n, slab->n, &one.square);
    offer(s, &one);
}

// All lies in one plane, and v too: the normal of an edge within the plane. With m the normal of the plane and e the
// edge, it is m × e, and its product with v is m · (e × v), where e × v is a multiple of m.
static void offer_line(tight *s, int axis, const grz_integer m[3])
{
    const int first = axis < GRZ_AXIS_ACROSS_B ? GRZ_AXIS_ACROSS_A : GRZ_AXIS_ACROSS_B;
    const int corner = (axis < GRZ_AXIS_ACROSS_B ? 0 : 3) + (axis - first) / 3, k = (axis - first) % 3;
    grz_integer edge[3], turned[3], with_v;
    direction one;
    if (m[k].sign == 0)
        return;
    grz_exact_way(&s->pair, corner, corner % 3 == 2 ? corner - 2 : corner + 1, edge);
    grz_integer_cross(edge, s->pair.motion->exact, turned);
    grz_integer_cross(m, edge, one.n);
    grz_integer_dot(m, turned, &with_v);
    if (with_v.sign == 0)
        return;
    if (with_v.sign > 0)
        negate(one.n);
    one.rank = 0;
    grz_integer_copy(&with_v, &one.against);
    one.against.sign = 1;
    grz_integer_dot(edge, edge, &one.square);
    offer(s, &one);
}

// All lies on one line or in one point: the part of -v across the line; -v itself if it has none.
static void use_motion(tight *s)
{
    const grz_integer *v = s->pair.motion->exact;
    grz_integer edge[3], across[3];
    copy_vector(v, s->best.n);
    negate(s->best.n);
    s->has_best = true;
    for (int i = 0; i < 6; i++) {
        grz_exact_way(&s->pair, i, i % 3 == 2 ? i - 2 : i + 1, edge);
        grz_integer_cross(edge, v, across);
        if (across[0].sign != 0 || across[1].sign != 0 || across[2].sign != 0) {
            grz_integer_cross(edge, across, s->best.n);
            return;
        }
    }
}

static void round_direction(const grz_integer n[3], double normal[3])
{
    grz_square square;
    square.shift = 0;
    grz_integer_dot(n, n, &square.denominator);
    for (int k = 0; k < 3; k++) {
        grz_integer_multiply(&n[k], &n[k], &square.numerator);
        normal[k] = n[k].sign < 0 ? 0.0 - grz_square_root(&square).nearest : grz_square_root(&square).nearest;
    }
}

// ---- All axes -----------------------------------------------------------------------------------------------------

static void visit_axis(tight *s, int axis, const grz_integer m[3])
{
    grz_exact_slab slab;
    if (!grz_exact_project(&s->pair, axis, &slab))
        return;
    const bool at_low = is_at_enter(s, &slab.low, &slab.along), at_high = is_at_enter(s, &slab.high, &slab.along);
    if (at_low) {
        s->a &= slab.low_a;
        s->b &= slab.low_b;
    }
    if (at_high) {
        s->a &= slab.high_a;
        s->b &= slab.high_b;
    }
    if (!at_low || slab.along.sign == 0)
        return;
    if (axis < GRZ_AXIS_SPATIAL)
        offer_plane(s, axis, &slab);
    else if (axis >= GRZ_AXIS_ACROSS_A && m != NULL)
        offer_line(s, axis, m);
}

static void visit_axes(tight *s)
{
    grz_exact_slab plane;
    const grz_integer *m = NULL;
    if (s->dimensions == 2) {
        (void)grz_exact_project(&s->pair, s->plane, &plane);
        if (plane.along.sign == 0)
            m = plane.n;
    }
    for (int axis = 0; axis < (s->dimensions == 3 ? GRZ_AXIS_SPATIAL : GRZ_AXIS_COUNT); axis++)
        if ((s->m->axes_open >> axis & 1) != 0) // else it is certainly not at its border
            visit_axis(s, axis, m);
    if (s->dimensions < 2)
        use_motion(s);
}

static bool is_same(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static bool is_between(const double p[3], const double q[3], const double r[3])
{
    for (int k = 0; k < 3; k++)
        if ((q[k] < p[k] || q[k] > r[k]) && (q[k] > p[k] || q[k] < r[k]))
            return false;
    return true;
}

// The name of the feature that some corners of a triangle span.
static uint8_t name_of(const double c[3][3], uint8_t corners)
{
    int first = 0;
    assert(corners != 0 && corners < 8);
    while ((corners >> first & 1) == 0)
        first++;
    bool is_point = true;
    for (int i = first + 1; i < 3; i++)
        is_point = is_point && ((corners >> i & 1) == 0 || is_same(c[first], c[i]));
    if (is_point)
        return (uint8_t)(GRZ_CORNER_0 + first);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (corners == (1 << i | 1 << j))
            return (uint8_t)(GRZ_EDGE_0 + i);
        if (corners == 7 && grz_triangle_dimension(c) == 1 && is_between(c[i], c[k], c[j]) && !is_same(c[i], c[j]))
            return (uint8_t)(GRZ_EDGE_0 + i);
    }
    return GRZ_FACE;
}

bool grz_meeting_contact_at_enter(grz_meeting *m, grz_meeting_contact *out)
{
    tight s = {.m = m, .a = 7, .b = 7, .has_best = false};
    if (m->always || grz_meeting_compare_to(m, GRZ_MEETING_ENTER, 0.0) < 0)
        return false;
    grz_meeting_settle(m);
    grz_exact_pair_set(m, &s.pair);
    find_dimensions(&s);
    visit_axes(&s);
    assert(s.has_best);
    out->a = name_of(m->a, s.a);
    out->b = name_of(m->b, s.b);
    round_direction(s.best.n, out->normal);
    grz_meeting_contact_point(m, &s.pair, out);
    return true;
}
