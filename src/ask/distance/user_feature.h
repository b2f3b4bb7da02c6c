// SPDX-License-Identifier: MIT
// From a feature of a triangle to that of the caller's face.
#ifndef GRZ_ASK_DISTANCE_USER_FEATURE_H
#define GRZ_ASK_DISTANCE_USER_FEATURE_H

#include <graze/collide.h>

#include "mesh/mesh.h"

// By the caller's vertex numbers. A corner is the lowest one of the triangle at its position; a diagonal is the inside.
// `feature`: GRZ_CORNER_0 … GRZ_FACE (geometry/triangle/pair.h).
grz_feature grz_user_feature(const grz_mesh *mesh, uint32_t triangle, uint8_t feature);

#endif
