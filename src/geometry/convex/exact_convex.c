// SPDX-License-Identifier: MIT
// The search of convex_gap.c once more, in integers. It ends with the corners T of the set of differences b - a whose
// point nearest to 0, v, is nearest of all: that is so if all weights of v in T are above 0 and no difference w has
// v·w < v·v (the conditions of Karush, Kuhn and Tucker). Each step makes |v| smaller, so no T comes twice.
//
// If v is 0, the sets meet. They penetrate if 0 is inside the set of differences, not on its surface:
//   T has four corners: 0 is inside.
//   T has three: it is inside if there are differences on both sides of their plane.
//   T has two, and 0 is between them on a line e: every difference is, but for a multiple of e, a sum of ways b - b0
//   and a0 - a. 0 is inside if these ways, seen along e, lie in no half plane.
//   T has one, a0 = b0: 0 is inside if the same ways lie in no half space. That is the first question again, with the
//   ways that are not 0 in place of the differences: if 0 is not between them, a plane has all of them on one side.
#include "geometry/convex/exact_convex.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/convex/exact_corner.h"
#include "geometry/vector.h"

typedef struct sets {
    const grz_convex *a, *b;
    grz_exact_scale scale;
    bool ways; // the ways from a0 and b0 in place of the differences; A is then the point 0
    uint32_t a0, b0;
} sets;

// A corner of the simplex.
typedef struct corner {
    uint32_t a, b;
    grz_integer w[3];
} corner;

// A direction: exact, and rounded to about the length 1.
typedef struct direction {
    grz_integer exact[3];
    double rounded[3];
} direction;

static void exact_way(const sets *s, const grz_convex *c, uint32_t from, uint32_t to, grz_integer out[3])
{
    grz_integer p[3], q[3];
    grz_exact_corner(&s->scale, c, from, p);
    grz_exact_corner(&s->scale, c, to, q);
    for (int k = 0; k < 3; k++)
        grz_integer_add(&q[k], &p[k], -1, &out[k]);
}

static void difference(const sets *s, uint32_t a, uint32_t b, corner *out)
{
    out->a = a;
    out->b = b;
    if (s->ways) {
        if (b < s->b->count)
            exact_way(s, s->b, s->b0, b, out->w);
        else
            exact_way(s, s->a, b - s->b->count, s->a0, out->w);
        return;
    }
    grz_integer p[3], q[3];
    grz_exact_corner(&s->scale, s->a, a, p);
    grz_exact_corner(&s->scale, s->b, b, q);
    for (int k = 0; k < 3; k++)
        grz_integer_add(&q[k], &p[k], -1, &out->w[k]);
}

static uint32_t count_of(const sets *s, int side)
{
    if (s->ways)
        return side == 0 ? 1 : s->a->count + s->b->count;
    return side == 0 ? s->a->count : s->b->count;
}

// A corner of a side, rounded. Returns how far off it may be.
static double rounded_corner(const sets *s, int side, uint32_t i, double out[3])
{
    if (!s->ways) {
        const grz_convex *c = side == 0 ? s->a : s->b;
        memcpy(out, grz_convex_corner(c, i), sizeof c->corners[i]);
        return c->error;
    }
    const uint32_t count_b = s->b->count;
    const grz_convex *c = i < count_b ? s->b : s->a;
    const double *p = grz_convex_corner(c, i < count_b ? s->b0 : s->a0),
                 *q = grz_convex_corner(c, i < count_b ? i : i - count_b);
    for (int k = 0; k < 3; k++)
        out[k] = i < count_b ? q[k] - p[k] : p[k] - q[k];
    return 2.0 * c->error + 0x1p-51 * c->extent; // the difference is at most 2 extents, and rounded once
}

static void exact_corner_of(const sets *s, int side, uint32_t i, grz_integer out[3])
{
    if (s->ways) {
        corner one;
        difference(s, 0, i, &one);
        for (int k = 0; k < 3; k++)
            grz_integer_copy(&one.w[k], &out[k]);
    } else
        grz_exact_corner(&s->scale, side == 0 ? s->a : s->b, i, out);
}

