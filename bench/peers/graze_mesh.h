// SPDX-License-Identifier: MIT
// Describes a mesh of the benchmark for Graze. Nothing is copied.
#ifndef GRZ_BENCH_PEERS_GRAZE_MESH_H
#define GRZ_BENCH_PEERS_GRAZE_MESH_H

#include <graze/graze.h>

#include "peer.h"

static inline grz_mesh_description graze_mesh_description(const peer_mesh *mesh)
{
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = mesh->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = mesh->vertex_count;
    description.indices = &mesh->triangles[0][0];
    description.index_count = 3 * (uint64_t)mesh->triangle_count;
    description.face_count = mesh->triangle_count;
    return description;
}

#endif
