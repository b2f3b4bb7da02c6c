// SPDX-License-Identifier: MIT
// Sets that are joined (R. Tarjan, "Efficiency of a good but not linear set union algorithm", 1975). The root of a set
// is its lowest member, so that nothing depends on the order of joins.
#ifndef GRZ_LEVEL_PORTALS_DATA_FOREST_H
#define GRZ_LEVEL_PORTALS_DATA_FOREST_H

#include <stddef.h>
#include <stdint.h>

static inline void grz_forest_init(uint32_t *parents, size_t count)
{
    for (size_t i = 0; i < count; i++)
        parents[i] = (uint32_t)i;
}

static inline uint32_t grz_forest_root(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

static inline void grz_forest_join(uint32_t *parents, uint32_t i, uint32_t j)
{
    i = grz_forest_root(parents, i);
    j = grz_forest_root(parents, j);
    if (i < j)
        parents[j] = i;
    else
        parents[i] = j;
}

#endif
