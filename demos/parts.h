// SPDX-License-Identifier: MIT
// Meshes that demos put together from vertices, triangles and blocks.
#ifndef GRZ_DEMOS_PARTS_H
#define GRZ_DEMOS_PARTS_H

#include "demo.h"

// A mesh being made. Zeroed memory is an empty one.
typedef struct demo_parts {
    double *positions; // three for each vertex
    uint32_t *indices; // three for each triangle
    uint32_t vertex_count, index_count;
    uint32_t vertex_room, index_room;
} demo_parts;

// Returns the number of the vertex.
uint32_t demo_add_vertex(demo_parts *parts, double x, double y, double z);

void demo_add_triangle(demo_parts *parts, uint32_t i, uint32_t j, uint32_t k);

// Add the triangles of a ground that is seen from +y, whose (cells + 1)² vertices, row after row along x, are the
// first.
void demo_add_ground(demo_parts *parts, uint32_t cells);

// Add a box from y = `bottom` on, whose top falls from `high` at the smaller x to `low` at the larger.
void demo_add_block(demo_parts *parts, double bottom, double x, double z, double to_x, double to_z, double high,
                    double low);

// Make the mesh, or end the program. The next one begins empty.
grz_mesh *demo_finish_parts(const demo *d, demo_parts *parts);

void demo_free_parts(demo_parts *parts);

#endif