// The sign of v · (the way from one corner of a side to another), in doubles if they tell. *zero: the second is one of
// the ways that do not count, because they are 0.
static int sign_along(const sets *s, int side, const direction *v, uint32_t from, uint32_t to, bool *zero)
{
    *zero = false;
    if (from == to || (s->ways && side == 0))
        return 0;
    double p[3], q[3];
    const double error = rounded_corner(s, side, from, p) + rounded_corner(s, side, to, q),
                 along = grz_dot(v->rounded, q) - grz_dot(v->rounded, p),
                 size = sqrt(grz_dot(p, p)) + sqrt(grz_dot(q, q));
    // 32 roundings: of the direction, the products and their sums there are fewer than 16.
    if (fabs(along) > 4.0 * error + 0x1p-48 * size && (!s->ways || sqrt(grz_dot(q, q)) > 2.0 * error))
        return along > 0.0 ? 1 : -1;
    grz_integer exact_p[3], exact_q[3], way[3], sum;
    exact_corner_of(s, side, from, exact_p);
    exact_corner_of(s, side, to, exact_q);
    *zero = s->ways && exact_q[0].sign == 0 && exact_q[1].sign == 0 && exact_q[2].sign == 0;
    for (int k = 0; k < 3; k++)
        grz_integer_add(&exact_q[k], &exact_p[k], -1, &way[k]);
    grz_integer_dot(v->exact, way, &sum);
    return sum.sign;
}

// Round a direction to about the length 1. False if it is 0.
static bool round_direction(direction *v)
{
    grz_scaled parts[3];
    int most = 0;
    bool any = false;
    for (int k = 0; k < 3; k++) {
        parts[k] = grz_integer_to_scaled(&v->exact[k], 0);
        if (v->exact[k].sign != 0 && (!any || parts[k].exponent > most))
            most = parts[k].exponent;
        any = any || v->exact[k].sign != 0;
    }
    for (int k = 0; k < 3; k++) {
        const int exponent = parts[k].exponent - most;
        v->rounded[k] = v->exact[k].sign == 0 || exponent < -1000 ? 0.0 : ldexp(parts[k].mantissa, exponent - 1);
    }
    return any;
}

// What a choice of corners says about its point nearest to 0.
typedef struct nearest {
    grz_integer weight[4], whole; // weights are weight / whole; both above 0
    direction v;                  // towards the nearest point
    bool is_zero;                 // the nearest point is 0
} nearest;

