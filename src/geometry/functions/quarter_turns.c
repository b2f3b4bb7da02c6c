// SPDX-License-Identifier: MIT
// An angle is m · 2^e with a whole m below 2^53. Times 2/pi, without the bits that give whole turns, it is a product of
// integers, exact but for the bits of 2/pi that come later. Source: M. Payne, R. Hanek, "Radian reduction for
// trigonometric functions" (1983). The bound is derived in docs/reference/numbers.md.
#include "geometry/functions/quarter_turns.h"

#include <stdbool.h>
#include <stdint.h>

#include "geometry/exact/expansion.h"
#include "geometry/exact/powers.h"

enum {
    BITS = 32,    // of a limb
    USED = 7,     // limbs of 2/pi in a product
    FRACTION = 6, // limbs of the fraction of a turn
    TOP_LIMB = 30 // the first limb of 2/pi that the largest doubles need
};

// Of pi/2: the sum of the three is off by less than 2^-163.
static const double QUARTER_HIGH = 0x1.921fb54442d18p+0, QUARTER_LOW = 0x1.1a62633145c07p-54,
                    QUARTER_LAST = -0x1.f1976b7ed8fbcp-110;
static const double EIGHTH = 0x1.921fb54442d18p-1, THREE_EIGHTHS = 0x1.2d97c7f3321d2p+1; // of a turn

// The binary digits of 2/pi after the point.
static const uint32_t TWO_OVER_PI[TOP_LIMB + USED] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

enum {
    LIMBS = USED + 3 // of a product: one of zeros below it, two more for the mantissa
};

// 2^32 · m · the limbs of 2/pi from `first` on, as an integer, the lowest limb first.
static void multiply(uint64_t m, int first, uint32_t product[LIMBS])
{
    const uint64_t low = m & UINT32_MAX, high = m >> BITS;
    uint64_t carry = 0, from_high = 0; // of the limb before, times the high half of m
    product[0] = 0;
    for (int i = 0; i < USED; i++) {
        const uint64_t digit = TWO_OVER_PI[first + USED - 1 - i];
        const uint64_t sum = digit * low + carry, next = digit * high;
        const uint64_t limb = (sum & UINT32_MAX) + (from_high & UINT32_MAX);
        product[1 + i] = (uint32_t)limb;
        carry = (sum >> BITS) + (from_high >> BITS) + (limb >> BITS);
        from_high = next;
    }
    const uint64_t rest = carry + from_high;
    product[1 + USED] = (uint32_t)rest;
    product[2 + USED] = (uint32_t)(rest >> BITS);
}

// 32 bits of a product, from bit number `at`.
static uint32_t bits_at(const uint32_t product[LIMBS], int at)
{
    const int limb = at / BITS, shift = at % BITS;
    const uint64_t upper = limb + 1 < LIMBS ? product[limb + 1] : 0;
    return (uint32_t)((upper << BITS | product[limb]) >> shift);
}

static const double LIMB = 0x1p-32; // the unit of a limb, in that of the one before; of the first one, in 1

// A fraction's limbs, the highest first, as two doubles.
static void to_doubles(const uint32_t limbs[FRACTION], double *high, double *low)
{
    int first = 0;
    while (first < 2 && limbs[first] == 0) // less than 2^-64 of a quarter turn is never left
        first++;
    const uint32_t *l = limbs + first;
    const double unit = first == 0 ? LIMB : first == 1 ? LIMB * LIMB : LIMB * LIMB * LIMB;
    double tail;
    fast_two_sum(l[0] * unit, l[1] * (unit * LIMB), high, &tail);
    *low = tail + (l[2] * (unit * (LIMB * LIMB)) + l[3] * (unit * (LIMB * LIMB * LIMB)));
}

int grz_quarter_turns(double angle, double *high, double *low)
{
    if (angle <= EIGHTH) {
        *high = angle;
        *low = 0.0;
        return 0;
    }
    if (angle < THREE_EIGHTHS) { // most are: the first difference is exact then
        two_diff(angle - QUARTER_HIGH, QUARTER_LOW, high, low);
        *low -= QUARTER_LAST;
        return 1;
    }
    const uint64_t bits = grz_bits_of(angle), lead = (uint64_t)1 << GRZ_EXPONENT_SHIFT, m = (bits & (lead - 1)) | lead;
    const int exponent = (int)(bits >> GRZ_EXPONENT_SHIFT) - GRZ_EXPONENT_BIAS - GRZ_EXPONENT_SHIFT;
    // Bits of 2/pi before limb `first` give multiples of 4 quarter turns.
    const int first = exponent < 2 ? 0 : (exponent - 2) / BITS;
    uint32_t product[LIMBS], limbs[FRACTION];
    multiply(m, first, product);
    const int point = BITS * (USED + 1) + BITS * first - exponent; // of the product: the bit of one quarter turn
    for (int i = 0; i < FRACTION; i++)
        limbs[i] = bits_at(product, point - BITS * (i + 1));
    uint32_t turns = bits_at(product, point);
    const bool more = limbs[0] >> (BITS - 1) != 0; // than half: one turn more, and a negative rest
    uint64_t carry = 1;
    for (int i = FRACTION - 1; more && i >= 0; i--) {
        carry += (uint32_t)~limbs[i];
        limbs[i] = (uint32_t)carry;
        carry >>= BITS;
    }
    turns += more;
    double part, rest, product_high, product_low;
    to_doubles(limbs, &part, &rest);
    two_product(part, QUARTER_HIGH, &product_high, &product_low);
    fast_two_sum(product_high, product_low + (part * QUARTER_LOW + rest * QUARTER_HIGH), high, low);
    if (more) {
        *high = -*high;
        *low = -*low;
    }
    return (int)(turns & 3);
}
