// SPDX-License-Identifier: MIT
// Method `layers`.
#ifndef GRZ_IMAGE_LAYERS_LAYERS_H
#define GRZ_IMAGE_LAYERS_LAYERS_H

#include "filter/filter.h"

extern const grz_filter grz_filter_layers;

#endif
