// SPDX-License-Identifier: MIT
// Sorting numbers, quickest where there are few.
#ifndef GRZ_MESH_NUMBER_SORT_H
#define GRZ_MESH_NUMBER_SORT_H

#include <stddef.h>
#include <stdint.h>

// Sort `count` numbers, ascending. `spare` has room for as many.
void grz_sort_numbers(uint64_t *numbers, uint64_t *spare, size_t count);

#endif
