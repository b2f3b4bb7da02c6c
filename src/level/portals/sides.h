// SPDX-License-Identifier: MIT
// Which sides of triangles follow each other around their edges.
#ifndef GRZ_LEVEL_PORTALS_SIDES_H
#define GRZ_LEVEL_PORTALS_SIDES_H

#include "level/portals/portal_cells.h"

// Side 2·t is the one in front of triangle t of `level->all`, to which its normal points; 2·t + 1 is behind. Join the
// sides that follow each other around an edge in `sides`, and the triangles with a common edge in `triangles`. Edges
// with one triangle join its two sides if they may; else they are refused. Both are forests with single members.
grz_status grz_sides_join(const grz_portals *level, bool open_walls, uint32_t *sides, uint32_t *triangles,
                          grz_control *control, grz_error *error);

#endif
