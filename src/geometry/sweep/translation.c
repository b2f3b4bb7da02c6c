// SPDX-License-Identifier: MIT
// The motion of a translation as integers and as rounded doubles.
#include "geometry/sweep/translation.h"

void grz_translation_set(grz_translation *out, const double parts[3][GRZ_TRANSLATION_PARTS])
{
    const double *const rows[3] = {parts[0], parts[1], parts[2]};
    const grz_integer one = {.sign = 1, .count = 1, .limb = {1}};
    out->shift = grz_integer_common_shift(rows, 3, GRZ_TRANSLATION_PARTS);
    out->is_zero = true;
    for (int k = 0; k < 3; k++) {
        grz_integer part, sum;
        grz_integer_from_double(parts[k][0], out->shift, &out->exact[k]);
        for (int i = 1; i < GRZ_TRANSLATION_PARTS; i++) {
            grz_integer_from_double(parts[k][i], out->shift, &part);
            grz_integer_add(&out->exact[k], &part, 1, &sum);
            grz_integer_copy(&sum, &out->exact[k]);
        }
        out->v[k] = grz_integer_quotient(&out->exact[k], &one, -out->shift);
        out->is_zero = out->is_zero && out->exact[k].sign == 0;
    }
}

void grz_translation_between(grz_translation *out, const double from[3], const double to[3])
{
    double parts[3][GRZ_TRANSLATION_PARTS] = {{0.0}};
    for (int k = 0; k < 3; k++) {
        parts[k][0] = to[k];
        parts[k][1] = -from[k];
    }
    grz_translation_set(out, (const double(*)[GRZ_TRANSLATION_PARTS])parts);
}

void grz_translation_reverse(const grz_translation *motion, grz_translation *out)
{
    out->shift = motion->shift;
    out->is_zero = motion->is_zero;
    for (int k = 0; k < 3; k++) {
        grz_integer_copy(&motion->exact[k], &out->exact[k]);
        out->exact[k].sign = -out->exact[k].sign;
        out->v[k] = 0.0 - motion->v[k]; // no -0
    }
}
