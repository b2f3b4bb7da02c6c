// SPDX-License-Identifier: MIT
#include "filter/obbtree/obbtree.h"

#include "filter/lookup/lookup.h"

GRZ_LOOKUP_FILTER(obbtree)
