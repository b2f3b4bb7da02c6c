// SPDX-License-Identifier: MIT Big integers in 32-bit limbs, with schoolbook addition and multiplication, the latter
// by 64 bits at a time. A quotient is computed bit by bit, by 64 steps of restoring division, and then rounded to a
// double. That is slow, but it is needed only where double-double arithmetic cannot decide a rounding.
#include "geometry/exact/integer.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/exact/expansion.h"

// Drop leading zero limbs, and set the sign of zero.
static void trim(grz_integer *x)
{
    while (x->count > 0 && x->limb[x->count - 1] == 0)
        x->count--;
    if (x->count == 0)
        x->sign = 0;
}

// The mantissa of a finite number that is not zero, as an integer: |value| = result · 2^exponent.
static uint64_t split_double(double value, int *exponent)
{
    assert(value != 0.0 && isfinite(value));
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & (UINT64_MAX >> 12);
    const int biased = (int)(bits >> 52 & 0x7ff);
    *exponent = biased == 0 ? -1074 : biased - 1075;
    return biased == 0 ? fraction : fraction | UINT64_C(1) << 52;
}

void grz_integer_from_double(double value, int shift, grz_integer *x)
{
    x->sign = (value > 0.0) - (value < 0.0);
    x->count = 0;
    if (x->sign == 0)
        return;
    int bits;
    uint64_t mantissa = split_double(value, &bits);
    bits += shift;  // the scaled value is mantissa · 2^bits
    if (bits < 0) { // the scaled value is an integer, so only zero bits are shifted out
        assert(bits > -53 && (mantissa & ((UINT64_C(1) << -bits) - 1)) == 0);
        mantissa >>= -bits;
        bits = 0;
    }
    int word = bits / 32, offset = bits % 32;
    assert(word + 3 <= GRZ_MAX_LIMBS);
    memset(x->limb, 0, (size_t)(word + 3) * sizeof x->limb[0]);
    x->limb[word] = (uint32_t)(mantissa << offset);
    x->limb[word + 1] = (uint32_t)((mantissa >> (32 - offset)) & UINT32_MAX);
    x->limb[word + 2] = offset > 0 ? (uint32_t)(mantissa >> 32 >> (32 - offset)) : 0;
    x->count = word + 3;
    trim(x);
}

void grz_integer_copy(const grz_integer *x, grz_integer *out)
{
    out->sign = x->sign;
    out->count = x->count;
    memcpy(out->limb, x->limb, (size_t)x->count * sizeof x->limb[0]);
}

