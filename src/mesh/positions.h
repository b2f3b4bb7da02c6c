// SPDX-License-Identifier: MIT
// The caller's vertex positions: validated, then copied as doubles.
#ifndef GRZ_MESH_POSITIONS_H
#define GRZ_MESH_POSITIONS_H

#include "base/simd.h"
#include "mesh/mesh.h"

// The size of one number in bytes.
size_t grz_scalar_size(grz_scalar type);

// The caller's array of positions.
typedef struct grz_positions {
    const void *bytes; // at any alignment
    grz_scalar type;
    size_t stride; // from one position to the next, in bytes
} grz_positions;

// Check that no coordinate is NaN, infinite or larger than 2^300 in magnitude. If one is, the error names the first
// such vertex. Otherwise `extent` receives the AABB of all positions.
grz_status grz_positions_validate(const grz_positions *positions, uint32_t vertex_count, grz_simd simd, grz_box *extent,
                                  grz_error *error);

// Write the error for a vertex whose position is out of range. Returns GRZ_ERROR_MESH.
grz_status grz_position_refuse(uint32_t vertex, const double position[3], grz_error *error);

// Copy validated positions into mesh->positions, and set mesh->max_abs and mesh->bounds. The array has the mesh's
// position_type and position_stride. `extent` comes from grz_positions_validate(). mesh->used must be set.
void grz_positions_store(grz_mesh *mesh, const void *positions, const grz_box *extent);

#endif
