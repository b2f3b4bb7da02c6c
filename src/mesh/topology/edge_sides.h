// SPDX-License-Identifier: MIT
// The sides of all triangles, sorted by edge, so that those on one edge are neighbours.
#ifndef GRZ_MESH_TOPOLOGY_EDGE_SIDES_H
#define GRZ_MESH_TOPOLOGY_EDGE_SIDES_H

#include "mesh/mesh.h"

typedef struct grz_edge_side {
    uint32_t low, high; // the edge: the lower vertex first
    uint64_t number;    // 3 · triangle + i: from its corner i to the next one
} grz_edge_side;

// The side after this one in its triangle.
static inline uint64_t grz_edge_side_next(uint64_t number)
{
    return number % 3 == 2 ? number - 2 : number + 1;
}

// List the sides in the order of their numbers, without those between equal positions. Returns how many.
//
// lowest  from grz_weld_current()
// sides   room for three a triangle
uint64_t grz_edge_sides_list(const grz_mesh *mesh, const uint32_t *lowest, grz_edge_side *sides);

// Sort by edge; those of one edge by number. Returns what grz_sort() does.
grz_status grz_edge_sides_sort(grz_edge_side *sides, uint64_t count, grz_control *control);

#endif
