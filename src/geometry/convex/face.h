// SPDX-License-Identifier: MIT
// The faces of two convex sets that lie opposite to each other: the points of each that are farthest along a direction,
// and where they overlap, seen along it. In doubles; for the places of contacts, which no decision depends on.
#ifndef GRZ_GEOMETRY_CONVEX_FACE_H
#define GRZ_GEOMETRY_CONVEX_FACE_H

#include "geometry/convex/convex_set.h"

enum {
    GRZ_CONVEX_FACE_MAX = 128,
    GRZ_CONVEX_OVERLAP_MAX = 2 * GRZ_CONVEX_FACE_MAX // corners where two of them overlap
};

// Two axes across a direction n of length 1: u × v = n. They are rounded.
typedef struct grz_frame {
    double n[3], u[3], v[3];
} grz_frame;

grz_frame grz_frame_across(const double n[3]);

// A corner, an edge or a face. A round rim is given by corners that lie on it.
typedef struct grz_convex_face {
    int count; // 1: a corner; 2: an edge; 3 or more: a convex polygon, counterclockwise seen against n
    double at[GRZ_CONVEX_FACE_MAX][2];     // along u and v
    double points[GRZ_CONVEX_FACE_MAX][3]; // the same points in space
    uint32_t corners[GRZ_CONVEX_FACE_MAX]; // their numbers, of sets of corners
    double height;                         // of the set's farthest point, along n
} grz_convex_face;

// The points of a set that lie within `margin` of the farthest along n (`side` 1) or along -n (-1). `other`: the face
// that lies opposite, or NULL: a round rim then has corners towards its corners, too.
void grz_convex_find_face(const grz_convex *c, const grz_frame *frame, int side, double margin,
                          const grz_convex_face *other, grz_convex_face *face);

// Where two faces overlap, seen along n.
typedef struct grz_convex_overlap {
    int count; // corners: 1, 2, or a convex polygon. Faces that do not overlap have the point half-way between them
    double at[GRZ_CONVEX_OVERLAP_MAX][2];
    double middle[2]; // the centre of area; of an edge the middle
    double way[2];    // from A's face to B's, where they do not overlap; else 0
    bool fixed;       // no line of the plane separates the faces: a contact of them has one normal
} grz_convex_overlap;

// `margin`: lengths below it count as 0.
void grz_convex_overlap_faces(const grz_convex_face *a, const grz_convex_face *b, double margin,
                              grz_convex_overlap *overlap);

#endif
