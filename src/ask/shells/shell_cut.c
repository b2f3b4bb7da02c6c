// SPDX-License-Identifier: MIT
// Vertices get new numbers in the order in which the faces use them first. Polygons are cut into triangles anew, which
// gives the same triangles.
#include "ask/shells/shell_cut.h"

#include <string.h>

#include "base/fail.h"

bool grz_shell_cutter_init(grz_shell_cutter *cutter, uint32_t vertex_count, const grz_allocator *allocator)
{
    *cutter = (grz_shell_cutter){.allocator = allocator, .vertex_count = vertex_count};
    cutter->numbers = grz_allocate(allocator, vertex_count, sizeof *cutter->numbers);
    if (cutter->numbers == NULL)
        return false;
    memset(cutter->numbers, UINT8_MAX, vertex_count * sizeof *cutter->numbers);
    return true;
}

void grz_shell_cutter_finish(grz_shell_cutter *cutter)
{
    if (cutter->allocator == NULL)
        return;
    grz_release(cutter->allocator, cutter->numbers, cutter->vertex_count, sizeof *cutter->numbers);
    grz_array_finish(cutter->allocator, &cutter->vertices);
    grz_array_finish(cutter->allocator, &cutter->indices);
    grz_array_finish(cutter->allocator, &cutter->counts);
    grz_array_finish(cutter->allocator, &cutter->positions);
}

// Fill the arrays of the description. False without memory.
static bool list(grz_shell_cutter *cutter, const grz_mesh *whole, const uint32_t *faces, size_t count)
{
    const grz_allocator *allocator = cutter->allocator;
    size_t corner_total = 0;
    cutter->vertices.count = cutter->indices.count = 0;
    if (!grz_array_reserve(allocator, &cutter->counts, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        (void)grz_mesh_face_corners(whole, faces[i], &cutter->counts.items[i]);
        corner_total += cutter->counts.items[i];
    }
    if (!grz_array_reserve(allocator, &cutter->indices, corner_total) ||
        !grz_array_reserve(allocator, &cutter->vertices, corner_total))
        return false;
    for (size_t i = 0; i < count; i++) {
        uint32_t corner_count;
        const uint32_t *corners = grz_mesh_face_corners(whole, faces[i], &corner_count);
        for (uint32_t k = 0; k < corner_count; k++) {
            uint32_t *number = &cutter->numbers[corners[k]];
            if (*number == UINT32_MAX) {
                *number = (uint32_t)cutter->vertices.count;
                cutter->vertices.items[cutter->vertices.count++] = corners[k];
            }
            cutter->indices.items[cutter->indices.count++] = *number;
        }
    }
    for (size_t i = 0; i < cutter->vertices.count; i++)
        cutter->numbers[cutter->vertices.items[i]] = UINT32_MAX;
    if (!grz_array_reserve(allocator, &cutter->positions, 3 * cutter->vertices.count))
        return false;
    for (size_t i = 0; i < cutter->vertices.count; i++)
        memcpy(cutter->positions.items + 3 * i, grz_mesh_position(whole, cutter->vertices.items[i]),
               3 * sizeof(double));
    return true;
}

grz_status grz_shell_cut(grz_shell_cutter *cutter, const grz_mesh *whole, const uint32_t *faces, size_t count,
                         uint32_t flags, grz_mesh **mesh, grz_error *error)
{
    *mesh = NULL;
    if (!list(cutter, whole, faces, count))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "mesh shells: out of memory for %zu faces", count);
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = cutter->positions.items;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = cutter->vertices.count;
    description.indices = cutter->indices.items;
    description.index_count = cutter->indices.count;
    description.face_count = count;
    description.corner_counts = whole->face_offsets != NULL ? cutter->counts.items : NULL;
    description.flags = flags;
    return grz_mesh_create(whole->device, &description, mesh, error);
}
