// SPDX-License-Identifier: MIT
// Method `naive`: the reference that all other filters are compared with.
#ifndef GRZ_FILTER_NAIVE_NAIVE_H
#define GRZ_FILTER_NAIVE_NAIVE_H

#include "filter/filter.h"

extern const grz_filter grz_filter_naive;

#endif
