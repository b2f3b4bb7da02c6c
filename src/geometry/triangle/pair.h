// SPDX-License-Identifier: MIT
// The exact intersection of two triangles: whether they touch, the kind of contact, and the vertices of the
// intersection. A vertex is named by the two features that meet there, for example edge 1 of A and the face of B; no
// coordinates are computed to decide. Degenerate triangles (segments, points) are allowed: they touch like any other
// set of points.
#ifndef GRZ_GEOMETRY_TRIANGLE_PAIR_H
#define GRZ_GEOMETRY_TRIANGLE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <graze/collide.h>

#include "geometry/exact/point.h"

// The features of a triangle. Edge i goes from corner i to corner (i + 1) % 3.
enum {
    GRZ_CORNER_0,
    GRZ_CORNER_1,
    GRZ_CORNER_2,
    GRZ_EDGE_0,
    GRZ_EDGE_1,
    GRZ_EDGE_2,
    GRZ_FACE
};

// A node is a vertex of the intersection: the point where feature `a` of triangle A meets feature `b` of triangle B.
// Each is the smallest feature of its triangle (corner, then edge, then face) that contains the point.
typedef struct grz_node {
    uint8_t a, b;
} grz_node;

enum {
    GRZ_MAX_NODES = 6
};

typedef struct grz_intersection {
    uint32_t node_count; // 0: no contact, 1: a point, 2: a segment, 3 to 6: a convex polygon, nodes in cyclic order
    grz_kind kind;       // undefined if node_count is 0
    grz_node nodes[GRZ_MAX_NODES];
} grz_intersection;

// True if two triangles have a point in common. Corners are rows of three doubles, up to 2^300 in magnitude.
bool grz_triangles_touch(const double a[3][3], const double b[3][3]);

// The intersection of two triangles. node_count is 0 if and only if grz_triangles_touch() is false.
void grz_triangles_intersect(const double a[3][3], const double b[3][3], grz_intersection *out);

// The node as an exact point.
grz_exact_point grz_node_point(const double a[3][3], const double b[3][3], grz_node node);

// The coordinates of a node, each rounded to the nearest double. They depend on the exact point only: two nodes at the
// same point get the same bits.
void grz_node_position(const double a[3][3], const double b[3][3], grz_node node, double position[3]);

#endif
