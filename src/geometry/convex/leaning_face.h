// SPDX-License-Identifier: MIT
// The face of a convex set that lies nearly across a direction, and where two such faces lie opposite to each other:
// the corners of their overlap, each with the corners and edges that make it. For manifolds of shapes; in doubles.
#ifndef GRZ_GEOMETRY_CONVEX_LEANING_FACE_H
#define GRZ_GEOMETRY_CONVEX_LEANING_FACE_H

#include "geometry/convex/face.h"

enum {
    GRZ_LEANING_FACE_MAX = 32,
    GRZ_CLIPPED_MAX = 2 * GRZ_LEANING_FACE_MAX
};

// Corners of a set that have a point of its surface: one corner, an edge, or none: the inside of a face, or of a round
// surface.
typedef struct grz_corners_of {
    uint32_t first, second; // UINT32_MAX: none; first < second
} grz_corners_of;

typedef struct grz_leaning_face {
    int count;                          // 1: a corner; 2: an edge; 3 or more: a polygon, counterclockwise against n
    double at[GRZ_LEANING_FACE_MAX][3]; // along u, v and n
    grz_corners_of corner[GRZ_LEANING_FACE_MAX], edge[GRZ_LEANING_FACE_MAX]; // edge i goes from corner i to the next
    double slope[2];                                                         // its height changes so much along u and v
} grz_leaning_face;

// The face that has the set's farthest point along n (`side` 1) or -n (-1), and leans against the plane across it by no
// more than `tangent`; an edge or a corner where none does.
void grz_convex_find_leaning_face(const grz_convex *c, const grz_frame *frame, int side, double tangent,
                                  grz_leaning_face *face);

// A corner of an overlap.
typedef struct grz_clipped {
    double at[2], height_a, height_b; // of the faces there, along n
    grz_corners_of a, b;
} grz_clipped;

// Returns how many there are; 0: the faces do not overlap, seen along n, or neither is a polygon.
int grz_convex_clip_faces(const grz_leaning_face *a, const grz_leaning_face *b, grz_clipped out[GRZ_CLIPPED_MAX]);

#endif
