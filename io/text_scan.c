// SPDX-License-Identifier: MIT
// The cursor over text: lines, tokens, numbers. A short decimal is one exact double divided or multiplied by an exact
// power of ten (W. D. Clinger, "How to read floating point numbers accurately", 1990, section 2); one of up to 19
// digits with a small negative exponent is a 128-bit division with an exact remainder; the rest goes to strtod. All
// three give the same, the nearest, double.
#include "text_scan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DIGITS = 19,        // 10^19 - 1 is below 2^64
    EXACT_POWER = 22,       // 10^22 is the largest power of ten that is a double
    DIVIDED_POWER = 19,     // 10^19 is the largest power of ten below 2^64
    EXPONENT_LIMIT = 100000 // past any double's, far from overflow
};

static const double powers_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

text_scan grz_io_scan_text(const unsigned char *bytes, size_t size, int comment, bool joins_lines)
{
    size_t mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (text_scan){
        .at = bytes + mark, .end = bytes + size, .line = 1, .comment = comment, .joins_lines = joins_lines};
}

// p stands at a line end; past it, CRLF being one.
static const unsigned char *past_line_end(const text_scan *s, const unsigned char *p)
{
    return *p == '\r' && p + 1 < s->end && p[1] == '\n' ? p + 2 : p + 1;
}

static bool is_join(const text_scan *s, const unsigned char *p)
{
    return s->joins_lines && *p == '\\' && p + 1 < s->end && scan_is_line_end(p[1]);
}

bool grz_io_scan_more_in_general(text_scan *s)
{
    const unsigned char *p = s->at;
    for (;;) {
        while (p < s->end && scan_is_blank(*p))
            p++;
        if (p == s->end || !is_join(s, p))
            break;
        p = past_line_end(s, p + 1);
        s->line++;
    }
    s->at = p;
    return p < s->end && !scan_is_line_end(*p) && *p != s->comment;
}

bool grz_io_scan_more_lines(text_scan *s)
{
    while (!scan_more(s)) {
        if (s->at == s->end)
            return false;
        scan_next_line(s);
    }
    return true;
}

void grz_io_scan_next_line_in_general(text_scan *s)
{
    const unsigned char *p = s->at;
    bool in_comment = false;
    while (p < s->end) {
        if (scan_is_line_end(*p)) {
            s->at = past_line_end(s, p);
            s->line++;
            return;
        }
        in_comment |= *p == s->comment; // a comment's last backslash joins nothing: the next line may be a vertex
        if (!in_comment && is_join(s, p)) {
            p = past_line_end(s, p + 1);
            s->line++;
        } else {
            p++;
        }
    }
    s->at = p;
}

bool grz_io_scan_token(text_scan *s, text_token *token)
{
    *token = (text_token){s->at, 0};
    if (!scan_more(s))
        return false;
    const unsigned char *p = s->at;
    while (p - s->at <= SCAN_NUMBER_LENGTH && !scan_ends_token(s, p))
        p++;
    *token = (text_token){s->at, (size_t)(p - s->at)};
    s->at = p;
    return true;
}

text_token grz_io_scan_rest_of_line(text_scan *s)
{
    (void)scan_more(s);
    const unsigned char *first = s->at, *p = first, *past = first;
    while (p < s->end && !scan_is_line_end(*p) && !is_join(s, p)) {
        p++;
        if (!scan_is_blank(p[-1]))
            past = p;
    }
    s->at = p;
    return (text_token){first, (size_t)(past - first)};
}

// What the text of a number amounts to: ± mantissa × 10^exponent, unless it has more digits than fit.
typedef struct decimal {
    uint64_t mantissa;
    int exponent;
    bool negative;
    bool too_many_digits;
} decimal;

static inline bool is_digit(unsigned char c)
{
    return (unsigned)c - '0' <= 9;
}

// Returns the first byte past a number of at most 19 digits, a point among or before them or none, and no exponent;
// NULL where there is anything else. Nearly all numbers are such.
static inline const unsigned char *take_short_decimal(const unsigned char *p, const unsigned char *end, decimal *d)
{
    const unsigned char *first, *point = NULL;
    uint64_t mantissa = 0;
    d->negative = *p == '-';
    p += d->negative;
    for (first = p; p < end && is_digit(*p); p++)
        mantissa = mantissa * 10 + (uint64_t)(*p - '0');
    if (p < end && *p == '.') {
        point = p;
        uint32_t eight;
        for (p++; end - p >= 8 && scan_eight(p, &eight) == 8; p += 8)
            mantissa = mantissa * 100000000 + eight;
        for (; p < end && is_digit(*p); p++)
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
    }
    ptrdiff_t digits = p - first - (point != NULL);
    if (digits == 0 || digits > MAX_DIGITS || (p < end && (*p == 'e' || *p == 'E')))
        return NULL;
    d->mantissa = mantissa;
    d->exponent = point ? -(int)(p - point - 1) : 0;
    d->too_many_digits = false;
    return p;
}

