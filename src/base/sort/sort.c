// SPDX-License-Identifier: MIT
// Stable sort: insertion sort of short runs, then bottom-up merge sort of the runs. If two neighbouring runs are
// already in order, their merge is a plain copy, so sorted input costs O(n) comparisons.
#include "base/sort/sort.h"

#include "base/control.h"

#include <assert.h>
#include <string.h>

enum {
    MAX_SIZE = 64,
    CHECK_BITS = 10 // check the control once in 2^10 items
};

typedef struct grz_sorter {
    size_t size;
    grz_compare *compare;
    void *context;
    grz_control *control;
} grz_sorter;

static void insertion_sort(const grz_sorter *sorter, char *items, size_t count)
{
    const size_t size = sorter->size;
    char moving[MAX_SIZE];
    for (size_t i = 1; i < count; i++) {
        size_t target = i;
        while (target > 0 && sorter->compare(items + (target - 1) * size, items + i * size, sorter->context) > 0)
            target--;
        if (target == i)
            continue;
        memcpy(moving, items + i * size, size);
        memmove(items + (target + 1) * size, items + target * size, (i - target) * size);
        memcpy(items + target * size, moving, size);
    }
}

// Copy `count` items. False if the control says to end.
static bool copy(const grz_sorter *sorter, const char *from, char *to, size_t count)
{
    const size_t piece = (size_t)1 << 16;
    for (size_t done = 0; done < count; done += piece) {
        memcpy(to + done * sorter->size, from + done * sorter->size,
               (count - done < piece ? count - done : piece) * sorter->size);
        if (grz_control_expired(sorter->control))
            return false;
    }
    return true;
}

// Merge from[start, middle) and from[middle, end) into to[start, end). False if the control says to end.
static bool merge(const grz_sorter *sorter, const char *from, size_t start, size_t middle, size_t end, char *to)
{
    const size_t size = sorter->size;
    assert(start <= middle && middle <= end);
    if (middle >= end || sorter->compare(from + (middle - 1) * size, from + middle * size, sorter->context) <= 0)
        return copy(sorter, from + start * size, to + start * size, end - start);
    size_t left = start, right = middle;
    for (size_t k = start; k < end; k++) {
        const bool from_left =
            right == end ||
            (left < middle && sorter->compare(from + left * size, from + right * size, sorter->context) <= 0);
        memcpy(to + k * size, from + (from_left ? left++ : right++) * size, size);
        if (grz_control_expired_at(sorter->control, k, CHECK_BITS))
            return false;
    }
    return true;
}

#ifndef NDEBUG
static bool is_sorted(const grz_sorter *sorter, const char *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (sorter->compare(items + (i - 1) * sorter->size, items + i * sorter->size, sorter->context) > 0)
            return false;
    return true;
}
#endif

static bool merge_all(const grz_sorter *sorter, char *items, char *spare, size_t count)
{
    char *from = items, *to = spare;
    for (size_t start = 0, run = 0; start < count; start += GRZ_SORT_FEW, run++) {
        insertion_sort(sorter, items + start * sorter->size,
                       count - start < GRZ_SORT_FEW ? count - start : GRZ_SORT_FEW);
        if (grz_control_expired_at(sorter->control, run, CHECK_BITS - 4))
            return false;
    }
    for (size_t width = GRZ_SORT_FEW; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            const size_t middle = start + width < count ? start + width : count;
            const size_t end = middle + width < count ? middle + width : count;
            if (!merge(sorter, from, start, middle, end, to))
                return false;
        }
        char *swapped = from;
        from = to;
        to = swapped;
    }
    return from == items || copy(sorter, from, items, count);
}

grz_status grz_sort(void *items, size_t count, size_t size, grz_compare *compare, void *context, grz_control *control)
{
    const grz_sorter sorter = {size, compare, context, control};
    assert(size > 0 && size <= MAX_SIZE && compare != NULL && control != NULL);
    if (count <= GRZ_SORT_FEW) {
        insertion_sort(&sorter, items, count);
        return GRZ_OK;
    }
    const grz_allocator *allocator = grz_control_allocator(control);
    char *spare = grz_allocate(allocator, count, size);
    if (spare == NULL)
        return GRZ_ERROR_MEMORY;
    const bool done = merge_all(&sorter, items, spare, count);
    assert(!done || is_sorted(&sorter, items, count));
    grz_release(allocator, spare, count, size);
    return done ? GRZ_OK : grz_control_status(control);
}
