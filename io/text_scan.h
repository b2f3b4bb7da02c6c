// SPDX-License-Identifier: MIT
// A cursor over text in memory that need not end in NUL: blanks, tokens, lines, numbers. Shared by the readers of text
// formats. Lines end in LF, CRLF or CR. Every byte is looked at a bounded number of times, so a line of any length is
// no trouble. Numbers are those of strtod in the "C" locale, bit for bit.
#ifndef GRZ_IO_TEXT_SCAN_H
#define GRZ_IO_TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    SCAN_NO_COMMENTS = -1,
    SCAN_QUOTE_SIZE = 48,
    SCAN_NUMBER_LENGTH =
        4095 // the longest number read; a double's exact decimal expansion has fewer than 1,100 characters
};

typedef struct text_scan {
    const unsigned char *at, *end;
    uint64_t line;    // where `at` is, from 1
    int comment;      // the byte that starts a comment up to the end of the line, or SCAN_NO_COMMENTS
    bool joins_lines; // a backslash right before a line end makes one line of two
} text_scan;

typedef struct text_token {
    const unsigned char *at;
    size_t length;
} text_token;

typedef enum scan_result {
    SCAN_OK,
    SCAN_MISSING,      // the line ends here
    SCAN_NOT_A_NUMBER, // the cursor stays before the token in this case and those below
    SCAN_NOT_FINITE,   // nan, inf, or past the largest double
    SCAN_TOO_LONG      // more than SCAN_NUMBER_LENGTH characters
} scan_result;

static inline bool scan_is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline bool scan_is_line_end(unsigned char c)
{
    return c == '\n' || c == '\r';
}

// Whether p stands at something that ends a token: a blank, a line end, a comment, a joined line, the end of the text.
static inline bool scan_ends_token(const text_scan *s, const unsigned char *p)
{
    if (p == s->end)
        return true;
    if (*p <= ' ')
        return scan_is_blank(*p) || scan_is_line_end(*p);
    return *p == s->comment || (*p == '\\' && s->joins_lines && p + 1 < s->end && scan_is_line_end(p[1]));
}

// A cursor at the start of a text. A byte order mark of UTF-8 is skipped.
text_scan grz_io_scan_text(const unsigned char *bytes, size_t size, int comment, bool joins_lines);

// As scan_more() and scan_next_line(), for any text.
bool grz_io_scan_more_in_general(text_scan *s);
void grz_io_scan_next_line_in_general(text_scan *s);

// Go to the next token of this line. Returns false, with the cursor at the line's end or its comment, where there is
// none.
static inline bool scan_more(text_scan *s)
{
    const unsigned char *p = s->at;
    p += p < s->end && *p == ' ';
    if (p == s->end || *p <= ' ' || *p == '\\' || *p == s->comment)
        return grz_io_scan_more_in_general(s);
    s->at = p;
    return true;
}

// Go to the next token of this line or of a later one. Returns false at the end of the text.
bool grz_io_scan_more_lines(text_scan *s);

// Go past the end of this line, whatever is left on it; joined lines are one.
static inline void scan_next_line(text_scan *s)
{
    if (s->at == s->end || *s->at != '\n') {
        grz_io_scan_next_line_in_general(s);
        return;
    }
    s->at++;
    s->line++;
}

// Take the next token of this line. Returns false where there is none. One of more than SCAN_NUMBER_LENGTH bytes, which
// means nothing in any format, is cut there, so that a huge file of garbage is not searched for its end.
bool grz_io_scan_token(text_scan *s, text_token *token);

// Take what is left of this line, without the blanks around it; a comment's sign is part of it. May be empty.
text_token grz_io_scan_rest_of_line(text_scan *s);

// Take the next token of this line as a finite number.
scan_result grz_io_scan_double(text_scan *s, double *value);

// Go past the next token of this line, which has to be a number; nan and inf will do.
scan_result grz_io_scan_any_number(text_scan *s);

// Take the next token of this line as a decimal integer. Values past 10^18 in magnitude become ±10^18.
scan_result grz_io_scan_integer(text_scan *s, int64_t *value);

// Eight bytes at once, where the machine stores the first byte lowest.
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SCAN_BY_EIGHT 1
#else
#define SCAN_BY_EIGHT 0
#endif

// How many of the eight bytes at p are digits before the first that is none, and the number that they make.
static inline unsigned scan_eight(const unsigned char *p, uint32_t *number)
{
#if SCAN_BY_EIGHT
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    bytes ^= UINT64_C(0x3030303030303030); // a digit becomes its value
    // The top bit of each byte past 9. A carry goes upwards only, to bytes behind the first that is none.
    const uint64_t others = ((bytes + UINT64_C(0x7676767676767676)) | bytes) & UINT64_C(0x8080808080808080);
    const unsigned count = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
    // Digits to the top, zeros before them; then pairs, fours and eights: ten times the left one plus the right one.
    bytes = count ? bytes << (64 - 8 * count) : 0;
    bytes = (bytes * 10 + (bytes >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    bytes = (bytes * 100 + (bytes >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *number = (uint32_t)(bytes * 10000 + (bytes >> 32));
    return count;
#else
    unsigned count = 0;
    for (*number = 0; count < 8 && (unsigned)p[count] - '0' <= 9; count++)
        *number = *number * 10 + (uint32_t)(p[count] - '0');
    return count;
#endif
}

// As scan_digits(), for any number of digits.
bool grz_io_scan_digits_in_general(const unsigned char **p, const unsigned char *end, int64_t *value);

// Read a decimal integer at *p, with an optional sign, and go past it. Returns false, with *p unchanged, where no digit
// is found.
static inline bool scan_digits(const unsigned char **p, const unsigned char *end, int64_t *value)
{
    uint32_t number;
    unsigned count = end - *p >= 8 ? scan_eight(*p, &number) : 0;
    if (count == 0 || count == 8) // perhaps a sign, or more digits
        return grz_io_scan_digits_in_general(p, end, value);
    *value = number;
    *p += count;
    return true;
}

bool grz_io_token_is(text_token token, const char *word);
bool grz_io_token_is_any_case(text_token token, const char *lower_case_word);

// The token for a message: in quotes, cut after some characters, anything but printable ASCII as '?'. Returns `buffer`.
const char *grz_io_token_quote(text_token token, char buffer[SCAN_QUOTE_SIZE]);

// As grz_io_token_quote(), without the quotes: a number as the file has it, even if it was too large to be taken.
// Returns a place in `buffer`.
const char *grz_io_token_number(text_token token, char buffer[SCAN_QUOTE_SIZE]);

// The token at the cursor, for a message; the cursor stays.
const char *grz_io_scan_quote(const text_scan *s, char buffer[SCAN_QUOTE_SIZE]);

#endif
