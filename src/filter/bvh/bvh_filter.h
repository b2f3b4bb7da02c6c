// SPDX-License-Identifier: MIT
// Method `bvh`: walks two bounding-volume hierarchies (space/bvh/bvh.h) together.
#ifndef GRZ_FILTER_BVH_BVH_FILTER_H
#define GRZ_FILTER_BVH_BVH_FILTER_H

#include "filter/filter.h"

extern const grz_filter grz_filter_bvh;

#endif
