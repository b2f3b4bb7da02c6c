// SPDX-License-Identifier: MIT
// Sorts 64-bit numbers; fastest for short lists. To sort records, pack their keys into the numbers, or use
// base/sort/sort.h.
#ifndef GRZ_BASE_SORT_NUMBER_SORT_H
#define GRZ_BASE_SORT_NUMBER_SORT_H

#include "base/control_type.h"

// Sort `count` numbers in ascending order.
//
// spare    room for `count` numbers
// control  may be NULL
// Returns false if the control says to end; the content of `numbers` is then undefined.
bool grz_sort_numbers(uint64_t *numbers, uint64_t *spare, size_t count, grz_control *control);

#endif
