// SPDX-License-Identifier: MIT
// Numbers in the texts of elements: the doubles that strtod gives, and whole numbers, between white space.
#include "collada/collada.h"

#include <math.h>
#include <string.h>

#define MOST_COUNT (UINT64_C(1) << 53)

text_scan grz_io_collada_scan(const xml_element *of)
{
    const unsigned char *text = (const unsigned char *)of->text;
    static const unsigned char nothing[1];
    return (text_scan){.at = text != NULL ? text : nothing,
                       .end = text != NULL ? text + of->text_length : nothing,
                       .line = of->line,
                       .comment = SCAN_NO_COMMENTS};
}

bool grz_io_collada_count(collada *c, const xml_element *of, const char *name, uint64_t fallback, uint64_t *out)
{
    char quote[SCAN_QUOTE_SIZE];
    const char *text = grz_io_xml_value(of, name);
    int64_t value;
    *out = fallback;
    if (text == NULL)
        return fallback != COLLADA_NONE || grz_io_collada_fail(c, of, "it has no %s", name);
    text_scan s = grz_io_scan_text((const unsigned char *)text, strlen(text), SCAN_NO_COMMENTS, false);
    if (grz_io_scan_integer(&s, &value) != SCAN_OK || scan_more(&s) || value < 0 || (uint64_t)value > MOST_COUNT)
        return grz_io_collada_fail(c, of, "its %s %s is not a whole number from 0 on", name,
                                   grz_io_collada_quote(text, quote));
    *out = (uint64_t)value;
    return true;
}

// The token at the cursor as a number of XML, which has no hexadecimal ones. `value` is not finite where it is none.
static bool take_double(collada *c, const xml_element *of, text_scan *s, uint64_t place, double *value)
{
    char quote[SCAN_QUOTE_SIZE];
    const text_scan before = *s;
    scan_result result = grz_io_scan_double(s, value);
    if (result == SCAN_NOT_FINITE) {
        text_token token;
        *value = HUGE_VAL;
        (void)grz_io_scan_token(s, &token);
        return true;
    }
    for (const unsigned char *p = before.at; result == SCAN_OK && p < s->at; p++)
        if ((*p | ('a' ^ 'A')) == 'x')
            result = SCAN_NOT_A_NUMBER;
    if (result == SCAN_TOO_LONG)
        return grz_io_collada_fail(c, of, "number %llu has more than %d characters", (unsigned long long)place,
                                   (int)SCAN_NUMBER_LENGTH);
    return result == SCAN_OK || grz_io_collada_fail(c, of, "number %llu is %s, which is not a number",
                                                    (unsigned long long)place, grz_io_scan_quote(&before, quote));
}

// Read numbers until the text or the room for them ends, and count all that there are.
static bool read_numbers(collada *c, const xml_element *of, double *out, uint64_t room, uint64_t *count)
{
    text_scan s = grz_io_collada_scan(of);
    *count = 0;
    while (grz_io_scan_more_lines(&s)) {
        double value;
        const unsigned char *first = s.at;
        if (!take_double(c, of, &s, *count + 1, &value) || !grz_io_collada_work(c, of, (uint64_t)(s.at - first) + 1))
            return false;
        if (*count < room)
            out[*count] = value;
        ++*count;
    }
    return true;
}

bool grz_io_collada_numbers(collada *c, const xml_element *of, double *out, uint64_t count)
{
    uint64_t found;
    if (!read_numbers(c, of, out, count, &found))
        return false;
    if (found != count)
        return grz_io_collada_fail(c, of, "it has %llu numbers, not %llu", (unsigned long long)found,
                                   (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++)
        if (!isfinite(out[i]))
            return grz_io_collada_fail(c, of, "number %llu is not finite", (unsigned long long)i + 1);
    return true;
}

// Read the numbers of an array of `count` into `numbers`, which has room for `room`.
static bool read_array(collada *c, const xml_element *e, double *numbers, uint64_t room, uint64_t count)
{
    uint64_t found;
    return read_numbers(c, e, numbers, room, &found) &&
           (found == count || grz_io_collada_fail(c, e, "its count is %llu, but it has %llu numbers",
                                                  (unsigned long long)count, (unsigned long long)found));
}

bool grz_io_collada_array(collada *c, collada_id *array)
{
    const xml_element *e = array->element;
    uint64_t count;
    if (array->numbers != NULL)
        return true;
    if (!grz_io_collada_count(c, e, "count", COLLADA_NONE, &count))
        return false;
    if (count > (e->text_length + 1) / 2) // a digit and a blank each: it cannot hold so many
        return read_array(c, e, NULL, 0, count);
    double *numbers = grz_io_collada_allocate(c, count, sizeof *numbers);
    if (numbers == NULL)
        return false;
    if (!read_array(c, e, numbers, count, count)) {
        grz_io_collada_release(c, numbers, count, sizeof *numbers);
        return false;
    }
    array->numbers = numbers;
    array->number_count = count;
    return true;
}

bool grz_io_collada_take(collada *c, const xml_element *of, text_scan *s, uint64_t place, int64_t *value, bool *ended)
{
    char quote[SCAN_QUOTE_SIZE];
    *ended = !grz_io_scan_more_lines(s);
    if (*ended || grz_io_scan_integer(s, value) == SCAN_OK)
        return true;
    return grz_io_collada_fail(c, of, "number %llu is %s, which is not a whole number", (unsigned long long)place,
                               grz_io_scan_quote(s, quote));
}
