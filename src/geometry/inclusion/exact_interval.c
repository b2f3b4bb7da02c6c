// SPDX-License-Identifier: MIT
// A corner and a face, or two edges, can only touch while their four points lie in one plane: while a cubic in t, the
// volume, is 0. They touch then if some projected areas, quadratics in t, have the right signs. The coefficients of
// these polynomials in Bernstein form over [from, to] are computed in big integers: if all are above 0, so is the
// polynomial; if the first and the last have opposite signs, there is a root between.
// docs/use/move_deforming.md ("Exact intervals").
#include "geometry/inclusion/exact_interval.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/inclusion/point_segment.h"
#include "geometry/inclusion/polynomials.h"
#include "geometry/triangle/pair.h"

enum {
    LONGEST_TIME = 160, // binary digits of a time after the point; longer ones are not tried
    MOST_HALVINGS = 62, // of the interval; 2^-62 of a short interval is less than the rounding of any position
    MOST_PARTS = 400    // parts looked at: a path to the last halving, with the parts beside it, three times over
};

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
                          int digits, grz_linear_vector *out)
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

// Four points over an interval: a corner and the three of a face, or the ends of A's edge and of B's.
typedef struct four_points {
    const double *corner[4][2]; // at the times 0 and 1
    bool edges;
    int shift, digits;
    double time[2]; // the interval
} four_points;

static bool four_points_init(four_points *p, const grz_feature_pair *m, const grz_patch *patch, double of_a[2][3][3],
                             double of_b[2][3][3], double from, double to)
{
    const int count_a = grz_patch_corners(m, patch, true, of_a), count_b = grz_patch_corners(m, patch, false, of_b);
    const double *points[8];
    const bool a_first = count_a <= count_b;
    const int first = a_first ? count_a : count_b;
    for (int i = 0; i < 8; i++) {
        const int k = i / 2 < first ? i / 2 : i / 2 - first;
        points[i] = (i / 2 < first) == a_first ? of_a[i % 2][k] : of_b[i % 2][k];
        p->corner[i / 2][i % 2] = points[i];
    }
    p->edges = patch->square;
    p->shift = grz_integer_common_shift(points, 8, 3);
    p->time[0] = from;
    p->time[1] = to;
    int more;
    if (!digits_of(from, &p->digits) || !digits_of(to, &more))
        return false;
    p->digits = more > p->digits ? more : p->digits;
    return true;
}

// From point j to point i.
static void between(const four_points *p, int i, int j, grz_linear_vector *out)
{
    difference_of(p->corner[i], p->corner[j], p->shift, p->time, p->digits, out);
}

static grz_interval_answer decide_point(const four_points *p, int point, int end_0, int end_1)
{
    grz_linear_vector x, y;
    between(p, end_0, point, &x);
    between(p, end_1, point, &y);
    return grz_decide_point_segment(&x, &y);
}

