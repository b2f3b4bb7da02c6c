// SPDX-License-Identifier: MIT
// Copies names out of a file. They come from outside: what is not UTF-8 (RFC 3629) and every control character becomes
// U+FFFD.
#include "reader.h"

#include <string.h>

enum {
    NAME_LENGTH = 1000
};

// The length of the valid UTF-8 character at p, 0 where there is none (no overlong forms, no surrogates, no control
// characters).
static size_t utf8_length(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return p[0] >= 0x20 && p[0] != 0x7f;
    size_t n = p[0] >= 0xc2 && p[0] <= 0xdf   ? 2
               : p[0] >= 0xe0 && p[0] <= 0xef ? 3
               : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
                                              : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
    bool too_large = p[0] == 0xf4 && p[1] >= 0x90;
    bool control = p[0] == 0xc2 && p[1] < 0xa0; // U+0080 to U+009F steer a terminal, too
    return overlong || surrogate || too_large || control ? 0 : n;
}

char *grz_io_copy_name(load_control *control, text_token name)
{
    static const char replacement[] = "\xEF\xBF\xBD"; // U+FFFD
    char clean[NAME_LENGTH + 1];
    size_t n = 0;
    for (size_t i = 0; i < name.length;) {
        size_t taken = utf8_length(name.at + i, name.length - i);
        size_t length = taken ? taken : 3;
        if (n + length > NAME_LENGTH)
            break;
        memcpy(clean + n, taken ? (const char *)name.at + i : replacement, length);
        n += length;
        i += taken ? taken : 1;
    }
    clean[n] = '\0';
    char *copy = grz_io_control_reallocate(control, NULL, 0, n + 1);
    if (copy != NULL)
        memcpy(copy, clean, n + 1);
    return copy;
}
