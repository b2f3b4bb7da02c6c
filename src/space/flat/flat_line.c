// SPDX-License-Identifier: MIT
// Rays and segments against items. Whether they meet is a separating axis test, as for two items. An endless ray is
// also separated by the line of a segment that it runs away from or along. Where it enters is a fraction: (edge - from)
// / (to - from) along the axis of a box that is entered last, and D(from) / (D(from) - D(to)) on a segment, with D the
// determinant of orient2d. Doubles with bounds decide nearly all comparisons, integers the rest.
#include "space/flat/flat_line.h"

#include <math.h>
#include <stdio.h>

#include "geometry/exact/bounded.h"
#include "geometry/exact/integer.h"
#include "geometry/exact/predicates.h"

// Relative to the numbers that something came from: twice as large as needed at least.
static const double ROUNDED = 0x1p-50;
// What underflow costs a product at most.
static const double UNDERFLOW = 0x1p-1000;

bool grz_flat_line_read(const grz_flat_ray *given, grz_flat_line *out, char text[GRZ_FLAT_FAULT])
{
    const grz_flat_item ends = {
        .from = {given->from[0], given->from[1]}, .to = {given->to[0], given->to[1]}, .kind = GRZ_FLAT_SEGMENT};
    if (!grz_flat_read(&ends, &out->box, text))
        return false;
    if (given->endless && given->from[0] == given->to[0] && given->from[1] == given->to[1]) {
        snprintf(text, GRZ_FLAT_FAULT, "from and to are the same, so it has no direction");
        return false;
    }
    out->endless = given->endless;
    for (int k = 0; k < 2; k++) {
        out->from[k] = given->from[k] + 0.0; // no -0
        out->to[k] = given->to[k] + 0.0;
        out->way[k] = out->to[k] - out->from[k];
        if (given->endless && out->way[k] > 0.0)
            out->box.max[k] = HUGE_VAL;
        if (given->endless && out->way[k] < 0.0)
            out->box.min[k] = -HUGE_VAL;
    }
    return true;
}

// ---- Determinants ---------------------------------------------------------------------------------------------------

// The determinant (q - p) × (s - r), or the triangle's of orient2d with r = p. |value - exact| <= error.
typedef struct determinant {
    double value, error;
} determinant;

static determinant determinant_of(const double p[2], const double q[2], const double r[2], const double s[2])
{
    const double left = (q[0] - p[0]) * (s[1] - r[1]), right = (q[1] - p[1]) * (s[0] - r[0]);
    return (determinant){left - right, ROUNDED * (fabs(left) + fabs(right)) + UNDERFLOW};
}

static void exact_determinant(const double p[2], const double q[2], const double r[2], const double s[2], int shift,
                              grz_integer *out)
{
    grz_integer u[2], v[2];
    for (int k = 0; k < 2; k++) {
        grz_integer_difference(p[k], q[k], shift, &u[k]);
        grz_integer_difference(r[k], s[k], shift, &v[k]);
    }
    grz_integer_determinant2(&u[0], &u[1], &v[0], &v[1], out);
}

static int sign_of_determinant(const double p[2], const double q[2], const double r[2], const double s[2])
{
    const determinant fast = determinant_of(p, q, r, s);
    if (fabs(fast.value) > fast.error)
        return fast.value > 0.0 ? 1 : -1;
    const double *const points[4] = {p, q, r, s};
    grz_integer exact;
    exact_determinant(p, q, r, s, grz_integer_common_shift(points, 4, 2), &exact);
    return exact.sign;
}

// ---- Do they meet? --------------------------------------------------------------------------------------------------

static bool is_slanted(const grz_flat_line *line)
{
    return line->box.form != GRZ_FLAT_FULL;
}

// Is the line on one side of a slanted segment's line, without a point on it?
static bool stays_beside(const grz_flat_line *line, const grz_flat_held *segment)
{
    double p[2], q[2];
    grz_flat_ends(segment, segment->form == GRZ_FLAT_FALLING, p, q);
    const int begin = grz_orient2d(p, q, line->from);
    if (begin == 0 || begin * grz_orient2d(p, q, line->to) <= 0)
        return false;
    return !line->endless || sign_of_determinant(p, q, line->from, line->to) * begin >= 0;
}

