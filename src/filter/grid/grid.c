// SPDX-License-Identifier: MIT
#include "filter/grid/grid.h"

#include "filter/lookup/lookup.h"

GRZ_LOOKUP_FILTER(grid)
