// SPDX-License-Identifier: MIT
// Tests student.c with values that have closed forms or stand in tables.
#include <math.h>
#include <stdio.h>

#include "student.h"

static int wrong;

static void expect(const char *what, double value, double wanted, double allowed)
{
    if (fabs(value - wanted) <= allowed * fabs(wanted))
        return;
    printf("%s: %.12g, expected %.12g\n", what, value, wanted);
    wrong++;
}

int main(void)
{
    const double pi = 3.14159265358979323846;
    // Closed forms: 1 and 2 degrees of freedom.
    for (double t = 0.01; t < 1e6; t *= 3.0) {
        expect("1 degree", student_probability(t, 1.0), 2.0 / pi * atan(1.0 / t), 1e-9);
        const double root = sqrt(2.0 + t * t);
        expect("2 degrees", student_probability(t, 2.0), 2.0 / (root * (root + t)), 1e-9);
        expect("the other direction", student_probability(-t, 2.0), student_probability(t, 2.0), 0.0);
    }
    // Tables of Student's t: two-sided 5 %, 1 %, 0.1 %.
    expect("5 %, 10", student_probability(2.228138852, 10.0), 0.05, 1e-8);
    expect("1 %, 30", student_probability(2.749995654, 30.0), 0.01, 1e-8);
    expect("0.1 %, 120", student_probability(3.373453768, 120.0), 0.001, 1e-6);
    // The normal distribution is the limit, and erfc() knows it.
    for (double t = 0.1; t < 12.0; t += 0.7)
        expect("normal", student_probability(t, 1e8), erfc(t / sqrt(2.0)), 1e-4);
    expect("nothing", student_probability(0.0, 7.0), 1.0, 0.0);
    // Welch's test: t = -1.5553622 with 5.4706305 degrees; the probability by Simpson's rule on the density.
    const double a[] = {1.0, 2.0, 3.0, 4.0, 5.0}, b[] = {3.5, 4.25, 4.2, 3.75, 5.3};
    const student_sample x = student_of(a, 5), y = student_of(b, 5);
    expect("mean", x.mean, 3.0, 1e-12);
    expect("deviation", x.deviation, sqrt(2.5), 1e-12);
    expect("Welch", student_test(&x, &y), 0.17558494761882, 1e-12);
    expect("the same sample", student_test(&x, &x), 1.0, 0.0);
    if (wrong == 0)
        printf("check_student: all as expected\n");
    return wrong > 0;
}
