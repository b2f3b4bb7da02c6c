// SPDX-License-Identifier: MIT
// The space between two triangles that lie over each other, as far as the first is above the second: its volume,
// enclosed. docs/use/overlap.md derives the bound.
#ifndef GRZ_ASK_OVERLAP_PRISM_H
#define GRZ_ASK_OVERLAP_PRISM_H

#include "ask/overlap/sum.h"
#include "geometry/exact/expansion.h"

// Coordinates in which volumes are measured: x and y across, z along the axis along which triangles lie over each
// other. They are world coordinates times powers of two.
typedef struct grz_prism_frame {
    int axis[3];     // of x, y and z in the world
    double scale[3]; // of x, y and z
} grz_prism_frame;

// Whatever is larger in a frame has no sum.
#define GRZ_PRISM_MOST 0x1p200

// A triangle in a frame, or a triangular part of one.
typedef struct grz_prism {
    double p[3][3];       // the corners of the whole triangle, the smallest first
    double outline[3][2]; // of the part, seen along z against its direction: counter-clockwise
    double min[3], max[3];
    double mean[2];  // of a part: the mean height of its corners is not below the first, nor above the second
    double slack;    // of a part: what is not farther from its outline's sides may be no part of it
    dd normal[3];    // (p[1] - p[0]) × (p[2] - p[0])
    double sizes[3]; // of each, the two products' magnitudes added up
    double slope[2]; // of z along x and y
    double error[2]; // of the slopes, at most
    double area;     // seen along z, at most
    int turn;        // of p, seen along z against its direction: 1 counter-clockwise, -1, or 0: edge-on
    bool turned;     // the order of p turns the other way than that of the corners given
    bool flat;       // nearly edge-on: the slopes are not known
} grz_prism;

// Corners in world coordinates.
void grz_prism_set(grz_prism *t, const grz_prism_frame *frame, const double corners[3][3]);

// Cut a part out of a triangle that is not edge-on: seen along z its corners are these, counter-clockwise. By rounding
// a strip of it may be outside of the whole triangle, or belong to another part: no wider than `slack`, beside lines
// that do not cross each other in the part.
void grz_prism_part(const grz_prism *whole, const double outline[3][2], double slack, grz_prism *part);

// Move all corners to a height.
void grz_prism_flatten(grz_prism *t, double height);

// Enclose the volume of all points that are below `upper` and above `lower`, which are not edge-on. False if there are
// none.
bool grz_prism_pair(const grz_prism *upper, const grz_prism *lower, grz_enclosure *volume);

// Enclose the volume of all points below the triangle down to z = floor, which is not above the triangle.
grz_enclosure grz_prism_down_to(const grz_prism *t, double floor);
// The same for a part.
grz_enclosure grz_prism_part_down_to(const grz_prism *part, double floor);

#endif
