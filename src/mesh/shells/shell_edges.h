// SPDX-License-Identifier: MIT
// The sides of all faces, sorted by edge. Edges are identified by the positions of their ends.
#ifndef GRZ_MESH_SHELLS_SHELL_EDGES_H
#define GRZ_MESH_SHELLS_SHELL_EDGES_H

#include "base/memory.h"
#include "mesh/mesh.h"

// A side is a number: the edge's higher end in the upper 32 bits, then the triangle, and in the lowest bit whether the
// face runs from the lower end to the higher one. So a mesh may have 2^31 triangles.
static inline uint32_t grz_side_high(uint64_t side)
{
    return (uint32_t)(side >> 32);
}

static inline uint32_t grz_side_triangle(uint64_t side)
{
    return (uint32_t)side >> 1;
}

static inline bool grz_side_runs_up(uint64_t side)
{
    return (side & 1) != 0;
}

// All sides on one edge.
typedef struct grz_shell_edge {
    uint32_t low, high; // its ends, by the lowest vertex at their positions
    const uint64_t *sides;
    size_t count;
} grz_shell_edge;

typedef struct grz_shell_edges {
    const grz_mesh *mesh;
    uint32_t *lowest; // weld map
    uint64_t *sides;  // those whose lower end is v are sides[starts[v]] to sides[starts[v + 1] - 1], sorted
    size_t *starts;   // vertex_count + 2
    size_t side_count;
} grz_shell_edges;

// List and sort. Diagonals of polygons, and sides between equal positions, are left out. Nearly linear time.
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status; grz_shell_edges_finish() is due in any case.
grz_status grz_shell_edges_init(grz_shell_edges *edges, const grz_mesh *mesh, grz_control *control);
void grz_shell_edges_finish(const grz_allocator *allocator, grz_shell_edges *edges);

// Go through the edges: begin with a place of zeros. False: there is no other edge.
typedef struct grz_edge_place {
    uint32_t low;
    size_t at;
} grz_edge_place;
bool grz_shell_edges_next(const grz_shell_edges *edges, grz_edge_place *place, grz_shell_edge *edge);

static inline uint32_t grz_side_face(const grz_mesh *mesh, uint64_t side)
{
    return grz_mesh_triangle_face(mesh, grz_side_triangle(side));
}

#endif
