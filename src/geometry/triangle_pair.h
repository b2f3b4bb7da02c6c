// SPDX-License-Identifier: MIT
// The exact intersection of two triangles: whether, of which kind, and its corners by what meets there.
// Degenerate triangles (segments, points) are geometry like any other.
#ifndef GRZ_GEOMETRY_TRIANGLE_PAIR_H
#define GRZ_GEOMETRY_TRIANGLE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <graze/collide.h>

#include "geometry/exact_point.h"

// A feature of a triangle, by number. Edge i runs from corner i to corner (i + 1) % 3.
enum {
    GRZ_CORNER_0,
    GRZ_CORNER_1,
    GRZ_CORNER_2,
    GRZ_EDGE_0,
    GRZ_EDGE_1,
    GRZ_EDGE_2,
    GRZ_FACE
};

// A corner of the intersection: the point where these two features meet. Each is the smallest feature of its triangle (corner
// before edge before face) that holds the point.
typedef struct grz_node {
    uint8_t a, b;
} grz_node;

enum {
    GRZ_MAX_NODES = 6
};

typedef struct grz_intersection {
    uint32_t node_count; // 0: apart, 1: a point, 2: a segment, 3 to 6: a convex polygon, nodes in cyclic order
    grz_kind kind;       // meaningless where node_count is 0
    grz_node nodes[GRZ_MAX_NODES];
} grz_intersection;

// Whether two triangles have a point in common. Corners are rows of three doubles, up to 2^300 in magnitude.
bool grz_triangles_touch(const double a[3][3], const double b[3][3]);

// The whole intersection. node_count is 0 exactly where grz_triangles_touch() is false.
void grz_triangles_intersect(const double a[3][3], const double b[3][3], grz_intersection *out);

// The exact point of a node.
grz_exact_point grz_node_point(const double a[3][3], const double b[3][3], grz_node node);

// The coordinates of a node, each the double nearest to the exact one. They depend on the point and on nothing else.
void grz_node_position(const double a[3][3], const double b[3][3], grz_node node, double position[3]);

#endif
