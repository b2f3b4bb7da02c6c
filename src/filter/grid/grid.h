// SPDX-License-Identifier: MIT
// The method `grid`: triangles are looked up in a uniform grid.
#ifndef GRZ_FILTER_GRID_GRID_H
#define GRZ_FILTER_GRID_GRID_H

#include "filter/filter.h"

extern const grz_filter grz_filter_grid;

#endif
