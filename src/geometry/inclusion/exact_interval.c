// SPDX-License-Identifier: MIT
// A corner and a face, or two edges, can only touch while their four points lie in one plane: while a cubic in t, the
// volume, is 0. They touch then if some projected areas, quadratics in t, have the right signs. The coefficients of
// these polynomials in Bernstein form over [from, to] are computed in big integers: if all are above 0, so is the
// polynomial; if the first and the last have opposite signs, there is a root between.
// docs/use/move_deforming.md ("Exact intervals").
#include "geometry/inclusion/exact_interval.h"

#include <math.h>

#include "geometry/exact/integer.h"
#include "geometry/triangle/pair.h"

enum {
    LONGEST_TIME = 160 // binary digits of a time after the point; longer ones are not tried
};

typedef struct exact_vector {
    grz_integer at[2][3]; // at the times `from` and `to`
} exact_vector;

// What a polynomial does all through the interval.
typedef enum course {
    ABOVE,     // above 0
    BELOW,     // below 0
    NOT_BELOW, // 0 or above
    NOT_ABOVE, // 0 or below
    ZERO,      // 0
    MIXED      // not known
} course;

// By the signs of its coefficients.
static course course_of(const int sign[], int count)
{
    int above = 0, below = 0;
    for (int i = 0; i < count; i++) {
        above += sign[i] > 0;
        below += sign[i] < 0;
    }
    if (above > 0 && below > 0)
        return MIXED;
    if (above == 0 && below == 0)
        return ZERO;
    if (below == 0)
        return above == count ? ABOVE : NOT_BELOW;
    return below == count ? BELOW : NOT_ABOVE;
}

// The number of binary digits of t after the point. False if there are too many.
static bool digits_of(double t, int *digits)
{
    for (*digits = 0; *digits <= LONGEST_TIME; ++*digits) {
        const double x = ldexp(t, *digits);
        if (x == floor(x))
            return true;
    }
    return false;
}

// p - q at both times, times a power of two, for points given at the times 0 and 1.
static void difference_of(const double *const p[2], const double *const q[2], int shift, const double time[2],
                          int digits, exact_vector *out)
{
    grz_integer at_0, at_1, t, s, first, second;
    for (int end = 0; end < 2; end++) {
        grz_integer_from_double(time[end], digits, &t);
        grz_integer_difference(time[end], 1.0, digits, &s);
        for (int axis = 0; axis < 3; axis++) {
            grz_integer_difference(q[0][axis], p[0][axis], shift, &at_0);
            grz_integer_difference(q[1][axis], p[1][axis], shift, &at_1);
            grz_integer_multiply(&at_0, &s, &first);
            grz_integer_multiply(&at_1, &t, &second);
            grz_integer_add(&first, &second, 1, &out->at[end][axis]);
        }
    }
}

// Component `axis` of x × y as a quadratic. *at_end: its sign at the end of the interval.
static course cross_course(const exact_vector *x, const exact_vector *y, int axis, int *at_end)
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    grz_integer first, second, sum;
    int sign[3];
    grz_integer_determinant2(&x->at[0][i], &x->at[0][j], &y->at[0][i], &y->at[0][j], &sum);
    sign[0] = sum.sign;
    grz_integer_determinant2(&x->at[1][i], &x->at[1][j], &y->at[1][i], &y->at[1][j], &sum);
    sign[2] = sum.sign;
    grz_integer_determinant2(&x->at[0][i], &x->at[0][j], &y->at[1][i], &y->at[1][j], &first);
    grz_integer_determinant2(&x->at[1][i], &x->at[1][j], &y->at[0][i], &y->at[0][j], &second);
    grz_integer_add(&first, &second, 1, &sum);
    sign[1] = sum.sign;
    *at_end = sign[2];
    return course_of(sign, 3);
}

// x · (y × z) as a cubic. *has_root: it certainly has one in the interval;
// *zero_at_end: at its end.
static course volume_course(const exact_vector *x, const exact_vector *y, const exact_vector *z, bool *has_root,
                            bool *zero_at_end)
{
    grz_integer part, sum, next;
    int sign[4];
    for (int degree = 0; degree < 4; degree++) {
        sum.sign = 0;
        sum.count = 0;
        for (int choice = 0; choice < 8; choice++) {
            if ((choice & 1) + (choice >> 1 & 1) + (choice >> 2) != degree)
                continue;
            grz_integer_determinant3(x->at[choice & 1], y->at[choice >> 1 & 1], z->at[choice >> 2], &part);
            grz_integer_add(&sum, &part, 1, &next);
            grz_integer_copy(&next, &sum);
        }
        sign[degree] = sum.sign;
    }
    *has_root = sign[0] * sign[3] <= 0;
    *zero_at_end = sign[3] == 0;
    return course_of(sign, 4);
}

