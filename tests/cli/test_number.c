// SPDX-License-Identifier: MIT
// Numbers as text: each reads back as the same double, and no decimal with fewer digits does. For the second, the test
// tries the decimals with one digit less on either side of the value.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/number.h"

static void known_numbers_are_written_as_expected(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-2.5, "-2.5"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3.0, "0.3333333333333333"},
        {100.0, "100"},
        {1e15, "1000000000000000"},
        {1e16, "1e+16"},
        {123456789012345678.0, "1.2345678901234568e+17"},
        {0.0001, "0.0001"},
        {0.00001, "1e-05"},
        {1e23, "1e+23"},
        {9007199254740993.0, "9007199254740992"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {-DBL_MAX, "-1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {5e-324, "5e-324"},
        {0x1p-44, "5.684341886080802e-14"}, // though ...801e-14 is nearer, which reads as another double
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[NUMBER_SIZE];
        assert_string_equal(number_shortest(known[i].value, text), known[i].text);
    }
}

// How many digits the text has, without zeros at either end.
static int significant_digits(const char *text)
{
    int count = 0, zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9')
            continue;
        if (*text == '0') {
            zeros += count > 0;
        } else {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

// Whether a decimal of `count` digits reads back: the one nearest to the value, or a neighbour of it.
static bool reads_back_from(double value, int count)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    char *exponent = strchr(text, 'e');
    const int power = (int)strtol(exponent + 1, NULL, 10) - (count - 1);
    uint64_t digits = (uint64_t)(text[0] - '0');
    for (const char *c = text + 2; count > 1 && c < exponent; c++)
        digits = digits * 10 + (uint64_t)(*c - '0');
    for (uint64_t near = digits - 1; near <= digits + 1; near++) {
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)near, power);
        if (strtod(text, NULL) == value)
            return true;
    }
    return false;
}

static void check(double value)
{
    char text[NUMBER_SIZE];
    number_shortest(value, text);
    const double again = strtod(text, NULL);
    if (memcmp(&again, &value, sizeof value) != 0)
        fail_msg("%a is written as %s, which reads as %a", value, text, again);
    const int digits = significant_digits(text);
    if (digits > 1 && reads_back_from(fabs(value), digits - 1))
        fail_msg("%a is written as %s, and fewer digits would do", value, text);
}

static void numbers_read_back_and_are_shortest(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 300000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        double value;
        memcpy(&value, &random, sizeof value);
        if (isfinite(value))
            check(value);
        check((double)(random >> 44) / 1024.0);  // few bits
        check((double)(random % 100000) / 1000); // few decimals
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        const double power = ldexp(1.0, exponent);
        check(power);
        check(-nextafter(power, 0.0));
        check(nextafter(power, (double)INFINITY));
    }
    for (int i = 0; i < 2000; i++)
        check(i * 5e-324);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers_are_written_as_expected),
        cmocka_unit_test(numbers_read_back_and_are_shortest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
