// SPDX-License-Identifier: MIT
// Radix sort, most significant digit first: as many buckets as there are numbers, at most 2^11, and so on within each
// bucket; insertion sort for what is left. Two passes sort millions of pairs, the second one within the cache.
#include <string.h>

#include "base/control.h"
#include "space/pairs/finder.h"

enum {
    LARGEST_DIGIT = 11, // bits
    INSERTED = 24,      // so many numbers or fewer are sorted by insertion
    CHECKED = 1 << 14   // the control is asked before so many numbers or more are sorted
};

static void insertion_sort(uint64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t moving = numbers[i];
        size_t hole = i;
        for (; hole > 0 && numbers[hole - 1] > moving; hole--)
            numbers[hole] = numbers[hole - 1];
        numbers[hole] = moving;
    }
}

// Bits of the next digit.
static unsigned digit_of(size_t count, unsigned bits)
{
    unsigned digit = 4;
    while (digit < LARGEST_DIGIT && (size_t)1 << digit < count)
        digit++;
    return digit < bits ? digit : bits;
}

// Sort by the lowest `bits` bits; the others are equal. The result is in `to` or in `numbers`. It calls itself 16 times
// deep at most: each call sorts by 4 bits or more.
static bool sort_part(uint64_t *numbers, uint64_t *to, size_t count, unsigned bits, bool into_to, grz_control *control)
{
    if (count <= INSERTED || bits == 0) {
        if (bits > 0)
            insertion_sort(numbers, count);
        if (into_to)
            memcpy(to, numbers, count * sizeof *numbers);
        return true;
    }
    if (count >= CHECKED && control != NULL && grz_control_expired(control))
        return false;
    size_t wide[1 << LARGEST_DIGIT];
    const unsigned digit = digit_of(count, bits), shift = bits - digit;
    const size_t buckets = (size_t)1 << digit;
    const uint64_t mask = buckets - 1;
    memset(wide, 0, buckets * sizeof *wide);
    for (size_t i = 0; i < count; i++)
        wide[numbers[i] >> shift & mask]++;
    size_t start = 0;
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        const size_t size = wide[bucket];
        wide[bucket] = start;
        start += size;
    }
    for (size_t i = 0; i < count; i++)
        to[wide[numbers[i] >> shift & mask]++] = numbers[i];
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        const size_t first = bucket > 0 ? wide[bucket - 1] : 0, size = wide[bucket] - first;
        if (size > 0 && !sort_part(to + first, numbers + first, size, shift, !into_to, control))
            return false;
    }
    return true;
}

bool grz_pairs_sort(uint64_t *numbers, uint64_t *spare, size_t count, unsigned bits, grz_control *control)
{
    return sort_part(numbers, spare, count, bits, false, control);
}
