// SPDX-License-Identifier: MIT
// Welch's test (student.h). The probability of t is a regularised incomplete beta function, here as a continued
// fraction by the modified method of Lentz: Press et al., "Numerical Recipes", section 6.4.
#include "student.h"

#include <math.h>

student_sample student_of(const double *values, unsigned count)
{
    student_sample out = {.mean = (double)NAN, .deviation = (double)NAN, .count = count};
    double sum = 0.0, squares = 0.0;
    if (count == 0)
        return out;
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    out.mean = sum / count;
    for (unsigned i = 0; i < count; i++)
        squares += (values[i] - out.mean) * (values[i] - out.mean);
    if (count > 1)
        out.deviation = sqrt(squares / (count - 1));
    return out;
}

static double away_from_zero(double value)
{
    return fabs(value) < 1e-300 ? 1e-300 : value;
}

// The continued fraction of the incomplete beta function; it converges quickly for x < (a + 1) / (a + b + 2).
static double beta_fraction(double a, double b, double x)
{
    double c = 1.0, d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0)), product = d;
    for (int m = 1; m <= 10000; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
                     odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        product *= c * d;
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        const double step = c * d;
        product *= step;
        if (fabs(step - 1.0) < 1e-15)
            break;
    }
    return product;
}

// I_x(a, b); `rest` is 1 - x, which the caller knows better when x is near 1.
static double regularised_beta(double a, double b, double x, double rest)
{
    if (x <= 0.0 || rest <= 0.0)
        return x <= 0.0 ? 0.0 : 1.0;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                         : 1.0 - front * beta_fraction(b, a, rest) / b;
}

double student_probability(double t, double freedom)
{
    const double sum = freedom + t * t;
    return regularised_beta(0.5 * freedom, 0.5, freedom / sum, t * t / sum);
}

double student_test(const student_sample *a, const student_sample *b)
{
    if (a->count < 2 || b->count < 2)
        return (double)NAN;
    const double u = a->deviation * a->deviation / a->count, v = b->deviation * b->deviation / b->count;
    if (u + v == 0.0)
        return a->mean == b->mean ? 1.0 : 0.0;
    return student_probability((a->mean - b->mean) / sqrt(u + v),
                               (u + v) * (u + v) / (u * u / (a->count - 1) + v * v / (b->count - 1)));
}
