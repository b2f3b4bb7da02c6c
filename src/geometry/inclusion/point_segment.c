// SPDX-License-Identifier: MIT
// The point is on the segment when x × y = 0 and x · y <= 0, for the vectors x, y from it to the two ends. Those are
// three quadratics with a common root, where a fourth is not above 0. In the form c0·s² + c1·s·t + c2·t², with s and t
// of at least 0 in the interval, a root is a vector v = (s², s·t, t²) at right angles to c. So the common root of two
// quadratics that are no multiples of each other is their cross product, if that has this form; it is a rational time.
#include "geometry/inclusion/point_segment.h"

enum {
    MOST_HALVINGS = 62 // of the interval about a root
};

static bool is_zero(const grz_quadratic *q)
{
    return grz_quadratic_course(q) == GRZ_COURSE_ZERO;
}

// The root of a quadratic that is a square: into v. False if it is none, or the root is outside of the interval.
static bool double_root(const grz_quadratic *q, grz_integer v[3])
{
    grz_integer twice, middle, ends, product;
    if (q->c[0].sign == 0)
        return false; // the begin is a root, which the caller has looked at
    // s : t is -c1 : 2·c0 there.
    grz_integer_add(&q->c[0], &q->c[0], 1, &twice);
    grz_integer_multiply(&q->c[1], &q->c[1], &v[0]);
    grz_integer_multiply(&twice, &twice, &v[2]);
    grz_integer_multiply(&twice, &q->c[1], &v[1]);
    v[1].sign = -v[1].sign;
    // The discriminant: c1² = 4·c0·c2.
    grz_integer_copy(&v[0], &middle);
    grz_integer_multiply(&twice, &q->c[2], &product);
    grz_integer_add(&product, &product, 1, &ends);
    return grz_integer_compare(&middle, &ends) == 0 && v[1].sign >= 0;
}

// The point is always on the segment's line. When is it between the ends?
static grz_interval_answer decide_on_line(const grz_quadratic *between)
{
    if (between->c[0].sign <= 0 || between->c[2].sign <= 0)
        return GRZ_INTERVAL_CONTACT;
    if (between->c[1].sign >= 0)
        return GRZ_INTERVAL_FREE;
    // Above 0 at both ends. It comes down to 0 between them if c1² >= 4·c0·c2.
    grz_integer square, product, twice, ends;
    grz_integer_multiply(&between->c[1], &between->c[1], &square);
    grz_integer_multiply(&between->c[0], &between->c[2], &product);
    grz_integer_add(&product, &product, 1, &twice);
    grz_integer_add(&twice, &twice, 1, &ends);
    return grz_integer_compare(&square, &ends) >= 0 ? GRZ_INTERVAL_CONTACT : GRZ_INTERVAL_FREE;
}

// `line` has one root in the interval, inside it. Is `between` above 0 there? The interval is halved about the root.
static grz_interval_answer decide_at_root(const grz_quadratic *line, const grz_quadratic *between)
{
    uint64_t k = 0;
    for (int depth = 1; depth <= MOST_HALVINGS; depth++) {
        grz_quadratic part, value;
        k *= 2;
        grz_quadratic_part(line, k, depth, &part);
        if (part.c[2].sign == line->c[0].sign)
            k++;
        grz_quadratic_part(between, k, depth, &value);
        switch (grz_quadratic_course(&value)) {
        case GRZ_COURSE_ABOVE:
            return GRZ_INTERVAL_FREE;
        case GRZ_COURSE_BELOW:
        case GRZ_COURSE_NOT_ABOVE:
            return GRZ_INTERVAL_CONTACT;
        default:
            break;
        }
    }
    return GRZ_INTERVAL_OPEN;
}

// All three components of x × y are multiples of `line`, which is not 0: point and segment move in one plane, say.
static grz_interval_answer decide_in_plane(const grz_quadratic *line, const grz_quadratic *between)
{
    for (int end = 0; end < 3; end += 2)
        if (line->c[end].sign == 0 && between->c[end].sign <= 0)
            return GRZ_INTERVAL_CONTACT;
    const grz_course course = grz_quadratic_course(between);
    grz_integer v[3];
    if (double_root(line, v))
        return grz_quadratic_sign(between, v) <= 0 ? GRZ_INTERVAL_CONTACT : GRZ_INTERVAL_FREE;
    const bool crosses = line->c[0].sign * line->c[2].sign < 0;
    if (crosses && (course == GRZ_COURSE_BELOW || course == GRZ_COURSE_NOT_ABOVE || course == GRZ_COURSE_ZERO))
        return GRZ_INTERVAL_CONTACT;
    bool multiples;
    if (grz_shared_root(line, between, v, &multiples))
        return GRZ_INTERVAL_CONTACT;
    if (crosses && multiples)
        return GRZ_INTERVAL_CONTACT;
    return crosses ? decide_at_root(line, between) : GRZ_INTERVAL_OPEN;
}

grz_interval_answer grz_decide_point_segment(const grz_linear_vector *x, const grz_linear_vector *y)
{
    grz_quadratic cross[3], between; // between: x · y, not above 0 between the ends
    for (int axis = 0; axis < 3; axis++) {
        grz_quadratic_cross(x, y, axis, &cross[axis]);
        const grz_course course = grz_quadratic_course(&cross[axis]);
        if (course == GRZ_COURSE_ABOVE || course == GRZ_COURSE_BELOW)
            return GRZ_INTERVAL_FREE;
    }
    grz_quadratic_dot(x, y, &between);
    if (grz_quadratic_course(&between) == GRZ_COURSE_ABOVE)
        return GRZ_INTERVAL_FREE;
    int first = 0;
    while (first < 2 && is_zero(&cross[first]))
        first++;
    for (int axis = first + 1; axis < 3; axis++) {
        grz_integer v[3];
        bool multiples;
        const bool found = grz_shared_root(&cross[first], &cross[axis], v, &multiples);
        if (multiples)
            continue;
        for (int other = 0; found && other < 3; other++)
            if (grz_quadratic_sign(&cross[other], v) != 0)
                return GRZ_INTERVAL_FREE;
        return found && grz_quadratic_sign(&between, v) <= 0 ? GRZ_INTERVAL_CONTACT : GRZ_INTERVAL_FREE;
    }
    return is_zero(&cross[first]) ? decide_on_line(&between) : decide_in_plane(&cross[first], &between);
}
