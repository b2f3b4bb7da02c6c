// SPDX-License-Identifier: MIT
// The topology of a mesh, as containment tests need it: its connected components, and whether its surface is closed.
// Vertices whose current positions are equal count as one vertex (-0 equals +0).
#ifndef GRZ_MESH_TOPOLOGY_TOPOLOGY_H
#define GRZ_MESH_TOPOLOGY_TOPOLOGY_H

#include "mesh/mesh.h"

typedef struct grz_topology {
    // Connected sets of triangles. After new positions, two components may have a vertex position in common and still
    // be counted as two. That does not change any answer about inside or outside. Code that needs the true components
    // must join them itself.
    uint32_t component_count;
    uint32_t *component_vertex;   // component_count: the lowest used vertex of each component
    uint32_t *triangle_component; // triangle_count: the component of each triangle
    bool closed;                  // every edge has an even number of triangle sides
    bool balanced;                // every edge has equally many triangle sides in either direction; implies closed
} grz_topology;

// The slot in which a mesh's topology is kept.
extern const grz_slot_type grz_topology_slot_type;

// The topology at the mesh's current positions, kept in one of its slots. The pointer belongs to the mesh.
// Cost after new positions: one pass over the vertices if the mesh was balanced and no welded vertices have moved
// apart; one weld if the same vertices are still together; otherwise everything is computed again.
grz_status grz_mesh_topology(const grz_mesh *mesh, grz_control *control, const grz_topology **topology,
                             grz_error *error);

#endif
