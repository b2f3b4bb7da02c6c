// SPDX-License-Identifier: MIT
// Properties of a mesh's edges and vertices: closed, manifold, consistently oriented. Vertices with equal positions
// count as one vertex.
#ifndef GRZ_MESH_TOPOLOGY_STARS_H
#define GRZ_MESH_TOPOLOGY_STARS_H

#include "mesh/mesh.h"

// The face sides on an edge are counted with their direction: a face that goes from v to w has a side v→w.
typedef struct grz_edge_census {
    uint64_t boundary;    // edges with one face side
    uint64_t nonmanifold; // edges with more than two face sides
    uint64_t odd;         // edges with an odd number of face sides; the mesh is closed if there are none
    bool fans;            // at every vertex, the faces form a single fan, connected through edges at that vertex
    bool oriented;        // every edge with two face sides has one in either direction
    bool balanced;        // every edge has equally many face sides in either direction
    // The corners of every face have different positions, and the faces at each vertex form a single closed ring of at
    // least three. May be false although it is so (for large rings): it is only used to save work.
    bool rings;
} grz_edge_census;

// Examine all edges of all faces (not the diagonals of the triangulation). A side between two corners at one position
// is not an edge. A face that goes along an edge twice counts twice. Nearly linear time.
//
// lowest   from grz_weld_current()
// control  working memory comes from its allocator
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status if it says to end.
grz_status grz_stars_examine(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control,
                             grz_edge_census *census);

#endif
