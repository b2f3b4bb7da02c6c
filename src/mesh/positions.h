// SPDX-License-Identifier: MIT
// The caller's vertex positions: looked through, then copied as doubles.
#ifndef GRZ_MESH_POSITIONS_H
#define GRZ_MESH_POSITIONS_H

#include "base/simd.h"
#include "mesh/mesh.h"

// Bytes of one number.
size_t grz_scalar_size(grz_scalar type);

// The caller's positions, as they lie.
typedef struct grz_positions {
    const void *bytes; // of any alignment
    grz_scalar type;
    size_t stride; // bytes
} grz_positions;

// Refuse positions that are NaN, infinite or larger than 2^300, naming the first such vertex; else find the box that holds all.
grz_status grz_positions_validate(const grz_positions *positions, uint32_t vertex_count, grz_simd simd, grz_box *extent,
                                  grz_error *error);

// Say what is wrong with a vertex's position. GRZ_ERROR_MESH.
grz_status grz_position_refuse(uint32_t vertex, const double position[3], grz_error *error);

// Copy validated positions into mesh->positions, and set mesh->max_abs and mesh->bounds; `extent` is what validating them found.
// Layout and mesh->used are the mesh's.
void grz_positions_store(grz_mesh *mesh, const void *positions, const grz_box *extent);

#endif
