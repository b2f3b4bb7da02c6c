// SPDX-License-Identifier: MIT
// The part of the readers that fills the model: arrays that double as they grow, parts, notes, and messages of one line. Names
// come from outside: a part's is always valid UTF-8 without control characters, and the path goes into a message as it is, to be
// made printable where the message is printed (output.h).
#include "read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_SHOWN = 200, // bytes of a path that a message shows, the last ones
    NAME_LENGTH = 1000,
    LARGE_ARRAY = 1 << 15 // elements
};

// The path, cut from the left to leave room for what is wrong. Returns the bytes written.
static size_t write_path(const reader *r, char *to)
{
    size_t length = strlen(r->path), n = 0;
    const char *from = r->path;
    if (length > PATH_SHOWN) {
        from += length - PATH_SHOWN;
        while (((unsigned char)*from & 0xc0) == 0x80)
            from++; // not into the middle of a character
        memcpy(to, "...", 3);
        n = 3;
    }
    length = strlen(from);
    memcpy(to + n, from, length);
    return n + length;
}

static bool fail(reader *r, const char *place, const char *format, va_list arguments)
{
    size_t n = write_path(r, r->message);
    n += (size_t)snprintf(r->message + n, MODEL_MESSAGE_SIZE - n, ": %s", place);
    vsnprintf(r->message + n, MODEL_MESSAGE_SIZE - n, format, arguments);
    return false;
}

bool reader_fail(reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(r, "", format, arguments);
    va_end(arguments);
    return false;
}

bool reader_fail_line(reader *r, uint64_t line, const char *format, ...)
{
    char place[40];
    snprintf(place, sizeof place, "line %llu: ", (unsigned long long)line);
    va_list arguments;
    va_start(arguments, format);
    fail(r, place, format, arguments);
    va_end(arguments);
    return false;
}

bool reader_fail_number(reader *r, const text_scan *s, scan_result result, const char *what)
{
    char quote[SCAN_QUOTE_SIZE];
    switch (result) {
    case SCAN_MISSING:
        if (s->at == s->end)
            return reader_fail_line(r, s->line, "the file ends where the %s is expected", what);
        return reader_fail_line(r, s->line, "the line ends where the %s is expected", what);
    case SCAN_NOT_FINITE:
        return reader_fail_line(r, s->line, "the %s %s is not a finite number", what, scan_quote(s, quote));
    case SCAN_TOO_LONG:
        return reader_fail_line(r, s->line, "the %s has more than %d characters", what, (int)SCAN_NUMBER_LENGTH);
    case SCAN_NOT_A_NUMBER:
    case SCAN_OK:
        break;
    }
    return reader_fail_line(r, s->line, "the %s %s is not a number", what, scan_quote(s, quote));
}

const char *reader_what(const reader *r, const char *message)
{
    char path[PATH_SHOWN + 4];
    return message + write_path(r, path) + 2;
}

void reader_fail_more(reader *r, const char *format, ...)
{
    size_t n = strlen(r->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message + n, MODEL_MESSAGE_SIZE - n, format, arguments);
    va_end(arguments);
}

bool reader_fail_memory(reader *r)
{
    return reader_fail(r, "not enough memory for the model");
}

// Make room for `needed` elements; at least double what there was unless exactly that many are known to come.
static bool grow(void **array, size_t *capacity, uint64_t needed, size_t element_size, bool exactly)
{
    if (needed <= *capacity)
        return true;
    uint64_t wanted = needed;
    if (!exactly && wanted < *capacity * UINT64_C(2))
        wanted = *capacity * UINT64_C(2);
    if (!exactly && wanted < 64)
        wanted = 64;
    if (wanted > SIZE_MAX / element_size)
        return false;
    void *moved = realloc(*array, (size_t)wanted * element_size);
    if (!moved)
        return false;
    *array = moved;
    *capacity = (size_t)wanted;
    return true;
}

// How many elements to make room for where `needed` are: in a large text as many as there will be if the rest is like what was read.
// Room that is not used takes no memory; a large array that moves costs time.
static uint64_t foresee(const reader *r, uint64_t needed)
{
    if (needed < LARGE_ARRAY || !r->reached || r->reached <= r->bytes)
        return needed;
    double share = (double)(r->reached - r->bytes) / (double)r->size;
    return (uint64_t)((double)needed / share * 1.05);
}

