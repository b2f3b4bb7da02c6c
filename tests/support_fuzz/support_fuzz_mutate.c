// SPDX-License-Identifier: MIT
// Mutations of model files. Changing one byte of a text mostly breaks a line. So whole numbers are replaced, increased,
// decreased and copied, and whole lines are repeated, moved and deleted.
#include <ctype.h>

#include "support_fuzz_files.h"

// The file being changed.
typedef struct text {
    uint8_t *data;
    size_t size, max_size;
    uint64_t random;
} text;

static uint64_t next_random(text *t)
{
    t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return t->random >> 33;
}

static size_t below(text *t, size_t count)
{
    return (size_t)(next_random(t) % count);
}

// Replace `cut` bytes by `count` bytes. Does nothing if the file would become too long. `bytes` must not point into the
// file.
static void replace(text *t, size_t at, size_t cut, const void *bytes, size_t count)
{
    if (t->size - cut + count > t->max_size)
        return;
    memmove(t->data + at + count, t->data + at + cut, t->size - at - cut);
    memcpy(t->data + at, bytes, count);
    t->size = t->size - cut + count;
}

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '/';
}

// The run of bytes without spaces that holds a random place; length 0 where that is a space.
static size_t find_token(text *t, size_t *length)
{
    size_t first = below(t, t->size), past = first;
    while (first > 0 && !is_space(t->data[first - 1]) && !is_space(t->data[first]))
        first--;
    while (past < t->size && !is_space(t->data[past]))
        past++;
    *length = past - first;
    return first;
}

static size_t find_line(text *t, size_t *length)
{
    size_t first = below(t, t->size), past = first;
    while (first > 0 && t->data[first - 1] != '\n')
        first--;
    while (past < t->size && t->data[past] != '\n')
        past++;
    *length = past - first + (past < t->size);
    return first;
}

static void change_number(text *t)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "2",
                                          "3",
                                          "4",
                                          "7",
                                          "-0",
                                          "0.5",
                                          ".5",
                                          "5.",
                                          "1e3",
                                          "1e-3",
                                          "+1",
                                          "1e308",
                                          "1e309",
                                          "4.9e-324",
                                          "2e-324",
                                          "0x1p-3",
                                          "nan",
                                          "inf",
                                          "-inf",
                                          "1e",
                                          "1e+",
                                          "--1",
                                          "0.1",
                                          "123456789012345678901234567890",
                                          "9007199254740993",
                                          "4294967295",
                                          "4294967296",
                                          "2147483648",
                                          "18446744073709551616",
                                          "-9223372036854775808",
                                          "1000000000000000001",
                                          "0.30000000000000000000000000000000000000000000000000000000001",
                                          "2.2250738585072011e-308",
                                          "1,5",
                                          "1_0"};
    size_t length;
    const size_t at = find_token(t, &length);
    if (length == 0)
        return;
    char counted[32];
    const char *number = numbers[below(t, sizeof numbers / sizeof *numbers)];
    if (isdigit(t->data[at]) && below(t, 2) == 0) { // one more or one less
        unsigned long long value = 0;
        for (size_t i = at; i < at + length && isdigit(t->data[i]) && value < 1000000; i++)
            value = 10 * value + (unsigned long long)(t->data[i] - '0');
        snprintf(counted, sizeof counted, "%llu", value + (below(t, 2) ? 1 : value > 0 ? (unsigned long long)-1 : 0));
        number = counted;
    }
    replace(t, at, length, number, strlen(number));
}

// Replace one token by another.
static void copy_token(text *t)
{
    uint8_t copy[64];
    size_t length, old_length;
    const size_t from = find_token(t, &length);
    if (length == 0 || length > sizeof copy)
        return;
    memcpy(copy, t->data + from, length);
    const size_t at = find_token(t, &old_length);
    replace(t, at, old_length, copy, length);
}

// Copy a line to another place, or over another line.
static void copy_line(text *t, bool over)
{
    size_t length, old_length;
    const size_t from = find_line(t, &length);
    uint8_t *copy = malloc(length + 1);
    if (copy == NULL)
        return;
    memcpy(copy, t->data + from, length);
    const size_t at = find_line(t, &old_length);
    replace(t, at, over ? old_length : 0, copy, length);
    free(copy);
}

static void drop_line(text *t)
{
    size_t length;
    const size_t at = find_line(t, &length);
    replace(t, at, length, "", 0);
}

// The number of facets that a binary STL has room for, or one more.
static void count_facets(text *t)
{
    enum {
        COUNT_AT = 80,
        HEADER = 84,
        FACET = 50
    };
    if (t->size < HEADER || memchr(t->data, 0, HEADER) == NULL || below(t, 8) == 0)
        return;
    size_t facets = (t->size - HEADER) / FACET + (below(t, 8) == 0);
    for (int i = 0; i < 4; i++, facets >>= 8)
        t->data[COUNT_AT + i] = (uint8_t)facets;
}

size_t fuzz_mutate_file(fuzz_format format, uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    text t = {.data = data, .size = size, .max_size = max_size, .random = seed};
    const size_t kind = size > 0 ? below(&t, 12) : 0;
    switch (kind) {
    case 6:
    case 7:
        change_number(&t);
        break;
    case 8:
        copy_token(&t);
        break;
    case 9:
        copy_line(&t, false);
        break;
    case 10:
        copy_line(&t, true);
        break;
    case 11:
        drop_line(&t);
        break;
    default:
        t.size = LLVMFuzzerMutate(data, size, max_size);
        break;
    }
    if (format == FUZZ_STL)
        count_facets(&t);
    return t.size > 0 ? t.size : LLVMFuzzerMutate(data, 0, max_size);
}
