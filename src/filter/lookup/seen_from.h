// SPDX-License-Identifier: MIT
// World positions seen from a posed mesh: mapped back to its coordinates, with a bound of what is wrong with that.
#ifndef GRZ_FILTER_LOOKUP_SEEN_FROM_H
#define GRZ_FILTER_LOOKUP_SEEN_FROM_H

#include <graze/object.h>

#include "mesh/mesh.h"

// If a point of the rounded world position of the mesh's surface is within `reach` of a world point w in each
// coordinate, then the point of the surface, in mesh coordinates, is within `slack` of back · (w - at), as rounded.
typedef struct grz_seen_from {
    double back[3][3], at[3], slack[3];
} grz_seen_from;

// World points are at most `largest` in each coordinate. Where the pose has no inverse worth having, or numbers leave
// the range of doubles, the slack is infinite.
grz_seen_from grz_seen_from_object(const grz_object *object, double reach, const double largest[3]);

void grz_seen_from_point(const grz_seen_from *seen, const double world[3], double point[3]);

// The same for points of another posed mesh: if the rounded world positions of a point of the mesh's surface and a
// point x of the other's surface differ by at most `reach` in each coordinate, then the former, in mesh coordinates, is
// within `slack` of matrix · x + at. The slack also holds what up to 16 operations on such numbers round.
typedef struct grz_seen_mesh {
    double matrix[3][3], at[3], slack[3];
} grz_seen_mesh;

// False: nothing is known, because the pose of `object` has no inverse worth having, or numbers leave the range of
// doubles.
bool grz_seen_mesh_from(const grz_object *object, const grz_object *moved, double reach, grz_seen_mesh *seen);

#endif