static int compare_magnitude(const grz_integer *a, const grz_integer *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

// out = |a| + |b|, without a sign.
static void add_magnitude(const grz_integer *a, const grz_integer *b, grz_integer *out)
{
    assert(out != a && out != b);
    const grz_integer *longer = a->count >= b->count ? a : b, *shorter = longer == a ? b : a;
    uint64_t carry = 0;
    int i = 0;
    for (; i < shorter->count; i++) {
        carry += (uint64_t)longer->limb[i] + shorter->limb[i];
        out->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    for (; i < longer->count && carry != 0; i++) {
        carry += longer->limb[i];
        out->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    memcpy(out->limb + i, longer->limb + i, (size_t)(longer->count - i) * sizeof out->limb[0]);
    out->count = longer->count;
    assert(out->count < GRZ_MAX_LIMBS);
    if (carry != 0)
        out->limb[out->count++] = (uint32_t)carry;
}

// out = |larger| - |smaller|, without a sign and not trimmed.
static void subtract_magnitude(const grz_integer *larger, const grz_integer *smaller, grz_integer *out)
{
    assert(out != larger && out != smaller && larger->count >= smaller->count);
    int64_t borrow = 0;
    int i = 0;
    for (; i < smaller->count; i++) {
        const int64_t difference = (int64_t)larger->limb[i] - smaller->limb[i] - borrow;
        borrow = difference < 0;
        out->limb[i] = (uint32_t)difference;
    }
    for (; i < larger->count && borrow != 0; i++) {
        borrow = larger->limb[i] == 0;
        out->limb[i] = larger->limb[i] - 1;
    }
    memcpy(out->limb + i, larger->limb + i, (size_t)(larger->count - i) * sizeof out->limb[0]);
    assert(borrow == 0);
    out->count = larger->count;
}

void grz_integer_add(const grz_integer *a, const grz_integer *b, int b_sign, grz_integer *out)
{
    int sign = b->sign * b_sign;
    if (a->sign == 0 || sign == 0) {
        grz_integer_copy(a->sign == 0 ? b : a, out);
        out->sign = a->sign == 0 ? sign : a->sign;
        return;
    }
    if (a->sign == sign) {
        add_magnitude(a, b, out);
        out->sign = sign;
        return;
    }
    const bool a_larger = compare_magnitude(a, b) >= 0;
    if (a_larger)
        subtract_magnitude(a, b, out);
    else
        subtract_magnitude(b, a, out);
    out->sign = a_larger ? a->sign : sign;
    trim(out);
}

#ifdef __SIZEOF_INT128__
typedef uint64_t word; // two limbs
__extension__ typedef unsigned __int128 double_word;
#else
typedef uint32_t word;
typedef uint64_t double_word;
#endif

enum {
    WORD_LIMBS = sizeof(word) / sizeof(uint32_t),
    WORD_BITS = 8 * sizeof(word),
    MAX_WORDS = GRZ_MAX_LIMBS / WORD_LIMBS
};

// Word i of those that have all their limbs.
static word word_of(const grz_integer *x, int i)
{
    uint64_t bits = 0;
    for (int k = 0; k < WORD_LIMBS; k++)
        bits |= (uint64_t)x->limb[WORD_LIMBS * i + k] << (32 * k);
    return (word)bits;
}

// The limbs as words, from the first that is not zero. Returns how many words; *low receives how many were left out.
static int words_of(const grz_integer *x, word out[MAX_WORDS], int *low)
{
    const int whole = x->count / WORD_LIMBS, rest = x->count % WORD_LIMBS;
    int first = 0, count = 0;
    while (first < whole && word_of(x, first) == 0)
        first++;
    for (int i = first; i < whole; i++)
        out[count++] = word_of(x, i);
    if (rest != 0)
        out[count++] = x->limb[x->count - 1];
    *low = first;
    return count;
}

// Coordinates of very different sizes make numbers with long runs of zeros; these cost nothing.
void grz_integer_multiply(const grz_integer *a, const grz_integer *b, grz_integer *out)
{
    assert(out != a && out != b && a->count + b->count <= GRZ_MAX_LIMBS);
    word x[MAX_WORDS], y[MAX_WORDS], sum[MAX_WORDS + 2];
    int low_x, low_y;
    out->sign = a->sign * b->sign;
    out->count = 0;
    if (out->sign == 0)
        return;
    const int count_x = words_of(a, x, &low_x), count_y = words_of(b, y, &low_y), low = WORD_LIMBS * (low_x + low_y);
    memset(sum, 0, (size_t)(count_x + count_y) * sizeof sum[0]);
    for (int i = 0; i < count_x; i++) {
        if (x[i] == 0)
            continue;
        double_word carry = 0;
        for (int j = 0; j < count_y; j++) {
            carry += (double_word)x[i] * y[j] + sum[i + j];
            sum[i + j] = (word)carry;
            carry >>= WORD_BITS;
        }
        sum[i + count_y] = (word)carry;
    }
    memset(out->limb, 0, (size_t)low * sizeof out->limb[0]);
    out->count = a->count + b->count;
    for (int i = 0; i < count_x + count_y; i++)
        for (int k = 0; k < WORD_LIMBS && low + WORD_LIMBS * i + k < out->count; k++)
            out->limb[low + WORD_LIMBS * i + k] = (uint32_t)((uint64_t)sum[i] >> (32 * k));
    trim(out);
}

void grz_integer_determinant2(const grz_integer *a, const grz_integer *b, const grz_integer *c, const grz_integer *d,
                              grz_integer *out)
{
    grz_integer plus, minus;
    grz_integer_multiply(a, d, &plus);
    grz_integer_multiply(b, c, &minus);
    grz_integer_add(&plus, &minus, -1, out);
}

void grz_integer_dot(const grz_integer u[3], const grz_integer v[3], grz_integer *out)
{
    grz_integer product, sum;
    grz_integer_multiply(&u[0], &v[0], &product);
    grz_integer_multiply(&u[1], &v[1], out);
    grz_integer_add(&product, out, 1, &sum);
    grz_integer_multiply(&u[2], &v[2], &product);
    grz_integer_add(&sum, &product, 1, out);
}

void grz_integer_cross(const grz_integer u[3], const grz_integer v[3], grz_integer out[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        grz_integer_determinant2(&u[i], &u[j], &v[i], &v[j], &out[k]);
    }
}

static int trailing_zeros(uint64_t x)
{
#if defined(__GNUC__)
    return __builtin_ctzll(x);
#else
    int zeros = 0;
    for (; (x & 1) == 0; x >>= 1)
        zeros++;
    return zeros;
#endif
}

// The shift is minus the exponent of the lowest bit that is set in any coordinate.
int grz_integer_common_shift(const double *const points[], int point_count, int dimension)
{
    int lowest = 1024;
    for (int p = 0; p < point_count; p++) {
        for (int i = 0; i < dimension; i++) {
            if (points[p][i] == 0.0)
                continue;
            int exponent;
            const uint64_t mantissa = split_double(points[p][i], &exponent);
            if (exponent < lowest && exponent + trailing_zeros(mantissa) < lowest)
                lowest = exponent + trailing_zeros(mantissa);
        }
    }
    return lowest == 1024 ? 0 : -lowest;
}

void grz_integer_difference(double from, double to, int shift, grz_integer *out)
{
    double difference, error;
    two_diff(to, from, &difference, &error);
    if (error == 0.0) { // the usual case
        grz_integer_from_double(difference, shift, out);
        return;
    }
    grz_integer head, tail;
    grz_integer_from_double(from, shift, &tail);
    grz_integer_from_double(to, shift, &head);
    grz_integer_add(&head, &tail, -1, out);
}

grz_scaled grz_integer_to_scaled(const grz_integer *x, int exponent)
{
    if (x->sign == 0)
        return (grz_scaled){0.0, 0};
    double top = 0.0;
    int limbs = x->count < 3 ? x->count : 3; // 3 limbs hold at least 65 significant bits
    for (int i = 0; i < limbs; i++)
        top = top * 0x1p32 + (double)x->limb[x->count - 1 - i]; // a limb has 32 bits
    int own;
    double mantissa = frexp(top, &own);
    return (grz_scaled){(double)x->sign * 2.0 * mantissa, own - 1 + 32 * (x->count - limbs) + exponent};
}

void grz_integer_determinant3(const grz_integer u[3], const grz_integer v[3], const grz_integer w[3], grz_integer *out)
{
    grz_integer total = {.sign = 0, .count = 0};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        grz_integer minor, term;
        grz_integer_determinant2(&v[j], &v[k], &w[j], &w[k], &minor);
        grz_integer_multiply(&u[i], &minor, &term);
        grz_integer_add(&total, &term, 1, out);
        if (i < 2)
            grz_integer_copy(out, &total);
    }
}

int grz_integer_compare(const grz_integer *a, const grz_integer *b)
{
    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    return a->sign * compare_magnitude(a, b);
}

int grz_integer_bits(const grz_integer *x)
{
    if (x->sign == 0)
        return 0;
    assert(x->count > 0 && x->limb[x->count - 1] != 0);
    int bits = 32 * (x->count - 1);
    for (uint32_t top = x->limb[x->count - 1]; top != 0; top >>= 1)
        bits++;
    return bits;
}

void grz_integer_shift_left(const grz_integer *x, int bits, grz_integer *out)
{
    const int words = bits / 32, rest = bits % 32;
    uint64_t carry = 0;
    if (x->sign == 0) {
        grz_integer_copy(x, out);
        return;
    }
    assert(out != x && bits >= 0 && words + x->count + 1 <= GRZ_MAX_LIMBS);
    memset(out->limb, 0, (size_t)words * sizeof out->limb[0]);
    for (int i = 0; i < x->count; i++) {
        carry |= (uint64_t)x->limb[i] << rest;
        out->limb[words + i] = (uint32_t)carry;
        carry >>= 32;
    }
    out->limb[words + x->count] = (uint32_t)carry;
    out->count = words + x->count + 1;
    out->sign = x->sign;
    trim(out);
}

// Round q · 2^exponent to the nearest double, ties to even. q has 63 or 64 bits. If `sticky` is true, the exact number
// is slightly larger than that (by less than one in q). The result has 53 bits, or fewer if it is subnormal.
static double round_bits(uint64_t q, int exponent, bool sticky)
{
    assert(q >> 62 != 0);
    int bits = 63, kept_bits = 53;
    for (uint64_t rest = q >> 63; rest != 0; rest >>= 1)
        bits++;
    if (exponent + bits - 1 < -1022)
        kept_bits += exponent + bits - 1 + 1022;
    const int drop = bits - kept_bits; // at least 10
    if (drop > bits)
        return 0.0;
    const uint64_t half = UINT64_C(1) << (drop - 1);
    const uint64_t kept = drop > 63 ? 0 : q >> drop, rest = drop > 63 ? q : q & ((half << 1) - 1);
    const bool up = rest > half || (rest == half && (sticky || (kept & 1) != 0));
    return ldexp((double)(kept + (up ? 1 : 0)), exponent + drop);
}

// One digit of a quotient, base 2^32: r / d, where r has count + 1 limbs and is less than d · 2^32. The top bit of d
// is set. r becomes the remainder. Source: D. Knuth, "The Art of Computer Programming" vol. 2, 4.3.1, algorithm D.
static uint32_t divide_digit(uint32_t *r, const uint32_t *d, int count)
{
    uint64_t q = ((uint64_t)r[count] << 32 | r[count - 1]) / d[count - 1]; // at most 2 too large
    q = q > UINT32_MAX ? UINT32_MAX : q;
    uint64_t carry = 0;
    uint32_t borrow = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t product = q * d[i] + carry, difference = (uint64_t)r[i] - (uint32_t)product - borrow;
        carry = product >> 32;
        borrow = (uint32_t)(difference >> 63);
        r[i] = (uint32_t)difference;
    }
    const uint64_t top = (uint64_t)r[count] - carry - borrow;
    bool negative = top >> 63 != 0;
    for (; negative; q--) { // one divisor too many was subtracted
        uint64_t sum = 0;
        for (int i = 0; i < count; i++) {
            sum = (sum >> 32) + r[i] + d[i];
            r[i] = (uint32_t)sum;
        }
        r[count] = 0;
        negative = sum >> 32 == 0;
    }
    r[count] = 0;
    return (uint32_t)q;
}

double grz_integer_quotient(const grz_integer *a, const grz_integer *b, int exponent)
{
    assert(b->sign != 0);
    if (a->sign == 0)
        return 0.0;
    // Scale so that a has 63 bits more than b, and the top bit of b is that of a limb. The quotient then has 63 or 64
    // bits: two digits.
    const int shift = 63 - (grz_integer_bits(a) - grz_integer_bits(b)), shift_b = shift > 0 ? 0 : -shift;
    const int fill = 31 - (grz_integer_bits(b) + shift_b - 1) % 32;
    grz_integer remainder, divisor;
    grz_integer_shift_left(a, (shift > 0 ? shift : 0) + fill, &remainder);
    grz_integer_shift_left(b, shift_b + fill, &divisor);
    const int count = divisor.count;
    assert(remainder.count == count + 2 && count + 3 <= GRZ_MAX_LIMBS);
    remainder.limb[count + 2] = 0;
    const uint64_t high = divide_digit(remainder.limb + 1, divisor.limb, count);
    const uint64_t q = high << 32 | divide_digit(remainder.limb, divisor.limb, count);
    bool sticky = false;
    for (int i = 0; i < count; i++)
        sticky = sticky || remainder.limb[i] != 0;
    const double magnitude = round_bits(q, exponent - shift, sticky);
    return a->sign * b->sign < 0 && magnitude != 0.0 ? -magnitude : magnitude;
}
