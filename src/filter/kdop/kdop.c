// SPDX-License-Identifier: MIT
#include "filter/kdop/kdop.h"

#include "filter/lookup/lookup.h"

GRZ_LOOKUP_FILTER(kdop)
