// SPDX-License-Identifier: MIT
// Turns a model of shared meshes and instances into one mesh in world coordinates, for commands that take a file as one
// mesh. The formula is the one by which the library places an object (docs/reference/numbers.md), so both ways put
// every vertex at the same place but for the sign of a zero. All new arrays are there before the old ones go, so a
// failure changes nothing.
#define _POSIX_C_SOURCE 200809L // strdup
#include "foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

// How much there is once every instance is a mesh of its own. No sum overflows: a mesh has fewer than 2^32 vertices and
// 2^31 corners, and the instances lie in memory.
typedef struct flat_sizes {
    uint64_t vertices, corners, faces, parts;
} flat_sizes;

static flat_sizes measure(const model *m)
{
    flat_sizes sizes = {0};
    for (size_t i = 0; i < m->instance_count; i++) {
        const model_mesh *mesh = &m->meshes[m->instances[i].mesh];
        sizes.vertices += mesh->vertex_count;
        sizes.corners += mesh->index_count;
        sizes.faces += mesh->face_count;
        sizes.parts += mesh->face_count > 0;
    }
    return sizes;
}

static bool fits(const flat_sizes *sizes)
{
    uint64_t left = IMPORT_MEMORY < SIZE_MAX / 2 ? IMPORT_MEMORY : SIZE_MAX / 2;
    return take_memory(&left, sizes->vertices, 3 * sizeof(double)) &&
           take_memory(&left, sizes->corners, sizeof(uint32_t)) && take_memory(&left, sizes->faces, sizeof(uint32_t)) &&
           take_memory(&left, sizes->parts, sizeof(grz_io_part));
}

// The one mesh that is being made.
typedef struct flat_mesh {
    double *positions;
    uint32_t *indices, *corner_counts;
    grz_io_part *parts;
    uint64_t vertex_count, index_count, face_count;
    size_t part_count;
} flat_mesh;

// Allocate arrays of these sizes, or of one element instead of none. False if there is no memory.
static bool allocate(const flat_sizes *sizes, bool polygons, flat_mesh *out)
{
    out->positions = malloc((size_t)(sizes->vertices + 1) * 3 * sizeof(double));
    out->indices = malloc((size_t)(sizes->corners + 1) * sizeof(uint32_t));
    out->corner_counts = polygons ? malloc((size_t)(sizes->faces + 1) * sizeof(uint32_t)) : NULL;
    out->parts = malloc((size_t)(sizes->parts + 1) * sizeof(grz_io_part));
    return out->positions && out->indices && out->parts && (!polygons || out->corner_counts);
}

static bool is_identity(const double m[3][4])
{
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            if (!(m[i][k] >= identity[i][k] && m[i][k] <= identity[i][k]))
                return false;
    return true;
}

static void place(const double m[3][4], const double *from, double *to, uint64_t count)
{
    if (is_identity(m)) {
        memcpy(to, from, (size_t)count * 3 * sizeof(double));
        return;
    }
    for (const double *p = from; p < from + 3 * count; p += 3, to += 3)
        for (int k = 0; k < 3; k++)
            to[k] = m[k][0] * p[0] + m[k][1] * p[1] + m[k][2] * p[2] + m[k][3];
}

// Add one instance to what is there. Its name goes over to the part.
static void add_instance(const model *m, model_instance *shown, flat_mesh *out)
{
    const model_mesh *mesh = &m->meshes[shown->mesh];
    const uint32_t *corners = m->indices + mesh->first_index, first_vertex = (uint32_t)out->vertex_count;
    if (mesh->vertex_count > 0)
        place((const double(*)[4])shown->matrix, m->positions + 3 * mesh->first_vertex,
              out->positions + 3 * out->vertex_count, mesh->vertex_count);
    for (uint64_t i = 0; i < mesh->index_count; i++)
        out->indices[out->index_count + i] = first_vertex + corners[i];
    if (out->corner_counts && mesh->face_count > 0)
        memcpy(out->corner_counts + out->face_count, m->corner_counts + mesh->first_face,
               (size_t)mesh->face_count * sizeof(uint32_t));
    if (mesh->face_count > 0) {
        out->parts[out->part_count++] = (grz_io_part){.name = shown->name,
                                                      .first_face = out->face_count,
                                                      .face_count = mesh->face_count,
                                                      .first_index = out->index_count,
                                                      .index_count = mesh->index_count};
        shown->name = NULL;
    }
    out->vertex_count += mesh->vertex_count;
    out->index_count += mesh->index_count;
    out->face_count += mesh->face_count;
}

// Copy the notes of a model whose file owns them. False if there is no memory; what was copied is freed then.
static bool copy_notes(const model *m, const char *const **out)
{
    char **notes = m->note_count > 0 ? calloc(m->note_count, sizeof *notes) : NULL;
    bool ok = m->note_count == 0 || notes != NULL;
    for (size_t i = 0; ok && i < m->note_count; i++) {
        notes[i] = strdup(m->notes[i]);
        ok = notes[i] != NULL;
    }
    for (size_t i = 0; !ok && notes != NULL && i < m->note_count; i++)
        free(notes[i]);
    if (!ok)
        free(notes);
    *out = (const char *const *)notes;
    return ok;
}

bool model_flatten(model *m, const char *path, char message[MODEL_MESSAGE_SIZE])
{
    flat_mesh out = {0};
    *message = '\0';
    if (m->instance_count == 0)
        return true;
    const flat_sizes sizes = measure(m);
    if (sizes.vertices > UINT32_MAX)
        return model_fail(message, path, "more than 4294967295 vertices");
    if (!fits(&sizes))
        return model_fail(message, path, "the model is larger than the importer may make it (%llu MiB)",
                          (unsigned long long)(IMPORT_MEMORY >> 20));
    const char *const *notes = m->notes;
    const bool noted = m->file == NULL || copy_notes(m, &notes);
    if (!allocate(&sizes, m->corner_counts != NULL, &out) || !noted) {
        for (size_t i = 0; noted && m->file != NULL && i < m->note_count; i++)
            free((void *)notes[i]);
        if (noted && m->file != NULL)
            free((void *)notes);
        free(out.positions);
        free(out.indices);
        free(out.corner_counts);
        free(out.parts);
        return model_fail(message, path, "not enough memory for the model");
    }
    for (size_t i = 0; i < m->instance_count; i++)
        add_instance(m, &m->instances[i], &out);
    const model flat = {.positions = out.positions,
                        .vertex_count = out.vertex_count,
                        .indices = out.indices,
                        .index_count = out.index_count,
                        .corner_counts = out.corner_counts,
                        .face_count = out.face_count,
                        .parts = out.parts,
                        .part_count = out.part_count,
                        .notes = notes,
                        .note_count = m->note_count,
                        .bytes_read = m->bytes_read,
                        .declared_unit = m->declared_unit,
                        .unit_in_metres = m->unit_in_metres,
                        .up_axis = m->up_axis};
    m->notes = NULL;
    m->note_count = 0;
    model_finish(m);
    *m = flat;
    return true;
}
