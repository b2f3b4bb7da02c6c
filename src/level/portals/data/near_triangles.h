// SPDX-License-Identifier: MIT
// Triangles near a place.
#ifndef GRZ_LEVEL_PORTALS_DATA_NEAR_TRIANGLES_H
#define GRZ_LEVEL_PORTALS_DATA_NEAR_TRIANGLES_H

#include "space/bvh/bvh.h"

// Called for each triangle of a mesh whose box meets another. False: end.
typedef bool grz_near_visitor(void *context, uint32_t triangle);

// False: a visitor said to end.
bool grz_near_visit(const grz_mesh *mesh, const grz_bvh *bvh, const grz_box *box, grz_near_visitor *visit,
                    void *context);

#endif
