// SPDX-License-Identifier: MIT
// Insertion sort of short runs, then merging from the bottom up: the lists sorted here (what meets at a vertex, the corners of a
// face) are nearly always short, but one vertex may well be the hub of a million triangles. Never worse than n·log n.
#include "base/number_sort.h"

#include <string.h>

enum {
    RUN = 32,
    LOOK_BITS = 14 // numbers between two looks at the control, as a power of two: about a tenth of a millisecond
};

static void insertion_sort(uint64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t moving = numbers[i];
        size_t place = i;
        for (; place > 0 && numbers[place - 1] > moving; place--)
            numbers[place] = numbers[place - 1];
        numbers[place] = moving;
    }
}

// Few numbers are sorted before a clock is read.
static bool is_over(grz_control *control, size_t at)
{
    return control != NULL && at >= ((size_t)1 << LOOK_BITS) && grz_control_expired_at(control, at, LOOK_BITS);
}

bool grz_sort_numbers(uint64_t *numbers, uint64_t *spare, size_t count, grz_control *control)
{
    uint64_t *from = numbers, *to = spare;
    for (size_t start = 0; start < count; start += RUN) {
        if (is_over(control, start))
            return false;
        insertion_sort(numbers + start, count - start < RUN ? count - start : RUN);
    }
    for (size_t width = RUN; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t left = start, right = middle;
            for (size_t k = start; k < end; k++) {
                if (is_over(control, k))
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
    return true;
}
