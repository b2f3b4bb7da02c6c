// SPDX-License-Identifier: MIT
// Method `heightmap`.
#ifndef GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_H
#define GRZ_IMAGE_HEIGHTMAP_HEIGHTMAP_H

#include "filter/filter.h"

extern const grz_filter grz_filter_heightmap;

#endif
