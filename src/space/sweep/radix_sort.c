// SPDX-License-Identifier: MIT
// Sorting for sweep and prune: a radix sort, least significant digit first, that skips digits in which all keys agree;
// insertion sort for a few keys.
#include <assert.h>

#include "space/sweep/parts.h"

enum {
    MOST_INSERTED = 64, // so many keys or fewer are sorted by insertion
    MOST_SMALL = 4096,  // so many keys or fewer use small digits
    SMALL_DIGIT = 8,    // bits
    LARGE_DIGIT = 11,   // bits
    BUCKETS = 1 << LARGE_DIGIT,
    CHECK_BITS = 16 // keys between two checks of the control, as a power of two
};

static void insertion_sort(uint64_t *keys, uint32_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
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
    }
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

bool grz_sweep_sort(grz_sweep_numbers *keys, grz_sweep_numbers *spare_keys, grz_sweep_ids *values,
                    grz_sweep_ids *spare_values, size_t count, unsigned bits, grz_control *control)
{
    if (count <= MOST_INSERTED) {
        insertion_sort(keys->items, values != NULL ? values->items : NULL, count);
        return true;
    }
    const unsigned widest = count <= MOST_SMALL ? SMALL_DIGIT : LARGE_DIGIT;
    const unsigned digits = (bits + widest - 1) / widest;
    const unsigned width = (bits + digits - 1) / digits;
    const size_t buckets = (size_t)1 << width;
    assert(0 < bits && bits <= 64 && buckets <= BUCKETS);
    size_t starts[BUCKETS];
    for (unsigned shift = 0; shift < bits; shift += width) {
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
