// SPDX-License-Identifier: MIT
// A continued fraction of the rounded time finds small numbers; whether they are the time is then checked exactly.
#include "ask/penetration/moment/instant.h"

#include <math.h>

enum {
    MOST_TERMS = 40
};

static const double LARGEST = 0x1p25; // numerator and denominator: different fractions of these are different doubles

static void set_whole(double value, grz_integer *out)
{
    grz_integer_from_double(value, 0, out);
}

void grz_time_shorten(grz_time *time)
{
    const double nearest = grz_time_round(time).nearest;
    int exponent;
    const double part = frexp(fabs(nearest), &exponent); // 0.5 to 1
    double left = part;
    double p[2] = {1.0, 0.0}, q[2] = {0.0, 1.0}; // the last convergent and the one before
    if (!(fabs(nearest) > 0.0) || isinf(nearest))
        return;
    for (int i = 0; i < MOST_TERMS; i++) {
        const double whole = floor(left), next_p = whole * p[0] + p[1], next_q = whole * q[0] + q[1];
        if (next_p > LARGEST || next_q > LARGEST)
            return;
        p[1] = p[0], q[1] = q[0];
        p[0] = next_p, q[0] = next_q;
        grz_time candidate = {.exponent = exponent};
        set_whole(nearest < 0.0 ? -p[0] : p[0], &candidate.numerator);
        set_whole(q[0], &candidate.denominator);
        const bool close = fabs(p[0] / q[0] - part) <= 0x1p-52; // a unit or two: worth an exact comparison
        if (close && p[0] > 0.0 && grz_times_compare(time, &candidate) == 0) {
            *time = candidate;
            return;
        }
        if (!(left > whole))
            return;
        left = 1.0 / (left - whole);
    }
}

// A double strictly between two that has as few binary digits as may be. False: there is none.
static bool choose_between(double low, double high, double *time)
{
    int exponent;
    if (!(low < high) || !(nextafter(low, high) < high))
        return false;
    frexp(high - low, &exponent);
    const double step = ldexp(1.0, exponent - 2); // at most half of the way, and more than a quarter
    *time = (floor(low / step) + 1.0) * step;
    if (!(low < *time && *time < high)) // the quotient was rounded
        *time = low + 0.5 * (high - low);
    return low < *time && *time < high;
}

static void set_exact(const grz_instant *instant, grz_time *time)
{
    if (!grz_instant_is_double(instant)) {
        *time = instant->exact;
        return;
    }
    int exponent;
    const double part = frexp(instant->at.nearest, &exponent);
    time->exponent = exponent - 53;
    set_whole(ldexp(part, 53), &time->numerator);
    set_whole(1.0, &time->denominator);
}

// The sum of the numerators over that of the denominators lies between two fractions.
static bool set_mediant(const grz_time *x, const grz_time *y, grz_time *out)
{
    const grz_time *low = x->exponent < y->exponent ? x : y, *high = low == x ? y : x;
    const int shift = high->exponent - low->exponent;
    grz_integer shifted;
    if (grz_integer_bits(&high->numerator) + shift >= 32 * (GRZ_MAX_LIMBS - 1))
        return false;
    grz_integer_shift_left(&high->numerator, shift, &shifted);
    grz_integer_add(&low->numerator, &shifted, 1, &out->numerator);
    grz_integer_add(&low->denominator, &high->denominator, 1, &out->denominator);
    out->exponent = low->exponent;
    return out->numerator.count < GRZ_MAX_LIMBS && out->denominator.count < GRZ_MAX_LIMBS;
}

bool grz_instant_between(const grz_instant *before, const grz_instant *after, grz_instant *between)
{
    double time;
    grz_time exact[2];
    if (choose_between(before->at.upper, after->at.lower, &time)) {
        grz_instant_set(between, time);
        return true;
    }
    set_exact(before, &exact[0]);
    set_exact(after, &exact[1]);
    if (!set_mediant(&exact[0], &exact[1], &between->exact))
        return false;
    between->at = grz_time_round(&between->exact);
    return true;
}
