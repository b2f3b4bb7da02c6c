// SPDX-License-Identifier: MIT
// A stable merge sort of numbers by an order that the caller knows.
#include "geometry/polygon/polygon_parts.h"

enum {
    LOOK_BITS = 12 // numbers merged between two looks at the control, as a power of two
};

uint32_t *grz_polygon_sort(const grz_polygon_scratch *scratch, uint32_t *numbers, uint32_t *spare, size_t count,
                           grz_number_after *after, const void *context)
{
    uint64_t step = 0;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            const size_t middle = start + width < count ? start + width : count;
            const size_t end = middle + width < count ? middle + width : count;
            size_t left = start, right = middle;
            for (size_t k = start; k < end; k++) {
                const bool take_right =
                    left == middle || (right < end && after(numbers[left], numbers[right], context));
                spare[k] = numbers[take_right ? right++ : left++];
                if (grz_polygon_must_end(scratch, ++step, LOOK_BITS))
                    return NULL;
            }
        }
        uint32_t *swapped = numbers;
        numbers = spare;
        spare = swapped;
    }
    return numbers;
}
