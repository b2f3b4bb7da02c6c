// SPDX-License-Identifier: MIT
// The cross product of two posed directions in integers: its factors differ by 54 bits or less in most uses, but nearly
// parallel directions may differ in the last of many hundred.
#include "geometry/convex/parallel.h"

#include "base/rounding.h"

#include <math.h>

enum {
    MOST_SHIFT = 3000 // twice the sum of both shifts, and the numbers' own size, fit into the integers
};

// pose · along, times 2^*shift. False if it is too long.
static bool exact_direction(const grz_convex *c, grz_integer out[3], int *shift)
{
    const double *const along = c->along;
    const double *const rows[3] = {c->pose.m[0], c->pose.m[1], c->pose.m[2]};
    int of_along = grz_integer_common_shift(&along, 1, 3), of_pose = grz_integer_common_shift(rows, 3, 3);
    of_along = of_along > 0 ? of_along : 0;
    of_pose = of_pose > 0 ? of_pose : 0;
    *shift = of_along + of_pose;
    if (*shift > MOST_SHIFT)
        return false;
    for (int k = 0; k < 3; k++) {
        grz_integer entry, number, product, sum;
        out[k].sign = out[k].count = 0;
        for (int j = 0; j < 3; j++) {
            grz_integer_from_double(c->pose.m[k][j], of_pose, &entry);
            grz_integer_from_double(along[j], of_along, &number);
            grz_integer_multiply(&entry, &number, &product);
            grz_integer_add(&out[k], &product, 1, &sum);
            grz_integer_copy(&sum, &out[k]);
        }
    }
    return true;
}

bool grz_convex_cross_size(const grz_convex *a, const grz_convex *b, grz_scaled *size)
{
    grz_integer u[3], v[3], across[3];
    int shift_a, shift_b;
    *size = (grz_scaled){0.0, 0};
    if (!exact_direction(a, u, &shift_a) || !exact_direction(b, v, &shift_b))
        return false;
    grz_integer_cross(u, v, across);
    for (int k = 0; k < 3; k++) {
        const grz_scaled one = grz_integer_to_scaled(&across[k], -shift_a - shift_b);
        const double mantissa = fabs(one.mantissa);
        if (mantissa != 0.0 && (size->mantissa == 0.0 || one.exponent > size->exponent ||
                                (one.exponent == size->exponent && mantissa > size->mantissa)))
            *size = (grz_scaled){mantissa, one.exponent};
    }
    size->mantissa *= GRZ_LESS(8);
    return true;
}