static bool grow_positions(reader *r, uint64_t vertices, bool exactly)
{
    void *array = r->out->positions;
    bool ok = grow(&array, &r->position_capacity, vertices, 3 * sizeof(double), exactly);
    r->out->positions = array;
    return ok || reader_fail_memory(r);
}

static bool grow_indices(reader *r, uint64_t corners, bool exactly)
{
    void *array = r->out->indices;
    bool ok = grow(&array, &r->index_capacity, corners, sizeof(uint32_t), exactly);
    r->out->indices = array;
    return ok || reader_fail_memory(r);
}

static bool grow_faces(reader *r, uint64_t faces)
{
    if (faces <= r->face_capacity)
        return true;
    void *array = r->out->corner_counts;
    bool ok = grow(&array, &r->face_capacity, foresee(r, faces), sizeof(uint32_t), false);
    r->out->corner_counts = array;
    return ok || reader_fail_memory(r);
}

bool reader_reserve(reader *r, uint64_t vertices, uint64_t corners)
{
    if (vertices > UINT32_MAX)
        return reader_fail(r, "%llu vertices are more than the 4294967295 that can be read", (unsigned long long)vertices);
    return grow_positions(r, vertices, true) && grow_indices(r, corners, true);
}

bool reader_grow_vertices(reader *r)
{
    if (r->out->vertex_count == UINT32_MAX)
        return reader_fail(r, "more than 4294967295 vertices");
    return grow_positions(r, foresee(r, r->out->vertex_count + 1), false);
}

bool reader_grow_corners(reader *r, uint64_t corners)
{
    return grow_indices(r, foresee(r, r->out->index_count + corners), false);
}

bool reader_end_polygon(reader *r, uint64_t corners)
{
    model *m = r->out;
    bool first = !m->corner_counts;
    if (corners > UINT32_MAX)
        return reader_fail(r, "face %llu has more than 4294967295 corners", (unsigned long long)m->face_count);
    if (!grow_faces(r, m->face_count + 1) || !m->corner_counts)
        return false;
    for (uint64_t i = 0; first && i < m->face_count; i++)
        m->corner_counts[i] = 3;
    m->corner_counts[m->face_count++] = (uint32_t)corners;
    return true;
}

// The length of the valid UTF-8 character at p, 0 where there is none (RFC 3629: no overlong forms, no surrogates).
static size_t utf8_length(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return p[0] >= 0x20 && p[0] != 0x7f;
    size_t n = p[0] >= 0xc2 && p[0] <= 0xdf ? 2 : p[0] >= 0xe0 && p[0] <= 0xef ? 3 : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
    bool too_large = p[0] == 0xf4 && p[1] >= 0x90;
    bool control = p[0] == 0xc2 && p[1] < 0xa0; // U+0080 to U+009F steer a terminal, too
    return overlong || surrogate || too_large || control ? 0 : n;
}

// A NUL-terminated copy that is valid UTF-8 without control characters; NULL without memory.
static char *copy_name(text_token name)
{
    static const char replacement[] = "\xEF\xBF\xBD"; // U+FFFD
    size_t room = name.length < NAME_LENGTH / 3 ? 3 * name.length : NAME_LENGTH, n = 0;
    char *copy = malloc(room + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < name.length;) {
        size_t taken = utf8_length(name.at + i, name.length - i);
        size_t length = taken ? taken : 3;
        if (n + length > room)
            break;
        memcpy(copy + n, taken ? (const char *)name.at + i : replacement, length);
        n += length;
        i += taken ? taken : 1;
    }
    copy[n] = '\0';
    char *shorter = realloc(copy, n + 1);
    return shorter ? shorter : copy;
}

bool reader_end_part(reader *r)
{
    model *m = r->out;
    bool empty = r->part_first_face == m->face_count;
    if (!r->in_part)
        return true;
    r->in_part = false;
    if (empty)
        return true;
    void *array = m->parts;
    bool ok = grow(&array, &r->part_capacity, m->part_count + 1, sizeof(model_part), false);
    m->parts = array;
    char *name = ok ? copy_name(r->part_name) : NULL;
    if (!name)
        return reader_fail_memory(r);
    m->parts[m->part_count++] = (model_part){name, r->part_first_face, m->face_count - r->part_first_face};
    return true;
}

