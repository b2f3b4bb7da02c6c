// SPDX-License-Identifier: MIT
// Student's t-test between the means of two samples, as Welch has it: their variances may differ.
#ifndef GRZ_BENCH_HEIGHTMAP_STUDENT_H
#define GRZ_BENCH_HEIGHTMAP_STUDENT_H

// Mean and standard deviation of a sample (divided by count - 1). NAN where there are too few values.
typedef struct student_sample {
    double mean, deviation;
    unsigned count;
} student_sample;

student_sample student_of(const double *values, unsigned count);

// The probability that means differ by so much or more, in either direction, if the samples are of equal means. 0 where
// it is below the least double; NAN where a sample has fewer than two values.
double student_test(const student_sample *a, const student_sample *b);

// The same from t and its degrees of freedom, which need not be whole.
double student_probability(double t, double freedom);

#endif
