// SPDX-License-Identifier: MIT
#include "geometry/convex/exact_corner.h"

#include <math.h>

// With numbers of so many bits, products of six of them fit into the integers.
enum {
    MOST_BITS = 2200
};

static int exponent_of(double x)
{
    int exponent = -2000;
    if (x != 0.0)
        frexp(x, &exponent);
    return exponent;
}

// The exponents of what one set needs.
typedef struct needs {
    int pose, local, whole; // shifts
    int most;               // no coordinate in the world is 2^most or more
} needs;

static void raise(int *to, int value)
{
    *to = value > *to ? value : *to;
}

static void add_local(const double point[3], needs *out, int *largest)
{
    raise(&out->local, grz_integer_common_shift(&point, 1, 3));
    for (int k = 0; k < 3; k++)
        raise(largest, exponent_of(point[k]));
}

static needs needs_of(const grz_convex *c, double radius)
{
    needs out = {.most = -2000};
    int largest = -2000, turn = -2000;
    const double along[3] = {c->far * c->along[0], c->far * c->along[1], c->far * c->along[2]};
    const double *const end = &radius;
    add_local(along, &out, &largest);
    for (uint32_t i = 0; i < c->count; i++)
        add_local(c->local[i], &out, &largest);
    if (c->form != GRZ_CONVEX_CORNERS)
        add_local(c->half, &out, &largest);
    raise(&out.whole, grz_integer_common_shift(&end, 1, 1));
    for (int k = 0; k < 3; k++) {
        const double *const row = c->pose.m[k], *const shift = &c->pose.m[k][3];
        raise(&out.pose, grz_integer_common_shift(&row, 1, 3));
        raise(&out.whole, grz_integer_common_shift(&shift, 1, 1));
        for (int j = 0; j < 3; j++)
            raise(&turn, exponent_of(row[j]));
        raise(&out.most, exponent_of(*shift));
    }
    raise(&out.most, turn + largest + 3);
    raise(&out.most, exponent_of(radius));
    return out;
}

bool grz_exact_choose_scale(const grz_convex *a, const grz_convex *b, double radius_a, double radius_b,
                            grz_exact_scale *scale)
{
    needs all = needs_of(a, radius_a);
    const needs other = needs_of(b, radius_b);
    raise(&all.pose, other.pose);
    raise(&all.local, other.local);
    raise(&all.whole, other.whole);
    raise(&all.most, other.most);
    scale->pose = all.pose;
    scale->world = all.pose + all.local > all.whole ? all.pose + all.local : all.whole;
    return all.most + scale->world + 4 <= MOST_BITS;
}

void grz_exact_corner(const grz_exact_scale *scale, const grz_convex *c, uint32_t i, grz_integer out[3])
{
    const double far = i == 1 ? c->far : c->both_ways ? -c->far : 0.0;
    const int shift_local = scale->world - scale->pose;
    grz_integer local[3], number, other, sum;
    for (int j = 0; j < 3; j++) {
        grz_integer_from_double(c->local[i][j], shift_local, &number);
        grz_integer_from_double(far * c->along[j], shift_local, &other);
        grz_integer_add(&number, &other, 1, &local[j]);
    }
    for (int k = 0; k < 3; k++) {
        grz_integer_from_double(c->pose.m[k][3], scale->world, &out[k]);
        for (int j = 0; j < 3; j++) {
            if (c->pose.m[k][j] == 0.0)
                continue;
            grz_integer_from_double(c->pose.m[k][j], scale->pose, &number);
            grz_integer_multiply(&number, &local[j], &other);
            grz_integer_add(&out[k], &other, 1, &sum);
            grz_integer_copy(&sum, &out[k]);
        }
    }
}