// out = x · scale
static void scale_vector(const grz_integer x[3], const grz_integer *scale, grz_integer out[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_multiply(&x[k], scale, &out[k]);
}

static void subtract(const grz_integer x[3], const grz_integer y[3], grz_integer out[3])
{
    for (int k = 0; k < 3; k++)
        grz_integer_add(&x[k], &y[k], -1, &out[k]);
}

static bool between_two(const corner *p, const corner *q, nearest *out)
{
    grz_integer e[3], first[3], second[3], minus;
    subtract(q->w, p->w, e);
    grz_integer_dot(q->w, e, &out->weight[0]);
    grz_integer_dot(p->w, e, &minus);
    grz_integer_copy(&minus, &out->weight[1]);
    out->weight[1].sign = -minus.sign;
    if (out->weight[0].sign <= 0 || out->weight[1].sign <= 0)
        return false;
    grz_integer_add(&out->weight[0], &out->weight[1], 1, &out->whole);
    scale_vector(p->w, &out->weight[0], first);
    scale_vector(q->w, &minus, second);
    subtract(first, second, out->v.exact);
    return true;
}

static bool between_three(const corner *const c[3], nearest *out)
{
    grz_integer e[2][3], normal[3], across[3], height;
    subtract(c[1]->w, c[0]->w, e[0]);
    subtract(c[2]->w, c[0]->w, e[1]);
    grz_integer_cross(e[0], e[1], normal);
    grz_integer_dot(normal, normal, &out->whole);
    if (out->whole.sign == 0)
        return false;
    for (int i = 0; i < 3; i++) {
        grz_integer_cross(c[(i + 1) % 3]->w, c[(i + 2) % 3]->w, across);
        grz_integer_dot(normal, across, &out->weight[i]);
        if (out->weight[i].sign <= 0)
            return false;
    }
    grz_integer_dot(normal, c[0]->w, &height);
    for (int k = 0; k < 3; k++) {
        grz_integer_copy(&normal[k], &out->v.exact[k]);
        out->v.exact[k].sign *= height.sign;
    }
    return true;
}

// 0 = sum of weight · corner with weights above 0 if these four determinants have one sign.
static bool between_four(const corner *const c[4], nearest *out)
{
    for (int i = 0; i < 4; i++) {
        grz_integer_determinant3(c[(i + 1) % 4]->w, c[(i + 2) % 4]->w, c[(i + 3) % 4]->w, &out->weight[i]);
        out->weight[i].sign *= i % 2 == 0 ? 1 : -1;
        if (out->weight[i].sign == 0 || out->weight[i].sign != out->weight[0].sign)
            return false;
    }
    memset(out->v.exact, 0, sizeof out->v.exact);
    return true;
}

// True if the point nearest to 0 of all that is between `count` corners of a simplex has weights above 0 for the chosen
// ones and 0 for the others.
static bool is_nearest(const corner *corners, int count, const int chosen[4], int chosen_count, nearest *out)
{
    const corner *c[4];
    for (int i = 0; i < chosen_count; i++)
        c[i] = &corners[chosen[i]];
    if (chosen_count == 1) {
        static const grz_integer ONE = {.sign = 1, .count = 1, .limb = {1}};
        grz_integer_copy(&ONE, &out->weight[0]);
        grz_integer_copy(&ONE, &out->whole);
        for (int k = 0; k < 3; k++)
            grz_integer_copy(&c[0]->w[k], &out->v.exact[k]);
    } else if (!(chosen_count == 2   ? between_two(c[0], c[1], out)
                 : chosen_count == 3 ? between_three(c, out)
                                     : between_four(c, out)))
        return false;
    out->is_zero = !round_direction(&out->v);
    if (out->is_zero)
        return true;
    for (int i = 0; i < count; i++) {
        grz_integer way[3], along;
        subtract(corners[i].w, c[0]->w, way);
        grz_integer_dot(out->v.exact, way, &along);
        if (along.sign < 0)
            return false;
    }
    return true;
}

// Keep of a simplex the corners that span its point nearest to 0. The fewest are tried first.
static void reduce(corner corners[4], int *count, nearest *out)
{
    for (int size = 1; size <= *count; size++)
        for (int set = 1; set < 1 << *count; set++) {
            int chosen[4] = {0}, chosen_count = 0;
            for (int i = 0; i < *count; i++)
                if (set >> i & 1)
                    chosen[chosen_count++] = i;
            if (chosen_count != size || !is_nearest(corners, *count, chosen, size, out))
                continue;
            for (int i = 0; i < size; i++)
                if (chosen[i] != i)
                    corners[i] = corners[chosen[i]];
            *count = size;
            return;
        }
    assert(false); // some corners always span it
}

// The corner of a side that is farthest along v (side 0) or against it (side 1), if any is farther than `from`.
static uint32_t improve(const sets *s, int side, const direction *v, uint32_t from)
{
    const uint32_t count = count_of(s, side);
    uint32_t best = from;
    for (uint32_t i = 0; i < count; i++) {
        bool zero;
        const int sign = sign_along(s, side, v, best, i, &zero);
        if (!zero && sign == (side == 0 ? 1 : -1))
            best = i;
    }
    return best;
}

// The search. The simplex holds `count` corners, 1 to 4, when it begins.
static void search(const sets *s, corner corners[4], int *count, nearest *found)
{
    for (;;) {
        reduce(corners, count, found);
        if (found->is_zero)
            return;
        const uint32_t a = improve(s, 0, &found->v, corners[0].a), b = improve(s, 1, &found->v, corners[0].b);
        if (a == corners[0].a && b == corners[0].b)
            return;
        difference(s, a, b, &corners[(*count)++]);
    }
}

// Where a plane through 0 is the only one that has all differences on one side.
typedef struct touch {
    bool has_normal;
    double normal[3]; // towards the differences, of about the length 1
} touch;

static void take_normal(const direction *normal, int sign, touch *out)
{
    out->has_normal = true;
    for (int k = 0; k < 3; k++)
        out->normal[k] = sign * normal->rounded[k];
}

// Are there differences on both sides of the plane through 0 with this normal? All corners of the simplex are in it,
// and 0 is between them; so if there are some on one side only, no other plane has them all.
static bool both_sides(const sets *s, const direction *normal, const corner *c, touch *out)
{
    bool above = false, below = false;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < count_of(s, side) && !(above && below); i++) {
            bool zero;
            const int sign = sign_along(s, side, normal, side == 0 ? c->a : c->b, i, &zero);
            if (zero)
                continue;
            above = above || sign == (side == 0 ? -1 : 1);
            below = below || sign == (side == 0 ? 1 : -1);
        }
    if (above != below)
        take_normal(normal, above ? 1 : -1, out);
    return above && below;
}

