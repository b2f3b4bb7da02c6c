// SPDX-License-Identifier: MIT
// By squaring, one root after the other. With J the whole number, each line is equivalent to the one before, for <, =
// and > alike, if what stands on its left is 0 or above; if that is below 0, J is less than the sum:
//   J                  against  √a + √b + √c
//   J - √a             against  √b + √c            left side: J² against a
//   K = J² + a - b - c against  2 J √a + 2 √(bc)
//   L = K² - 4 J² a - 4 b c  against  8 J √(abc)
//   L²                 against  64 J² abc
#include "geometry/convex/root_sum.h"

enum {
    MOST_BITS = 32 * GRZ_MAX_LIMBS / 8 - 16 // of the number whose eighth power is compared
};

// out = x y 2^bits
static void product(const grz_integer *x, const grz_integer *y, int bits, grz_integer *out)
{
    grz_integer plain;
    grz_integer_multiply(x, y, &plain);
    grz_integer_shift_left(&plain, bits, out);
}

static bool fits(const grz_integer *whole, const grz_integer *const squares[3])
{
    if (grz_integer_bits(whole) > MOST_BITS)
        return false;
    for (int i = 0; i < 3; i++)
        if (grz_integer_bits(squares[i]) > 2 * MOST_BITS)
            return false;
    return true;
}

bool grz_compare_root_sum(const grz_integer *whole, const grz_integer *a, const grz_integer *b, const grz_integer *c,
                          int *order)
{
    const grz_integer *const squares[3] = {a, b, c};
    grz_integer square, sum, rest, k, part, other, l;
    if (!fits(whole, squares))
        return false;
    *order = -1;
    if (whole->sign < 0)
        return true;
    grz_integer_multiply(whole, whole, &square);
    if (grz_integer_compare(&square, a) < 0)
        return true;
    grz_integer_add(&square, a, 1, &sum);
    grz_integer_add(&sum, b, -1, &rest);
    grz_integer_add(&rest, c, -1, &k);
    if (k.sign < 0)
        return true;
    grz_integer_multiply(&k, &k, &sum);
    product(&square, a, 2, &part);
    grz_integer_add(&sum, &part, -1, &rest);
    product(b, c, 2, &other);
    grz_integer_add(&rest, &other, -1, &l);
    if (l.sign < 0)
        return true;
    grz_integer_multiply(&l, &l, &sum);
    grz_integer_multiply(&part, &other, &rest); // 16 J² a b c
    grz_integer_shift_left(&rest, 2, &other);
    *order = grz_integer_compare(&sum, &other);
    return true;
}
