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
