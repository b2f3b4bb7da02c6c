// SPDX-License-Identifier: MIT
// Values of attributes, and what is said of an object that is at fault.
#include "threemf/threemf_model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool grz_io_threemf_fail_object(threemf_model *m, const char *format, ...)
{
    char what[REASON_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return grz_io_xml_fail(m->x, "object %llu: %s", (unsigned long long)threemf_current_object(m)->id, what);
}

bool grz_io_threemf_fail_number(threemf_model *m, text_token token, scan_result result, const char *of)
{
    char quote[SCAN_QUOTE_SIZE];
    (void)grz_io_token_quote(token, quote);
    switch (result) {
    case SCAN_NOT_FINITE:
        return grz_io_xml_fail(m->x, "%s: %s is not a finite number", of, quote);
    case SCAN_TOO_LONG:
        return grz_io_xml_fail(m->x, "%s: the number has more than %d characters", of, (int)SCAN_NUMBER_LENGTH);
    case SCAN_MISSING:
    case SCAN_NOT_A_NUMBER:
    case SCAN_OK:
        break;
    }
    return grz_io_xml_fail(m->x, "%s: %s is not a number", of, quote);
}

bool grz_io_threemf_read_number(threemf_model *m, text_scan *s, const char *of, double *out)
{
    const bool any = grz_io_scan_more_lines(s);
    const unsigned char *from = s->at;
    const scan_result result = !any                                   ? SCAN_MISSING
                               : threemf_is_hexadecimal(from, s->end) ? SCAN_NOT_A_NUMBER
                                                                      : grz_io_scan_double(s, out);
    return result == SCAN_OK || grz_io_threemf_fail_number(m, (text_token){from, (size_t)(s->end - from)}, result, of);
}

bool grz_io_threemf_take_whole(const char *text, uint64_t *out)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);
    int64_t value;
    while (p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
        p++;
    if (p == end || *p < '0' || *p > '9' || !grz_io_scan_digits_in_general(&p, end, &value))
        return false;
    while (p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
        p++;
    *out = (uint64_t)value;
    return p == end;
}
