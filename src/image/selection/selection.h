// SPDX-License-Identifier: MIT
// Method `selection`.
#ifndef GRZ_IMAGE_SELECTION_SELECTION_H
#define GRZ_IMAGE_SELECTION_SELECTION_H

#include "filter/filter.h"

extern const grz_filter grz_filter_selection;

#endif
