// SPDX-License-Identifier: MIT
// One of the two solids whose overlap is measured: how deep a point is in it, and where a point lies.
#ifndef GRZ_ASK_OVERLAP_DEPTH_SIDE_H
#define GRZ_ASK_OVERLAP_DEPTH_SIDE_H

#include "ask/distance/points/nearest_face.h"
#include "base/call.h"
#include "base/rounding.h"
#include "geometry/vector.h"
#include "inside/point_in_mesh.h"
#include "inside/solids/surface.h"

// The length of a vector, certainly not too small, whatever its size.
static inline double grz_length_up(const double v[3])
{
    const double most = grz_largest(v);
    if (!(most > 0.0))
        return 0.0;
    const double shares[3] = {v[0] / most, v[1] / most, v[2] / most};
    return most * sqrt(grz_dot(shares, shares)) * GRZ_MORE(16) + GRZ_UNDERFLOWS;
}

// Used by one thread.
typedef struct grz_depth_side {
    const grz_object *object;
    grz_box box; // world; encloses the surface
    grz_solid solid;
    grz_nearest_face_target target;
    grz_nearest_face nearest;
    grz_probe probe;
    // Once grz_depth_side_use_border() has been called: a mesh of the triangles that may be border of the solid. NULL:
    // the surface is searched.
    grz_mesh *border_mesh;
    grz_object border_object;
    uint32_t *border_triangles; // their numbers in the surface, and whether they are border everywhere
    bool *is_border;
    uint32_t border_count;
    bool all_border; // known: all triangles of the surface are
} grz_depth_side;

// How deep a point is inside, at least and at most, in world units: the distance from the solid's border, below 0
// outside. `upper` is that of the triangles that may be border until grz_depth_side_prove() has been asked.
typedef struct grz_point_depth {
    double lower, upper;
    grz_location location;
    double nearest[3]; // of the surface, rounded
} grz_point_depth;

// The object is borrowed, and its mesh is in memory. grz_depth_side_finish() is due in any case.
grz_status grz_depth_side_init(grz_depth_side *side, const grz_object *object, grz_inside_rule rule, grz_call *call);
void grz_depth_side_finish(grz_depth_side *side);

// From now on leave out triangles that have the solid on both sides, or on none, everywhere: they are no border, and
// depths are larger without them. `surface`: the object's. Call it once at most.
grz_status grz_depth_side_use_border(grz_depth_side *side, const grz_surface *surface, grz_call *call);

// False: the control says to end.
bool grz_depth_side_measure(grz_depth_side *side, const double point[3], grz_point_depth *depth);

// The nearest face of a point inside may have the solid on both sides, and so be no border. Look for a point outside
// just behind it: the border is not farther than that point. Else `upper` grows to what the box proves. `step`: how far
// behind, relative to the distance. False: the control says to end.
bool grz_depth_side_prove(grz_depth_side *side, const double point[3], double step, grz_point_depth *depth);

// The triangle of the surface that was the nearest of the last point that was measured. *is_border: nothing is known
// against its being border everywhere.
uint32_t grz_depth_side_nearest(const grz_depth_side *side, bool *is_border);

bool grz_depth_side_locate(grz_depth_side *side, const double point[3], grz_location *location);

#endif
