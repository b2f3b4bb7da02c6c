// SPDX-License-Identifier: MIT
// From bytes, or a file's name, to a model: tells the format, has its reader fill the model, hands the model over.
#include "file.h"
#include "format.h"
#include "unread/unread.h"
#include "unwrap/unwrap.h"

#include <stdio.h>
#include <string.h>

enum {
    DIRECTORY_ROOM = 4096
};

void grz_io_release_model(growing_model *m, const grz_allocator *allocator)
{
    for (size_t i = 0; i < m->part_count; i++)
        grz_io_release_block(allocator, m->parts[i].name, strlen(m->parts[i].name) + 1);
    for (size_t i = 0; i < m->note_count; i++)
        grz_io_release_block(allocator, m->notes[i], strlen(m->notes[i]) + 1);
    for (size_t i = 0; i < m->instance_count; i++)
        grz_io_release_block(allocator, m->instances[i].name, strlen(m->instances[i].name) + 1);
    grz_io_release_block(allocator, m->instances, m->instance_capacity * sizeof *m->instances);
    grz_io_release_block(allocator, m->meshes, m->mesh_capacity * sizeof *m->meshes);
    grz_io_release_block(allocator, m->positions, m->position_capacity * 3 * sizeof *m->positions);
    grz_io_release_block(allocator, m->indices, m->index_capacity * sizeof *m->indices);
    grz_io_release_block(allocator, m->corner_counts, m->face_capacity * sizeof *m->corner_counts);
    grz_io_release_block(allocator, m->parts, m->part_capacity * sizeof *m->parts);
    grz_io_release_block(allocator, m->notes, m->note_capacity * sizeof *m->notes);
}

void grz_io_model_destroy(grz_io_model *model)
{
    if (model == NULL)
        return;
    owned_model *owned = (owned_model *)model;
    const grz_allocator allocator = owned->allocator;
    grz_io_release_model(&owned->arrays, &allocator);
    grz_io_release_block(&allocator, owned, sizeof *owned);
}

static bool fail_without_faces(reader *r)
{
    const growing_model *m = &r->model;
    if (m->vertex_count == 0)
        return grz_io_fail(r, "no faces and no vertices in it");
    const char *note = m->note_count > 0 ? m->notes[0] : NULL; // what there was instead
    return grz_io_fail(r, "no faces in it (%llu %s%s%s)", (unsigned long long)m->vertex_count,
                       m->vertex_count == 1 ? "vertex" : "vertices", note != NULL ? ", " : "",
                       note != NULL ? note : "");
}

// Of packed files whose format is not known.
static const char PACKED[] = "; gzip packed it, and only the formats of libgraze_io are unpacked: unpack it first";

// Formats that the tool reads, by a program of others, and this library does not.
static void say_where_it_is_read(load_control *control, const char *name)
{
    static const char *const formats[][2] = {{"fbx", "FBX"},         {"x3d", "X3D"},       {"3ds", "3DS"},
                                             {"x", "The format .x"}, {"lwo", "LightWave"}, {"dxf", "DXF"}};
    const text_token extension = grz_io_extension(name);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (grz_io_is_listed(formats[i][0], extension))
            (void)snprintf(control->reason, sizeof control->reason,
                           "%s is not read by libgraze_io, only by the tool: save it as glTF, OBJ, PLY, STL or 3MF",
                           formats[i][1]);
}

// Choose the format. NULL, with the reason, where there is none. `packed`: the file was.
static const file_format *choose_format(reader *r, const char *name, bool packed)
{
    load_control *control = r->control;
    const char *wanted = control->options.format;
    const file_format *format;
    char unread[UNREAD_REASON_SIZE];
    if (wanted != NULL) {
        r->evidence = GRZ_IO_BY_NAME;
        format = grz_io_find_format(wanted);
        if (format == NULL)
            grz_io_control_fail(control, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                                "options.format: no format is called \"%.40s\"", wanted);
        return format;
    }
    format = grz_io_detect_format(name, r->bytes, r->size, &r->evidence);
    if (format == NULL && grz_io_explain_unread(name, r->bytes, r->size, unread))
        grz_io_control_fail(control, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "%s", unread);
    else if (format == NULL) {
        grz_io_control_fail(control, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                            "no model of a known format: neither first bytes nor extension name one%s",
                            packed ? PACKED : "");
        if (!packed)
            say_where_it_is_read(control, name);
    }
    return format;
}

// Read with the locale and the floating-point environment in which strtod gives the nearest double and prints a point.
static bool read_in_plain_environment(reader *r, const file_format *format)
{
    plain_environment plain;
    if (!grz_io_enter_plain(r->control, &plain))
        return false;
    const bool ok = format->read(r) && (r->model.face_count > 0 || fail_without_faces(r));
    grz_io_leave_plain(&plain);
    return ok;
}

