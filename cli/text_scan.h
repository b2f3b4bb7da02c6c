// SPDX-License-Identifier: MIT
// A cursor over text in memory that need not end in NUL: blanks, tokens, lines, numbers. Shared by the readers of text formats.
// Lines end in LF, CRLF or CR. Every byte is looked at a bounded number of times, so a line of any length is no trouble.
// Numbers are those of strtod in the "C" locale, bit for bit.
#ifndef GRZ_CLI_TEXT_SCAN_H
#define GRZ_CLI_TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SCAN_NO_COMMENTS = -1,
    SCAN_QUOTE_SIZE = 48,
    SCAN_NUMBER_LENGTH = 4095 // the longest number read; a double's exact decimal expansion has fewer than 1,100 characters
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
    return p == s->end || scan_is_blank(*p) || scan_is_line_end(*p) || *p == s->comment ||
           (*p == '\\' && s->joins_lines && p + 1 < s->end && scan_is_line_end(p[1]));
}

// A cursor at the start of a text. A byte order mark of UTF-8 is skipped.
text_scan scan_text(const unsigned char *bytes, size_t size, int comment, bool joins_lines);

// Go to the next token of this line. Returns false, with the cursor at the line's end or its comment, where there is none.
bool scan_more(text_scan *s);

// Go to the next token of this line or of a later one. Returns false at the end of the text.
bool scan_more_lines(text_scan *s);

// Go past the end of this line, whatever is left on it; joined lines are one.
void scan_next_line(text_scan *s);

// Take the next token of this line. Returns false where there is none. One of more than SCAN_NUMBER_LENGTH bytes, which means
// nothing in any format, is cut there, so that a huge file of garbage is not searched for its end.
bool scan_token(text_scan *s, text_token *token);

// Take what is left of this line, without the blanks around it; a comment's sign is part of it. May be empty.
text_token scan_rest_of_line(text_scan *s);

// Take the next token of this line as a finite number.
scan_result scan_double(text_scan *s, double *value);

// Go past the next token of this line, which has to be a number; nan and inf will do.
scan_result scan_any_number(text_scan *s);

// Take the next token of this line as a decimal integer. Values past 10^18 in magnitude become ±10^18.
scan_result scan_integer(text_scan *s, int64_t *value);

// Read a decimal integer at *p, with an optional sign, and go past it. Returns false, with *p unchanged, where no digit is found.
bool scan_digits(const unsigned char **p, const unsigned char *end, int64_t *value);

bool token_is(text_token token, const char *word);
bool token_is_any_case(text_token token, const char *lower_case_word);

// The token for a message: in quotes, cut after some characters, anything but printable ASCII as '?'. Returns `buffer`.
const char *token_quote(text_token token, char buffer[SCAN_QUOTE_SIZE]);

// The token at the cursor, for a message; the cursor stays.
const char *scan_quote(const text_scan *s, char buffer[SCAN_QUOTE_SIZE]);

#endif
