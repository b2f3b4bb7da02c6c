// SPDX-License-Identifier: MIT
// Meshes made of closed parts, which cross each other and share no vertices, and the ships of both scenes. Normals
// point outwards; every coordinate is a float.
#ifndef GRZ_BENCH_HEIGHTMAP_PARTS_H
#define GRZ_BENCH_HEIGHTMAP_PARTS_H

#include "shapes.h"

// Columns of a map from a part to the whole: x, y, z, and where its origin goes.
typedef struct part_frame {
    double x[3], y[3], z[3], at[3];
} part_frame;

// Set x to the left and y upwards of a direction z, which is normalised. It must not be that of the world's z axis.
void part_look_along(part_frame *f);

// The pose of an object that flies along z, rolled about it.
peer_pose part_pose(const part_frame *f, double roll);

// Append a closed part, which is freed, at a place.
void part_add(peer_mesh *whole, peer_mesh part, const part_frame *f);

// Let the normals of a closed mesh point outwards or inwards.
void part_orient(peer_mesh *mesh, bool outwards);

// A cylinder along z from -1 to 1 of radius 1: 2 · sides · rings + 2 · sides triangles.
peer_mesh part_cylinder(uint32_t sides, uint32_t rings);

// A ship with four wings in the form of an X and an engine at the end of each. It flies along +z; its length is about
// 0.26. It has 12 · body² + 48 · wing² + 136 · (rings + 1) triangles.
peer_mesh part_ship(uint32_t body_squares, uint32_t wing_squares, uint32_t engine_rings);

#endif