bool reader_begin_part(reader *r, text_token name)
{
    if (!r->in_part && r->out->part_count == 0) { // what came before has no name of its own
        r->part_name = (text_token){(const unsigned char *)"default", 7};
        r->part_first_face = 0;
        r->in_part = true;
    }
    if (!reader_end_part(r))
        return false;
    r->part_name = name;
    r->part_first_face = r->out->face_count;
    r->in_part = true;
    return true;
}

void row_layout_begin(row_layout *layout)
{
    if (!layout->shares)
        layout->mixed_line = 0;
}

bool row_layout_add(row_layout *layout, reader *r, text_scan *s, uint64_t first, bool last)
{
    bool shared = layout->shares, runs_over = s->line != first;
    layout->shares = scan_more(s);
    shared = shared || layout->shares;
    if (shared && runs_over && layout->mixed_line == 0)
        layout->mixed_line = first;
    // The last one may end with a line by chance.
    if (!shared && !runs_over && !last && layout->filled_line == 0)
        layout->filled_line = first;
    if (!layout->shares)
        scan_next_line(s);
    if (layout->mixed_line == 0 || layout->filled_line == 0)
        return true;
    return reader_fail_line(r, layout->mixed_line,
                            "too many or too few numbers: rows and lines part here, while line %llu is one row",
                            (unsigned long long)layout->filled_line);
}

void reader_drop_rows(reader *r)
{
    model *m = r->out;
    free(m->corner_counts);
    m->corner_counts = NULL;
    r->face_capacity = 0;
    m->vertex_count = m->index_count = m->face_count = 0;
}

void reader_drop_parts(reader *r)
{
    for (size_t i = 0; i < r->out->part_count; i++)
        free(r->out->parts[i].name);
    r->out->part_count = 0;
}

bool reader_note(reader *r, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    void *array = r->out->notes;
    if (!copy || !grow(&array, &r->note_capacity, r->out->note_count + 1, sizeof(char *), false)) {
        free(copy);
        return reader_fail_memory(r);
    }
    r->out->notes = array;
    memcpy(copy, text, size);
    r->out->notes[r->out->note_count++] = copy;
    return true;
}

bool reader_note_count(reader *r, uint64_t count, const char *singular, const char *plural)
{
    if (count == 0)
        return true;
    return reader_note(r, "%llu %s", (unsigned long long)count, count == 1 ? singular : plural);
}

bool reader_end_mesh(reader *r)
{
    model *m = r->out;
    model_mesh added = {0};
    if (m->mesh_count > 0) {
        const model_mesh *last = &m->meshes[m->mesh_count - 1];
        added = (model_mesh){.first_vertex = last->first_vertex + last->vertex_count,
                             .first_index = last->first_index + last->index_count,
                             .first_face = last->first_face + last->face_count};
    }
    added.vertex_count = m->vertex_count - added.first_vertex;
    added.index_count = m->index_count - added.first_index;
    added.face_count = m->face_count - added.first_face;
    void *array = m->meshes;
    bool ok = grow(&array, &r->mesh_capacity, m->mesh_count + 1, sizeof(model_mesh), false);
    m->meshes = array;
    if (!ok)
        return reader_fail_memory(r);
    m->meshes[m->mesh_count++] = added;
    return true;
}

bool reader_add_instance(reader *r, uint64_t mesh, const double matrix[3][4], text_token name)
{
    model *m = r->out;
    void *array = m->instances;
    bool ok = grow(&array, &r->instance_capacity, m->instance_count + 1, sizeof(model_instance), false);
    m->instances = array;
    char *copy = ok ? copy_name(name) : NULL;
    if (!copy)
        return reader_fail_memory(r);
    model_instance *added = &m->instances[m->instance_count++];
    *added = (model_instance){.name = copy, .mesh = mesh};
    memcpy(added->matrix, matrix, sizeof added->matrix);
    return true;
}
