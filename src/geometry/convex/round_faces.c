// SPDX-License-Identifier: MIT
// With m = half · (poseᵀ n), coordinate by coordinate, and W = pose · (half · m), the farthest point of an ellipsoid is
// middle + W / |m|; that of a rim is the same without the third coordinates. Only |m| may be no fraction. That does not
// matter if W is parallel to n, as it is for balls and beside cylinders: all that is compared is seen along n. Where a
// cone's side is the face, |m| is 2 m2, for both its ends are as far along n.
#include "geometry/convex/round_faces.h"

#include <math.h>
#include <string.h>

enum {
    ROOT_BITS = 48, // a root is looked for among numbers of so many digits, times a power of two
    MOST_BITS = 32 * GRZ_MAX_LIMBS - 64
};

static void add_to(grz_integer *sum, const grz_integer *x, int sign)
{
    grz_integer next;
    grz_integer_add(sum, x, sign, &next);
    grz_integer_copy(&next, sum);
}

static void multiply_by(grz_integer *x, const grz_integer *y)
{
    grz_integer product;
    grz_integer_multiply(x, y, &product);
    grz_integer_copy(&product, x);
}

static int bits_of(const grz_integer v[3])
{
    int most = 0;
    for (int k = 0; k < 3; k++)
        most = grz_integer_bits(&v[k]) > most ? grz_integer_bits(&v[k]) : most;
    return most;
}

static bool is_zero(const grz_integer v[3])
{
    return v[0].sign == 0 && v[1].sign == 0 && v[2].sign == 0;
}

// The root of a number above 0, if that is a whole number of few digits, times a power of two.
static bool find_root(const grz_integer *square, grz_integer *root)
{
    grz_scaled about = grz_integer_to_scaled(square, 0);
    if (about.exponent % 2 != 0) {
        about.mantissa *= 2.0;
        about.exponent -= 1;
    }
    const double few = nearbyint(ldexp(sqrt(about.mantissa), ROOT_BITS));
    const int exponent = about.exponent / 2 - ROOT_BITS;
    grz_integer number, again;
    if (exponent >= 0) {
        grz_integer_from_double(few, 0, &number);
        grz_integer_shift_left(&number, exponent, root);
    } else {
        const double whole = ldexp(few, exponent);
        if (whole != nearbyint(whole))
            return false;
        grz_integer_from_double(whole, 0, root);
    }
    grz_integer_multiply(root, root, &again);
    return grz_integer_compare(&again, square) == 0;
}

// m, of length `dimensions`, its square, W, and the third column times its half axis.
typedef struct lean {
    grz_integer m[3], square, w[3], axis[3];
} lean;

static void find_lean(const grz_round_set *set, const grz_integer n[3], int side, int dimensions, lean *out)
{
    grz_integer column[3], along, part, half_m;
    out->square.sign = out->square.count = 0;
    for (int k = 0; k < 3; k++)
        out->w[k].sign = out->w[k].count = 0;
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++)
            grz_integer_copy(&set->matrix[k][j], &column[k]);
        grz_integer_dot(n, column, &along);
        grz_integer_multiply(&along, &set->half[j], &out->m[j]);
        out->m[j].sign *= side;
        for (int k = 0; j == 2 && k < 3; k++)
            grz_integer_multiply(&column[k], &set->half[j], &out->axis[k]);
        if (j >= dimensions)
            continue;
        grz_integer_multiply(&out->m[j], &out->m[j], &part);
        add_to(&out->square, &part, 1);
        grz_integer_multiply(&set->half[j], &out->m[j], &half_m);
        for (int k = 0; k < 3; k++) {
            grz_integer_multiply(&column[k], &half_m, &part);
            add_to(&out->w[k], &part, 1);
        }
    }
}

// at = (middle + sign · axis) · times + W, W only if `with_w`.
static void set_point(const grz_round_set *set, const lean *l, int sign, bool with_w, grz_flat_face *out)
{
    grz_integer *at = out->at[out->count++];
    for (int k = 0; k < 3; k++) {
        grz_integer_copy(&set->middle[k], &at[k]);
        if (sign != 0)
            add_to(&at[k], &l->axis[k], sign);
        multiply_by(&at[k], &out->times);
        if (with_w)
            add_to(&at[k], &l->w[k], 1);
    }
}

// Whether a cone's farthest point is its apex (1), its rim (-1) or both (0).
static int apex_or_rim(const lean *l)
{
    grz_integer twice, square;
    grz_integer_shift_left(&l->m[2], 1, &twice);
    grz_integer_multiply(&twice, &twice, &square);
    return l->m[2].sign <= 0 ? (l->m[2].sign == 0 && l->square.sign == 0 ? 0 : -1)
                             : grz_integer_compare(&square, &l->square);
}

