// SPDX-License-Identifier: MIT
#include "foreign/decimal_comma.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool ends_word(unsigned char c)
{
    return c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>';
}

static bool is_number_with_comma(const unsigned char *word, size_t length)
{
    bool comma = false;
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\0' || strchr("0123456789+-.,eE", word[i]) == NULL)
            return false;
        comma = comma || (word[i] == ',' && i > 0 && i + 1 < length && is_digit(word[i - 1]) && is_digit(word[i + 1]));
    }
    return comma;
}

size_t decimal_comma_find(const unsigned char *bytes, size_t size, const unsigned char **word, uint64_t *line)
{
    *line = 1;
    for (size_t i = 0, length; i < size; i += length + 1) {
        for (length = 0; i + length < size && !ends_word(bytes[i + length]); length++)
            ;
        if (is_number_with_comma(bytes + i, length)) {
            *word = bytes + i;
            return length;
        }
        *line += i + length < size && bytes[i + length] == '\n';
    }
    return 0;
}
