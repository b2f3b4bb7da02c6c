// SPDX-License-Identifier: MIT
#include "filter/bsp/bsp.h"

#include "filter/lookup/lookup.h"

GRZ_LOOKUP_FILTER(bsp)
