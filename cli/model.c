// SPDX-License-Identifier: MIT
// Decides who reads a file: nobody where libgraze_io knows the format as one that is not read; libgraze_io where it
// recognises the format by the first bytes or the extension, or the format was given; then Assimp where that knows the
// format, and libgraze_io's guess for what is left.
#define _POSIX_C_SOURCE 200809L
#include "model.h"

#include "foreign/foreign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_SHOWN = 200, // bytes of a path that a message shows, the last ones
    REASON_SIZE = 512
};

// A file on its way to a model.
typedef struct reading {
    const char *path;
    const grz_io_options *options; // may be NULL
    bool no_child;                 // a format that another process has to read is a failure, and sets needs_child
    bool needs_child;
    bool keep_instances; // nodes share meshes
    bool has_directory;  // other files may lie beside it
    model *out;
    char *message;
} reading;

bool model_fail(char message[MODEL_MESSAGE_SIZE], const char *path, const char *format, ...)
{
    const size_t length = strlen(path);
    const char *from = path, *dots = "";
    va_list arguments;
    if (length > PATH_SHOWN) {
        from += length - PATH_SHOWN;
        dots = "...";
        while (((unsigned char)*from & 0xc0) == 0x80)
            from++; // not into the middle of a character
    }
    const size_t n = (size_t)snprintf(message, MODEL_MESSAGE_SIZE, "%s%s: ", dots, from);
    va_start(arguments, format);
    (void)vsnprintf(message + n, MODEL_MESSAGE_SIZE - n, format, arguments);
    va_end(arguments);
    return false;
}

static void free_const(const void *block)
{
    free((void *)block);
}

void model_finish(model *m)
{
    for (size_t i = 0; i < m->instance_count; i++)
        free(m->instances[i].name);
    free(m->meshes);
    free(m->instances);
    if (m->file != NULL) {
        grz_io_model_destroy(m->file);
        *m = (model){0};
        return;
    }
    for (size_t i = 0; i < m->part_count; i++)
        free_const(m->parts[i].name);
    for (size_t i = 0; i < m->note_count; i++)
        free_const(m->notes[i]);
    free_const(m->positions);
    free_const(m->indices);
    free_const(m->corner_counts);
    free_const(m->parts);
    free_const(m->notes);
    *m = (model){0};
}

// Copy what the file's nodes show. False if there is no memory.
static bool copy_instances(const grz_io_model *file, model *out)
{
    if (file->instance_count == 0)
        return true;
    out->meshes = calloc(file->mesh_count, sizeof *out->meshes);
    out->instances = calloc(file->instance_count, sizeof *out->instances);
    if (out->meshes == NULL || out->instances == NULL)
        return false;
    for (; out->mesh_count < file->mesh_count; out->mesh_count++) {
        const grz_io_mesh *mesh = &file->meshes[out->mesh_count];
        out->meshes[out->mesh_count] = (model_mesh){.first_vertex = mesh->first_vertex,
                                                    .vertex_count = mesh->vertex_count,
                                                    .first_index = mesh->first_index,
                                                    .index_count = mesh->index_count,
                                                    .first_face = mesh->first_face,
                                                    .face_count = mesh->face_count};
    }
    for (; out->instance_count < file->instance_count; out->instance_count++) {
        const grz_io_instance *from = &file->instances[out->instance_count];
        model_instance *to = &out->instances[out->instance_count];
        *to = (model_instance){.name = strdup(from->name), .mesh = from->mesh};
        memcpy(to->matrix, from->matrix, sizeof to->matrix);
        if (to->name == NULL)
            return false;
    }
    return true;
}

// The model takes the file, also where it fails for want of memory.
static bool take_over(grz_io_model *file, model *out)
{
    *out = (model){.positions = file->positions,
                   .vertex_count = file->vertex_count,
                   .indices = file->indices,
                   .index_count = file->index_count,
                   .corner_counts = file->corner_counts,
                   .face_count = file->face_count,
                   .parts = file->parts,
                   .part_count = file->part_count,
                   .notes = file->notes,
                   .note_count = file->note_count,
                   .bytes_read = file->bytes_read,
                   .declared_unit = file->unit_in_metres,
                   .unit_in_metres = file->unit_in_metres,
                   .up_axis = file->up_axis,
                   .file = file};
    return copy_instances(file, out);
}

// The caller's options, with room for the reason of a failure.
static grz_io_options options_of(const reading *r, char reason[REASON_SIZE])
{
    grz_io_options options = r->options != NULL ? *r->options : grz_io_default_options();
    *reason = '\0';
    options.reason = reason;
    options.reason_size = REASON_SIZE;
    return options;
}

// The folder of a path, to be freed; NULL without memory.
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

// Read by libgraze_io, by a guess if need be.
static bool read_own(reading *r, const unsigned char *bytes, size_t size)
{
    char reason[REASON_SIZE];
    grz_io_options options = options_of(r, reason);
    grz_io_model *file;
    char *directory = r->has_directory ? directory_of(r->path) : NULL;
    options.directory = directory;
    options.keep_instances = r->keep_instances;
    const grz_status status = grz_io_load_memory(r->path, bytes, size, &options, &file, NULL);
    free(directory);
    if (status != GRZ_OK)
        return model_fail(r->message, r->path, "%s", reason);
    if (take_over(file, r->out))
        return true;
    model_finish(r->out);
    return model_fail(r->message, r->path, "not enough memory for the model");
}

