// SPDX-License-Identifier: MIT
// "Did you mean …?": which known word a misspelt one is nearest to.
//
//     nearest near = nearest_begin("chek");
//     nearest_try(&near, "check");
//     nearest_try(&near, "scene");         // near.best is "check"
#ifndef GRZ_CLI_ARGUMENTS_NEAREST_H
#define GRZ_CLI_ARGUMENTS_NEAREST_H

#include <stddef.h>

typedef struct nearest {
    const char *typed; // borrowed
    const char *best;  // the nearest word so far; NULL where none is near enough to be meant
    size_t distance;   // its distance, or the largest that is near enough
} nearest;

// Begin a search for what the user typed.
nearest nearest_begin(const char *typed);

// Compare with a known word, which is borrowed. Of equally near words the first one tried stays.
void nearest_try(nearest *near, const char *word);

// How many letters must be changed, added, left out, or swapped with their neighbour to make one word of the other.
// Bytes count as letters. Words of more than NEAREST_LONGEST bytes are SIZE_MAX apart.
size_t nearest_distance(const char *one, const char *other);

enum {
    NEAREST_LONGEST = 64
};

#endif
