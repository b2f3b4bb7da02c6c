// SPDX-License-Identifier: MIT
// What portals are as polygons: the triangles of their faces, or the box round an opening that a BSP tree found.
#ifndef GRZ_LEVEL_PORTALS_PORTAL_POLYGONS_H
#define GRZ_LEVEL_PORTALS_PORTAL_POLYGONS_H

#include "level/portals/data/stored_level.h"

// False: the portal certainly has no point in the box.
bool grz_portal_may_meet(const grz_portals *level, uint32_t portal, const grz_box *box);

// The triangles of a portal in `level->all`: *first up to *end; none of an opening that a tree found.
void grz_portal_triangles(const grz_portals *level, uint32_t portal, uint32_t *first, uint32_t *end);

#endif