bool grz_round_face(const grz_convex *c, const grz_round_set *set, const grz_integer n[3], int side, grz_flat_face *out)
{
    lean l;
    grz_integer across[3];
    const bool is_cone = c->form == GRZ_CONVEX_CONE, is_ellipsoid = c->form == GRZ_CONVEX_ELLIPSOID;
    find_lean(set, n, side, is_ellipsoid ? 3 : 2, &l);
    out->count = 0;
    grz_integer_from_double(1.0, 0, &out->times);
    const int end = is_cone ? apex_or_rim(&l) : 0;
    if (end > 0) {
        set_point(set, &l, 1, false, out);
        return true;
    }
    if (l.square.sign == 0) // a flat ellipsoid, or a disc
        return false;
    if (is_cone && end == 0) {
        grz_integer_shift_left(&l.m[2], 1, &out->times);
        set_point(set, &l, 1, false, out);
        set_point(set, &l, -1, true, out);
        return true;
    }
    grz_integer_cross(l.w, n, across);
    const bool is_parallel = is_zero(across);
    if (!is_parallel && !find_root(&l.square, &out->times))
        return false;
    if (is_ellipsoid)
        set_point(set, &l, 0, !is_parallel, out);
    else if (is_cone || l.m[2].sign != 0)
        set_point(set, &l, is_cone ? -1 : l.m[2].sign, !is_parallel, out);
    else {
        set_point(set, &l, -1, !is_parallel, out);
        set_point(set, &l, 1, !is_parallel, out);
    }
    return true;
}

// ---- Do faces meet? ------------------------------------------------------------------------------------------------

// (to - from) × n; both times their factors.
static void seen_way(const grz_integer from[3], const grz_integer *from_times, const grz_integer to[3],
                     const grz_integer *to_times, const grz_integer n[3], grz_integer out[3])
{
    grz_integer way[3], one, other;
    for (int k = 0; k < 3; k++) {
        grz_integer_multiply(&to[k], to_times, &one);
        grz_integer_multiply(&from[k], from_times, &other);
        grz_integer_add(&one, &other, -1, &way[k]);
    }
    grz_integer_cross(way, n, out);
}

// Whether 0 <= x / of <= 1.
static bool is_share(const grz_integer *x, const grz_integer *of)
{
    grz_integer turned, whole;
    grz_integer_copy(x, &turned);
    grz_integer_copy(of, &whole);
    turned.sign *= of->sign;
    whole.sign = 1;
    return of->sign != 0 && turned.sign >= 0 && grz_integer_compare(&turned, &whole) <= 0;
}

// Whether 0, or a point between d and d + v, is on the segment from 0 to u; all are on one line through 0.
static bool overlap_on_line(const grz_integer d[3], const grz_integer u[3], const grz_integer v[3])
{
    grz_integer length, from, to, none = {.sign = 0};
    grz_integer_dot(u, u, &length);
    grz_integer_dot(d, u, &from);
    grz_integer_dot(v, u, &to);
    add_to(&to, &from, 1);
    const grz_integer *low = grz_integer_compare(&from, &to) <= 0 ? &from : &to, *high = low == &from ? &to : &from;
    return grz_integer_compare(low, &length) <= 0 && grz_integer_compare(high, &none) >= 0;
}

bool grz_flat_faces_meet(const grz_flat_face *a, const grz_flat_face *b, const grz_integer n[3])
{
    grz_integer d[3], u[3], v[3], across[3], whole, part;
    const grz_flat_face *const faces[2] = {a, b};
    int most = bits_of(n);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < faces[i]->count; j++)
            most += bits_of(faces[i]->at[j]) + grz_integer_bits(&faces[i]->times);
    if (2 * most + 16 > MOST_BITS)
        return false;
    seen_way(a->at[0], &b->times, b->at[0], &a->times, n, d);
    seen_way(a->at[0], &b->times, a->at[a->count - 1], &b->times, n, u);
    seen_way(b->at[0], &a->times, b->at[b->count - 1], &a->times, n, v);
    if (is_zero(u) && is_zero(v))
        return is_zero(d);
    grz_integer_cross(u, v, across);
    if (!is_zero(u) && !is_zero(v) && !is_zero(across)) { // d + t v = s u
        grz_integer one[3];
        grz_integer_dot(across, n, &whole);
        grz_integer_cross(d, v, one);
        grz_integer_dot(one, n, &part);
        if (!is_share(&part, &whole))
            return false;
        grz_integer_cross(d, u, one);
        grz_integer_dot(one, n, &part);
        return is_share(&part, &whole);
    }
    const bool has_u = !is_zero(u);
    grz_integer_cross(d, has_u ? u : v, across);
    if (!is_zero(across))
        return false;
    if (has_u)
        return overlap_on_line(d, u, v);
    for (int k = 0; k < 3; k++)
        d[k].sign = -d[k].sign;
    return overlap_on_line(d, v, u);
}
