// SPDX-License-Identifier: MIT
// What portals are as polygons: convex pieces, looked at as triangles.
#ifndef GRZ_LEVEL_PORTALS_PORTAL_POLYGONS_H
#define GRZ_LEVEL_PORTALS_PORTAL_POLYGONS_H

#include "level/portals/data/stored_level.h"

// False: the portal certainly has no point in the box.
bool grz_portal_may_meet(const grz_portals *level, uint32_t portal, const grz_box *box);

// Triangle i of a piece, i < count - 2, from its first corner.
void grz_portal_triangle(const grz_portals *level, const grz_portal_piece *piece, uint32_t i, double c[3][3]);

#endif
