// SPDX-License-Identifier: MIT
// Meshes made of some triangles of a level: their corners in the same order at the same places, so that queries round
// alike.
#include <string.h>

#include "base/control.h"
#include "level/portals/portal_cells.h"
#include "mesh/mesh.h"

// `scratch` has a number for each vertex of the level: UINT32_MAX before and after the call.
static uint32_t number_vertices(const grz_mesh *all, const uint32_t *triangles, uint32_t count, uint32_t *scratch,
                                uint32_t *indices)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int j = 0; j < 3; j++) {
            const uint32_t vertex = all->triangles[3 * (size_t)triangles[i] + (size_t)j];
            if (scratch[vertex] == UINT32_MAX)
                scratch[vertex] = used++;
            indices[3 * (size_t)i + (size_t)j] = scratch[vertex];
        }
    return used;
}

static void copy_positions(const grz_mesh *all, const uint32_t *triangles, uint32_t count, uint32_t *scratch,
                           double *positions)
{
    for (uint32_t i = 0; i < count; i++)
        for (int j = 0; j < 3; j++) {
            const uint32_t vertex = all->triangles[3 * (size_t)triangles[i] + (size_t)j];
            if (scratch[vertex] == UINT32_MAX)
                continue;
            memcpy(positions + 3 * (size_t)scratch[vertex], grz_mesh_position(all, vertex), 3 * sizeof *positions);
            scratch[vertex] = UINT32_MAX;
        }
}

grz_status grz_part_make(const grz_portals *level, const uint32_t *triangles, uint32_t count, uint32_t *scratch,
                         grz_control *control, grz_part *part, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_mesh *all = level->all.mesh;
    *part = (grz_part){.count = count};
    if (count == 0)
        return GRZ_OK;
    uint32_t *indices = grz_allocate(allocator, count, 3 * sizeof *indices);
    double *positions = grz_allocate(allocator, count, 9 * sizeof *positions); // at most
    part->faces = grz_allocate(allocator, count, sizeof *part->faces);
    grz_status status = GRZ_ERROR_MEMORY;
    if (indices != NULL && positions != NULL && part->faces != NULL) {
        const uint32_t used = number_vertices(all, triangles, count, scratch, indices);
        copy_positions(all, triangles, count, scratch, positions);
        for (uint32_t i = 0; i < count; i++)
            part->faces[i] = level->all.faces[triangles[i]];
        const grz_mesh_description d =
            grz_mesh_description_from_triangles(positions, GRZ_FLOAT64, used, indices, count);
        status = grz_mesh_make(level->device, &d, control, &part->mesh, error);
    } else
        status = grz_control_explain(control, status, "portals", error);
    grz_release(allocator, indices, count, 3 * sizeof *indices);
    grz_release(allocator, positions, count, 9 * sizeof *positions);
    return status;
}

void grz_part_finish(const grz_allocator *allocator, grz_part *part)
{
    grz_mesh_destroy(part->mesh);
    grz_release(allocator, part->faces, part->count, sizeof *part->faces);
    *part = (grz_part){.count = 0};
}
