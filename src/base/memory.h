// SPDX-License-Identifier: MIT
// Allocation through the device's allocator, and growable arrays on top of it. Sizes are checked for overflow; nothing aborts.
#ifndef GRZ_BASE_MEMORY_H
#define GRZ_BASE_MEMORY_H

#include <graze/device.h>

// Room for count × item_size bytes, not cleared; NULL where that overflows, is zero, or there is none.
void *grz_allocate(const grz_allocator *allocator, size_t count, size_t item_size);

// As grz_allocate(), all bytes zero.
void *grz_allocate_zeroed(const grz_allocator *allocator, size_t count, size_t item_size);

// Give back what grz_allocate() gave; the same count and size. NULL is accepted.
void grz_release(const grz_allocator *allocator, void *block, size_t count, size_t item_size);

// A growable array of any type; zero it to start. `items` may move whenever it grows.
#define GRZ_ARRAY(type)                                                                                                            \
    struct {                                                                                                                       \
        type *items;                                                                                                               \
        size_t count, capacity;                                                                                                    \
    }

// Make room for `wanted` items in all, keeping those there. False where memory is short; the array is unchanged then.
#define grz_array_reserve(allocator, array, wanted)                                                                                \
    ((wanted) <= (array)->capacity ||                                                                                              \
     grz_array_grow((allocator), (void **)&(array)->items, &(array)->capacity, sizeof *(array)->items, (wanted)))

// Make room for one more item and step over it; the new item is (array)->items[(array)->count - 1]. False where memory is short.
#define grz_array_add(allocator, array)                                                                                            \
    (grz_array_reserve((allocator), (array), (array)->count + 1) ? ((array)->count++, true) : false)

#define grz_array_finish(allocator, array)                                                                                         \
    do {                                                                                                                           \
        grz_release((allocator), (array)->items, (array)->capacity, sizeof *(array)->items);                                       \
        (array)->items = NULL;                                                                                                     \
        (array)->count = (array)->capacity = 0;                                                                                    \
    } while (0)

bool grz_array_grow(const grz_allocator *allocator, void **items, size_t *capacity, size_t item_size, size_t wanted);

// The allocator that stands for malloc.
grz_allocator grz_malloc_allocator(void);

#endif
