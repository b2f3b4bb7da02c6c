// SPDX-License-Identifier: MIT
// Where points lie to the surface of an object: on it, inside, outside. Exact (docs/numbers.md, containment).
#ifndef GRZ_QUERY_POINT_IN_MESH_H
#define GRZ_QUERY_POINT_IN_MESH_H

#include <graze/locate.h>

#include "space/bvh.h"

// Why inside and outside of a mesh cannot be told.
typedef enum grz_fault {
    GRZ_FAULT_NONE,
    GRZ_FAULT_OPEN,    // some edge lies on an odd number of triangles
    GRZ_FAULT_WINDING, // under GRZ_NONZERO: some edge is run through more often one way than the other
    GRZ_FAULT_COUNT
} grz_fault;

// An object as the solid that its surface bounds.
typedef struct grz_solid {
    const grz_object *object;
    const grz_bvh *bvh;
    grz_box box; // world; holds the surface, so what is out of it lies outside, fault or not
    grz_inside_rule rule;
    grz_fault fault;
} grz_solid;

// Bring the mesh's topology and hierarchy up to date and take them; all is borrowed. Returns GRZ_OK, or what went wrong.
grz_status grz_solid_init(grz_solid *solid, const grz_object *object, grz_inside_rule rule, grz_control *control, grz_error *error);

// Make the box the smallest one that holds all corners. Where there is a fault it is all that inside and outside can be told by,
// and the answer should not depend on how tightly the pose of a box bounds that of what is in it.
grz_status grz_solid_tighten(grz_solid *solid, grz_control *control, grz_error *error);

// Questions about a solid, one after the other, on one thread. A solid may have many probes.
typedef struct grz_probe {
    const grz_solid *solid;
    grz_control *control; // looked at every few hundred microseconds
    size_t steps;         // zero to start
} grz_probe;

// Tell where a point lies (world coordinates, up to 2^300 in magnitude). `off_surface`: it is known not to lie on the surface.
// GRZ_LOCATION_UNKNOWN where the solid has a fault and the point lies in its box, not on its surface. False: the control says to
// end.
bool grz_probe_point(grz_probe *probe, const double point[3], bool off_surface, grz_location *location);

// Tell whether no triangle's box reaches into `box` (world): then all points in it that lie inside, or none, do. `entry` is a node
// of the hierarchy outside of which no triangle does, 0 to start; it is moved down as far as it goes, for boxes within this one.
// False where the control says to end as well.
bool grz_probe_clear(grz_probe *probe, const grz_box *box, uint32_t *entry);

#endif
