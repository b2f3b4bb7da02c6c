// SPDX-License-Identifier: MIT
// The method `octree`: triangles are looked up in an octree.
#ifndef GRZ_FILTER_OCTREE_OCTREE_H
#define GRZ_FILTER_OCTREE_OCTREE_H

#include "filter/filter.h"

extern const grz_filter grz_filter_octree;

#endif
