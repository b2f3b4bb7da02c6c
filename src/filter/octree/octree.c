// SPDX-License-Identifier: MIT
#include "filter/octree/octree.h"

#include "filter/lookup/lookup.h"

GRZ_LOOKUP_FILTER(octree)
