// SPDX-License-Identifier: MIT
// Point in mesh: whether a point is on the surface of an object, inside or outside. Exact (docs/reference/numbers.md,
// containment).
#ifndef GRZ_INSIDE_POINT_IN_MESH_H
#define GRZ_INSIDE_POINT_IN_MESH_H

#include <graze/locate.h>

#include "space/bvh/bvh.h"

// Why inside and outside of a mesh are not defined.
typedef enum grz_fault {
    GRZ_FAULT_NONE,
    GRZ_FAULT_OPEN,    // the mesh is open: some edge is on an odd number of triangles
    GRZ_FAULT_WINDING, // GRZ_NONZERO only: triangles run through some edge more often one way than the other
    GRZ_FAULT_COUNT
} grz_fault;

// An object, seen as the solid that its surface bounds.
typedef struct grz_solid {
    const grz_object *object;
    const grz_bvh *bvh;
    grz_box box; // a world box that encloses the surface; what is outside the box is outside the object, even with a
                 // fault
    grz_inside_rule rule; // never GRZ_INSIDE_AUTO: what that stands for
    grz_fault fault;
} grz_solid;

// Initialise a solid. Prepares the mesh's topology and hierarchy if necessary; both are borrowed. Returns GRZ_OK or an
// error.
grz_status grz_solid_init(grz_solid *solid, const grz_object *object, grz_inside_rule rule, grz_control *control,
                          grz_error *error);

// Shrink the box to the smallest one that encloses all corners. If there is a fault, only the box can prove a point
// outside. The answer should then not depend on how tightly the box of a posed box fits.
grz_status grz_solid_tighten(grz_solid *solid, grz_control *control, grz_error *error);

// A probe asks questions about a solid, one after the other, on one thread. A solid may have many probes.
typedef struct grz_probe {
    const grz_solid *solid;
    grz_control *control; // checked every few hundred microseconds
    size_t steps;         // start with 0
} grz_probe;

// Locate a point (world coordinates, up to 2^300 in magnitude). `off_surface`: the caller knows that it is not on the
// surface. The answer is GRZ_LOCATION_UNKNOWN if the solid has a fault and the point is in its box but not on its
// surface. False: the control says to end.
bool grz_probe_point(grz_probe *probe, const double point[3], bool off_surface, grz_location *location);

// True if no triangle's box overlaps `box` (world). Then either all points in `box` are inside the solid, or none is.
// `entry` is a node of the hierarchy: no triangle outside it overlaps `box`. Start with 0, the root. It is moved down
// as far as possible, and can be used again for boxes inside this one. Also false if the control says to end.
bool grz_probe_clear(grz_probe *probe, const grz_box *box, uint32_t *entry);

#endif
