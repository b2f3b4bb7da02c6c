// SPDX-License-Identifier: MIT
// Allocation through an allocator (usually the device's), and growable arrays. Sizes are checked for overflow. A failed
// allocation returns NULL or false; nothing aborts.
#ifndef GRZ_BASE_MEMORY_H
#define GRZ_BASE_MEMORY_H

#include <graze/device.h>

// Allocate count × item_size bytes; they are not cleared. NULL if the product is zero or overflows, or there is no
// memory.
void *grz_allocate(const grz_allocator *allocator, size_t count, size_t item_size);

// As grz_allocate(), with all bytes set to zero.
void *grz_allocate_zeroed(const grz_allocator *allocator, size_t count, size_t item_size);

// Release a block of grz_allocate(), with the same count and item_size. `block` may be NULL.
void grz_release(const grz_allocator *allocator, void *block, size_t count, size_t item_size);

// A growable array of any type. Zeroed memory is an empty array. `items` may move whenever the array grows. Example:
//     GRZ_ARRAY(uint32_t) faces = {0};
//     if (grz_array_add(allocator, &faces)) faces.items[faces.count - 1] = face;
#define GRZ_ARRAY(type)                                                                                                \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }

// Make room for `wanted` items in total; existing items are kept. False if there is no memory; the array is then
// unchanged.
#define grz_array_reserve(allocator, array, wanted)                                                                    \
    ((wanted) <= (array)->capacity ||                                                                                  \
     grz_array_grow((allocator), (void **)&(array)->items, &(array)->capacity, sizeof *(array)->items, (wanted)))

// Add one item, uninitialised, at the end: (array)->items[(array)->count - 1]. False if there is no memory.
#define grz_array_add(allocator, array)                                                                                \
    (grz_array_reserve((allocator), (array), (array)->count + 1) ? ((array)->count++, true) : false)

// Release the array's memory and leave it empty.
#define grz_array_finish(allocator, array)                                                                             \
    do {                                                                                                               \
        grz_release((allocator), (array)->items, (array)->capacity, sizeof *(array)->items);                           \
        (array)->items = NULL;                                                                                         \
        (array)->count = (array)->capacity = 0;                                                                        \
    } while (0)

// The function behind grz_array_reserve(): enlarge an array to more than `*capacity` items.
bool grz_array_grow(const grz_allocator *allocator, void **items, size_t *capacity, size_t item_size, size_t wanted);

// The default allocator: malloc, realloc and free.
grz_allocator grz_malloc_allocator(void);

#endif
