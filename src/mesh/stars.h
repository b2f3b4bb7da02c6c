// SPDX-License-Identifier: MIT
// What meets at each vertex position, and so what the edges of a mesh's faces are like. Vertices at one position count as one.
#ifndef GRZ_MESH_STARS_H
#define GRZ_MESH_STARS_H

#include "mesh/mesh.h"

typedef struct grz_edge_census {
    uint64_t boundary;    // edges on one side of a face
    uint64_t nonmanifold; // edges on more than two
    uint64_t odd;         // edges on an odd number; the mesh is closed where there are none
    bool fans;            // around every position, the faces hang together through edges that end there
    bool oriented;        // every edge on two sides is run through once each way
    bool balanced;        // every edge, on however many sides, is run through as often one way as the other
    bool rings; // every corner of every face has a position of its own, and those at each position form one closed ring of three or
                // more, each leading to the next. May be false where that is so (long rings): it only saves work
} grz_edge_census;

// Look at all edges of all faces (not the diagonals of their triangulation). Sides between two corners at one position are no
// edges; a face that runs twice along an edge counts there twice. Near linear in time.
//
// lowest   from grz_weld_present()
// control  working memory comes from its allocator
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or what the control says.
grz_status grz_stars_examine(const grz_mesh *mesh, const uint32_t *lowest, grz_control *control, grz_edge_census *census);

#endif
