// SPDX-License-Identifier: MIT
// The truth about points and triangles' surfaces, by another way than the library's: a ray in a random direction, each triangle's
// equation solved by Cramer's rule in GMP integers, and the ray drawn again where it meets an edge. And about edges: which
// positions are equal, and how often an edge is run through, by sorting.
#ifndef GRZ_TESTS_ORACLE_INSIDE_H
#define GRZ_TESTS_ORACLE_INSIDE_H

#include "support_meshes.h"

typedef struct oracle_place {
    bool on_surface; // what follows is meaningless then
    bool odd;        // the ray met an odd number of triangles
    long winding;    // met from inside, less met from outside; it means something for balanced surfaces only
} oracle_place;

// Triangles, in rows of nine numbers, and the points to be asked for, exactly, as integers of a common unit. Finite, and not all
// zero apart by more than GMP can hold. One thread at a time.
typedef struct oracle_surface oracle_surface;

oracle_surface *oracle_surface_create(const double *corners, size_t triangle_count, const double *points, size_t point_count);
void oracle_surface_destroy(oracle_surface *o);
oracle_place oracle_surface_locate(oracle_surface *o, size_t point, random_stream *random);

// The surface's solid angle around a point, in units of 4π, in doubles: near the winding number where the point is not near the
// surface. A check of the oracle, not an oracle.
double oracle_solid_angle(const double *corners, size_t triangle_count, const double point[3]);

typedef struct oracle_edges {
    bool closed;   // every edge between two different positions lies on an even number of sides of faces
    bool balanced; // and is run through as often one way as the other
} oracle_edges;

oracle_edges oracle_edges_of(const test_mesh *mesh);

// A vertex where a pose puts it, by the formula of docs/numbers.md.
void oracle_pose(const grz_pose *pose, const double position[3], double world[3]);

// The corners of all triangles of a mesh of triangles where a pose puts them: face_count rows of nine numbers. Free it.
double *oracle_corners(const test_mesh *mesh, const grz_pose *pose);

#endif
