// SPDX-License-Identifier: MIT
// The cells that are deeper than was asked, joined to places.
#ifndef GRZ_ASK_OVERLAP_DEPTH_DEPTH_PLACES_H
#define GRZ_ASK_OVERLAP_DEPTH_DEPTH_PLACES_H

#include <graze/overlap.h>

#include "ask/overlap/depth/depth_cover.h"

// Join the places of a cover, and its open cells, wherever they share a part of a face. *count: how many there are;
// the first `capacity` of them, the deepest first, are written to `parts`. GRZ_OK or GRZ_ERROR_MEMORY.
grz_status grz_places_list(grz_cover *cover, grz_overlap_part *parts, uint64_t capacity, uint64_t *count);

// Open the cells of groups again in which no point is known that is deeper than `depth`. *any: there are such cells.
// GRZ_OK or GRZ_ERROR_MEMORY.
grz_status grz_places_open_doubtful(grz_cover *cover, double depth, bool *any);

#endif
