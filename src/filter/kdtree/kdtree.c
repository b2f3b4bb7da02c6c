// SPDX-License-Identifier: MIT
#include "filter/kdtree/kdtree.h"

#include "filter/lookup/lookup.h"

GRZ_LOOKUP_FILTER(kdtree)
