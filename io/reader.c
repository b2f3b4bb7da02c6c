// SPDX-License-Identifier: MIT
// The part of the readers that fills the model: arrays that double as they grow, parts and notes; and reasons of
// failures.
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LARGE_ARRAY = 1 << 15 // elements
};

static void fail(reader *r, uint64_t element, const char *place, const char *format, va_list arguments)
{
    char what[REASON_SIZE];
    (void)vsnprintf(what, sizeof what, format, arguments);
    grz_io_control_fail(r->control, GRZ_ERROR_FORMAT, element, "%s%s", place, what);
}

bool grz_io_fail(reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(r, GRZ_NO_ELEMENT, "", format, arguments);
    va_end(arguments);
    return false;
}

bool grz_io_fail_line(reader *r, uint64_t line, const char *format, ...)
{
    char place[40];
    (void)snprintf(place, sizeof place, "line %llu: ", (unsigned long long)line);
    va_list arguments;
    va_start(arguments, format);
    fail(r, line, place, format, arguments);
    va_end(arguments);
    return false;
}

bool grz_io_fail_byte(reader *r, uint64_t byte, const char *format, ...)
{
    char place[40];
    (void)snprintf(place, sizeof place, "byte %llu: ", (unsigned long long)byte);
    va_list arguments;
    va_start(arguments, format);
    fail(r, byte, place, format, arguments);
    va_end(arguments);
    return false;
}

bool grz_io_fail_number(reader *r, const text_scan *s, scan_result result, const char *what)
{
    char quote[SCAN_QUOTE_SIZE];
    switch (result) {
    case SCAN_MISSING:
        if (s->at == s->end)
            return grz_io_fail_line(r, s->line, "the file ends where the %s is expected", what);
        return grz_io_fail_line(r, s->line, "the line ends where the %s is expected", what);
    case SCAN_NOT_FINITE:
        return grz_io_fail_line(r, s->line, "the %s %s is not a finite number", what, grz_io_scan_quote(s, quote));
    case SCAN_TOO_LONG:
        return grz_io_fail_line(r, s->line, "the %s has more than %d characters", what, (int)SCAN_NUMBER_LENGTH);
    case SCAN_NOT_A_NUMBER:
    case SCAN_OK:
        break;
    }
    return grz_io_fail_line(r, s->line, "the %s %s is not a number", what, grz_io_scan_quote(s, quote));
}

void grz_io_fail_more(reader *r, const char *format, ...)
{
    load_control *control = r->control;
    if (control->status != GRZ_ERROR_FORMAT)
        return;
    size_t n = strlen(control->reason);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(control->reason + n, sizeof control->reason - n, format, arguments);
    va_end(arguments);
}

