// SPDX-License-Identifier: MIT
// Life and positions of a model.
#include "ask/projections/model.h"

#include <string.h>

grz_status grz_sight_model_init(grz_sight_model *model, const grz_sight_surface *surface,
                                const grz_allocator *allocator)
{
    const grz_mesh *mesh = surface->poses[0];
    *model = (grz_sight_model){.mesh = mesh, .part_count = 1, .cell_count = surface->cells.count};
    model->cell_parts = grz_allocate_zeroed(allocator, model->cell_count, sizeof *model->cell_parts);
    if (model->cell_parts == NULL || !grz_array_reserve(allocator, &model->triangles, mesh->triangle_count))
        return GRZ_ERROR_MEMORY;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = mesh->triangles + (size_t)t * 3;
        model->triangles.items[t] =
            (grz_sight_triangle){.corners = {corners[0], corners[1], corners[2]}, .source = t, .part = 0};
    }
    model->triangles.count = mesh->triangle_count;
    return GRZ_OK;
}

void grz_sight_model_finish(grz_sight_model *model, const grz_allocator *allocator)
{
    grz_array_finish(allocator, &model->vertices);
    grz_array_finish(allocator, &model->triangles);
    grz_release(allocator, model->cell_parts, model->cell_count, sizeof *model->cell_parts);
    model->cell_parts = NULL;
}

void grz_sight_positions(const grz_sight_model *model, const grz_mesh *mesh, const grz_sight_frame *frame,
                         double (*positions)[3])
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (frame != NULL)
            grz_sight_place(frame, grz_mesh_position(mesh, v), positions[v]);
        else
            memcpy(positions[v], grz_mesh_position(mesh, v), sizeof positions[v]);
    }
    for (size_t i = 0; i < model->vertices.count; i++) {
        const grz_sight_vertex *vertex = &model->vertices.items[i];
        const double *from = positions[vertex->from], *to = positions[vertex->to];
        for (int j = 0; j < 3; j++)
            positions[mesh->vertex_count + i][j] = from[j] + (to[j] - from[j]) * vertex->share;
    }
}
