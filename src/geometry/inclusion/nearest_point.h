// SPDX-License-Identifier: MIT
// A pair of features as a patch: E + u·P + v·Q is the vector from a point of B's feature to one of A's. (u, v) runs
// over the triangle u, v >= 0, u + v <= 1 (corner and face) or over the square [0, 1]² (two edges).
#ifndef GRZ_GEOMETRY_INCLUSION_NEAREST_POINT_H
#define GRZ_GEOMETRY_INCLUSION_NEAREST_POINT_H

#include "geometry/inclusion/moving_simplices.h"

typedef struct grz_patch {
    bool square;                  // two edges
    uint8_t feature_a, feature_b; // GRZ_CORNER_0 to GRZ_FACE
    uint8_t difference;           // E is this one
    // P and Q are these edges: 0 to 2 of A, 3 to 5 of B, taken with a sign.
    uint8_t edge_p, edge_q;
    double sign_p, sign_q;
} grz_patch;

enum {
    GRZ_PATCHES_OF_TRIANGLES = 15
};

// Corner and face, edge and edge of m, where A has no more corners than B: 1 patch for a point (and a point, a segment
// or a triangle) and for two segments, 5 for a segment and a triangle, 15 for two triangles.
int grz_patches_of(const grz_feature_pair *m, const grz_patch **patches);

// The corners of the patch's feature of A, or of B, at the times 0 and 1. Returns how many: 1, 2 or 3.
int grz_patch_corners(const grz_feature_pair *m, const grz_patch *patch, bool of_a, double out[2][3][3]);

// E, P, Q of a patch at a moment.
void grz_patch_at(const grz_patch *patch, const grz_moment *moment, double e[3], double p[3], double q[3]);

// The same at time 0 or 1.
void grz_patch_ends(const grz_feature_pair *m, const grz_patch *patch, int time, double e[3], double p[3], double q[3]);

// The shortest vector of a patch, nearly (rounded).
typedef struct grz_nearest_point {
    double u, v;
    double vector[3];
    double square;       // its squared length
    double direction[3]; // a direction that separates the features well, if one does; may be 0
} grz_nearest_point;

void grz_nearest_of_patch(const grz_patch *patch, const grz_moment *moment, grz_nearest_point *out);

#endif
