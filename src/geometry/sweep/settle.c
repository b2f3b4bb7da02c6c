// SPDX-License-Identifier: MIT
// The times at which two triangles meet, as fractions of integers: their comparison and their rounding. The interval
// is the intersection of those of the axes; only axes that the enclosures in doubles leave open are computed.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "geometry/sweep/sweep_axes.h"

// x · 2^bits compared with y.
static int compare_shifted(const grz_integer *x, int bits, const grz_integer *y)
{
    grz_integer shifted;
    if (x->sign != y->sign || x->sign == 0 || bits == 0)
        return grz_integer_compare(x, y);
    grz_integer_shift_left(bits > 0 ? x : y, abs(bits), &shifted);
    return bits > 0 ? grz_integer_compare(&shifted, y) : grz_integer_compare(x, &shifted);
}

// x / x_below compared with y / y_below; what is below is above 0.
static int compare_quotients(const grz_integer *x, const grz_integer *x_below, const grz_integer *y,
                             const grz_integer *y_below, int bits)
{
    grz_integer left, right;
    if (x->sign != y->sign)
        return x->sign < y->sign ? -1 : 1;
    grz_integer_multiply(x, y_below, &left);
    grz_integer_multiply(y, x_below, &right);
    return compare_shifted(&left, bits, &right);
}

int grz_times_compare(const grz_time *x, const grz_time *y)
{
    return compare_quotients(&x->numerator, &x->denominator, &y->numerator, &y->denominator, x->exponent - y->exponent);
}

int grz_time_compare_to(const grz_time *x, double t)
{
    grz_integer whole, product;
    if (isinf(t))
        return t > 0.0 ? -1 : 1;
    const double *const point = &t;
    const int shift = grz_integer_common_shift(&point, 1, 1);
    grz_integer_from_double(t, shift, &whole);
    grz_integer_multiply(&whole, &x->denominator, &product);
    return compare_shifted(&x->numerator, x->exponent + shift, &product);
}

double grz_time_minus(const grz_time *x, double t)
{
    const double *const point = &t;
    const int shift = grz_integer_common_shift(&point, 1, 1), least = x->exponent < -shift ? x->exponent : -shift;
    grz_integer whole, product, shifted[2], difference;
    grz_integer_from_double(t, shift, &whole);
    grz_integer_multiply(&whole, &x->denominator, &product);
    grz_integer_shift_left(&x->numerator, x->exponent - least, &shifted[0]);
    grz_integer_shift_left(&product, -shift - least, &shifted[1]);
    grz_integer_add(&shifted[0], &shifted[1], -1, &difference);
    return grz_integer_quotient(&difference, &x->denominator, least);
}

grz_time_rounded grz_time_round(const grz_time *x)
{
    grz_time_rounded out;
    out.nearest = grz_integer_quotient(&x->numerator, &x->denominator, x->exponent);
    const int order = grz_time_compare_to(x, out.nearest);
    out.lower = order < 0 ? nextafter(out.nearest, -HUGE_VAL) + 0.0 : out.nearest; // + 0.0: no -0
    out.upper = order > 0 ? nextafter(out.nearest, HUGE_VAL) + 0.0 : out.nearest;
    return out;
}

// Keep the interval of an axis where it begins last or ends first. False if it is empty.
static bool keep(grz_meeting *m, int axis, const grz_exact_slab *slab)
{
    const grz_integer *ends[2] = {&slab->low, &slab->high};
    if (slab->along.sign == 0)
        return slab->low.sign <= 0 && slab->high.sign >= 0;
    for (int end = 0; end < 2; end++) {
        grz_time *kept = &m->ends[end];
        const int order = m->axis[end] < 0
                              ? (end == GRZ_MEETING_ENTER ? 1 : -1)
                              : compare_quotients(ends[end], &slab->along, &kept->numerator, &kept->denominator, 0);
        if (end == GRZ_MEETING_ENTER ? order <= 0 : order >= 0)
            continue;
        grz_integer_copy(ends[end], &kept->numerator);
        grz_integer_copy(&slab->along, &kept->denominator);
        m->axis[end] = axis;
    }
    return true;
}