// The ways b - b0 and a0 - a, by number.
static uint32_t way_count(const sets *s)
{
    return s->ways ? count_of(s, 1) : count_of(s, 0) + count_of(s, 1);
}

static void way(const sets *s, const corner *c, uint32_t i, grz_integer out[3])
{
    const uint32_t count_b = count_of(s, 1);
    corner one;
    if (s->ways) {
        difference(s, 0, i, &one);
        subtract(one.w, c->w, out);
    } else if (i < count_b)
        exact_way(s, s->b, c->b, i, out);
    else
        exact_way(s, s->a, i - count_b, c->a, out);
}

// The sign of v · way number i.
static int sign_of_way(const sets *s, const corner *c, const direction *v, uint32_t i)
{
    const uint32_t count_b = count_of(s, 1);
    bool zero;
    return i < count_b ? sign_along(s, 1, v, c->b, i, &zero) : -sign_along(s, 0, v, c->a, i - count_b, &zero);
}

// The normal of the plane through a way and the line e: the way's left, seen along e. False: they are parallel.
static bool left_of(const sets *s, const corner *c, const grz_integer e[3], uint32_t i, direction *out)
{
    grz_integer g[3];
    way(s, c, i, g);
    grz_integer_cross(e, g, out->exact);
    return round_direction(out);
}

// 0 is between two corners, on the line e. Do the ways, seen along it, lie in no half plane? Of those to the left of
// some first way, and of those to the right, the ones that are turned farthest tell. If these two are opposite, or one
// of them and the first way, a half plane holds all ways, and no other does.
static bool ways_surround(const sets *s, const corner c[2], touch *out)
{
    const uint32_t count = way_count(s);
    grz_integer e[3], along;
    direction first, left, right, one;
    bool has_left = false, has_right = false, has_opposite = false;
    uint32_t from = 0, rightmost = 0;
    subtract(c[1].w, c[0].w, e);
    while (from < count && !left_of(s, &c[0], e, from, &first))
        from++;
    for (uint32_t i = from + 1; i < count; i++) {
        const int sign = sign_of_way(s, &c[0], &first, i);
        if (sign > 0 && (!has_left || sign_of_way(s, &c[0], &left, i) > 0))
            has_left = left_of(s, &c[0], e, i, &left);
        if (sign < 0 && (!has_right || sign_of_way(s, &c[0], &right, i) < 0)) {
            has_right = left_of(s, &c[0], e, i, &right);
            rightmost = i;
        }
        if (sign == 0 && !has_opposite && left_of(s, &c[0], e, i, &one)) {
            grz_integer_dot(one.exact, first.exact, &along);
            has_opposite = along.sign < 0;
        }
    }
    if (has_left && has_right) {
        const int sign = has_opposite ? 1 : sign_of_way(s, &c[0], &left, rightmost);
        if (sign == 0)
            take_normal(&left, -1, out);
        return sign > 0;
    }
    if (has_opposite && (has_left || has_right))
        take_normal(&first, has_left ? 1 : -1, out);
    return false;
}

// 0 is spanned by these corners. Is it inside the set of differences?
static bool is_inside(sets *s, corner corners[4], int count, nearest *found, touch *out)
{
    if (count == 4)
        return true;
    if (count == 3) {
        direction normal;
        grz_integer e[2][3];
        subtract(corners[1].w, corners[0].w, e[0]);
        subtract(corners[2].w, corners[0].w, e[1]);
        grz_integer_cross(e[0], e[1], normal.exact);
        round_direction(&normal);
        return both_sides(s, &normal, &corners[0], out);
    }
    if (count == 2)
        return ways_surround(s, corners, out);
    assert(!s->ways);
    s->a0 = corners[0].a;
    s->b0 = corners[0].b;
    s->ways = true;
    for (uint32_t i = 0; i < count_of(s, 1); i++) {
        difference(s, 0, i, &corners[0]);
        if (corners[0].w[0].sign != 0 || corners[0].w[1].sign != 0 || corners[0].w[2].sign != 0) {
            count = 1;
            search(s, corners, &count, found);
            return found->is_zero && is_inside(s, corners, count, found, out);
        }
    }
    return false; // two points
}

