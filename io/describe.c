// SPDX-License-Identifier: MIT
// Descriptions of a model, or of its parts, for grz_mesh_create(). A part gets the vertices that its faces use and no
// others, renumbered in the order of use; the arrays for that are as large as the largest part and serve all of them.
#include "reader.h"

#include <stddef.h>
#include <string.h>

#define NO_PLACE UINT32_MAX

struct grz_io_cutter {
    const grz_io_model *model;
    uint32_t *places;  // of each of the model's vertices in the part; NO_PLACE between cuts
    double *positions; // of the part
    uint32_t *indices; // of the part
    uint64_t vertex_room, index_room;
};

static const char small_description[] = "description.size is too small; start from grz_default_mesh_description()";

// Whether the caller's structure reaches as far as what is set here. It may be of another version.
static bool has_room(const grz_mesh_description *description)
{
    return description->size >= offsetof(grz_mesh_description, corners_per_face) + sizeof description->corners_per_face;
}

static void describe(const grz_io_model *model, uint64_t first_index, uint64_t index_count, uint64_t first_face,
                     uint64_t face_count, grz_mesh_description *out)
{
    out->positions = model->positions;
    out->position_type = GRZ_FLOAT64;
    out->position_stride = 0;
    out->vertex_count = model->vertex_count;
    out->indices = model->indices + first_index;
    out->index_count = index_count;
    out->face_count = face_count;
    out->corner_counts = model->corner_counts != NULL ? model->corner_counts + first_face : NULL;
    out->corners_per_face = 3;
}

grz_status grz_io_describe(const grz_io_model *model, grz_mesh_description *description, grz_error *error)
{
    if (model == NULL || description == NULL)
        return grz_io_refuse("describe model", model == NULL ? "model is NULL" : "description is NULL", error);
    if (!has_room(description))
        return grz_io_refuse("describe model", small_description, error);
    if (model->instance_count > 0)
        return grz_io_refuse("describe model",
                             "model has instances, whose corners count mesh by mesh: read it without "
                             "options.keep_instances",
                             error);
    describe(model, 0, model->index_count, 0, model->face_count, description);
    return GRZ_OK;
}

grz_status grz_io_cutter_create(const grz_io_model *model, grz_io_cutter **cutter, grz_error *error)
{
    uint64_t most = 0;
    if (cutter != NULL)
        *cutter = NULL;
    if (model == NULL || cutter == NULL)
        return grz_io_refuse("create cutter", model == NULL ? "model is NULL" : "cutter is NULL", error);
    const grz_allocator *allocator = &((const owned_model *)model)->allocator;
    for (size_t i = 0; i < model->part_count; i++)
        most = model->parts[i].index_count > most ? model->parts[i].index_count : most;
    const uint64_t vertices = most < model->vertex_count ? most : model->vertex_count;
    if (vertices >= SIZE_MAX / (3 * sizeof(double)) || most >= SIZE_MAX / sizeof(uint32_t))
        return grz_io_explain(GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "create cutter", "out of memory", error);
    grz_io_cutter *made = allocator->reallocate(NULL, 0, sizeof *made, allocator->user);
    if (made != NULL) {
        // One more of each: never a size of zero.
        *made = (grz_io_cutter){.model = model, .vertex_room = vertices + 1, .index_room = most + 1};
        const size_t place_bytes = (size_t)(model->vertex_count + 1) * sizeof(uint32_t);
        made->places = allocator->reallocate(NULL, 0, place_bytes, allocator->user);
        made->positions =
            allocator->reallocate(NULL, 0, (size_t)made->vertex_room * 3 * sizeof(double), allocator->user);
        made->indices = allocator->reallocate(NULL, 0, (size_t)made->index_room * sizeof(uint32_t), allocator->user);
    }
    if (made == NULL || made->places == NULL || made->positions == NULL || made->indices == NULL) {
        grz_io_cutter_destroy(made);
        return grz_io_explain(GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "create cutter", "out of memory", error);
    }
    for (uint64_t v = 0; v < model->vertex_count; v++)
        made->places[v] = NO_PLACE;
    *cutter = made;
    return GRZ_OK;
}

// Renumber the vertices of these corners from 0 on. Returns how many there are.
static uint64_t renumber(grz_io_cutter *cutter, const uint32_t *corners, uint64_t count)
{
    const double *positions = cutter->model->positions;
    uint32_t vertices = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t *place = &cutter->places[corners[i]];
        if (*place == NO_PLACE) {
            *place = vertices++;
            memcpy(cutter->positions + (size_t)*place * 3, positions + (size_t)corners[i] * 3, 3 * sizeof(double));
        }
        cutter->indices[i] = *place;
    }
    for (uint64_t i = 0; i < count; i++)
        cutter->places[corners[i]] = NO_PLACE;
    return vertices;
}

grz_status grz_io_cutter_cut(grz_io_cutter *cutter, size_t part, grz_mesh_description *description, grz_error *error)
{
    if (cutter == NULL || description == NULL)
        return grz_io_refuse("cut part", cutter == NULL ? "cutter is NULL" : "description is NULL", error);
    if (!has_room(description))
        return grz_io_refuse("cut part", small_description, error);
    const grz_io_model *model = cutter->model;
    if (part >= model->part_count)
        return grz_io_explain(GRZ_ERROR_ARGUMENT, part, "cut part", "the model has no part of that number", error);
    const grz_io_part *p = &model->parts[part];
    describe(model, p->first_index, p->index_count, p->first_face, p->face_count, description);
    description->vertex_count = renumber(cutter, model->indices + p->first_index, p->index_count);
    description->positions = cutter->positions;
    description->indices = cutter->indices;
    return GRZ_OK;
}

void grz_io_cutter_destroy(grz_io_cutter *cutter)
{
    if (cutter == NULL)
        return;
    const grz_allocator allocator = ((const owned_model *)cutter->model)->allocator;
    grz_io_release_block(&allocator, cutter->places,
                         (size_t)(cutter->model->vertex_count + 1) * sizeof *cutter->places);
    grz_io_release_block(&allocator, cutter->positions, (size_t)cutter->vertex_room * 3 * sizeof *cutter->positions);
    grz_io_release_block(&allocator, cutter->indices, (size_t)cutter->index_room * sizeof *cutter->indices);
    grz_io_release_block(&allocator, cutter, sizeof *cutter);
}
