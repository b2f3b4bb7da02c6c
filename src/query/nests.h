// SPDX-License-Identifier: MIT
// Objects nested in each other: if A is inside B, and B inside C, then A is inside C, and their surfaces do not touch,
// provided that C is one connected component (docs/reference/numbers.md, nested objects). So n nested shells need n
// tests, not n²/2.
#ifndef GRZ_QUERY_NESTS_H
#define GRZ_QUERY_NESTS_H

#include "base/memory.h"

#define GRZ_NO_CONTAINER UINT32_MAX

typedef struct grz_nests {
    uint32_t count; // objects; 0: nothing is known
    // For each object, another one that contains it, tested or known; or GRZ_NO_CONTAINER.
    uint32_t *container;
    unsigned char *connected; // for each object that contains another: whether it is one connected component
    // Set by grz_nests_number(): the objects below an object in the forest of connected containers have numbers from
    // `number` of that object to `last`, both included.
    uint32_t *number, *last;
} grz_nests;

// Start without containers. False: there is no memory.
bool grz_nests_init(grz_nests *nests, const grz_allocator *allocator, uint32_t count);
void grz_nests_finish(grz_nests *nests, const grz_allocator *allocator);

// Call after all containers are set, before grz_nests_inside(). The containers must not go in a circle. False: memory
// is out.
bool grz_nests_number(grz_nests *nests, const grz_allocator *allocator);

// True if it follows that `inner` is inside `outer`.
static inline bool grz_nests_inside(const grz_nests *nests, uint32_t inner, uint32_t outer)
{
    const uint32_t container = nests->container[inner];
    return container != GRZ_NO_CONTAINER && nests->number[outer] <= nests->number[container] &&
           nests->number[container] <= nests->last[outer];
}

#endif
