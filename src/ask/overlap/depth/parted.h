// SPDX-License-Identifier: MIT
// The local test: once A has moved by t, have A and B no common inner point in a box?
#ifndef GRZ_ASK_OVERLAP_DEPTH_PARTED_H
#define GRZ_ASK_OVERLAP_DEPTH_PARTED_H

#include "ask/overlap/depth/clipped.h"
#include "ask/overlap/depth/side.h"

enum {
    GRZ_PARTED_WITNESSES = 4
};

// Two triangles, or parts of the hierarchies that hold them.
typedef struct grz_parted_pair {
    uint32_t a, b; // children of nodes: a node's number, or GRZ_BVH_TRIANGLE | triangle
} grz_parted_pair;

typedef struct grz_parted_corner {
    uint32_t vertex, polygon;
} grz_parted_corner;

// A triangle in the box.
typedef struct grz_parted_polygon {
    double middle[3]; // of what is in the box, scaled
    uint32_t group;   // polygons of one group are connected in the box
} grz_parted_polygon;

// Used by one thread. Set the first four members, and all others to 0.
typedef struct grz_parted {
    grz_depth_side *sides; // of A and of B
    grz_control *control;
    double scale, unit; // a power of two that makes all coordinates at most 1, with A moved; 1 / scale
    uint64_t compared;  // pairs of triangles
    bool no_memory;
    // Triangles that touched: most boxes in which they do are seen to be not parted by them alone.
    uint32_t witness_count, witnesses[GRZ_PARTED_WITNESSES][2];
    GRZ_ARRAY(grz_parted_pair) stack;
    GRZ_ARRAY(uint32_t) nodes;
    GRZ_ARRAY(grz_parted_polygon) polygons;
    GRZ_ARRAY(grz_parted_corner) corners;
} grz_parted;

void grz_parted_finish(grz_parted *parted);

// t: in world units, no longer than what `scale` allows for. *parts: proved for the points of `cell` + [0, t].
// False: the control says to end, or there is no memory.
bool grz_parted_by(grz_parted *parted, const grz_box *cell, const double t[3], bool *parts);

#endif
