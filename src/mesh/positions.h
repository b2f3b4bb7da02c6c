// SPDX-License-Identifier: MIT
// The caller's vertex positions: looked through, then copied as doubles.
#ifndef GRZ_MESH_POSITIONS_H
#define GRZ_MESH_POSITIONS_H

#include "mesh/mesh.h"

// Bytes of one number.
size_t grz_scalar_size(grz_scalar type);

// Refuse positions that are NaN, infinite or larger than 2^300, naming the vertex. `stride` is in bytes.
grz_status grz_positions_validate(const void *positions, grz_scalar type, size_t stride, uint32_t vertex_count, grz_error *error);

// Copy validated positions into mesh->positions, and find mesh->max_abs and mesh->bounds. Layout and mesh->used are the mesh's.
void grz_positions_store(grz_mesh *mesh, const void *positions);

#endif
