// SPDX-License-Identifier: MIT
// Allocation through an allocator that the caller may supply. The one that stands for malloc asks the system for huge pages where a
// block is large: touching new memory costs a page fault every 4 KiB otherwise, which is most of the time that it takes to fill an
// array once, and random access to it misses the address cache (docs/performance-reading.md has figures).
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    HUGE_PAGE = 1 << 21,        // bytes, on x86-64 and on ARM with pages of 4 KiB; elsewhere the advice just covers less
    LARGE_BLOCK = 2 * HUGE_PAGE // smaller blocks may not hold one
};

// Advice only: a system that does not take it does as before.
static void prefer_huge_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t start = ((uintptr_t)block + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    const uintptr_t end = ((uintptr_t)block + size) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (end > start)
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

static void *malloc_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    (void)user;
    void *moved = realloc(block, new_size);
    if (moved != NULL && new_size >= LARGE_BLOCK)
        prefer_huge_pages(moved, new_size);
    return moved;
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
    if (block != NULL)
        allocator->release(block, count * item_size, allocator->user);
}

bool grz_array_grow(const grz_allocator *allocator, void **items, size_t *capacity, size_t item_size, size_t wanted)
{
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
