// SPDX-License-Identifier: MIT
// "Did you mean": the edit distance against its definition by brute force (every chain of single edits up to a length),
// and which words are near enough to be suggested.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arguments/nearest.h"

// The definition: try every edit of the last letters of both words, of `m` and `n` letters.
static size_t by_definition(const char *one, size_t m, const char *other, size_t n)
{
    if (m == 0 || n == 0)
        return m + n;
    size_t least = by_definition(one, m - 1, other, n - 1) + (one[m - 1] != other[n - 1]);
    const size_t dropped = by_definition(one, m - 1, other, n) + 1, added = by_definition(one, m, other, n - 1) + 1;
    least = dropped < least ? dropped : least;
    least = added < least ? added : least;
    if (m > 1 && n > 1 && one[m - 1] == other[n - 2] && one[m - 2] == other[n - 1]) {
        const size_t swapped = by_definition(one, m - 2, other, n - 2) + 1;
        least = swapped < least ? swapped : least;
    }
    return least;
}

static void the_distance_is_as_defined(void **state)
{
    (void)state;
    // All words of up to four letters out of a, b, c, as numbers to the base of four: a digit of 0 ends the word.
    for (unsigned i = 0; i < 256; i++)
        for (unsigned j = 0; j < 256; j++) {
            char one[5] = "", other[5] = "";
            for (unsigned k = 0, m = i, n = j; k < 4; k++, m /= 4, n /= 4) {
                one[k] = m % 4 == 0 ? '\0' : (char)('a' - 1 + m % 4);
                other[k] = n % 4 == 0 ? '\0' : (char)('a' - 1 + n % 4);
            }
            const size_t expected = by_definition(one, strlen(one), other, strlen(other));
            if (nearest_distance(one, other) != expected)
                fail_msg("%s and %s: %zu, must be %zu", one, other, nearest_distance(one, other), expected);
        }
}

static void a_word_that_is_too_long_matches_none(void **state)
{
    (void)state;
    char longest[NEAREST_LONGEST + 2];
    memset(longest, 'x', sizeof longest);
    longest[NEAREST_LONGEST + 1] = '\0';
    assert_int_equal(nearest_distance(longest, "x"), SIZE_MAX);
    assert_int_equal(nearest_distance("x", longest), SIZE_MAX);
    assert_int_equal(nearest_distance(longest + 1, "x"), NEAREST_LONGEST - 1);
}

static const char *suggested(const char *typed)
{
    static const char *const words[] = {"check",   "self",     "scene",    "--json",
                                        "--pairs", "--pose-a", "--pose-b", "--curves"};
    nearest near = nearest_begin(typed);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        nearest_try(&near, words[i]);
    return near.best;
}

static void near_words_are_suggested_and_far_ones_are_not(void **state)
{
    (void)state;
    assert_string_equal(suggested("chekc"), "check");
    assert_string_equal(suggested("scenes"), "scene");
    assert_string_equal(suggested("--jso"), "--json");
    assert_string_equal(suggested("--cur"), "--curves");  // its beginning
    assert_string_equal(suggested("--pose"), "--pose-a"); // as near as --pose-b, and before it
    assert_string_equal(suggested("--posb-b"), "--pose-b");
    assert_null(suggested("octopus"));
    assert_null(suggested("x"));
    assert_null(suggested(""));
    assert_null(suggested("--"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_distance_is_as_defined),
        cmocka_unit_test(a_word_that_is_too_long_matches_none),
        cmocka_unit_test(near_words_are_suggested_and_far_ones_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
