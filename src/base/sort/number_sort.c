// SPDX-License-Identifier: MIT
// Insertion sort of short runs, then bottom-up merge sort of the runs. O(n log n) in the worst case. The lists are
// nearly always short, for example the edges at a vertex or the corners of a face. But a single vertex can also be the
// centre of a fan of a million triangles.
#include "base/sort/number_sort.h"

#include "base/control.h"

#include <assert.h>
#include <string.h>

enum {
    RUN = 32,
    CHECK_BITS = 14 // check the control once in 2^14 numbers, about a tenth of a millisecond
};

static void insertion_sort(uint64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t moving = numbers[i];
        size_t hole = i;
        for (; hole > 0 && numbers[hole - 1] > moving; hole--)
            numbers[hole] = numbers[hole - 1];
        numbers[hole] = moving;
    }
}

// True if the control says to end. A short list never reads the clock, because that would take longer than sorting it.
static bool must_end(grz_control *control, size_t at)
{
    return control != NULL && at >= ((size_t)1 << CHECK_BITS) && grz_control_expired_at(control, at, CHECK_BITS);
}

#ifndef NDEBUG
static bool is_sorted(const uint64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (numbers[i - 1] > numbers[i])
            return false;
    return true;
}
#endif

bool grz_sort_numbers(uint64_t *numbers, uint64_t *spare, size_t count, grz_control *control)
{
    uint64_t *from = numbers, *to = spare;
    assert(count <= RUN || (spare != NULL && spare != numbers));
    for (size_t start = 0; start < count; start += RUN) {
        if (must_end(control, start))
            return false;
        insertion_sort(numbers + start, count - start < RUN ? count - start : RUN);
    }
    for (size_t width = RUN; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t left = start, right = middle;
            for (size_t k = start; k < end; k++) {
                if (must_end(control, k))
                    return false;
                to[k] = right == end || (left < middle && from[left] <= from[right]) ? from[left++] : from[right++];
            }
        }
        uint64_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != numbers)
        memcpy(numbers, from, count * sizeof *numbers);
    assert(is_sorted(numbers, count));
    return true;
}
