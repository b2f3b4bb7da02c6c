// SPDX-License-Identifier: MIT
// What containment needs to know of a mesh: its connected components, and whether its surface bounds something. Vertices at equal
// present positions count as one (-0 equals +0).
#ifndef GRZ_MESH_TOPOLOGY_H
#define GRZ_MESH_TOPOLOGY_H

#include "mesh/mesh.h"

typedef struct grz_topology {
    // Sets of triangles that hang together. After new positions, two of them may have come to share a vertex position and still
    // count as two, which changes no answer about inside or outside. Who asks more than that of whole components joins them again.
    uint32_t component_count;
    uint32_t *component_vertex;   // component_count: some vertex of each component, the lowest used one
    uint32_t *triangle_component; // triangle_count
    bool closed;                  // every edge between two different positions lies on an even number of triangle sides
    bool balanced;                // and is run through as often one way as the other; implies closed
} grz_topology;

// The topology of the mesh's present positions, kept in its slot. Borrowed. New positions cost a pass over the vertices where the
// mesh was balanced and no vertices were torn apart, a welding where they still lie together as before, else all of it anew.
grz_status grz_mesh_topology(const grz_mesh *mesh, grz_control *control, const grz_topology **topology, grz_error *error);

#endif
