// SPDX-License-Identifier: MIT
// Makes a library mesh of a file: the model's arrays go in as they are, float64, so the mesh holds what the file says to the last
// bit. The model is freed as soon as the mesh has its copy: for large files the two together are the peak of the tool's memory.

#define _POSIX_C_SOURCE 200809L

#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool copy_notes(const model *from, loaded_mesh *out)
{
    if (from->note_count == 0)
        return true;
    out->notes = calloc(from->note_count, sizeof *out->notes);
    if (out->notes == NULL)
        return false;
    for (; out->note_count < from->note_count; out->note_count++) {
        out->notes[out->note_count] = strdup(from->notes[out->note_count]);
        if (out->notes[out->note_count] == NULL)
            return false;
    }
    return true;
}

static bool is_soup(const model *m)
{
    if (m->index_count != m->vertex_count)
        return false;
    for (uint64_t i = 0; i < m->index_count; i++) {
        if (m->indices[i] != i)
            return false;
    }
    return true;
}

grz_mesh_description load_describe(const model *m)
{
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = m->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = m->vertex_count;
    description.indices = m->indices;
    description.index_count = m->index_count;
    description.face_count = m->face_count;
    description.corner_counts = m->corner_counts;
    return description;
}

bool load_mesh(grz_device *device, const char *file, loaded_mesh *out, char message[LOAD_MESSAGE_SIZE])
{
    model read = {0};
    grz_error error = {0};

    *out = (loaded_mesh){.file = file};
    if (!model_read(file, &read, message)) {
        *out = (loaded_mesh){0};
        return false;
    }

    const grz_mesh_description description = load_describe(&read);
    if (read.face_count == 0) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s: has no faces", file);
        goto fail;
    }
    if (grz_mesh_create(device, &description, &out->mesh, &error) != GRZ_OK) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s: %s", file, error.message);
        goto fail;
    }
    if (!copy_notes(&read, out)) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s: out of memory", file);
        goto fail;
    }
    out->soup = is_soup(&read);
    model_finish(&read);
    return true;

fail:
    model_finish(&read);
    load_finish(out);
    return false;
}

bool load_check(loaded_mesh *loaded, char message[LOAD_MESSAGE_SIZE])
{
    grz_error error = {0};

    if (grz_mesh_check(loaded->mesh, &loaded->report, &error) == GRZ_OK)
        return true;
    snprintf(message, LOAD_MESSAGE_SIZE, "%s: %s", loaded->file, error.message);
    return false;
}

void load_finish(loaded_mesh *loaded)
{
    grz_mesh_destroy(loaded->mesh);
    for (size_t i = 0; i < loaded->note_count; i++)
        free(loaded->notes[i]);
    free(loaded->notes);
    *loaded = (loaded_mesh){0};
}
