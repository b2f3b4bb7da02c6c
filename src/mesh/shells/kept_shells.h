// SPDX-License-Identifier: MIT
// The shells of a mesh (docs/use/shells.md), kept with it.
#ifndef GRZ_MESH_SHELLS_KEPT_SHELLS_H
#define GRZ_MESH_SHELLS_KEPT_SHELLS_H

#include "mesh/mesh.h"

typedef struct grz_kept_shells {
    uint32_t count;         // shells
    bool closed;            // each shell is by itself: every edge, by position, is on an even number of its triangles
    uint32_t *of_triangles; // the shell of each triangle
    uint32_t *starts;    // count + 1: the triangles of shell s are triangles[starts[s]] to triangles[starts[s + 1] - 1]
    uint32_t *triangles; // ascending within a shell
} grz_kept_shells;

// The shells at the mesh's current positions, kept in one of its slots. The pointer belongs to the mesh, which has at
// most 2^31 - 1 triangles. Nearly linear time.
grz_status grz_mesh_kept_shells(const grz_mesh *mesh, grz_control *control, const grz_kept_shells **shells,
                                grz_error *error);

// The number of a triangle within its shell.
uint32_t grz_kept_shells_place(const grz_kept_shells *shells, uint32_t triangle);

#endif
