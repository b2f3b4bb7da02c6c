// SPDX-License-Identifier: MIT
// A polytope inside of an ellipsoid, a cylinder or a cone, which has the points that matter for a contact: what it has
// in common with another set, the round set has, too.
#ifndef GRZ_GEOMETRY_CONVEX_STAND_IN_H
#define GRZ_GEOMETRY_CONVEX_STAND_IN_H

#include "geometry/convex/convex_set.h"

enum {
    GRZ_STAND_IN_MAX = 80
};

typedef struct grz_stand_in {
    grz_convex convex; // its corners are in this structure: it must not be copied
    double local[GRZ_STAND_IN_MAX][3], corners[GRZ_STAND_IN_MAX][3];
} grz_stand_in;

// Make the stand-in of a round set and place it. `n`: a direction in the world; the set's points that are farthest
// along it are corners, if they are doubles. `towards`: a point in the world, at the place; a cylinder and a cone have
// a corner on each rim that lies towards it.
void grz_stand_in_make(const grz_convex *round, const double n[3], const double towards[3], const double origin[3],
                       double scale, grz_stand_in *out);

#endif
