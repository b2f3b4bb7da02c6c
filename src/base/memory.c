// SPDX-License-Identifier: MIT
// Allocation through the device's allocator, which the caller of the library may supply. The default one uses malloc.
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *malloc_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    (void)user;
    return realloc(block, new_size);
}

static void malloc_release(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

grz_allocator grz_malloc_allocator(void)
{
    return (grz_allocator){.reallocate = malloc_reallocate, .release = malloc_release, .user = NULL};
}

void *grz_allocate(const grz_allocator *allocator, size_t count, size_t item_size)
{
    assert(allocator != NULL);
    if (count == 0 || item_size == 0 || count > SIZE_MAX / 2 / item_size)
        return NULL;
    return allocator->reallocate(NULL, 0, count * item_size, allocator->user);
}

void *grz_allocate_zeroed(const grz_allocator *allocator, size_t count, size_t item_size)
{
    void *block = grz_allocate(allocator, count, item_size);
    if (block != NULL)
        memset(block, 0, count * item_size);
    return block;
}

void grz_release(const grz_allocator *allocator, void *block, size_t count, size_t item_size)
{
    assert(block == NULL || (count > 0 && item_size > 0));
    if (block != NULL)
        allocator->release(block, count * item_size, allocator->user);
}

bool grz_array_grow(const grz_allocator *allocator, void **items, size_t *capacity, size_t item_size, size_t wanted)
{
    assert(item_size > 0 && wanted > *capacity && (*items == NULL) == (*capacity == 0));
    // Grow by half, so that adding n items one by one copies O(n) items in all.
    size_t larger = *capacity < SIZE_MAX / 4 ? *capacity + *capacity / 2 + 8 : wanted;
    if (larger < wanted)
        larger = wanted;
    if (larger > SIZE_MAX / 2 / item_size)
        return false;
    void *moved = allocator->reallocate(*items, *capacity * item_size, larger * item_size, allocator->user);
    if (moved == NULL)
        return false;
    *items = moved;
    *capacity = larger;
    return true;
}
