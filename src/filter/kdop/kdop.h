// SPDX-License-Identifier: MIT
// The method `kdop`: triangles are looked up in a k-DOP tree.
#ifndef GRZ_FILTER_KDOP_KDOP_H
#define GRZ_FILTER_KDOP_KDOP_H

#include "filter/filter.h"

extern const grz_filter grz_filter_kdop;

#endif
