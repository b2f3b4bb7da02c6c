// SPDX-License-Identifier: MIT
// A set of numbers as a tree of words with 64 children each.
#include "geometry/polygon/bit_set.h"

#include <assert.h>

static uint32_t words_of(uint32_t bound)
{
    return bound / 64 + (bound % 64 != 0);
}

size_t grz_bit_set_words(uint32_t bound)
{
    size_t words = 0;
    do {
        bound = words_of(bound);
        words += bound;
    } while (bound > 1);
    return words;
}

void grz_bit_set_init(grz_bit_set *set, uint32_t bound, uint64_t *words)
{
    assert(bound > 0);
    set->level_count = 0;
    do {
        bound = words_of(bound);
        set->words[set->level_count] = bound;
        set->levels[set->level_count++] = words;
        for (uint32_t i = 0; i < bound; i++)
            *words++ = 0;
    } while (bound > 1);
}

void grz_bit_set_add(grz_bit_set *set, uint32_t number)
{
    for (uint32_t level = 0; level < set->level_count; level++, number /= 64)
        set->levels[level][number / 64] |= UINT64_C(1) << number % 64;
}

void grz_bit_set_remove(grz_bit_set *set, uint32_t number)
{
    for (uint32_t level = 0; level < set->level_count; level++, number /= 64) {
        set->levels[level][number / 64] &= ~(UINT64_C(1) << number % 64);
        if (set->levels[level][number / 64] != 0)
            return;
    }
}

uint32_t grz_bit_set_next(const grz_bit_set *set, uint32_t from)
{
    uint32_t level = 0;
    uint64_t rest;
    // Up, until a word has a bit at or after the place; then down to the lowest number below that bit.
    for (;; level++, from = from / 64 + 1) {
        if (level == set->level_count || from / 64 >= set->words[level])
            return GRZ_NOT_FOUND;
        rest = set->levels[level][from / 64] >> from % 64;
        if (rest != 0)
            break;
    }
    from += (uint32_t)__builtin_ctzll(rest);
    while (level-- > 0)
        from = 64 * from + (uint32_t)__builtin_ctzll(set->levels[level][from]);
    return from;
}
