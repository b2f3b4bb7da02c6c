// SPDX-License-Identifier: MIT
// The quotient of two units. Each is decimal, digits × 10^n, so the quotient is a fraction of whole numbers times a
// power of 10. Its factors 5 go to the numerator or the denominator, its factors 2 are counted.
#include "ratio.h"

#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct decimal {
    uint64_t digits; // not divisible by 10
    int count;       // how many digits
    int ten;         // the number is digits × 10^ten
} decimal;

// The digits and the power of ten of "2.54e-02", whatever the locale has for a point.
static decimal take_apart(const char *text)
{
    decimal d = {0};
    const char *p = text;
    int behind_point = 0;
    bool point = false;
    for (; *p != 'e' && *p != '\0'; p++) {
        const bool digit = *p >= '0' && *p <= '9';
        point = point || !digit;
        if (!digit)
            continue;
        d.digits = 10 * d.digits + (uint64_t)(*p - '0');
        d.count++;
        behind_point += point;
    }
    d.ten = (*p == 'e' ? (int)strtol(p + 1, NULL, 10) : 0) - behind_point;
    return d;
}

// The shortest decimal that reads as this double, which is finite and above 0. Reading and writing depend on the
// rounding mode.
static decimal shortest_decimal(double x)
{
    enum {
        MOST_DIGITS = 17 // as many always read back
    };
    char text[GRZ_IO_NUMBER_SIZE];
    fenv_t arithmetic;
    const bool held = fegetenv(&arithmetic) == 0 && fesetenv(FE_DFL_ENV) == 0;
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, x);
        const double read = strtod(text, NULL);
        if (read >= x && read <= x)
            break;
    }
    if (held)
        (void)fesetenv(&arithmetic);
    decimal d = take_apart(text);
    for (; d.digits % 10 == 0; d.digits /= 10, d.count--)
        d.ten++;
    return d;
}

void grz_io_write_shortest(double number, char text[GRZ_IO_NUMBER_SIZE])
{
    enum {
        MOST_ZEROS = 6 // before or behind the digits
    };
    const decimal d = shortest_decimal(number);
    const int whole = d.count + d.ten; // digits before the point; below 0: zeros behind it
    char digits[24], zeros[] = "000000";
    snprintf(digits, sizeof digits, "%" PRIu64, d.digits);
    if (d.ten >= 0 && d.ten <= MOST_ZEROS)
        snprintf(text, GRZ_IO_NUMBER_SIZE, "%s%.*s", digits, d.ten, zeros);
    else if (d.ten < 0 && whole > 0)
        snprintf(text, GRZ_IO_NUMBER_SIZE, "%.*s.%s", whole, digits, digits + whole);
    else if (d.ten < 0 && -whole <= MOST_ZEROS)
        snprintf(text, GRZ_IO_NUMBER_SIZE, "0.%.*s%s", -whole, zeros, digits);
    else
        snprintf(text, GRZ_IO_NUMBER_SIZE, "%.1s%s%se%d", digits, d.count > 1 ? "." : "", digits + 1, whole - 1);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Multiply a / b by 5^power, power at least 0. False where it does not fit.
static bool multiply_by_fives(uint64_t *a, uint64_t *b, int power)
{
    for (; power > 0; power--) {
        if (*b % 5 == 0)
            *b /= 5;
        else if (*a <= UINT64_MAX / 5)
            *a *= 5;
        else
            return false;
    }
    return true;
}

static int take_twos(uint64_t *number)
{
    int twos = 0;
    for (; *number % 2 == 0; *number /= 2)
        twos++;
    return twos;
}

bool grz_io_find_ratio(double from, double to, unit_ratio *ratio)
{
    if (!(from > 0 && from <= DBL_MAX && to > 0 && to <= DBL_MAX))
        return false;
    const decimal a = shortest_decimal(from), b = shortest_decimal(to);
    const uint64_t common = common_divisor(a.digits, b.digits);
    const int ten = a.ten - b.ten;
    *ratio = (unit_ratio){.numerator = a.digits / common, .denominator = b.digits / common, .two = ten};
    ratio->two += take_twos(&ratio->numerator);
    ratio->two -= take_twos(&ratio->denominator);
    return ten >= 0 ? multiply_by_fives(&ratio->numerator, &ratio->denominator, ten)
                    : multiply_by_fives(&ratio->denominator, &ratio->numerator, -ten);
}

static bool multiply_by_twos(uint64_t *number, int power)
{
    for (; power > 0; power--) {
        if (*number > UINT64_MAX / 2)
            return false;
        *number *= 2;
    }
    return true;
}

bool grz_io_ratio_in_full(const unit_ratio *ratio, uint64_t *numerator, uint64_t *denominator)
{
    *numerator = ratio->numerator;
    *denominator = ratio->denominator;
    return ratio->two >= 0 ? multiply_by_twos(numerator, ratio->two) : multiply_by_twos(denominator, -ratio->two);
}
