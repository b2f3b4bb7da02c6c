// SPDX-License-Identifier: MIT
// Morton codes: positions along a space-filling curve on which neighbours are mostly near each other in space. Source:
// G. M. Morton, "A computer oriented geodetic data base" (1966).
#ifndef GRZ_SPACE_MORTON_H
#define GRZ_SPACE_MORTON_H

#include <stdint.h>

// Spread the low ten bits: bit i moves to bit 3i. The code of a cell (x, y, z) is spread(x) | spread(y) << 1 |
// spread(z) << 2.
static inline uint32_t grz_morton_spread(uint32_t x)
{
    x = (x | x << 16) & UINT32_C(0x030000ff);
    x = (x | x << 8) & UINT32_C(0x0300f00f);
    x = (x | x << 4) & UINT32_C(0x030c30c3);
    return (x | x << 2) & UINT32_C(0x09249249);
}

#endif
