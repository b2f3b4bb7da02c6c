// SPDX-License-Identifier: MIT
// Sorting under a call's control: stable, never worse than n·log n, and ended by the cancel flag or the deadline on its way.
#ifndef GRZ_BASE_SORT_H
#define GRZ_BASE_SORT_H

#include "base/control.h"

// Negative, zero or positive as x comes before, with or after y.
typedef int grz_compare(const void *x, const void *y, void *context);

enum {
    GRZ_SORT_FEW = 12 // so many items are sorted in place, without asking for memory
};

// Sort `count` items of `size` bytes each; equal ones keep their order. Takes as much memory again, from the control's allocator.
//
// size  at most 64
// Returns GRZ_OK; GRZ_ERROR_MEMORY; or what the control says, the items in some order then.
grz_status grz_sort(void *items, size_t count, size_t size, grz_compare *compare, void *context, grz_control *control);

#endif