bool grz_flat_line_meets(const grz_flat_line *line, const grz_flat_held *item)
{
    if (!grz_flat_boxes_overlap(&line->box, item))
        return false;
    if (is_slanted(line) && grz_flat_on_one_side(line->from, line->to, line->box.form == GRZ_FLAT_RISING, item))
        return false;
    return item->form == GRZ_FLAT_FULL || !stays_beside(line, item);
}

// ---- Where? ---------------------------------------------------------------------------------------------------------

// The edge of a box by which a line enters along an axis, or leaves.
static double edge_of(const grz_flat_line *line, const double min[2], const double max[2], int axis, bool enters)
{
    return (line->way[axis] > 0.0) == enters ? min[axis] : max[axis];
}

// Does the line begin before this edge, and go there?
static bool is_ahead(const grz_flat_line *line, double edge, int axis)
{
    return line->way[axis] > 0.0 ? edge > line->from[axis] : line->way[axis] < 0.0 && edge < line->from[axis];
}

static const double FINITE = 0x1p1023; // what has overflowed is above

// A quotient is a few units in the last place off.
static double below(double t)
{
    return t < HUGE_VAL ? t - fabs(t) * ROUNDED - UNDERFLOW : FINITE;
}

static double above(double t)
{
    return t > -HUGE_VAL ? t + fabs(t) * ROUNDED + UNDERFLOW : -FINITE;
}

double grz_flat_box_entry(const grz_flat_line *line, const double min[2], const double max[2])
{
    double enter = 0.0, leave = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        if (!(line->box.min[k] <= max[k] && line->box.max[k] >= min[k]))
            return HUGE_VAL;
        if (line->way[k] == 0.0)
            continue;
        const double first = below((edge_of(line, min, max, k, true) - line->from[k]) / line->way[k]),
                     last = above((edge_of(line, min, max, k, false) - line->from[k]) / line->way[k]);
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave ? enter : HUGE_VAL;
}

static grz_flat_entry entry_of_box(const grz_flat_line *line, const grz_flat_held *item)
{
    double t = 0.0;
    for (int k = 0; k < 2; k++) {
        const double edge = edge_of(line, item->min, item->max, k, true);
        if (!is_ahead(line, edge, k))
            continue;
        const double quotient = (edge - line->from[k]) / line->way[k];
        t = quotient > t ? quotient : t;
    }
    bool begins_inside = true; // else t is above 0, even if the quotient is too small for doubles
    for (int k = 0; k < 2; k++)
        begins_inside = begins_inside && item->min[k] <= line->from[k] && line->from[k] <= item->max[k];
    if (begins_inside)
        return (grz_flat_entry){0.0, 0.0};
    const double lower = below(t);
    return (grz_flat_entry){lower > 0.0 ? lower : 0.0, above(t)};
}

grz_flat_entry grz_flat_entry_of(const grz_flat_line *line, const grz_flat_held *item)
{
    if (item->form == GRZ_FLAT_FULL)
        return entry_of_box(line, item);
    double p[2], q[2];
    grz_flat_ends(item, item->form == GRZ_FLAT_FALLING, p, q);
    const determinant at_from = determinant_of(p, q, p, line->from), turn = determinant_of(p, q, line->from, line->to);
    const double size = fabs(at_from.value), speed = fabs(turn.value);
    grz_flat_entry entry = {0.0, line->endless ? HUGE_VAL : 1.0};
    if (speed > turn.error) {
        const double upper = above((size + at_from.error) / (speed - turn.error));
        entry.upper = upper < entry.upper ? upper : entry.upper;
    }
    if (size > at_from.error) {
        const double lower = below((size - at_from.error) / (speed + turn.error));
        entry.lower = lower > 0.0 ? lower : 0.0;
    }
    return entry;
}

// ---- Exactly --------------------------------------------------------------------------------------------------------

// A t: numerator / denominator, 0 or above; the denominator is above 0.
typedef struct fraction {
    grz_integer numerator, denominator;
} fraction;

