// SPDX-License-Identifier: MIT
// The method `bsp`: triangles are looked up in a BSP tree.
#ifndef GRZ_FILTER_BSP_BSP_H
#define GRZ_FILTER_BSP_BSP_H

#include "filter/filter.h"

extern const grz_filter grz_filter_bsp;

#endif
