// SPDX-License-Identifier: MIT
// Adds to the polygons of portals.
#ifndef GRZ_LEVEL_PORTALS_DATA_PORTAL_PIECES_H
#define GRZ_LEVEL_PORTALS_DATA_PORTAL_PIECES_H

#include "level/portals/data/stored_level.h"

// Add a piece with `count` corners, which the caller fills in, each at most `off` from where it should be. NULL if
// there is no memory.
grz_portal_corner *grz_portal_add_piece(const grz_allocator *allocator, grz_portal_polygons *polygons, uint32_t count,
                                        double off);

#endif