// Digits from p on, into the mantissa; `step` is added to the exponent for each, -1 behind the point.
static const unsigned char *take_digits(const unsigned char *p, const unsigned char *end, int step, int *count,
                                        decimal *d)
{
    uint64_t mantissa = d->mantissa;
    const unsigned char *first = p;
    for (; p < end && is_digit(*p); p++) {
        if (*count == MAX_DIGITS) {
            d->too_many_digits = true;
            while (p < end && is_digit(*p))
                p++;
            break;
        }
        mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        *count += mantissa != 0;
    }
    // Saturated without harm: only numbers of at most SCAN_NUMBER_LENGTH characters come to use.
    ptrdiff_t taken = p - first;
    d->exponent += step * (taken > EXPONENT_LIMIT ? EXPONENT_LIMIT : (int)taken);
    d->mantissa = mantissa;
    return p;
}

// Returns the first byte past the decimal number at p, or NULL where there is none.
static const unsigned char *take_decimal(const unsigned char *p, const unsigned char *end, decimal *d)
{
    *d = (decimal){0};
    int count = 0;
    if (*p == '-' || *p == '+')
        d->negative = *p++ == '-';
    const unsigned char *digits = p;
    p = take_digits(p, end, 0, &count, d);
    ptrdiff_t seen = p - digits;
    if (p < end && *p == '.') {
        const unsigned char *fraction = p + 1;
        p = take_digits(fraction, end, -1, &count, d);
        seen += p - fraction;
    }
    if (seen == 0)
        return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        bool minus = p < end && *p == '-';
        if (p < end && (*p == '-' || *p == '+'))
            p++;
        if (p == end || !is_digit(*p))
            return NULL;
        int exponent = 0;
        for (; p < end && is_digit(*p); p++)
            exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (*p - '0') : exponent;
        d->exponent += minus ? -exponent : exponent;
    }
    return p;
}

#if defined(__SIZEOF_INT128__)
// mantissa / 10^power to the nearest double, for 2^53 <= mantissa and power <= 19: the quotient of mantissa·2^64 has at
// least 54 bits, one more than the result, and the remainder tells a tie from what only looks like one.
static double divide_exactly(uint64_t mantissa, int power)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t divisor = 1;
    for (int i = 0; i < power; i++)
        divisor *= 10;
    wide dividend = (wide)mantissa << 64;
    wide quotient = dividend / divisor;
    uint64_t high = (uint64_t)(quotient >> 64);
    int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)quotient);
    int drop = bits - 53;
    wide mask = ((wide)1 << drop) - 1, half = (wide)1 << (drop - 1);
    bool inexact = quotient * divisor != dividend;
    uint64_t kept = (uint64_t)(quotient >> drop);
    wide rest = quotient & mask;
    if (rest > half || (rest == half && (inexact || (kept & 1))))
        kept++;
    const uint64_t scale_bits = (uint64_t)(1023 + drop - 64) << 52; // 2^(drop - 64), from 2^-63 to 2^11
    double scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    return (double)kept * scale;
}
#endif

// The double nearest to a decimal, where that is quickly had.
static bool convert_quickly(const decimal *d, double *value)
{
    if (d->too_many_digits)
        return false;
    double magnitude;
    if (d->mantissa == 0)
        magnitude = 0;
#if FLT_EVAL_METHOD == 0 // otherwise the one rounding below would be two
    else if (d->mantissa < UINT64_C(1) << 53 && d->exponent >= 0 && d->exponent <= EXACT_POWER)
        magnitude = (double)d->mantissa * powers_of_ten[d->exponent];
    else if (d->mantissa < UINT64_C(1) << 53 && d->exponent < 0 && d->exponent >= -EXACT_POWER)
        magnitude = (double)d->mantissa / powers_of_ten[-d->exponent];
#endif
#if defined(__SIZEOF_INT128__)
    else if (d->mantissa >= UINT64_C(1) << 53 && d->exponent <= 0 && d->exponent >= -DIVIDED_POWER)
        magnitude = divide_exactly(d->mantissa, -d->exponent);
#endif
    else
        return false;
    *value = d->negative ? -magnitude : magnitude;
    return true;
}

