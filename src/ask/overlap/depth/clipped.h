// SPDX-License-Identifier: MIT
// What is left of a triangle in a box, and whether two such polygons are certainly apart. In doubles; no coordinate is
// larger than 1.
#ifndef GRZ_ASK_OVERLAP_DEPTH_CLIPPED_H
#define GRZ_ASK_OVERLAP_DEPTH_CLIPPED_H

#include "geometry/box.h"

enum {
    GRZ_CLIPPED_CORNERS = 9 // each side of the box adds one to the three
};

// More than all roundings of a clipped polygon and of comparing two: docs/use/overlap.md, "Roundings of cells".
#define GRZ_CLIPPED_MARGIN 0x1p-43

typedef struct grz_clipped {
    int count; // 0: nothing is left
    double corners[GRZ_CLIPPED_CORNERS][3];
} grz_clipped;

void grz_clipped_set(grz_clipped *clipped, const double corners[3][3], const grz_box *box);

// The mean of the corners: a point of the polygon, rounded. There are corners.
void grz_clipped_middle(const grz_clipped *clipped, double middle[3]);

// True: the polygons, which are parts of two triangles, have no common point, not even if each is moved by the margin.
bool grz_clipped_apart(const grz_clipped *p, const double triangle_p[3][3], const grz_clipped *q,
                       const double triangle_q[3][3]);

#endif