// The conditions of the inside test: whether all hold, or one fails, all through the interval, or all hold at its end.
typedef struct conditions {
    bool inside, outside, inside_at_end;
} conditions;

// Add the condition that component `axis` of x × y, times `sign`, is 0 or above.
static void require(const exact_vector *x, const exact_vector *y, int axis, int sign, conditions *all)
{
    int at_end;
    const course c = cross_course(x, y, axis, &at_end);
    all->inside =
        all->inside && (c == ZERO || c == (sign > 0 ? ABOVE : BELOW) || c == (sign > 0 ? NOT_BELOW : NOT_ABOVE));
    all->outside = all->outside || c == (sign > 0 ? BELOW : ABOVE);
    all->inside_at_end = all->inside_at_end && at_end * sign >= 0;
}

grz_interval_answer grz_decide_interval(const grz_feature_pair *m, const grz_patch *patch, double from, double to)
{
    const bool square = patch->square;
    double of_a[2][3][3], of_b[2][3][3];
    const int count_a = grz_patch_corners(m, patch, true, of_a), count_b = grz_patch_corners(m, patch, false, of_b);
    const double *corner[4][2], *points[8]; // a point and a triangle, in this order, or two segments; at the two times
    for (int time = 0; time < 2; time++) {
        const bool a_first = count_a <= count_b;
        const int first = a_first ? count_a : count_b;
        for (int i = 0; i < 4; i++)
            corner[i][time] =
                (i < first) == a_first ? of_a[time][i < first ? i : i - first] : of_b[time][i < first ? i : i - first];
    }
    for (int i = 0; i < 8; i++)
        points[i] = corner[i / 2][i % 2];
    const int shift = grz_integer_common_shift(points, 8, 3);
    int digits, more;
    if (!digits_of(from, &digits) || !digits_of(to, &more))
        return GRZ_INTERVAL_OPEN;
    digits = more > digits ? more : digits;
    const double time[2] = {from, to};

    // Corner and face: x_i = f_i - v. Edges: x_0, x_1 = b_0 - a_0, b_1 - a_0, x_2 = a_1 - a_0; and x_3 = b_0 - a_1.
    exact_vector x[3];
    for (int i = 0; i < 3; i++) {
        const int to_corner = square ? (i == 2 ? 1 : 2 + i) : 1 + i;
        difference_of(corner[to_corner], corner[0], shift, time, digits, &x[i]);
    }
    bool has_root, zero_at_end;
    const course volume = volume_course(&x[0], &x[1], &x[2], &has_root, &zero_at_end);
    if (volume == ABOVE || volume == BELOW)
        return GRZ_INTERVAL_FREE;

    exact_vector p, q; // the area is a component of p × q: two sides of the face, or the two edges
    difference_of(corner[square ? 1 : 2], corner[square ? 0 : 1], shift, time, digits, &p);
    difference_of(corner[3], corner[square ? 2 : 1], shift, time, digits, &q);
    for (int axis = 0; axis < 3; axis++) {
        int sign;
        const course area = cross_course(&p, &q, axis, &sign);
        if (area != ABOVE && area != BELOW)
            continue;
        conditions all = {.inside = true, .inside_at_end = true};
        if (square) {
            // The ends of B on different sides of A's line, and those of A on different sides of B's line.
            exact_vector beyond; // b_0 - a_1
            difference_of(corner[2], corner[1], shift, time, digits, &beyond);
            require(&p, &x[0], axis, -sign, &all);
            require(&p, &x[1], axis, sign, &all);
            require(&q, &x[0], axis, -sign, &all);
            require(&q, &beyond, axis, sign, &all);
        } else {
            for (int i = 0; i < 3; i++)
                require(&x[i], &x[(i + 1) % 3], axis, sign, &all);
        }
        if (all.outside)
            return GRZ_INTERVAL_FREE;
        if ((all.inside && has_root) || (all.inside_at_end && zero_at_end))
            return GRZ_INTERVAL_CONTACT;
    }
    return GRZ_INTERVAL_OPEN;
}
