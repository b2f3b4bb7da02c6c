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

// A triangle in a frame.
typedef struct grz_prism {
    double p[3][3]; // its corners, the smallest first
    double min[3], max[3];
    dd normal[3];    // (p[1] - p[0]) × (p[2] - p[0])
    double sizes[3]; // of each, the two products' magnitudes added up
    double slope[2]; // of z along x and y
    double error[2]; // of the slopes, at most
    double area;     // seen along z, at most
    int turn;        // of the corners, seen along z against its direction: 1 counter-clockwise, -1, or 0: edge-on
    bool turned;     // the corners' order turns the other way than that of the corners given
    bool flat;       // nearly edge-on: the slopes are not known
} grz_prism;

// Corners in world coordinates.
void grz_prism_set(grz_prism *t, const grz_prism_frame *frame, const double corners[3][3]);

// Move all corners to a height.
void grz_prism_flatten(grz_prism *t, double height);

// Enclose the volume of all points that are below `upper` and above `lower`, which are not edge-on. False if there are
// none.
bool grz_prism_pair(const grz_prism *upper, const grz_prism *lower, grz_enclosure *volume);

// Enclose the volume of all points below the triangle down to z = floor, which is not above the triangle.
grz_enclosure grz_prism_down_to(const grz_prism *t, double floor);

#endif
