// SPDX-License-Identifier: MIT
// Cuts faces out of a mesh, with the vertices that they use.
#ifndef GRZ_ASK_SHELLS_SHELL_CUT_H
#define GRZ_ASK_SHELLS_SHELL_CUT_H

#include "base/memory.h"
#include "mesh/mesh.h"

// Working memory that is kept from one cut to the next, so that a cut costs what its faces cost.
typedef struct grz_shell_cutter {
    const grz_allocator *allocator;
    uint32_t vertex_count;
    uint32_t *numbers; // of each vertex of the whole: UINT32_MAX, but for the cut at hand
    GRZ_ARRAY(uint32_t) vertices, indices, counts;
    GRZ_ARRAY(double) positions;
} grz_shell_cutter;

// False without memory; grz_shell_cutter_finish() is due in any case.
bool grz_shell_cutter_init(grz_shell_cutter *cutter, uint32_t vertex_count, const grz_allocator *allocator);
void grz_shell_cutter_finish(grz_shell_cutter *cutter);

// Make a mesh of faces, given in ascending order, on the whole's device.
//
// whole  in main memory
// flags  GRZ_MESH_… of the new mesh
// Returns what grz_mesh_create() does.
grz_status grz_shell_cut(grz_shell_cutter *cutter, const grz_mesh *whole, const uint32_t *faces, size_t count,
                         uint32_t flags, grz_mesh **mesh, grz_error *error);

#endif
