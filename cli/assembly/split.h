// SPDX-License-Identifier: MIT
// --split: a mesh as one mesh for each of its shells, cavities with the shell around them.
#ifndef GRZ_CLI_ASSEMBLY_SPLIT_H
#define GRZ_CLI_ASSEMBLY_SPLIT_H

#include "assembly/scene_objects.h"

// The meshes that stand for one: itself, or those of its shells.
typedef struct split_mesh {
    const grz_mesh **meshes; // the array is owned, the meshes are not
    size_t count;
} split_mesh;

// Give a mesh to `to`, or if `splits` and it has several shells, those instead; the mesh is destroyed then. On failure
// returns false, `error` says why, and the mesh belongs to nobody any more.
bool split_add(scene_objects *to, grz_mesh *mesh, bool splits, split_mesh *out, grz_error *error);

// Free the array; an empty one is accepted.
void split_finish(split_mesh *split);

// How many parts --split would make of a mesh. False: `error` says why that is not known.
bool split_count(const grz_mesh *mesh, uint32_t *count, grz_error *error);

#endif
