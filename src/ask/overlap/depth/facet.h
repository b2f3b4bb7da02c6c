// SPDX-License-Identifier: MIT
// A bound of the depth in a cell by one flat convex part of each border: the sum of the distances from them is convex,
// so it is largest at a corner of the cell.
#ifndef GRZ_ASK_OVERLAP_DEPTH_FACET_H
#define GRZ_ASK_OVERLAP_DEPTH_FACET_H

#include "ask/overlap/depth/side.h"
#include "inside/solids/surface.h"

// One triangle, or two that are a flat convex quadrilateral.
typedef struct grz_facet {
    int count;               // 0: the triangle is no border
    double corners[2][3][3]; // scaled
} grz_facet;

// The part of a clean surface that holds a triangle.
void grz_facet_set(grz_facet *facet, const grz_posed_surface *surface, uint32_t triangle, double scale);

// One triangle that is border everywhere, of any surface.
void grz_facet_set_alone(grz_facet *facet, const grz_object *object, uint32_t triangle, double scale);

// No point of the cell that is in both solids is deeper than *bound (world units). *axis: along which the sum changes
// most, so where to cut the cell. Both facets have triangles.
void grz_facets_bound(const grz_facet facets[2], const grz_box *cell, double scale, double unit, double *bound,
                      int *axis);

#endif
