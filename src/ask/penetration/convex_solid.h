// SPDX-License-Identifier: MIT
// Whether a posed solid is convex, and its corners as a grz_convex.
#ifndef GRZ_ASK_PENETRATION_CONVEX_SOLID_H
#define GRZ_ASK_PENETRATION_CONVEX_SOLID_H

#include <graze/distance.h>

#include "base/control_type.h"
#include "geometry/convex/convex_set.h"
#include "inside/solids/surface.h"

typedef enum grz_convexity {
    GRZ_NOT_CONVEX,              // or not known to be
    GRZ_CONVEX_BUT_FOR_ROUNDING, // the mesh is; its pose rounds, which may have dented it
    GRZ_CONVEX_EXACTLY
} grz_convexity;

typedef struct grz_convex_solid {
    grz_convexity convexity;
    uint32_t count, room; // corners of triangles with area, each vertex once; room for all vertices
    double (*corners)[3]; // world; count
    uint32_t *corner_of;  // of each vertex: its number in corners; UINT32_MAX: none
    double (*placed)[3];  // room for the corners that `set` places
    double *heights;      // likewise
    grz_convex set;       // spanned by the corners; not placed yet
} grz_convex_solid;

// The surface is borrowed. If it is not convex, nothing but `convexity` is set. GRZ_OK; GRZ_ERROR_MEMORY; the control's
// status. grz_convex_solid_finish() is due in any case.
grz_status grz_convex_solid_init(grz_convex_solid *solid, const grz_posed_surface *surface, grz_control *control);
void grz_convex_solid_finish(grz_convex_solid *solid, const grz_allocator *allocator);

// A pose that rounds may dent a convex solid. It still contains a convex body that along every direction reaches almost
// as far as the hull of its corners: less far by at most this. World units; infinite if the solid is too thin.
double grz_convex_solid_dent(const grz_convex_solid *solid, const grz_posed_surface *surface);

// The face that is farthest along n. Corners count as farthest if their heights, n · corner, are so within `slack`.
// Of the triangles with the most such corners the first is taken.
uint32_t grz_convex_solid_face(const grz_convex_solid *solid, const grz_posed_surface *surface, const double n[3],
                               double slack);

#endif
