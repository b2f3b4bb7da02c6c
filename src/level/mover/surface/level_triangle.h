// SPDX-License-Identifier: MIT
// A triangle of a level, where it is at the level's time.
#ifndef GRZ_LEVEL_MOVER_SURFACE_LEVEL_TRIANGLE_H
#define GRZ_LEVEL_MOVER_SURFACE_LEVEL_TRIANGLE_H

#include "level/mover/surface/level.h"

// True if an object is not where its pose says.
bool grz_level_is_on_way(const grz_level *level, uint32_t object);

// Read a triangle of an object's mesh.
void grz_level_triangle_read(const grz_level *level, uint32_t object, uint32_t number, grz_level_triangle *out);

// The box that a beam must meet to meet the triangle.
grz_box grz_level_triangle_box(const grz_level *level, const grz_level_triangle *triangle);

// Order two triangles by their corners: -1, 0 or 1.
int grz_level_triangles_compare(const grz_level_triangle *a, const grz_level_triangle *b);

// The number of the caller's face.
uint32_t grz_level_face(const grz_level *level, const grz_level_triangle *triangle);

#endif
