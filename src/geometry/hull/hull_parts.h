// SPDX-License-Identifier: MIT
// What the stages of a hull share: the points in a spatial order, and the surface of triangles between quickhull.c and
// hull_merge.c.
#ifndef GRZ_GEOMETRY_HULL_HULL_PARTS_H
#define GRZ_GEOMETRY_HULL_HULL_PARTS_H

#include "geometry/exact/predicates.h"
#include "geometry/hull/hull_build.h"

#define GRZ_HULL_NONE UINT32_MAX

// The points: neighbours in space are near in memory.
typedef struct grz_hull_points {
    double (*at)[3];  // count positions, without -0
    uint32_t *number; // count: the number of each input point
    uint32_t count;
    double extent[3]; // of their box, rounded up
} grz_hull_points;

// A triangle of the surface. `bound`: the sign of normal · (p - corner 0) is right beyond it; NaN: never known so.
typedef struct grz_hull_facet {
    uint32_t corner[3];    // counter-clockwise from outside; corner[0] GRZ_HULL_NONE: not in use
    uint32_t neighbour[3]; // across the edge from corner i to corner (i + 1) % 3
    uint32_t outside;      // the first of the points that it can see, by `next`; GRZ_HULL_NONE: none
    uint32_t farthest;     // of them, about
    uint32_t mark;         // the step that last looked at it, × 2, + 1 if it is seen; in hull_merge.c: its face
    double normal[3], bound, most;
} grz_hull_facet;

typedef GRZ_ARRAY(grz_hull_facet) grz_hull_facets;

// The faces, as hull_merge.c and hull_flat.c give them: loops of points.
typedef struct grz_hull_loops {
    GRZ_ARRAY(uint32_t) corners; // places in grz_hull_points
    GRZ_ARRAY(uint32_t) ends;    // of each face, in corners
} grz_hull_loops;

// The side of a facet's plane on which a point lies: 1 outside, 0 on it, -1 inside. `value` receives about how far out,
// times twice the facet's area.
static inline int grz_hull_side(const grz_hull_points *points, const grz_hull_facet *facet, const double p[3],
                                double *value)
{
    const double *a = points->at[facet->corner[0]];
    const double x =
        facet->normal[0] * (p[0] - a[0]) + facet->normal[1] * (p[1] - a[1]) + facet->normal[2] * (p[2] - a[2]);
    *value = x;
    if (x > facet->bound)
        return 1;
    if (x < -facet->bound)
        return -1;
    return grz_orient3d(a, points->at[facet->corner[1]], points->at[facet->corner[2]], p);
}

// Compute normal and bound of a facet from its corners.
void grz_hull_set_plane(const grz_hull_points *points, grz_hull_facet *facet);

// The surface of the hull of points that are not all in one plane: closed, convex, every point on it or inside it.
// Triangles of one plane may be neighbours. `first` are four corners, not in one plane.
grz_status grz_hull_grow(const grz_hull_points *points, const uint32_t first[4], grz_control *control,
                         grz_hull_facets *facets);

// The faces of that surface.
grz_status grz_hull_merge(const grz_hull_points *points, grz_hull_facets *facets, grz_control *control,
                          grz_hull_loops *loops);

// The one face of points that lie in one plane. `axis`: the projection along it keeps the plane a plane.
grz_status grz_hull_flat(const grz_hull_points *points, int axis, grz_control *control, grz_hull_loops *loops);

// Number vertices and faces, as hull_build.h has it. `corners`: the vertices if there are no faces.
grz_status grz_hull_number(const grz_hull_points *points, const grz_hull_loops *loops, const uint32_t *corners,
                           uint32_t corner_count, grz_control *control, grz_hull_shape *out);

#endif