// strtod for a token; the readers run in the "C" locale (read.h). Hexadecimal numbers come here too.
static scan_result convert_slowly(text_token token, double *value)
{
    char text[SCAN_NUMBER_LENGTH + 1];
    if (token.length > SCAN_NUMBER_LENGTH)
        return SCAN_TOO_LONG;
    memcpy(text, token.at, token.length);
    text[token.length] = '\0';
    char *past;
    double number = strtod(text, &past);
    if (past != text + token.length)
        return SCAN_NOT_A_NUMBER;
    if (!isfinite(number))
        return SCAN_NOT_FINITE;
    *value = number;
    return SCAN_OK;
}

scan_result grz_io_scan_double(text_scan *s, double *value)
{
    if (!scan_more(s))
        return SCAN_MISSING;
    decimal d;
    const unsigned char *past = take_short_decimal(s->at, s->end, &d);
    if (!past)
        past = take_decimal(s->at, s->end, &d);
    if (past && scan_ends_token(s, past) && past - s->at <= SCAN_NUMBER_LENGTH && convert_quickly(&d, value)) {
        s->at = past;
        return SCAN_OK;
    }
    text_scan ahead = *s;
    text_token token;
    (void)grz_io_scan_token(&ahead, &token);
    scan_result result = convert_slowly(token, value);
    if (result == SCAN_OK)
        *s = ahead;
    return result;
}

scan_result grz_io_scan_any_number(text_scan *s)
{
    double ignored;
    text_token token;
    scan_result result = grz_io_scan_double(s, &ignored);
    if (result != SCAN_NOT_FINITE)
        return result;
    (void)grz_io_scan_token(s, &token);
    return SCAN_OK;
}

bool grz_io_scan_digits_in_general(const unsigned char **p, const unsigned char *end, int64_t *value)
{
    const int64_t limit = INT64_C(1000000000000000000);
    const unsigned char *q = *p;
    bool negative = false;
    if (q < end && (*q == '-' || *q == '+'))
        negative = *q++ == '-';
    const unsigned char *first = q;
    int64_t number = 0;
    for (; q < end && is_digit(*q); q++)
        number = number < limit / 10 ? number * 10 + (*q - '0') : limit;
    if (q == first)
        return false;
    *value = negative ? -number : number;
    *p = q;
    return true;
}

scan_result grz_io_scan_integer(text_scan *s, int64_t *value)
{
    if (!scan_more(s))
        return SCAN_MISSING;
    const unsigned char *p = s->at;
    if (!scan_digits(&p, s->end, value) || !scan_ends_token(s, p))
        return SCAN_NOT_A_NUMBER;
    s->at = p;
    return SCAN_OK;
}

bool grz_io_token_is(text_token token, const char *word)
{
    return token.length == strlen(word) && memcmp(token.at, word, token.length) == 0;
}

bool grz_io_token_is_any_case(text_token token, const char *lower_case_word)
{
    if (token.length != strlen(lower_case_word))
        return false;
    for (size_t i = 0; i < token.length; i++) {
        unsigned char c = token.at[i];
        if (c >= 'A' && c <= 'Z')
            c = (unsigned char)(c - 'A' + 'a');
        if (c != (unsigned char)lower_case_word[i])
            return false;
    }
    return true;
}

const char *grz_io_token_quote(text_token token, char buffer[SCAN_QUOTE_SIZE])
{
    size_t room = SCAN_QUOTE_SIZE - 6; // two quotes, three dots, NUL
    size_t length = token.length < room ? token.length : room;
    char *to = buffer;
    *to++ = '"';
    for (size_t i = 0; i < length; i++)
        *to++ = token.at[i] > ' ' - 1 && token.at[i] < 0x7f ? (char)token.at[i] : '?';
    if (token.length > room) {
        memcpy(to, "...", 3);
        to += 3;
    }
    *to++ = '"';
    *to = '\0';
    return buffer;
}

const char *grz_io_token_number(text_token token, char buffer[SCAN_QUOTE_SIZE])
{
    (void)grz_io_token_quote(token, buffer);
    buffer[strlen(buffer) - 1] = '\0';
    return buffer + 1;
}

const char *grz_io_scan_quote(const text_scan *s, char buffer[SCAN_QUOTE_SIZE])
{
    text_token token = {s->at, 0};
    while (token.length < SCAN_QUOTE_SIZE && !scan_ends_token(s, token.at + token.length))
        token.length++;
    return grz_io_token_quote(token, buffer);
}
