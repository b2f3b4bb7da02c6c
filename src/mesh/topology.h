// SPDX-License-Identifier: MIT
// Connected components and closedness by position: vertices at equal present positions count as one (-0 equals +0).
#ifndef GRZ_MESH_TOPOLOGY_H
#define GRZ_MESH_TOPOLOGY_H

#include "mesh/mesh.h"

typedef struct grz_topology {
    uint32_t component_count;
    uint32_t *component_vertex;   // component_count: some vertex of each component, the lowest used one
    uint32_t *triangle_component; // triangle_count
    bool closed;                  // every edge between two different positions lies on an even number of triangle sides
} grz_topology;

// The topology of the mesh's present positions, kept in its slot. Borrowed.
grz_status grz_mesh_topology(const grz_mesh *mesh, grz_control *control, const grz_topology **topology, grz_error *error);

#endif
