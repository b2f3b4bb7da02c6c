// SPDX-License-Identifier: MIT
// The shortest decimal of a double, by trying: printf() rounds correctly to any number of digits, strtod() reads back
// correctly, and 17 digits always suffice (David Gay, "Correctly rounded binary-decimal and decimal-binary
// conversions", 1990).
//
// The decimal of n digits that is nearest to the value reads back unless none of n digits does, with one exception:
// above a power of two doubles lie twice as far apart as below it. There the nearest decimal may lie below and miss,
// while the next one above is still in reach: 2^-44 has 5.684341886080802e-14, though 5.684341886080801e-14 is nearer.
// So the next one is tried, too.

#include "report/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DIGITS = 17,
    PLAIN_LEAST = -4, // powers of ten of the first digit that are written without an exponent
    PLAIN_MOST = 15
};

// A decimal d.ddd·10^power of a positive value.
typedef struct decimal {
    char digits[MOST_DIGITS + 2];
    int count, power;
} decimal;

static decimal nearest_decimal(double value, int count)
{
    decimal made = {.count = count};
    char text[NUMBER_SIZE];

    snprintf(text, sizeof text, "%.*e", count - 1, value);
    made.digits[0] = text[0];
    if (count > 1)
        memcpy(made.digits + 1, text + 2, (size_t)count - 1); // behind the point
    made.power = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    return made;
}

// The next decimal above, with as many digits.
static decimal next_decimal(decimal of)
{
    int i = of.count - 1;

    while (i >= 0 && of.digits[i] == '9')
        of.digits[i--] = '0';
    if (i >= 0) {
        of.digits[i]++;
    } else {
        of.digits[0] = '1';
        of.power++;
    }
    return of;
}

static bool reads_back(const decimal *d, double value)
{
    char text[NUMBER_SIZE];

    snprintf(text, sizeof text, "%se%d", d->digits, d->power - d->count + 1);
    return strtod(text, NULL) == value;
}

// Below 15 digits no two decimals read as one double, so that of 15 digits only has zeros to lose. Subnormal doubles
// have fewer digits than that: there all are tried.
static decimal shortest_decimal(double value)
{
    int exponent;
    const bool lopsided = frexp(value, &exponent) == 0.5;

    for (int count = value < DBL_MIN ? 1 : DBL_DIG; count < MOST_DIGITS; count++) {
        decimal d = nearest_decimal(value, count);
        if (reads_back(&d, value))
            return d;
        d = next_decimal(d);
        if (lopsided && reads_back(&d, value))
            return d;
    }
    return nearest_decimal(value, MOST_DIGITS);
}

char *number_shortest(double value, char text[NUMBER_SIZE])
{
    const char *sign = signbit(value) ? "-" : "", *zeros = "0000000000000000";

    if (value == 0) {
        snprintf(text, NUMBER_SIZE, "%s0", sign);
        return text;
    }
    decimal d = shortest_decimal(fabs(value));
    while (d.count > 1 && d.digits[d.count - 1] == '0')
        d.digits[--d.count] = '\0';
    if (d.power < PLAIN_LEAST || d.power > PLAIN_MOST)
        snprintf(text, NUMBER_SIZE, "%s%c%s%se%c%02d", sign, d.digits[0], d.count > 1 ? "." : "", d.digits + 1,
                 d.power < 0 ? '-' : '+', abs(d.power));
    else if (d.power < 0)
        snprintf(text, NUMBER_SIZE, "%s0.%.*s%s", sign, -d.power - 1, zeros, d.digits);
    else if (d.count <= d.power + 1)
        snprintf(text, NUMBER_SIZE, "%s%s%.*s", sign, d.digits, d.power + 1 - d.count, zeros);
    else
        snprintf(text, NUMBER_SIZE, "%s%.*s.%s", sign, d.power + 1, d.digits, d.digits + d.power + 1);
    return text;
}
