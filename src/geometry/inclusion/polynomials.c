// SPDX-License-Identifier: MIT
#include "geometry/inclusion/polynomials.h"

#include <stddef.h>

static grz_course course_of(const grz_integer c[], int count)
{
    int above = 0, below = 0;
    for (int i = 0; i < count; i++) {
        above += c[i].sign > 0;
        below += c[i].sign < 0;
    }
    if (above > 0 && below > 0)
        return GRZ_COURSE_MIXED;
    if (above == 0 && below == 0)
        return GRZ_COURSE_ZERO;
    if (below == 0)
        return above == count ? GRZ_COURSE_ABOVE : GRZ_COURSE_NOT_BELOW;
    return below == count ? GRZ_COURSE_BELOW : GRZ_COURSE_NOT_ABOVE;
}

grz_course grz_quadratic_course(const grz_quadratic *q)
{
    return course_of(q->c, 3);
}

grz_course grz_cubic_course(const grz_cubic *q)
{
    return course_of(q->c, 4);
}

void grz_quadratic_cross(const grz_linear_vector *x, const grz_linear_vector *y, int axis, grz_quadratic *out)
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    grz_integer first, second;
    for (size_t end = 0; end < 2; end++)
        grz_integer_determinant2(&x->at[end][i], &x->at[end][j], &y->at[end][i], &y->at[end][j], &out->c[2 * end]);
    grz_integer_determinant2(&x->at[0][i], &x->at[0][j], &y->at[1][i], &y->at[1][j], &first);
    grz_integer_determinant2(&x->at[1][i], &x->at[1][j], &y->at[0][i], &y->at[0][j], &second);
    grz_integer_add(&first, &second, 1, &out->c[1]);
}

void grz_quadratic_dot(const grz_linear_vector *x, const grz_linear_vector *y, grz_quadratic *out)
{
    grz_integer first, second;
    for (size_t end = 0; end < 2; end++)
        grz_integer_dot(x->at[end], y->at[end], &out->c[2 * end]);
    grz_integer_dot(x->at[0], y->at[1], &first);
    grz_integer_dot(x->at[1], y->at[0], &second);
    grz_integer_add(&first, &second, 1, &out->c[1]);
}

static void set_zero(grz_integer *x)
{
    x->sign = 0;
    x->count = 0;
}

// sum += x
static void add_to(grz_integer *sum, const grz_integer *x)
{
    grz_integer old;
    grz_integer_copy(sum, &old);
    grz_integer_add(&old, x, 1, sum);
}

void grz_cubic_volume(const grz_linear_vector *x, const grz_linear_vector *y, const grz_linear_vector *z,
                      grz_cubic *out)
{
    for (int degree = 0; degree < 4; degree++)
        set_zero(&out->c[degree]);
    for (int choice = 0; choice < 8; choice++) {
        grz_integer part;
        grz_integer_determinant3(x->at[choice & 1], y->at[choice >> 1 & 1], z->at[choice >> 2], &part);
        add_to(&out->c[(choice & 1) + (choice >> 1 & 1) + (choice >> 2)], &part);
    }
}

static void set_number(uint64_t value, grz_integer *x)
{
    x->limb[0] = (uint32_t)value;
    x->limb[1] = (uint32_t)(value >> 32);
    x->count = x->limb[1] != 0 ? 2 : x->limb[0] != 0;
    x->sign = x->count > 0;
}

// out = a·(p·s + q·t), for a polynomial a of `degree` in s and t.
static void multiply_linear(const grz_integer a[], int degree, const grz_integer *p, const grz_integer *q,
                            grz_integer out[])
{
    grz_integer product;
    for (int i = 0; i <= degree + 1; i++) {
        set_zero(&out[i]);
        if (i <= degree) {
            grz_integer_multiply(&a[i], p, &product);
            add_to(&out[i], &product);
        }
        if (i > 0) {
            grz_integer_multiply(&a[i - 1], q, &product);
            add_to(&out[i], &product);
        }
    }
}

// Over part k the old s is (n - k)·s + (n - k - 1)·t, and the old t is k·s + (k + 1)·t, where n is 2^depth.
static void part_of(const grz_integer c[], int degree, uint64_t k, int depth, grz_integer out[])
{
    const uint64_t n = (uint64_t)1 << depth;
    grz_integer of_s[2], of_t[2], product;
    set_number(n - k, &of_s[0]);
    set_number(n - k - 1, &of_s[1]);
    set_number(k, &of_t[0]);
    set_number(k + 1, &of_t[1]);
    for (int i = 0; i <= degree; i++)
        set_zero(&out[i]);
    for (int i = 0; i <= degree; i++) {
        grz_integer power[4], next[4];
        set_number(1, &power[0]);
        for (int j = 0; j < degree; j++) {
            const grz_integer *const linear = j < i ? of_t : of_s;
            multiply_linear(power, j, &linear[0], &linear[1], next);
            for (int m = 0; m <= j + 1; m++)
                grz_integer_copy(&next[m], &power[m]);
        }
        for (int m = 0; m <= degree; m++) {
            grz_integer_multiply(&c[i], &power[m], &product);
            add_to(&out[m], &product);
        }
    }
}

void grz_quadratic_part(const grz_quadratic *q, uint64_t k, int depth, grz_quadratic *out)
{
    part_of(q->c, 2, k, depth, out->c);
}

void grz_cubic_part(const grz_cubic *q, uint64_t k, int depth, grz_cubic *out)
{
    part_of(q->c, 3, k, depth, out->c);
}