static bool intersect_axes(grz_meeting *m)
{
    grz_exact_pair pair;
    grz_exact_slab slab;
    const int count = m->is_flat ? GRZ_AXIS_COUNT : GRZ_AXIS_ACROSS_A;
    grz_exact_pair_set(m, &pair);
    m->axis[0] = m->axis[1] = -1;
    for (int axis = 0; axis < count; axis++)
        if ((m->axes_open >> axis & 1) != 0 && grz_exact_project(&pair, axis, &slab) && !keep(m, axis, &slab))
            return false;
    assert(m->axis[0] >= 0);
    if (compare_quotients(&m->ends[0].numerator, &m->ends[0].denominator, &m->ends[1].numerator,
                          &m->ends[1].denominator, 0) > 0)
        return false;
    m->ends[0].exponent = m->ends[1].exponent = m->motion->shift - pair.shift;
    return true;
}

void grz_meeting_settle(grz_meeting *m)
{
    if (m->is_exact || m->always || m->state == GRZ_MEETING_NEVER)
        return;
    if (!intersect_axes(m)) {
        assert(m->state == GRZ_MEETING_OPEN);
        m->state = GRZ_MEETING_NEVER;
        return;
    }
    const grz_time_rounded enter = grz_time_round(&m->ends[GRZ_MEETING_ENTER]),
                           leave = grz_time_round(&m->ends[GRZ_MEETING_LEAVE]);
    m->enter_low = enter.lower;
    m->enter_high = enter.upper;
    m->leave_low = leave.lower;
    m->leave_high = leave.upper;
    m->state = GRZ_MEETING_SURE;
    m->is_exact = true;
}

bool grz_meeting_happens(grz_meeting *m)
{
    if (m->state == GRZ_MEETING_OPEN)
        grz_meeting_settle(m);
    return m->state == GRZ_MEETING_SURE;
}

static double low_of(const grz_meeting *m, grz_meeting_end end)
{
    return end == GRZ_MEETING_ENTER ? m->enter_low : m->leave_low;
}

static double high_of(const grz_meeting *m, grz_meeting_end end)
{
    return end == GRZ_MEETING_ENTER ? m->enter_high : m->leave_high;
}

// -1, 1, or 0 if the enclosures overlap.
static int compare_enclosures(double x_low, double x_high, double y_low, double y_high)
{
    return x_high < y_low ? -1 : x_low > y_high ? 1 : 0;
}

int grz_meeting_compare(grz_meeting *x, grz_meeting_end x_end, grz_meeting *y, grz_meeting_end y_end)
{
    assert(x->state == GRZ_MEETING_SURE && y->state == GRZ_MEETING_SURE && !x->always && !y->always);
    for (int round = 0; round < 2; round++) {
        const int order = compare_enclosures(low_of(x, x_end), high_of(x, x_end), low_of(y, y_end), high_of(y, y_end));
        if (order != 0)
            return order;
        grz_meeting_settle(x);
        grz_meeting_settle(y);
    }
    return grz_times_compare(&x->ends[x_end], &y->ends[y_end]);
}

int grz_meeting_compare_to(grz_meeting *m, grz_meeting_end end, double t)
{
    assert(m->state == GRZ_MEETING_SURE && !isnan(t));
    if (m->always) {
        const double ever = low_of(m, end) > 0.0 ? HUGE_VAL : -HUGE_VAL;
        return ever < t ? -1 : ever > t ? 1 : 0;
    }
    for (int round = 0; round < 2; round++) {
        const int order = compare_enclosures(low_of(m, end), high_of(m, end), t, t);
        if (order != 0)
            return order;
        grz_meeting_settle(m);
    }
    return grz_time_compare_to(&m->ends[end], t);
}

bool grz_meeting_within(grz_meeting *m, double from, double to)
{
    if (m->state == GRZ_MEETING_NEVER || m->enter_low > to || m->leave_high < from || !grz_meeting_happens(m))
        return false;
    return grz_meeting_compare_to(m, GRZ_MEETING_ENTER, to) <= 0 &&
           grz_meeting_compare_to(m, GRZ_MEETING_LEAVE, from) >= 0;
}

grz_time_rounded grz_meeting_round(grz_meeting *m, grz_meeting_end end)
{
    assert(m->state == GRZ_MEETING_SURE);
    if (m->always) {
        const double ever = end == GRZ_MEETING_ENTER ? -HUGE_VAL : HUGE_VAL;
        return (grz_time_rounded){ever, ever, ever};
    }
    if (low_of(m, end) == high_of(m, end)) { // exact
        const double t = low_of(m, end) + 0.0;
        return (grz_time_rounded){t, t, t};
    }
    grz_meeting_settle(m);
    return grz_time_round(&m->ends[end]);
}

void grz_meeting_time(grz_meeting *m, grz_meeting_end end, grz_time *time)
{
    assert(m->state == GRZ_MEETING_SURE && !m->always);
    grz_meeting_settle(m);
    *time = m->ends[end];
}