// Does the corner come onto a side of the face, or an end of an edge onto the other edge?
static grz_interval_answer decide_rims(const four_points *p)
{
    static const int face[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    static const int edges[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    grz_interval_answer all = GRZ_INTERVAL_FREE;
    for (int i = 0; i < (p->edges ? 4 : 3); i++) {
        const int *const of = p->edges ? edges[i] : face[i];
        const grz_interval_answer one = decide_point(p, of[0], of[1], of[2]);
        if (one == GRZ_INTERVAL_CONTACT)
            return one;
        all = one == GRZ_INTERVAL_OPEN ? one : all;
    }
    return all;
}

// What holds while the features touch: the volume is 0, and the conditions, in a projection in which face or edges keep
// their orientation, are all 0 or above.
typedef struct touch_test {
    grz_cubic volume;
    grz_quadratic condition[4];
    bool divides[4]; // the volume is a multiple of the condition
    int count;
} touch_test;

// The condition that component `axis` of x × y, times `sign`, is 0 or above.
static void require(touch_test *t, const grz_linear_vector *x, const grz_linear_vector *y, int axis, int sign)
{
    grz_quadratic *const out = &t->condition[t->count];
    t->divides[t->count] = false;
    t->count++;
    grz_quadratic_cross(x, y, axis, out);
    for (int i = 0; i < 3; i++)
        out->c[i].sign *= sign;
}

// The conditions in the projection along `axis`, in which p × q, the area of the face or of the edges, has the sign
// `sign` all through the interval.
static void set_conditions(touch_test *t, const four_points *f, const grz_linear_vector *p, const grz_linear_vector *q,
                           const grz_linear_vector x[3], int axis, int sign)
{
    t->count = 0;
    if (f->edges) {
        // The ends of B on different sides of A's line, and those of A on different sides of B's line.
        grz_linear_vector beyond; // b_0 - a_1
        between(f, 2, 1, &beyond);
        require(t, p, &x[0], axis, -sign);
        require(t, p, &x[1], axis, sign);
        require(t, q, &x[0], axis, -sign);
        require(t, q, &beyond, axis, sign);
    } else {
        for (int i = 0; i < 3; i++)
            require(t, &x[i], &x[(i + 1) % 3], axis, sign);
    }
}

// Contact over part k of the 2^depth equal parts of the interval.
static grz_interval_answer decide_part(const touch_test *t, uint64_t k, int depth)
{
    grz_cubic volume;
    grz_cubic_part(&t->volume, k, depth, &volume);
    const grz_course course = grz_cubic_course(&volume);
    if (course == GRZ_COURSE_ABOVE || course == GRZ_COURSE_BELOW)
        return GRZ_INTERVAL_FREE;
    bool inside = true, inside_at[2] = {true, true};
    int roots = 0;
    for (int i = 0; i < t->count; i++) {
        grz_quadratic c;
        grz_quadratic_part(&t->condition[i], k, depth, &c);
        const grz_course holds = grz_quadratic_course(&c);
        if (holds == GRZ_COURSE_BELOW)
            return GRZ_INTERVAL_FREE;
        // Where the condition has a root, it holds, and the volume is 0 as well.
        const bool root = t->divides[i] && c.c[0].sign * c.c[2].sign < 0;
        roots += root;
        inside = inside && (root || (holds != GRZ_COURSE_MIXED && holds != GRZ_COURSE_NOT_ABOVE));
        for (size_t end = 0; end < 2; end++)
            inside_at[end] = inside_at[end] && c.c[2 * end].sign >= 0;
    }
    for (size_t end = 0; end < 2; end++)
        if (inside_at[end] && volume.c[3 * end].sign == 0)
            return GRZ_INTERVAL_CONTACT;
    const bool crosses = roots == 0 && volume.c[0].sign * volume.c[3].sign <= 0;
    return inside && (crosses || roots == 1) ? GRZ_INTERVAL_CONTACT : GRZ_INTERVAL_OPEN;
}

static bool holds_at(const touch_test *t, const grz_integer time[3])
{
    for (int i = 0; i < t->count; i++)
        if (grz_quadratic_sign(&t->condition[i], time) < 0)
            return false;
    return true;
}

// A contact on the border of the features may last an instant only: a root of the volume that is a root of a condition
// as well.
static bool touches_for_an_instant(touch_test *t)
{
    for (int i = 0; i < t->count; i++) {
        grz_integer time[3];
        if (grz_common_root(&t->volume, &t->condition[i], time, &t->divides[i]) && holds_at(t, time))
            return true;
    }
    return false;
}

// Halve the interval, and the parts that stay open, from the front: a corner may meet the plane of a face at nearly the
// time at which it leaves the face across its rim.
static grz_interval_answer decide_by_parts(touch_test *t)
{
    if (touches_for_an_instant(t))
        return GRZ_INTERVAL_CONTACT;
    uint64_t k = 0;
    int depth = 0;
    bool open = false;
    for (int looked_at = 0; looked_at < MOST_PARTS; looked_at++) {
        const grz_interval_answer answer = decide_part(t, k, depth);
        if (answer == GRZ_INTERVAL_CONTACT)
            return answer;
        open = open || (answer == GRZ_INTERVAL_OPEN && depth == MOST_HALVINGS);
        if (answer == GRZ_INTERVAL_OPEN && depth < MOST_HALVINGS) {
            k *= 2;
            depth++;
            continue;
        }
        for (; k % 2 != 0; depth--)
            k /= 2;
        if (depth == 0)
            return open ? GRZ_INTERVAL_OPEN : GRZ_INTERVAL_FREE;
        k++;
    }
    return GRZ_INTERVAL_OPEN;
}

// The four points are in one plane all the time. Then a contact begins and ends on the rims; if there is none on them,
// the features touch all through the interval, or never: the begin says which. `p` and `q` as above.
static grz_interval_answer decide_in_plane(const four_points *f, const grz_linear_vector *p, const grz_linear_vector *q,
                                           const grz_linear_vector x[3], touch_test *test)
{
    const grz_interval_answer rims = decide_rims(f);
    for (int axis = 0; axis < 3 && rims == GRZ_INTERVAL_FREE; axis++) {
        grz_quadratic area;
        grz_quadratic_cross(p, q, axis, &area);
        if (area.c[0].sign == 0)
            continue;
        set_conditions(test, f, p, q, x, axis, area.c[0].sign);
        bool inside = true;
        for (int i = 0; i < test->count; i++)
            inside = inside && test->condition[i].c[0].sign >= 0;
        return inside ? GRZ_INTERVAL_CONTACT : GRZ_INTERVAL_FREE;
    }
    return rims;
}

grz_interval_answer grz_decide_interval(const grz_feature_pair *m, const grz_patch *patch, double from, double to)
{
    double of_a[2][3][3], of_b[2][3][3];
    four_points f;
    if (!four_points_init(&f, m, patch, of_a, of_b, from, to))
        return GRZ_INTERVAL_OPEN;
    // Corner and face: x_i = f_i - v. Edges: x_0, x_1 = b_0 - a_0, b_1 - a_0, x_2 = a_1 - a_0.
    const bool square = f.edges;
    grz_linear_vector x[3];
    for (int i = 0; i < 3; i++)
        between(&f, square ? (i == 2 ? 1 : 2 + i) : 1 + i, 0, &x[i]);
    touch_test test;
    grz_cubic_volume(&x[0], &x[1], &x[2], &test.volume);
    const grz_course volume = grz_cubic_course(&test.volume);
    if (volume == GRZ_COURSE_ABOVE || volume == GRZ_COURSE_BELOW)
        return GRZ_INTERVAL_FREE;

    grz_linear_vector p, q; // the area is a component of p × q: two sides of the face, or the two edges
    between(&f, square ? 1 : 2, square ? 0 : 1, &p);
    between(&f, 3, square ? 2 : 1, &q);
    bool has_projection = false;
    for (int axis = 0; axis < 3; axis++) {
        grz_quadratic area;
        grz_quadratic_cross(&p, &q, axis, &area);
        const grz_course course = grz_quadratic_course(&area);
        if (course != GRZ_COURSE_ABOVE && course != GRZ_COURSE_BELOW)
            continue;
        has_projection = true;
        set_conditions(&test, &f, &p, &q, x, axis, course == GRZ_COURSE_ABOVE ? 1 : -1);
        const grz_interval_answer answer = decide_part(&test, 0, 0);
        if (answer != GRZ_INTERVAL_OPEN)
            return answer;
    }
    if (volume == GRZ_COURSE_ZERO)
        return decide_in_plane(&f, &p, &q, x, &test);
    return has_projection ? decide_by_parts(&test) : GRZ_INTERVAL_OPEN;
}
