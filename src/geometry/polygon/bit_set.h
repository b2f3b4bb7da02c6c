// SPDX-License-Identifier: MIT
// A set of numbers below a bound, which finds the next number in it: a tree of words in which each bit says whether a
// word of the level below has any bit. Every operation takes at most six steps.
#ifndef GRZ_GEOMETRY_POLYGON_BIT_SET_H
#define GRZ_GEOMETRY_POLYGON_BIT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRZ_NOT_FOUND UINT32_MAX

enum {
    GRZ_BIT_LEVELS = 6 // 64^6 > 2^32
};

typedef struct grz_bit_set {
    uint64_t *levels[GRZ_BIT_LEVELS]; // from the numbers themselves up to a single word
    uint32_t words[GRZ_BIT_LEVELS];   // how many words each level has
    uint32_t level_count;
} grz_bit_set;

// How many words a set of numbers below `bound` needs.
size_t grz_bit_set_words(uint32_t bound);

// Make an empty set in `words`, of which there are grz_bit_set_words(bound).
void grz_bit_set_init(grz_bit_set *set, uint32_t bound, uint64_t *words);

void grz_bit_set_add(grz_bit_set *set, uint32_t number);
void grz_bit_set_remove(grz_bit_set *set, uint32_t number);

// The lowest number in the set that is not below `from`, which is below the bound; or GRZ_NOT_FOUND.
uint32_t grz_bit_set_next(const grz_bit_set *set, uint32_t from);

#endif
