// SPDX-License-Identifier: MIT
// The method `kdtree`: triangles are looked up in a kd-tree.
#ifndef GRZ_FILTER_KDTREE_KDTREE_H
#define GRZ_FILTER_KDTREE_KDTREE_H

#include "filter/filter.h"

extern const grz_filter grz_filter_kdtree;

#endif
