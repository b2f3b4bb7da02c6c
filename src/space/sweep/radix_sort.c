// SPDX-License-Identifier: MIT
// Sorting for sweep and prune: a radix sort, least significant digit first, that skips digits in which all keys agree;
// insertion sort for a few keys. Keys of 64 bits are coordinates. Few of them agree in their upper half, so that half
// is sorted first; insertion sort then puts the rest in order. If it has much to do, all digits are sorted.
#include <assert.h>

#include "base/control.h"
#include "space/sweep/sweep_parts.h"

enum {
    MOST_INSERTED = 64, // so many keys or fewer are sorted by insertion
    MOST_SMALL = 4096,  // so many keys or fewer use small digits
    SMALL_DIGIT = 8,    // bits
    LARGE_DIGIT = 11,   // bits
    BUCKETS = 1 << LARGE_DIGIT,
    COORDINATE = 64,      // bits of a coordinate,
    LOWER_HALF = 31,      // of which these are left to insertion sort: the others are three large digits
    MOST_MOVES_A_KEY = 4, // insertion sort may move so many keys for each key
    CHECK_BITS = 16       // keys between two checks of the control, as a power of two
};

// Stable. False: it would have moved more than `most_moves` keys; the keys and their values are then in some order that
// keeps equal keys as they were.
static bool insertion_sort(uint64_t *keys, uint32_t *values, size_t count, size_t most_moves)
{
    size_t moves = 0;
    for (size_t i = 1; i < count && moves <= most_moves; i++) {
        const uint64_t key = keys[i];
        const uint32_t value = values != NULL ? values[i] : 0;
        size_t place = i;
        for (; place > 0 && keys[place - 1] > key; place--) {
            keys[place] = keys[place - 1];
            if (values != NULL)
                values[place] = values[place - 1];
        }
        keys[place] = key;
        if (values != NULL)
            values[place] = value;
        moves += i - place;
    }
    return moves <= most_moves;
}

// Compute where each bucket starts. False: all keys are in one bucket, or the control says to end.
static bool count_buckets(const uint64_t *keys, size_t count, unsigned shift, size_t buckets, size_t starts[BUCKETS],
                          grz_control *control)
{
    memset(starts, 0, buckets * sizeof *starts);
    for (size_t i = 0; i < count;) {
        const size_t part = (size_t)1 << CHECK_BITS, end = count - i < part ? count : i + part;
        if (control != NULL && grz_control_expired(control))
            return false;
        for (; i < end; i++)
            starts[keys[i] >> shift & (buckets - 1)]++;
    }
    if (starts[keys[0] >> shift & (buckets - 1)] == count)
        return false;
    size_t start = 0;
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        const size_t size = starts[bucket];
        starts[bucket] = start;
        start += size;
    }
    return true;
}

// Sort by the bits from `first` up to `end`. False: the control says to end.
static bool sort_digits(grz_sweep_numbers *keys, grz_sweep_numbers *spare_keys, grz_sweep_ids *values,
                        grz_sweep_ids *spare_values, size_t count, unsigned first, unsigned end, grz_control *control)
{
    const unsigned widest = count <= MOST_SMALL ? SMALL_DIGIT : LARGE_DIGIT, bits = end - first;
    const unsigned digits = (bits + widest - 1) / widest;
    const unsigned width = (bits + digits - 1) / digits;
    const size_t buckets = (size_t)1 << width;
    assert(first < end && end <= 64 && buckets <= BUCKETS);
    size_t starts[BUCKETS];
    for (unsigned shift = first; shift < end; shift += width) {
        if (!count_buckets(keys->items, count, shift, buckets, starts, control)) {
            if (control != NULL && grz_control_status(control) != GRZ_OK)
                return false;
            continue;
        }
        const uint64_t *from = keys->items;
        for (size_t i = 0; i < count; i++) {
            if (control != NULL && grz_control_expired_at(control, i, CHECK_BITS))
                return false;
            assert(starts[from[i] >> shift & (buckets - 1)] < count);
            const size_t place = starts[from[i] >> shift & (buckets - 1)]++;
            spare_keys->items[place] = from[i];
            if (values != NULL)
                spare_values->items[place] = values->items[i];
        }
        grz_sweep_exchange_numbers(keys, spare_keys);
        if (values != NULL)
            grz_sweep_exchange_ids(values, spare_values);
    }
    return true;
}

bool grz_sweep_sort(grz_sweep_numbers *keys, grz_sweep_numbers *spare_keys, grz_sweep_ids *values,
                    grz_sweep_ids *spare_values, size_t count, unsigned bits, grz_control *control)
{
    if (count <= MOST_INSERTED)
        return insertion_sort(keys->items, values != NULL ? values->items : NULL, count, SIZE_MAX);
    if (bits == COORDINATE) {
        if (!sort_digits(keys, spare_keys, values, spare_values, count, LOWER_HALF, bits, control))
            return false;
        if (insertion_sort(keys->items, values != NULL ? values->items : NULL, count, MOST_MOVES_A_KEY * count))
            return true;
    }
    return sort_digits(keys, spare_keys, values, spare_values, count, 0, bits, control);
}