// Read by Assimp what it knows by the extension or by the first bytes, and all else by a guess. `by_name`: the
// extension counts.
static bool read_other(reading *r, bool by_name, const unsigned char *bytes, size_t size)
{
    const char *signature = foreign_signature(bytes, size), *slash = strrchr(r->path, '/');
    const char *dot = strrchr(slash != NULL ? slash + 1 : r->path, '.');
    by_name = by_name && dot != NULL && dot != (slash != NULL ? slash + 1 : r->path) && dot[1] != '\0';
    foreign_reader foreign = {.path = r->path, .bytes = bytes, .size = size, .message = r->message};
    foreign.cancel = r->options != NULL ? r->options->limits.cancel : NULL;
    bool unknown = false;
    if (r->no_child && (by_name || signature != NULL)) {
        r->needs_child = true;
        return false;
    }
    if (by_name) {
        if (foreign_read_assimp(&foreign, NULL, &unknown))
            return foreign_finish(&foreign, r->out);
        if (!unknown)
            return foreign_abandon(&foreign);
        foreign_abandon(&foreign);
    }
    if (signature == NULL)
        return read_own(r, bytes, size);
    if (foreign_read_assimp(&foreign, signature, &unknown))
        return foreign_finish(&foreign, r->out);
    return foreign_abandon(&foreign);
}

static bool read_bytes(reading *r, bool is_file, const unsigned char *bytes, size_t size)
{
    char reason[REASON_SIZE];
    grz_io_evidence evidence;
    if (r->options != NULL && r->options->format != NULL)
        return read_own(r, bytes, size);
    // Not to be tried by Assimp, which crashes on some of these, and reads a part of others.
    if (grz_io_unread(r->path, bytes, size, reason, sizeof reason))
        return model_fail(r->message, r->path, "%s", reason);
    (void)grz_io_detect(r->path, bytes, size, &evidence);
    if (size == 0 || evidence == GRZ_IO_BY_BYTES)
        return read_own(r, bytes, size);
    if (evidence == GRZ_IO_BY_NAME)
        return foreign_signature(bytes, size) != NULL ? read_other(r, false, bytes, size) : read_own(r, bytes, size);
    return read_other(r, is_file, bytes, size);
}

bool model_read_memory(const char *path, bool is_file, const unsigned char *bytes, size_t size, model *out,
                       char message[MODEL_MESSAGE_SIZE])
{
    reading r = {.path = path, .keep_instances = true, .has_directory = is_file, .out = out, .message = message};
    *out = (model){0};
    *message = '\0';
    return read_bytes(&r, is_file, bytes, size);
}

static bool read_path(reading *r)
{
    char reason[REASON_SIZE];
    const grz_io_options options = options_of(r, reason);
    grz_io_file *file;
    *r->out = (model){0};
    r->has_directory = strcmp(r->path, "-") != 0;
    const grz_status status = !r->has_directory
                                  ? grz_io_file_open_descriptor(STDIN_FILENO, r->path, &options, &file, NULL)
                                  : grz_io_file_open(r->path, &options, &file, NULL);
    if (status != GRZ_OK)
        return model_fail(r->message, r->path, "%s", reason);
    const bool ok = read_bytes(r, file->mapped, file->bytes, file->size);
    grz_io_file_close(file);
    return ok;
}

bool model_read_instances(const char *path, const grz_io_options *options, model *out, char message[MODEL_MESSAGE_SIZE])
{
    reading r = {.path = path, .options = options, .keep_instances = true, .out = out, .message = message};
    *message = '\0';
    return read_path(&r);
}

bool model_convert(model *m, double unit, const char *path, char message[MODEL_MESSAGE_SIZE])
{
    grz_error error = {0};
    m->unit_in_metres = unit;
    if (!(m->declared_unit > 0))
        return true;
    // The arrays are this model's, or its file's, whose positions a caller may change.
    bool done =
        grz_io_convert_lengths((double *)m->positions, 3 * m->vertex_count, m->declared_unit, unit, &error) == GRZ_OK;
    for (size_t i = 0; done && i < m->instance_count; i++)
        for (int row = 0; done && row < 3; row++)
            done = grz_io_convert_lengths(&m->instances[i].matrix[row][3], 1, m->declared_unit, unit, &error) == GRZ_OK;
    return done || model_fail(message, path, "%s", error.message);
}

bool model_read_as(const char *path, const model_wish *wish, model *out, char message[MODEL_MESSAGE_SIZE],
                   bool *needs_child)
{
    const bool converted = wish->unit > 0;
    reading r = {.path = path,
                 .options = wish->options,
                 .no_child = wish->childless,
                 .keep_instances = converted,
                 .out = out,
                 .message = message};
    *message = '\0';
    const bool read = read_path(&r);
    if (needs_child != NULL)
        *needs_child = r.needs_child;
    if (!read)
        return false;
    if ((!converted || model_convert(out, wish->unit, path, message)) && model_flatten(out, path, message))
        return true;
    model_finish(out);
    return false;
}

bool model_read_childless(const char *path, const grz_io_options *options, model *out, char message[MODEL_MESSAGE_SIZE],
                          bool *needs_child)
{
    const model_wish wish = {.options = options, .childless = true};
    return model_read_as(path, &wish, out, message, needs_child);
}

bool model_read(const char *path, const grz_io_options *options, model *out, char message[MODEL_MESSAGE_SIZE])
{
    const model_wish wish = {.options = options};
    return model_read_as(path, &wish, out, message, NULL);
}