bool grz_io_fail_memory(reader *r)
{
    const uint64_t limit = r->control->options.limits.memory_limit;
    if (limit > 0)
        return grz_io_control_fail(r->control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT,
                                   "not enough memory for the model: the limit is %llu bytes",
                                   (unsigned long long)limit);
    return grz_io_control_fail(r->control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the model");
}

bool grz_io_forget_failure(reader *r)
{
    if (r->control->status != GRZ_ERROR_FORMAT)
        return false;
    r->control->status = GRZ_OK;
    return true;
}

bool grz_io_look(reader *r, const unsigned char *at)
{
    const size_t done = (size_t)(at - r->bytes);
    r->next_look = r->size - done > LOOK_EVERY ? at + LOOK_EVERY : r->bytes + r->size;
    // Of a file that is read a second time in another way, progress stays where it was.
    grz_io_control_progress(r->control, (double)done / ((double)r->size + 1));
    return grz_io_control_goes_on(r->control);
}

// How many elements to ask for where `needed` are: at least double what there was. Under a memory limit no more than a
// quarter of what is left of it, so that the other arrays can grow, too.
static uint64_t grown_capacity(const reader *r, uint64_t capacity, uint64_t needed, size_t element_size)
{
    const load_control *control = r->control;
    const uint64_t limit = control->options.limits.memory_limit,
                   doubled = needed < 2 * capacity ? 2 * capacity : needed;
    const uint64_t wanted = doubled < 64 ? 64 : doubled;
    if (limit == 0)
        return wanted;
    const uint64_t left = limit > control->memory_used ? (limit - control->memory_used) / element_size : 0;
    const uint64_t allowed = capacity + left / 4;
    return allowed < needed ? needed : wanted < allowed ? wanted : allowed;
}

// Make room for `needed` elements; for exactly that many where it is known that no more will come.
static bool grow(reader *r, void **array, size_t *capacity, uint64_t needed, size_t element_size, bool exactly)
{
    if (needed <= *capacity)
        return true;
    const uint64_t wanted = exactly ? needed : grown_capacity(r, *capacity, needed, element_size);
    void *moved = NULL;
    if (wanted <= SIZE_MAX / element_size)
        moved = grz_io_control_reallocate(r->control, *array, *capacity * element_size, (size_t)wanted * element_size);
    if (moved == NULL)
        return grz_io_fail_memory(r);
    *array = moved;
    *capacity = (size_t)wanted;
    return true;
}

// How many elements to make room for where `needed` are: in a large text as many as there will be if the rest is like
// what was read. Room that is not used takes no memory; a large array that moves costs time.
static uint64_t foresee(const reader *r, uint64_t needed)
{
    if (needed < LARGE_ARRAY || !r->reached || r->reached <= r->bytes || r->control->options.limits.memory_limit > 0)
        return needed;
    double share = (double)(r->reached - r->bytes) / (double)r->size;
    // Never more than the file can hold, two bytes a corner: a statement of megabytes says little about the rest.
    const double most = (double)needed + (double)r->size / 2, foreseen = (double)needed / share * 1.05;
    return (uint64_t)(foreseen < most ? foreseen : most);
}

static bool grow_positions(reader *r, uint64_t vertices, bool exactly)
{
    void *array = r->model.positions;
    bool ok = grow(r, &array, &r->model.position_capacity, vertices, 3 * sizeof(double), exactly);
    r->model.positions = array;
    return ok;
}

static bool grow_indices(reader *r, uint64_t corners, bool exactly)
{
    void *array = r->model.indices;
    bool ok = grow(r, &array, &r->model.index_capacity, corners, sizeof(uint32_t), exactly);
    r->model.indices = array;
    return ok;
}

static bool grow_faces(reader *r, uint64_t faces)
{
    if (faces <= r->model.face_capacity)
        return true;
    void *array = r->model.corner_counts;
    bool ok = grow(r, &array, &r->model.face_capacity, foresee(r, faces), sizeof(uint32_t), false);
    r->model.corner_counts = array;
    return ok;
}

bool grz_io_reserve(reader *r, uint64_t vertices, uint64_t corners)
{
    if (vertices > UINT32_MAX)
        return grz_io_fail(r, "%llu vertices are more than the 4294967295 that can be read",
                           (unsigned long long)vertices);
    return grow_positions(r, vertices, true) && grow_indices(r, corners, true);
}

bool grz_io_grow_vertices(reader *r)
{
    if (r->model.vertex_count == UINT32_MAX)
        return grz_io_fail(r, "more than 4294967295 vertices");
    return grow_positions(r, foresee(r, r->model.vertex_count + 1), false);
}

bool grz_io_grow_corners(reader *r, uint64_t corners)
{
    return grow_indices(r, foresee(r, r->model.index_count + corners), false);
}

bool grz_io_end_polygon(reader *r, uint64_t corners)
{
    growing_model *m = &r->model;
    bool first = !m->corner_counts;
    if (corners > UINT32_MAX)
        return grz_io_fail(r, "face %llu has more than 4294967295 corners", (unsigned long long)m->face_count);
    if (!grow_faces(r, m->face_count + 1) || !m->corner_counts)
        return false;
    for (uint64_t i = 0; first && i < m->face_count; i++)
        m->corner_counts[i] = 3;
    m->corner_counts[m->face_count++] = (uint32_t)corners;
    return true;
}

bool grz_io_end_part(reader *r)
{
    growing_model *m = &r->model;
    if (!r->in_part)
        return true;
    r->in_part = false;
    if (r->part_first_face == m->face_count)
        return true;
    void *array = m->parts;
    bool ok = grow(r, &array, &m->part_capacity, m->part_count + 1, sizeof(grz_io_part), false);
    m->parts = array;
    const char *name = ok ? grz_io_copy_name(r->control, r->part_name) : NULL;
    if (!name)
        return grz_io_fail_memory(r);
    m->parts[m->part_count++] = (grz_io_part){.name = name,
                                              .first_face = r->part_first_face,
                                              .face_count = m->face_count - r->part_first_face,
                                              .first_index = r->part_first_index,
                                              .index_count = m->index_count - r->part_first_index};
    return true;
}

bool grz_io_begin_part(reader *r, text_token name)
{
    if (!r->in_part && r->model.part_count == 0) { // what came before has no name of its own
        r->part_name = (text_token){(const unsigned char *)"default", 7};
        r->part_first_face = 0;
        r->part_first_index = 0;
        r->in_part = true;
    }
    if (!grz_io_end_part(r))
        return false;
    r->part_name = name;
    r->part_first_face = r->model.face_count;
    r->part_first_index = r->model.index_count;
    r->in_part = true;
    return true;
}

bool grz_io_begin_mesh(reader *r)
{
    growing_model *m = &r->model;
    void *array = m->meshes;
    const bool ok = grow(r, &array, &m->mesh_capacity, m->mesh_count + 1, sizeof *m->meshes, false);
    m->meshes = array;
    if (ok)
        m->meshes[m->mesh_count++] =
            (grz_io_mesh){.first_vertex = m->vertex_count, .first_index = m->index_count, .first_face = m->face_count};
    return ok;
}

void grz_io_end_mesh(reader *r)
{
    const growing_model *m = &r->model;
    grz_io_mesh *mesh = &m->meshes[m->mesh_count - 1];
    mesh->vertex_count = m->vertex_count - mesh->first_vertex;
    mesh->index_count = m->index_count - mesh->first_index;
    mesh->face_count = m->face_count - mesh->first_face;
}

bool grz_io_add_instance(reader *r, text_token name, uint64_t mesh, const double matrix[3][4])
{
    growing_model *m = &r->model;
    void *array = m->instances;
    const bool ok = grow(r, &array, &m->instance_capacity, m->instance_count + 1, sizeof *m->instances, false);
    m->instances = array;
    const char *copy = ok ? grz_io_copy_name(r->control, name) : NULL;
    if (!copy)
        return grz_io_fail_memory(r);
    grz_io_instance *added = &m->instances[m->instance_count++];
    *added = (grz_io_instance){.name = copy, .mesh = mesh};
    memcpy(added->matrix, matrix, sizeof added->matrix);
    return true;
}

void grz_io_drop_rows(reader *r)
{
    growing_model *m = &r->model;
    grz_io_control_release(r->control, m->corner_counts, m->face_capacity * sizeof *m->corner_counts);
    m->corner_counts = NULL;
    m->face_capacity = 0;
    m->vertex_count = m->index_count = m->face_count = 0;
}

void grz_io_drop_parts(reader *r)
{
    for (size_t i = 0; i < r->model.part_count; i++) {
        const char *name = r->model.parts[i].name;
        grz_io_control_release(r->control, (void *)name, strlen(name) + 1);
    }
    r->model.part_count = 0;
}

bool grz_io_note(reader *r, const char *format, ...)
{
    char text[256];
    growing_model *m = &r->model;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = strlen(text) + 1;
    void *array = m->notes;
    bool ok = grow(r, &array, &m->note_capacity, m->note_count + 1, sizeof(char *), false);
    m->notes = array;
    char *copy = ok ? grz_io_control_reallocate(r->control, NULL, 0, size) : NULL;
    if (!copy)
        return grz_io_fail_memory(r);
    memcpy(copy, text, size);
    m->notes[m->note_count++] = copy;
    return true;
}

bool grz_io_note_count(reader *r, uint64_t count, const char *singular, const char *plural)
{
    if (count == 0)
        return true;
    return grz_io_note(r, "%llu %s", (unsigned long long)count, count == 1 ? singular : plural);
}