grz_io_model *grz_io_hand_over(reader *r, const char *format)
{
    const growing_model *m = &r->model;
    owned_model *owned = grz_io_control_reallocate(r->control, NULL, 0, sizeof *owned);
    if (owned == NULL) {
        grz_io_fail_memory(r);
        return NULL;
    }
    *owned = (owned_model){.shown = {.positions = m->positions,
                                     .vertex_count = m->vertex_count,
                                     .indices = m->indices,
                                     .index_count = m->index_count,
                                     .corner_counts = m->corner_counts,
                                     .face_count = m->face_count,
                                     .parts = m->part_count > 0 ? m->parts : NULL,
                                     .part_count = m->part_count,
                                     .notes = m->note_count > 0 ? (const char *const *)m->notes : NULL,
                                     .note_count = m->note_count,
                                     .bytes_read = r->file_size,
                                     .format = format,
                                     .unit_in_metres = r->unit_in_metres,
                                     .up_axis = r->up_axis,
                                     .meshes = m->mesh_count > 0 ? m->meshes : NULL,
                                     .mesh_count = m->mesh_count,
                                     .instances = m->instance_count > 0 ? m->instances : NULL,
                                     .instance_count = m->instance_count},
                           .arrays = *m,
                           .allocator = r->control->allocator};
    return &owned->shown;
}

// Read what was unwrapped of a file.
static grz_io_model *load_unwrapped(load_control *control, const char *name, const char *directory,
                                    const unwrapped *inside, uint64_t file_size)
{
    reader r = {.control = control,
                .bytes = inside->bytes,
                .size = inside->size,
                .file_size = file_size,
                .next_look = inside->bytes,
                .directory = directory};
    grz_io_model *model = NULL;
    if (r.size == 0) {
        grz_io_fail(&r, inside->packed ? "there is nothing in the gzip file" : "the file is empty");
        return NULL;
    }
    const file_format *format = choose_format(&r, name, inside->packed);
    if (format != NULL && grz_io_look(&r, r.bytes) && read_in_plain_environment(&r, format) &&
        (inside->utf16 == NULL || grz_io_note(&r, "text in UTF-16 (%s) was read as UTF-8", inside->utf16)))
        model = grz_io_hand_over(&r, format->about.name);
    if (model == NULL && inside->packed && r.evidence == GRZ_IO_GUESS && control->status == GRZ_ERROR_FORMAT)
        grz_io_fail_more(&r, "%s", PACKED);
    if (model == NULL && !inside->packed && r.evidence == GRZ_IO_GUESS && control->status == GRZ_ERROR_FORMAT)
        say_where_it_is_read(control, name);
    if (model == NULL)
        grz_io_release_model(&r.model, &control->allocator);
    return model;
}

// Read bytes under a control that has begun. `directory`: of files beside this one; NULL: not known.
static grz_io_model *load_bytes(load_control *control, const char *name, const char *directory, const void *bytes,
                                size_t size)
{
    unwrapped inside = {.bytes = bytes, .size = size};
    grz_io_model *model = NULL;
    if (!grz_io_is_wrapped_model(bytes, size) || grz_io_unwrap(control, bytes, size, &inside))
        model = load_unwrapped(control, name, directory, &inside, size);
    grz_io_unwrap_release(control, &inside);
    if (model != NULL)
        grz_io_control_progress(control, 1);
    return model;
}

grz_status grz_io_load_memory(const char *name, const void *bytes, size_t size, const grz_io_options *options,
                              grz_io_model **model, grz_error *error)
{
    load_control control;
    const char *shown = name != NULL ? name : "memory";
    if (model != NULL)
        *model = NULL;
    if (model == NULL || (bytes == NULL && size > 0))
        return grz_io_refuse("load memory", model == NULL ? "model is NULL" : "bytes is NULL", error);
    const grz_status status = grz_io_control_begin(&control, "load memory", options, error);
    if (status != GRZ_OK)
        return status;
    *model = load_bytes(&control, name, control.options.directory, bytes, size);
    return *model != NULL ? GRZ_OK : grz_io_control_explain(&control, shown, error);
}

// The directory of a path, "." where it names none; NULL where it is too long.
static const char *directory_of(const char *path, char room[DIRECTORY_ROOM])
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    if (length == 0)
        return ".";
    if (length >= DIRECTORY_ROOM)
        return NULL;
    memcpy(room, path, length);
    room[length] = '\0';
    return room;
}

grz_status grz_io_load_file(const char *path, const grz_io_options *options, grz_io_model **model, grz_error *error)
{
    load_control control;
    if (model != NULL)
        *model = NULL;
    if (path == NULL || model == NULL)
        return grz_io_refuse("load file", path == NULL ? "path is NULL" : "model is NULL", error);
    const grz_status status = grz_io_control_begin(&control, "load file", options, error);
    if (status != GRZ_OK)
        return status;
    file_bytes file = {0};
    char beside[DIRECTORY_ROOM];
    const char *directory = control.options.directory;
    if (grz_io_open_path(&control, path, &file)) {
        if (directory == NULL)
            directory = directory_of(path, beside);
        *model = load_bytes(&control, path, directory, file.shown.bytes, file.shown.size);
        grz_io_release_file(&file, &control.allocator);
    }
    return *model != NULL ? GRZ_OK : grz_io_control_explain(&control, path, error);
}
