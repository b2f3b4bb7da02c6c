// SPDX-License-Identifier: MIT
// The model that is received from an importer: arrays that double as they grow, so that memory is taken only for what
// has arrived.
#define _POSIX_C_SOURCE 200809L
#include "foreign/foreign.h"

#include "report/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The start of every file of a format that Assimp reads and that can be told by it.
const char *foreign_signature(const unsigned char *bytes, size_t size)
{
    static const struct {
        const char *bytes, *extension;
    } known[] = {{"Kaydara FBX Binary", "fbx"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].bytes);
        if (size >= length && memcmp(bytes, known[i].bytes, length) == 0)
            return known[i].extension;
    }
    return NULL;
}

bool foreign_is_utf16(const unsigned char *bytes, size_t size)
{
    return size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
}

bool foreign_fail(foreign_reader *r, const char *format, ...)
{
    char reason[MODEL_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return model_fail(r->message, r->path, "%s", reason);
}

bool foreign_fail_memory(foreign_reader *r)
{
    return foreign_fail(r, "not enough memory for the model");
}

// Make room for `more` elements.
static bool grow(foreign_reader *r, void **array, size_t *capacity, size_t count, size_t more, size_t element_size)
{
    if (more <= *capacity - count)
        return true;
    const size_t needed = count + more, doubled = 2 * *capacity, wanted = needed > doubled ? needed : doubled;
    void *moved = wanted <= SIZE_MAX / 2 / element_size ? realloc(*array, wanted * element_size) : NULL;
    if (moved == NULL)
        return foreign_fail_memory(r);
    *array = moved;
    *capacity = wanted;
    return true;
}

bool foreign_add_vertices(foreign_reader *r, const double *positions, size_t count)
{
    void *array = r->positions;
    const bool ok = grow(r, &array, &r->vertex_capacity, r->vertex_count, count, 3 * sizeof *positions);
    r->positions = array;
    if (ok && count > 0)
        memcpy(r->positions + 3 * r->vertex_count, positions, count * 3 * sizeof *positions);
    r->vertex_count += ok ? count : 0;
    return ok;
}

bool foreign_add_corners(foreign_reader *r, const uint32_t *indices, size_t count)
{
    void *array = r->indices;
    const bool ok = grow(r, &array, &r->index_capacity, r->index_count, count, sizeof *indices);
    r->indices = array;
    if (ok && count > 0)
        memcpy(r->indices + r->index_count, indices, count * sizeof *indices);
    r->index_count += ok ? count : 0;
    return ok;
}

bool foreign_add_faces(foreign_reader *r, const uint32_t *corner_counts, size_t count)
{
    void *array = r->corner_counts;
    const bool ok = grow(r, &array, &r->face_capacity, r->face_count, count, sizeof *corner_counts);
    r->corner_counts = array;
    if (ok && count > 0)
        memcpy(r->corner_counts + r->face_count, corner_counts, count * sizeof *corner_counts);
    r->face_count += ok ? count : 0;
    return ok;
}

bool foreign_end_mesh(foreign_reader *r)
{
    model_mesh added = {0};
    if (r->mesh_count > 0) {
        const model_mesh *last = &r->meshes[r->mesh_count - 1];
        added = (model_mesh){.first_vertex = last->first_vertex + last->vertex_count,
                             .first_index = last->first_index + last->index_count,
                             .first_face = last->first_face + last->face_count};
    }
    added.vertex_count = r->vertex_count - added.first_vertex;
    added.index_count = r->index_count - added.first_index;
    added.face_count = r->face_count - added.first_face;
    void *array = r->meshes;
    const bool ok = grow(r, &array, &r->mesh_capacity, r->mesh_count, 1, sizeof added);
    r->meshes = array;
    if (ok)
        r->meshes[r->mesh_count++] = added;
    return ok;
}

// A copy in which U+FFFD stands for each control character and each byte that is no UTF-8. NULL without memory.
static char *copy_name(const char *name)
{
    static const char replacement[] = "\xEF\xBF\xBD"; // U+FFFD
    size_t room = strlen(name) < CHILD_TEXT_LENGTH / 3 ? 3 * strlen(name) : CHILD_TEXT_LENGTH, n = 0;
    char *copy = malloc(room + 1);
    for (size_t taken; copy != NULL && *name != '\0'; name += taken) {
        const unsigned char first = (unsigned char)name[0], second = (unsigned char)name[1];
        taken = printable_utf8_length(name);
        // U+0080 to U+009F steer a terminal, too.
        const bool bad = taken == 0 || first < 0x20 || first == 0x7f || (first == 0xc2 && second < 0xa0);
        const size_t length = bad ? 3 : taken;
        taken = bad ? 1 : taken;
        if (n + length > room)
            break;
        memcpy(copy + n, bad ? replacement : name, length);
        n += length;
    }
    if (copy != NULL)
        copy[n] = '\0';
    return copy;
}

bool foreign_add_instance(foreign_reader *r, uint64_t mesh, const double matrix[3][4], const char *name)
{
    void *array = r->instances;
    const bool ok = grow(r, &array, &r->instance_capacity, r->instance_count, 1, sizeof(model_instance));
    r->instances = array;
    char *copy = ok ? copy_name(name) : NULL;
    if (copy == NULL)
        return foreign_fail_memory(r);
    model_instance *added = &r->instances[r->instance_count++];
    *added = (model_instance){.name = copy, .mesh = mesh};
    memcpy(added->matrix, matrix, sizeof added->matrix);
    return true;
}

bool foreign_note(foreign_reader *r, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    void *array = r->notes;
    const bool ok = grow(r, &array, &r->note_capacity, r->note_count, 1, sizeof *r->notes);
    r->notes = array;
    char *copy = ok ? strdup(text) : NULL;
    if (copy == NULL)
        return foreign_fail_memory(r);
    r->notes[r->note_count++] = copy;
    return true;
}

bool foreign_note_count(foreign_reader *r, uint64_t count, const char *singular, const char *plural)
{
    return count == 0 || foreign_note(r, "%llu %s", (unsigned long long)count, count == 1 ? singular : plural);
}

// Counts are not kept where every face is a triangle, as libgraze_io has it.
static void drop_triangle_counts(foreign_reader *r)
{
    for (size_t i = 0; i < r->face_count; i++)
        if (r->corner_counts[i] != 3)
            return;
    free(r->corner_counts);
    r->corner_counts = NULL;
}

static bool fail_without_faces(foreign_reader *r)
{
    if (foreign_is_utf16(r->bytes, r->size))
        return foreign_fail(r, FOREIGN_UTF16_TEXT);
    if (r->vertex_count == 0)
        return foreign_fail(r, "no faces and no vertices in it");
    const char *note = r->note_count > 0 ? r->notes[0] : NULL; // what there was instead
    return foreign_fail(r, "no faces in it (%zu %s%s%s)", r->vertex_count, r->vertex_count == 1 ? "vertex" : "vertices",
                        note != NULL ? ", " : "", note != NULL ? note : "");
}

bool foreign_finish(foreign_reader *r, model *out)
{
    if (r->face_count == 0) {
        fail_without_faces(r);
        return foreign_abandon(r);
    }
    drop_triangle_counts(r);
    *out = (model){.positions = r->positions,
                   .vertex_count = r->vertex_count,
                   .indices = r->indices,
                   .index_count = r->index_count,
                   .corner_counts = r->corner_counts,
                   .face_count = r->face_count,
                   .meshes = r->meshes,
                   .mesh_count = r->mesh_count,
                   .instances = r->instances,
                   .instance_count = r->instance_count,
                   .notes = (const char *const *)r->notes,
                   .note_count = r->note_count,
                   .bytes_read = r->size,
                   .declared_unit = r->unit_in_metres,
                   .unit_in_metres = r->unit_in_metres,
                   .up_axis = r->up_axis};
    *r = (foreign_reader){
        .path = r->path, .bytes = r->bytes, .size = r->size, .message = r->message, .cancel = r->cancel};
    return true;
}

bool foreign_abandon(foreign_reader *r)
{
    for (size_t i = 0; i < r->instance_count; i++)
        free(r->instances[i].name);
    for (size_t i = 0; i < r->note_count; i++)
        free(r->notes[i]);
    free(r->positions);
    free(r->indices);
    free(r->corner_counts);
    free(r->meshes);
    free(r->instances);
    free(r->notes);
    *r = (foreign_reader){
        .path = r->path, .bytes = r->bytes, .size = r->size, .message = r->message, .cancel = r->cancel};
    return false;
}
