// SPDX-License-Identifier: MIT
#include "arguments/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t numbers_read_whole(const char *text, uint64_t most)
{
    uint64_t number = 0;

    // Digits only: strtoul would accept signs and spaces.
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return 0;
        number = number * 10 + (uint64_t)(*text - '0');
        if (number > most)
            return 0;
    }
    return number;
}

size_t numbers_read(const char *text, double *numbers, size_t capacity)
{
    size_t count = 0;

    while (count < capacity) {
        // strtod would skip white space and read "inf" and "nan".
        if (strchr("+-.0123456789", *text) == NULL || *text == '\0')
            return 0;
        char *end;
        numbers[count] = strtod(text, &end);
        if (end == text || !isfinite(numbers[count]))
            return 0;
        count++;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}
