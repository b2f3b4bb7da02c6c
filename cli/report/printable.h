// SPDX-License-Identifier: MIT
// Names for people to read. A file's name may hold any byte, and on a terminal some would be obeyed. So what is not
// printable is shown as \xNN, byte by byte: control characters, U+0080 to U+009F among them, and what is not UTF-8. A
// backslash is doubled, so that no two names look the same. JSON has rules of its own (json.c).
#ifndef GRZ_CLI_PRINTABLE_H
#define GRZ_CLI_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Write `text` to a stream.
void printable_write(const char *text, FILE *stream);

// Put as much of `text` to `to` as has room, with a NUL; `size` at least 1. Neither characters nor escapes are cut.
// Returns `to`.
char *printable_copy(const char *text, char *to, size_t size);

// The length of the valid UTF-8 sequence at `at`, 0 where there is none: overlong forms, surrogates and what lies past
// U+10FFFF are invalid (RFC 3629, section 4). Text ends with a NUL.
size_t printable_utf8_length(const char *at);

// Whether the whole text is UTF-8.
bool printable_is_utf8(const char *text);

#endif
