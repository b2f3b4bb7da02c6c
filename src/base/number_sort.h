// SPDX-License-Identifier: MIT
// Sorting numbers, quickest where there are few.
#ifndef GRZ_BASE_NUMBER_SORT_H
#define GRZ_BASE_NUMBER_SORT_H

#include "base/control.h"

// Sort `count` numbers, ascending. `spare` has room for as many. False: the control, which may be NULL, says to end; what is
// there then has no order.
bool grz_sort_numbers(uint64_t *numbers, uint64_t *spare, size_t count, grz_control *control);

#endif
