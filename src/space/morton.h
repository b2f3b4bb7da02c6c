// SPDX-License-Identifier: MIT
// Places along a space-filling curve. Source: G. M. Morton, "A computer oriented geodetic data base" (1966).
#ifndef GRZ_SPACE_MORTON_H
#define GRZ_SPACE_MORTON_H

#include <stdint.h>

// Spread the low ten bits: bit i to bit 3i. Three numbers, shifted by 0, 1 and 2, make a place.
static inline uint32_t grz_morton_spread(uint32_t x)
{
    x = (x | x << 16) & UINT32_C(0x030000ff);
    x = (x | x << 8) & UINT32_C(0x0300f00f);
    x = (x | x << 4) & UINT32_C(0x030c30c3);
    return (x | x << 2) & UINT32_C(0x09249249);
}

#endif
