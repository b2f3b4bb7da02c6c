// SPDX-License-Identifier: MIT
// Numbers the forest whose links go from an object to its container, if that is one connected component. Numbers are
// given in depth-first order, so that the objects below an object are a range of numbers, and one comparison tells
// whether an object is below another.
#include "query/nests.h"

#include <assert.h>
#include <string.h>

bool grz_nests_init(grz_nests *nests, const grz_allocator *allocator, uint32_t count)
{
    *nests = (grz_nests){.count = count,
                         .container = grz_allocate(allocator, count, sizeof *nests->container),
                         .connected = grz_allocate_zeroed(allocator, count, sizeof *nests->connected),
                         .number = grz_allocate(allocator, count, sizeof *nests->number),
                         .last = grz_allocate(allocator, count, sizeof *nests->last)};
    if (nests->container == NULL || nests->connected == NULL || nests->number == NULL || nests->last == NULL) {
        grz_nests_finish(nests, allocator);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        nests->container[i] = GRZ_NO_CONTAINER;
    return true;
}

void grz_nests_finish(grz_nests *nests, const grz_allocator *allocator)
{
    grz_release(allocator, nests->container, nests->count, sizeof *nests->container);
    grz_release(allocator, nests->connected, nests->count, sizeof *nests->connected);
    grz_release(allocator, nests->number, nests->count, sizeof *nests->number);
    grz_release(allocator, nests->last, nests->count, sizeof *nests->last);
    *nests = (grz_nests){.count = 0};
}

// The parent of an object in the forest.
static uint32_t parent_of(const grz_nests *nests, uint32_t object)
{
    const uint32_t container = nests->container[object];
    return container != GRZ_NO_CONTAINER && nests->connected[container] != 0 ? container : GRZ_NO_CONTAINER;
}

// Number the tree of a root. `child`: the first child of each object; `sibling`: its next sibling. Both are or end with
// GRZ_NO_CONTAINER.
static uint32_t number_tree(grz_nests *nests, const uint32_t *child, const uint32_t *sibling, uint32_t root,
                            uint32_t next)
{
    uint32_t object = root;
    for (;;) {
        nests->number[object] = next++;
        if (child[object] != GRZ_NO_CONTAINER) {
            object = child[object];
            continue;
        }
        nests->last[object] = next - 1;
        while (object != root && sibling[object] == GRZ_NO_CONTAINER) {
            object = parent_of(nests, object);
            nests->last[object] = next - 1;
        }
        if (object == root)
            return next;
        object = sibling[object];
    }
}

bool grz_nests_number(grz_nests *nests, const grz_allocator *allocator)
{
    const uint32_t count = nests->count;
    uint32_t *child = grz_allocate(allocator, count, sizeof *child), next = 0;
    uint32_t *sibling = grz_allocate(allocator, count, sizeof *sibling);
    const bool has_memory = child != NULL && sibling != NULL;
    for (uint32_t i = 0; i < count && has_memory; i++)
        child[i] = GRZ_NO_CONTAINER;
    for (uint32_t i = 0; i < count && has_memory; i++) {
        const uint32_t parent = parent_of(nests, i);
        sibling[i] = parent != GRZ_NO_CONTAINER ? child[parent] : GRZ_NO_CONTAINER;
        if (parent != GRZ_NO_CONTAINER)
            child[parent] = i;
    }
    for (uint32_t i = 0; i < count && has_memory; i++)
        if (parent_of(nests, i) == GRZ_NO_CONTAINER)
            next = number_tree(nests, child, sibling, i, next);
    assert(!has_memory || next == count);
    grz_release(allocator, child, count, sizeof *child);
    grz_release(allocator, sibling, count, sizeof *sibling);
    return has_memory;
}
