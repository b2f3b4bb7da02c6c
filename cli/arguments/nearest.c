// SPDX-License-Identifier: MIT
// The distance is that of optimal string alignment (Damerau-Levenshtein without overlapping edits), by dynamic
// programming over three rows. A word is near enough to be suggested if at most a third of its letters must change, or
// if what was typed is its beginning: "--cur" for "--curves".

#include "arguments/nearest.h"

#include <stdint.h>
#include <string.h>

enum {
    BEGINNING_LEAST = 3 // letters of a beginning that are enough to be meant
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t nearest_distance(const char *one, const char *other)
{
    const size_t rows = strlen(one), columns = strlen(other);
    size_t table[3][NEAREST_LONGEST + 1]; // the rows i - 2, i - 1 and i, each at place i % 3

    if (rows > NEAREST_LONGEST || columns > NEAREST_LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= columns; j++)
        table[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *row = table[i % 3];
        const size_t *above = table[(i + 2) % 3], *two_above = table[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            const size_t changed = above[j - 1] + (one[i - 1] != other[j - 1]);
            row[j] = smaller(changed, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                row[j] = smaller(row[j], two_above[j - 2] + 1);
        }
    }
    return table[rows % 3][columns];
}

nearest nearest_begin(const char *typed)
{
    return (nearest){.typed = typed, .distance = SIZE_MAX};
}

void nearest_try(nearest *near, const char *word)
{
    const size_t typed = strlen(near->typed), length = strlen(word);
    size_t distance = nearest_distance(near->typed, word);

    if (distance > (typed > length ? typed : length) / 3) {
        if (typed < BEGINNING_LEAST || strncmp(near->typed, word, typed) != 0)
            return;
        distance = length; // any near word is better than a mere beginning
    }
    if (distance < near->distance) {
        near->distance = distance;
        near->best = word;
    }
}