// -1, 0 or 1: the distance compared with the sum of the radii. `square` is (distance · 2^shift)².
static int compare_radii(const sets *s, double radius_a, double radius_b, const grz_square *square)
{
    grz_integer a, b, sum, squared, product;
    grz_integer_from_double(radius_a, s->scale.world, &a);
    grz_integer_from_double(radius_b, s->scale.world, &b);
    grz_integer_add(&a, &b, 1, &sum);
    grz_integer_multiply(&sum, &sum, &squared);
    grz_integer_multiply(&squared, &square->denominator, &product);
    return grz_integer_compare(&square->numerator, &product);
}

// The squared distance of 0 from what the corners span.
static void square_of(const sets *s, const corner *c, int count, grz_square *out)
{
    grz_integer e[2][3], normal[3], number;
    out->shift = s->scale.world;
    if (count == 1) {
        static const grz_integer ONE = {.sign = 1, .count = 1, .limb = {1}};
        grz_integer_dot(c[0].w, c[0].w, &out->numerator);
        grz_integer_copy(&ONE, &out->denominator);
    } else if (count == 2) {
        subtract(c[1].w, c[0].w, e[0]);
        grz_integer_cross(c[0].w, c[1].w, normal);
        grz_integer_dot(normal, normal, &out->numerator);
        grz_integer_dot(e[0], e[0], &out->denominator);
    } else {
        subtract(c[1].w, c[0].w, e[0]);
        subtract(c[2].w, c[0].w, e[1]);
        grz_integer_cross(e[0], e[1], normal);
        grz_integer_dot(normal, c[0].w, &number);
        grz_integer_multiply(&number, &number, &out->numerator);
        grz_integer_dot(normal, normal, &out->denominator);
    }
}

// The nearest point of one set, rounded.
static void round_point(const sets *s, const grz_convex *set, const uint32_t *corners, int count, const nearest *found,
                        double out[3])
{
    grz_integer sum[3], at[3], product, next;
    for (int k = 0; k < 3; k++)
        sum[k].sign = sum[k].count = 0;
    for (int i = 0; i < count; i++) {
        grz_exact_corner(&s->scale, set, corners[i], at);
        for (int k = 0; k < 3; k++) {
            grz_integer_multiply(&at[k], &found->weight[i], &product);
            grz_integer_add(&sum[k], &product, 1, &next);
            grz_integer_copy(&next, &sum[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        out[k] = grz_integer_quotient(&sum[k], &found->whole, -s->scale.world);
}

void grz_convex_decide(const grz_convex *a, const grz_convex *b, double radius_a, double radius_b,
                       const grz_simplex *start, bool measure, grz_convex_exact *out)
{
    sets s = {.a = a, .b = b};
    corner corners[5];
    nearest found;
    int count = 0;
    *out = (grz_convex_exact){.relation = GRZ_CONVEX_UNDECIDED};
    if (!grz_exact_choose_scale(a, b, radius_a, radius_b, &s.scale))
        return;
    for (int i = 0; i < start->count; i++)
        difference(&s, start->a[i], start->b[i], &corners[count++]);
    if (count == 0)
        difference(&s, 0, 0, &corners[count++]);
    search(&s, corners, &count, &found);
    if (found.is_zero) {
        touch at = {.has_normal = false};
        const bool inside = radius_a > 0.0 || radius_b > 0.0 || is_inside(&s, corners, count, &found, &at);
        out->relation = inside ? GRZ_CONVEX_PENETRATING : GRZ_CONVEX_TOUCHING;
        out->has_normal = at.has_normal;
        memcpy(out->along, at.normal, sizeof out->along);
        return;
    }
    grz_square square;
    square_of(&s, corners, count, &square);
    const int order = compare_radii(&s, radius_a, radius_b, &square);
    out->relation = order > 0 ? GRZ_CONVEX_APART : order == 0 ? GRZ_CONVEX_TOUCHING : GRZ_CONVEX_PENETRATING;
    if (!measure)
        return;
    out->measured = true;
    out->root = grz_square_root(&square);
    memcpy(out->along, found.v.rounded, sizeof out->along);
    out->corners = count;
    for (int i = 0; i < count; i++) {
        out->a[i] = corners[i].a;
        out->b[i] = corners[i].b;
    }
    round_point(&s, a, out->a, count, &found, out->on_a);
    round_point(&s, b, out->b, count, &found, out->on_b);
}
