// SPDX-License-Identifier: MIT
// Stable sort of records of any type, O(n log n) in the worst case. The cancel flag and the deadline of the call's
// control end it. For plain 64-bit numbers, base/sort/number_sort.h is faster.
#ifndef GRZ_BASE_SORT_SORT_H
#define GRZ_BASE_SORT_SORT_H

#include "base/control_type.h"

// Negative if x comes before y, zero if they are equal, positive if x comes after y.
typedef int grz_compare(const void *x, const void *y, void *context);

enum {
    GRZ_SORT_FEW = 12 // up to this many items are sorted in place, without allocating memory
};

// Sort `count` items of `size` bytes each; equal items keep their order. Allocates a second array of the same size from
// the control's allocator.
//
// size     1 to 64 bytes
// control  not NULL
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status if it says to end; the content is then undefined.
grz_status grz_sort(void *items, size_t count, size_t size, grz_compare *compare, void *context, grz_control *control);

#endif
