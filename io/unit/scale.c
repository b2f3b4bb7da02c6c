// SPDX-License-Identifier: MIT
// A double times a fraction, rounded once. Where numerator or denominator is 1 and the other one is a double, a single
// multiplication or division rounds once by itself. Otherwise in whole numbers: the double's 53 bits times the
// numerator, at most 117 bits, shifted up to 127, divided by the denominator; the quotient has 63 bits or more, and
// whether there is a remainder decides between what is halfway and what is not.
#include "scale.h"

#include <float.h>
#include <math.h>

__extension__ typedef unsigned __int128 wide;

enum {
    WIDE_BITS = 127,        // of the dividend once it is shifted up
    LOWEST_EXPONENT = -1022 // of a normal double; below it a double has fewer bits
};
#define MOST_WHOLE (UINT64_C(1) << DBL_MANT_DIG) // whole numbers up to this are doubles

static int bits_of(wide number)
{
    int bits = 0;
    for (int step = 64; step > 0; step /= 2) // halve what is left
        if (number >> step != 0) {
            number >>= step;
            bits += step;
        }
    return bits + (number != 0);
}

// number × 2^exponent, a little more where `more`, as the nearest double.
static double round_once(wide number, bool more, int exponent)
{
    const int bits = bits_of(number), top = exponent + bits - 1;
    const int keep = top >= LOWEST_EXPONENT ? DBL_MANT_DIG : DBL_MANT_DIG + top - LOWEST_EXPONENT;
    if (keep < 0)
        return 0;
    const int drop = bits - keep;
    if (drop <= 0)
        return ldexp((double)(uint64_t)number, exponent);
    wide kept = number >> drop;
    const wide rest = number - (kept << drop), half = (wide)1 << (drop - 1);
    if (rest > half || (rest == half && (more || kept % 2 == 1)))
        kept++;
    return ldexp((double)(uint64_t)kept, exponent + drop);
}

static double scale(double x, const unit_ratio *ratio)
{
    int exponent;
    if (!isfinite(x) || x == 0)
        return x;
    wide number = (wide)(uint64_t)ldexp(frexp(fabs(x), &exponent), DBL_MANT_DIG) * ratio->numerator;
    const int shift = WIDE_BITS - bits_of(number);
    number <<= shift;
    const wide quotient = number / ratio->denominator;
    const double rounded =
        round_once(quotient, quotient * ratio->denominator != number, exponent - DBL_MANT_DIG + ratio->two - shift);
    return x < 0 ? -rounded : rounded;
}

// How each number becomes what it is to be.
typedef struct scaling {
    const unit_ratio *ratio;
    double factor, divisor; // one of them is 1: a single operation; both 0: in whole numbers
} scaling;

static scaling choose(const unit_ratio *ratio)
{
    scaling chosen = {.ratio = ratio};
    uint64_t numerator, denominator;
    // A machine that computes with more bits than a double has would round twice.
    if (FLT_EVAL_METHOD == 0 && grz_io_ratio_in_full(ratio, &numerator, &denominator) && numerator <= MOST_WHOLE &&
        denominator <= MOST_WHOLE && (numerator == 1 || denominator == 1)) {
        chosen.factor = (double)numerator;
        chosen.divisor = (double)denominator;
    }
    return chosen;
}

static double apply(double x, const scaling *by)
{
    if (by->divisor > 1)
        return x / by->divisor;
    return by->factor > 0 ? x * by->factor : scale(x, by->ratio);
}

uint64_t grz_io_scale_all(double *numbers, uint64_t count, uint64_t stride, const unit_ratio *ratio)
{
    const scaling by = choose(ratio);
    double largest = 0;
    for (uint64_t i = 0; i < count; i++) {
        const double size = fabs(numbers[i * stride]);
        if (size <= DBL_MAX && size > largest)
            largest = size;
    }
    if (!isfinite(apply(largest, &by)))
        for (uint64_t i = 0; i < count; i++)
            if (isfinite(numbers[i * stride]) && !isfinite(apply(numbers[i * stride], &by)))
                return i;
    for (uint64_t i = 0; i < count; i++)
        numbers[i * stride] = apply(numbers[i * stride], &by);
    return count;
}
