// SPDX-License-Identifier: MIT
// An oracle for points inside surfaces, by another algorithm than the library's. It casts a ray in a random direction,
// solves for the hit with each triangle by Cramer's rule in GMP integers, and draws another ray if this one meets an
// edge. Also an oracle for edges: equal positions and the face sides on each edge, by sorting.
#ifndef GRZ_TESTS_ORACLE_INSIDE_H
#define GRZ_TESTS_ORACLE_INSIDE_H

#include "support_meshes.h"

typedef struct oracle_place {
    bool on_surface; // if true, the rest is undefined
    bool odd;        // the ray met an odd number of triangles
    long winding;    // hits from inside minus hits from outside; only for balanced surfaces
} oracle_place;

// Triangles (rows of nine numbers) and query points, exactly, as integers in a common unit. All numbers are finite. One
// thread at a time.
typedef struct oracle_surface oracle_surface;

oracle_surface *oracle_surface_create(const double *corners, size_t triangle_count, const double *points,
                                      size_t point_count);
void oracle_surface_destroy(oracle_surface *o);
oracle_place oracle_surface_locate(oracle_surface *o, size_t point, random_stream *random);

// The solid angle of the surface seen from a point, in units of 4π, in doubles. It is close to the winding number if
// the point is not close to the surface. Used to check the oracle.
double oracle_solid_angle(const double *corners, size_t triangle_count, const double point[3]);

typedef struct oracle_edges {
    bool closed;   // every edge between two different positions has an even number of face sides
    bool balanced; // and equally many in either direction
} oracle_edges;

oracle_edges oracle_edges_of(const test_mesh *mesh);

// The world position of a vertex, by the formula of docs/reference/numbers.md.
void oracle_pose(const grz_pose *pose, const double position[3], double world[3]);

// The world positions of the corners of all triangles: face_count rows of nine numbers. The mesh must consist of
// triangles. The caller frees the array.
double *oracle_corners(const test_mesh *mesh, const grz_pose *pose);

#endif