static void set_zero(fraction *out)
{
    grz_integer_from_double(0.0, 0, &out->numerator);
    grz_integer_from_double(1.0, 0, &out->denominator);
}

static void make_positive(grz_integer *x)
{
    x->sign = x->sign < 0 ? 1 : x->sign;
}

static int compare_fractions(const fraction *x, const fraction *y)
{
    grz_integer left, right;
    grz_integer_multiply(&x->numerator, &y->denominator, &left);
    grz_integer_multiply(&y->numerator, &x->denominator, &right);
    return grz_integer_compare(&left, &right);
}

static void fraction_of_box(const grz_flat_line *line, const grz_flat_held *item, fraction *out)
{
    set_zero(out);
    for (int k = 0; k < 2; k++) {
        const double edge = edge_of(line, item->min, item->max, k, true);
        if (!is_ahead(line, edge, k))
            continue;
        const double numbers[3] = {edge, line->from[k], line->to[k]}, *const points[1] = {numbers};
        const int shift = grz_integer_common_shift(points, 1, 3);
        fraction t;
        grz_integer_difference(line->from[k], edge, shift, &t.numerator);
        grz_integer_difference(line->from[k], line->to[k], shift, &t.denominator);
        make_positive(&t.numerator); // both have one sign
        make_positive(&t.denominator);
        if (compare_fractions(&t, out) > 0)
            *out = t;
    }
}

static void fraction_of(const grz_flat_line *line, const grz_flat_held *item, fraction *out)
{
    if (item->form != GRZ_FLAT_FULL) {
        double p[2], q[2];
        grz_flat_ends(item, item->form == GRZ_FLAT_FALLING, p, q);
        const double *const points[4] = {p, q, line->from, line->to};
        const int shift = grz_integer_common_shift(points, 4, 2);
        exact_determinant(p, q, line->from, line->to, shift, &out->denominator);
        if (out->denominator.sign != 0) {
            exact_determinant(p, q, p, line->from, shift, &out->numerator);
            make_positive(&out->numerator); // the line comes from the other side than it goes to
            make_positive(&out->denominator);
            return;
        }
    }
    // A segment that lies along the line is entered where its box is.
    fraction_of_box(line, item, out);
}

int grz_flat_entries_compare(const grz_flat_line *line, const grz_flat_held *x, const grz_flat_held *y)
{
    fraction left, right;
    fraction_of(line, x, &left);
    fraction_of(line, y, &right);
    return compare_fractions(&left, &right);
}

// The quotient of two differences, of which the second is not 0. False if its rounding is not certain.
static bool round_quotient(double from, double edge, double to, double *out)
{
    const grz_bounded over = {dd_difference(edge, from), 0.0}, under = {dd_difference(to, from), 0.0};
    const double x = fabs(over.at.high), y = fabs(under.at.high);
    if (!(x > GRZ_SMALLEST_WAY && x < GRZ_LARGEST_WAY && y > GRZ_SMALLEST_WAY && y < GRZ_LARGEST_WAY))
        return false;
    grz_bounded t = {dd_divide(over.at, under.at), 0.0};
    t.error = 32.0 * GRZ_UU * fabs(t.at.high);
    *out = t.at.high;
    return t.at.high > 0.0 && grz_bounded_is_nearest(&t);
}

// The t of a box that is entered through one edge only. False: leave it to integers.
static bool round_in_doubles(const grz_flat_line *line, const grz_flat_held *item, double *out)
{
    int axis = -1;
    for (int k = 0; k < 2; k++) {
        const double edge = edge_of(line, item->min, item->max, k, true);
        if (!is_ahead(line, edge, k))
            continue;
        if (axis >= 0)
            return false;
        axis = k;
    }
    if (item->form != GRZ_FLAT_FULL || axis < 0)
        return false;
    return round_quotient(line->from[axis], edge_of(line, item->min, item->max, axis, true), line->to[axis], out);
}

double grz_flat_entry_round(const grz_flat_line *line, const grz_flat_held *item)
{
    double t;
    if (round_in_doubles(line, item, &t))
        return t;
    fraction exact;
    fraction_of(line, item, &exact);
    return grz_integer_quotient(&exact.numerator, &exact.denominator, 0);
}
