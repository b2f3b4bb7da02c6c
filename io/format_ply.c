// SPDX-License-Identifier: MIT
// PLY, text and both binary orders: the rows behind the header. One walk over the declared elements reads both
// encodings number by number; vertices of fixed size and triangles in the usual layout have a faster loop. Text numbers
// are strtod's doubles whatever type is declared, and line ends mean no more than blanks: most programs read them one
// by one. But rows are nearly always lines, and where they are not that is noted, and told with any failure after it.
// Where numbers do not come out even, but all rows of faces are lines that are longer than the header says by the same
// number, what is behind each row is skipped: MeshLab writes colours of corners so.
// Triangle strips become triangles, every second one turned, -1 starting anew.
// Source: Greg Turk, "The PLY Polygon File Format", 1994; strips as in the Stanford 3D Scanning Repository's models.
#include "format.h"
#include "ply_header.h"
#include "row_layout.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ply {
    reader *r;
    text_scan s; // the cursor of both encodings; its line counts in text only
    ply_header header;
    const ply_element *element; // being read, and which row of it
    uint64_t row;
    bool text, big;
    row_layout layout;
    uint64_t ragged_line;       // the first line of a text that is not just one row; 0: none yet
    bool by_lines;              // each row is a line, which may have more numbers
    uint64_t surplus;           // how many more
    uint64_t first_longer_line; // 0: none yet
    double position[3];
    uint64_t strip_first, strip_second, strip_length; // the last two corners of the strip, and how many there were
    uint64_t short_faces, short_strips;
    uint64_t beyond_line; // the first line with a number that its declared type cannot hold; 0: none yet
} ply;

// "PATH: line 7: …" or "PATH: byte 4711: element "face" 12: …".
static bool fail(const ply *p, const char *what)
{
    char quote[SCAN_QUOTE_SIZE];
    if (p->text)
        return grz_io_fail_line(p->r, p->s.line, "%s, in element %s %llu", what,
                                grz_io_token_quote(p->element->name, quote), (unsigned long long)p->row);
    return grz_io_fail_byte(p->r, (uint64_t)(p->s.at - p->r->bytes), "%s, in element %s %llu", what,
                            grz_io_token_quote(p->element->name, quote), (unsigned long long)p->row);
}

static inline uint64_t load(const unsigned char *at, size_t size, bool big)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)at[big ? size - 1 - i : i] << (8 * i);
    return bits;
}

static inline uint32_t load_u32(const unsigned char *at, bool big)
{
    uint32_t little = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return big ? little >> 24 | (little >> 8 & 0xff00) | (little << 8 & 0xff0000) | little << 24 : little;
}

static inline double double_of(const unsigned char *at, ply_type type, bool big)
{
    uint64_t bits;
    uint32_t half;
    float narrow;
    double wide;
    switch (type) {
    case PLY_FLOAT32:
        half = load_u32(at, big);
        memcpy(&narrow, &half, sizeof narrow);
        return (double)narrow;
    case PLY_FLOAT64:
        bits = load(at, 8, big);
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    case PLY_INT8:
        return (double)(int8_t)*at;
    case PLY_INT16:
        return (double)(int16_t)load(at, 2, big);
    case PLY_INT32:
        return (double)(int32_t)load_u32(at, big);
    case PLY_UINT8:
    case PLY_UINT16:
    case PLY_UINT32:
    case PLY_NO_TYPE:
        break;
    }
    return (double)load(at, grz_io_ply_type_size(type), big);
}

static void note_ragged(ply *p, uint64_t line)
{
    if (p->ragged_line == 0)
        p->ragged_line = line;
}

// Where a text's line has no more numbers, go to the next one that has. Returns whether there is one.
static bool runs_on(ply *p, scan_result result)
{
    uint64_t line = p->s.line;
    if (result != SCAN_MISSING || p->by_lines || !grz_io_scan_more_lines(&p->s))
        return false;
    note_ragged(p, line);
    return true;
}

// Go past the next number of a binary file. Returns its bytes, or NULL where the file ends before them.
static const unsigned char *next_bytes(ply *p, ply_type type)
{
    const unsigned char *bytes = p->s.at;
    const size_t size = grz_io_ply_type_size(type);
    if ((size_t)(p->s.end - bytes) < size) {
        (void)fail(p, "the file ends");
        return NULL;
    }
    p->s.at += size;
    return bytes;
}

// Whether a type can hold a number, but for rounding.
static bool holds(ply_type type, double value)
{
    static const struct {
        double least, most;
    } ranges[] = {[PLY_INT8] = {INT8_MIN, INT8_MAX},
                  [PLY_UINT8] = {0, UINT8_MAX},
                  [PLY_INT16] = {INT16_MIN, INT16_MAX},
                  [PLY_UINT16] = {0, UINT16_MAX},
                  [PLY_INT32] = {INT32_MIN, INT32_MAX},
                  [PLY_UINT32] = {0, UINT32_MAX},
                  [PLY_FLOAT32] = {-(double)FLT_MAX, (double)FLT_MAX},
                  [PLY_FLOAT64] = {-DBL_MAX, DBL_MAX}};
    return ranges[type].least <= value && value <= ranges[type].most &&
           (type >= PLY_FLOAT32 || value - floor(value) == 0.0);
}

// A number of a text was read as it is written; look whether its type has it.
static bool take_text(ply *p, ply_type type, double value)
{
    if (p->beyond_line == 0 && !holds(type, value))
        p->beyond_line = p->s.line;
    return true;
}

// The next number, of a type that is not floating.
static bool next_integer(ply *p, ply_type type, const char *what, int64_t *value)
{
    if (p->text) {
        scan_result result = grz_io_scan_integer(&p->s, value);
        if (runs_on(p, result))
            result = grz_io_scan_integer(&p->s, value);
        return result == SCAN_OK ? take_text(p, type, (double)*value) : grz_io_fail_number(p->r, &p->s, result, what);
    }
    const unsigned char *bytes = next_bytes(p, type);
    if (bytes != NULL)
        *value = type == PLY_UINT32 ? (int64_t)load_u32(bytes, p->big) : (int64_t)double_of(bytes, type, p->big);
    return bytes != NULL;
}

static bool next_double(ply *p, ply_type type, const char *what, double *value)
{
    if (p->text) {
        scan_result result = grz_io_scan_double(&p->s, value);
        if (runs_on(p, result))
            result = grz_io_scan_double(&p->s, value);
        return result == SCAN_OK ? take_text(p, type, *value) : grz_io_fail_number(p->r, &p->s, result, what);
    }
    const unsigned char *bytes = next_bytes(p, type);
    if (bytes != NULL)
        *value = double_of(bytes, type, p->big);
    return bytes != NULL;
}

// Go past numbers that nobody needs.
static bool skip(ply *p, ply_type type, uint64_t count)
{
    if (!p->text) {
        size_t size = grz_io_ply_type_size(type);
        if (count > (size_t)(p->s.end - p->s.at) / size)
            return fail(p, "the file ends");
        p->s.at += count * size;
        return true;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!reader_goes_on(p->r, p->s.at))
            return false;
        scan_result result = grz_io_scan_any_number(&p->s);
        if (runs_on(p, result))
            result = grz_io_scan_any_number(&p->s);
        if (result != SCAN_OK)
            return grz_io_fail_number(p->r, &p->s, result, "property");
    }
    return true;
}

// A corner of a strip: each from the third on makes a triangle.
static bool add_to_strip(ply *p, uint32_t index)
{
    uint32_t first = (uint32_t)p->strip_first, second = (uint32_t)p->strip_second;
    p->strip_first = p->strip_second;
    p->strip_second = index;
    if (++p->strip_length < 3)
        return true;
    return p->strip_length % 2 ? reader_add_triangle(p->r, first, second, index)
                               : reader_add_triangle(p->r, second, first, index);
}

static void end_strip(ply *p)
{
    p->short_strips += p->strip_length == 1 || p->strip_length == 2;
    p->strip_length = 0;
}

static bool fail_corner(const ply *p, int64_t index)
{
    char what[96];
    snprintf(what, sizeof what, "a corner is vertex %lld, but there are %llu vertices", (long long)index,
             (unsigned long long)p->header.vertex_count);
    return fail(p, what);
}

static bool read_corners(ply *p, const ply_property *property, uint64_t count)
{
    bool strips = p->element->kind == PLY_STRIPS;
    for (uint64_t i = 0; i < count; i++) {
        int64_t index = 0;
        if (!reader_goes_on(p->r, p->s.at))
            return false;
        if (!next_integer(p, property->type, "corner", &index))
            return false;
        if (strips && index == -1) {
            end_strip(p);
            continue;
        }
        if (index < 0 || (uint64_t)index >= p->header.vertex_count) {
            if (!p->text)
                p->s.at -= grz_io_ply_type_size(property->type);
            return fail_corner(p, index);
        }
        if (!(strips ? add_to_strip(p, (uint32_t)index) : reader_add_corner(p->r, (uint32_t)index)))
            return false;
    }
    if (strips) {
        end_strip(p);
        return true;
    }
    if (count >= 3)
        return reader_end_face(p->r, count);
    // Where rows have nothing to do with lines, or lines are longer, a number in the wrong place would pass for such a
    // face.
    if (p->layout.mixed_line > 0 || p->by_lines)
        return fail(p, "a face with fewer than 3 corners");
    p->r->model.index_count -= count;
    p->short_faces++;
    return true;
}

static bool read_list(ply *p, const ply_property *property)
{
    int64_t count = 0;
    if (!next_integer(p, property->count_type, "length of a list", &count))
        return false;
    if (count < 0)
        return fail(p, "a list of negative length");
    if (property->role == PLY_CORNERS) {
        if (!p->text && (uint64_t)count > (uint64_t)(p->s.end - p->s.at) / grz_io_ply_type_size(property->type))
            return fail(p, "a list is longer than the file");
        return read_corners(p, property, (uint64_t)count);
    }
    return skip(p, property->type, (uint64_t)count);
}

static bool read_row(ply *p)
{
    static const char *const names[] = {"x coordinate", "y coordinate", "z coordinate"};
    const ply_property *property = p->header.properties + p->element->first_property;
    for (size_t i = 0; i < p->element->property_count; i++, property++) {
        bool ok;
        if (property->count_type != PLY_NO_TYPE)
            ok = read_list(p, property);
        else if (property->role <= PLY_Z)
            ok = next_double(p, property->type, names[property->role], &p->position[property->role]);
        else
            ok = skip(p, property->type, 1);
        if (!ok)
            return false;
    }
    return p->element->kind != PLY_VERTEX || reader_add_vertex(p->r, p->position[0], p->position[1], p->position[2]);
}

// The line of a row has been read as far as the header says. What else is in it is skipped, if it is as much in each.
static bool end_longer_row(ply *p)
{
    uint64_t more = 0;
    for (; scan_more(&p->s); more++)
        if (!reader_goes_on(p->r, p->s.at) || grz_io_scan_any_number(&p->s) != SCAN_OK)
            return fail(p, "what follows is no number");
    if (p->row > 0 ? more != p->surplus : more > 0 && (p->element->kind != PLY_FACE || p->element->count == 1))
        return fail(p, "a row with more numbers than the header says");
    if (more > 0 && p->first_longer_line == 0)
        p->first_longer_line = p->s.line;
    p->surplus = more;
    scan_next_line(&p->s);
    return true;
}

static bool read_text_row(ply *p)
{
    if (!reader_goes_on(p->r, p->s.at))
        return false;
    if (!grz_io_scan_more_lines(&p->s))
        return fail(p, "the file ends");
    uint64_t first = p->s.line;
    if (!read_row(p))
        return false;
    if (p->by_lines)
        return end_longer_row(p);
    if (!grz_io_row_layout_add(&p->layout, p->r, &p->s, first, p->row + 1 == p->element->count)) {
        p->ragged_line = 0; // the message says it
        return false;
    }
    if (p->layout.shares)
        note_ragged(p, p->s.line);
    return true;
}

// The vertices of a table, `size` bytes a row. Compiled once for each pair of types and order that a caller gives as
// constants.
static inline bool add_positions(ply *p, const unsigned char *row, size_t size, const size_t at[3],
                                 const ply_type type[3], bool big)
{
    for (const unsigned char *end = row + p->element->count * size; row < end; row += size)
        if (!reader_goes_on(p->r, row) ||
            !reader_add_vertex(p->r, double_of(row + at[0], type[0], big), double_of(row + at[1], type[1], big),
                               double_of(row + at[2], type[2], big)))
            return false;
    return true;
}

// Binary vertices without lists: the header's check made sure that all of them are there.
static bool read_fixed_vertices(ply *p)
{
    size_t at[3] = {0}, size = 0;
    ply_type type[3] = {PLY_NO_TYPE, PLY_NO_TYPE, PLY_NO_TYPE};
    for (size_t i = 0; i < p->element->property_count; i++) {
        const ply_property *property = &p->header.properties[p->element->first_property + i];
        if (property->role <= PLY_Z) {
            at[property->role] = size;
            type[property->role] = property->type;
        }
        size += grz_io_ply_type_size(property->type);
    }
    const unsigned char *row = p->s.at;
    bool alike = type[0] == type[1] && type[0] == type[2] && !p->big;
    p->s.at += p->element->count * size;
    if (alike && type[0] == PLY_FLOAT32)
        return add_positions(p, row, size, at, (const ply_type[3]){PLY_FLOAT32, PLY_FLOAT32, PLY_FLOAT32}, false);
    if (alike && type[0] == PLY_FLOAT64)
        return add_positions(p, row, size, at, (const ply_type[3]){PLY_FLOAT64, PLY_FLOAT64, PLY_FLOAT64}, false);
    return add_positions(p, row, size, at, type, p->big);
}

// Binary faces of the layout that nearly all files have: nothing but a byte, at least 3, and so many 32-bit indices.
// Stops at the first row that is anything else, a mistake included. Returns false where the call has to end.
static inline bool add_plain_faces(ply *p, size_t most, uint64_t vertices, bool big)
{
    reader *r = p->r;
    const unsigned char *at = p->s.at, *end = p->s.end;
    bool goes_on = true;
    for (; p->row < p->element->count && at < end; p->row++) {
        const size_t count = *at;
        goes_on = reader_goes_on(r, at);
        if (!goes_on)
            break;
        if (count < 3 || count > most || (size_t)(end - at) <= 4 * count)
            break;
        const uint64_t first = r->model.index_count;
        goes_on = r->model.index_capacity - first >= count || grz_io_grow_corners(r, count);
        if (!goes_on)
            break;
        uint32_t *corners = r->model.indices + first, largest = 0;
        for (size_t i = 0; i < count; i++) {
            corners[i] = load_u32(at + 1 + 4 * i, big);
            largest = corners[i] > largest ? corners[i] : largest;
        }
        if (largest >= vertices)
            break;
        r->model.index_count += count;
        goes_on = reader_end_face(r, count);
        if (!goes_on)
            break;
        at += 1 + 4 * count;
    }
    p->s.at = at;
    return goes_on;
}

static bool read_plain_faces(ply *p)
{
    const ply_property *property = p->header.properties + p->element->first_property;
    if (p->element->property_count != 1 || property->count_type > PLY_UINT8 ||
        grz_io_ply_type_size(property->type) != 4)
        return true;
    uint64_t vertices = p->header.vertex_count < INT32_MAX ? p->header.vertex_count : INT32_MAX;
    const size_t most = property->count_type == PLY_INT8 ? INT8_MAX : UINT8_MAX;
    return p->big ? add_plain_faces(p, most, vertices, true) : add_plain_faces(p, most, vertices, false);
}

// The rest of a binary file has room for the element, as far as fixed sizes tell.
static bool read_binary_element(ply *p)
{
    const ply_element *e = p->element;
    if (!e->has_list && e->kind == PLY_VERTEX)
        return read_fixed_vertices(p);
    if (!e->has_list) {
        p->s.at += e->count * e->least_size;
        return true;
    }
    while (p->row < e->count) {
        if (e->kind == PLY_FACE && !read_plain_faces(p))
            return false;
        if (p->row == e->count)
            break;
        if (!reader_goes_on(p->r, p->s.at) || !read_row(p))
            return false;
        p->row++;
    }
    return true;
}

// Three a face, as far as the file has room for them.
static uint64_t likely_corners(const ply *p)
{
    const ply_property *property = p->header.properties + p->element->first_property;
    while (property->role != PLY_CORNERS)
        property++;
    uint64_t room = (uint64_t)(p->s.end - p->s.at) / (p->text ? 2 : grz_io_ply_type_size(property->type));
    return p->element->count < room / 3 ? 3 * p->element->count : room;
}

static bool read_element(ply *p)
{
    const ply_element *e = p->element;
    p->row = 0;
    grz_io_row_layout_begin(&p->layout);
    if (e->property_count == 0 || e->count == 0)
        return true; // takes no bytes, however many there are
    if (e->kind == PLY_VERTEX && !grz_io_reserve(p->r, e->count, 0))
        return false;
    if (e->kind == PLY_FACE && !grz_io_reserve(p->r, 0, likely_corners(p)))
        return false;
    if (p->text) {
        for (; p->row < e->count; p->row++)
            if (!read_text_row(p))
                return false;
        return true;
    }
    if (e->count > (uint64_t)(p->s.end - p->s.at) / e->least_size)
        return fail(p, "the file is too short for the rest");
    return read_binary_element(p);
}

static bool read_elements(ply *p)
{
    reader *r = p->r;
    char quote[SCAN_QUOTE_SIZE];
    uint64_t edges = 0, others = 0;
    const ply_element *first_other = NULL;
    for (size_t i = 0; i < p->header.element_count; i++) {
        p->element = &p->header.elements[i];
        if (!read_element(p))
            return false;
        edges += p->element->kind == PLY_EDGE ? p->element->count : 0;
        if (p->element->kind == PLY_OTHER && p->element->property_count > 0 && p->element->count > 0) {
            others += p->element->count;
            first_other = first_other == NULL ? p->element : first_other;
        }
    }
    if (first_other != NULL &&
        !grz_io_note(r, "%llu row%s of elements that are no part of a mesh skipped, the first are of %s",
                     (unsigned long long)others, others == 1 ? "" : "s", grz_io_token_quote(first_other->name, quote)))
        return false;
    if (p->beyond_line > 0 &&
        !grz_io_note(r, "numbers that their declared types cannot hold were read as written, first in line %llu",
                     (unsigned long long)p->beyond_line))
        return false;
    if (!grz_io_note_count(r, edges, "edge element skipped", "edge elements skipped") ||
        !grz_io_note_count(r, p->short_faces, "face with fewer than 3 corners skipped",
                           "faces with fewer than 3 corners skipped") ||
        !grz_io_note_count(r, p->short_strips, "triangle strip with fewer than 3 corners skipped",
                           "triangle strips with fewer than 3 corners skipped"))
        return false;
    if (!p->text)
        return grz_io_note_count(r, (uint64_t)(p->s.end - p->s.at), "byte after the last element ignored",
                                 "bytes after the last element ignored");
    if (grz_io_scan_more_lines(&p->s))
        return grz_io_fail_line(r, p->s.line, "%s after the last element", grz_io_scan_quote(&p->s, quote));
    if (p->first_longer_line > 0)
        return grz_io_note(r, "faces have more numbers than the header says, which were skipped, first in line %llu",
                           (unsigned long long)p->first_longer_line);
    return p->ragged_line == 0 ||
           grz_io_note(r, "rows run over line ends or share lines, first in line %llu: numbers were read in order",
                       (unsigned long long)p->ragged_line);
}

// Read the rows again, each as a line. If that fails, too, the first attempt's reason stays.
static bool read_longer_lines(ply *p, const text_scan *rows)
{
    load_control *control = p->r->control;
    const load_control first = *control;
    const uint64_t ragged_line = p->ragged_line;
    if (!p->text || p->element == NULL || p->element->kind == PLY_VERTEX || !grz_io_forget_failure(p->r))
        return false;
    grz_io_drop_rows(p->r);
    *p = (ply){.r = p->r, .s = *rows, .header = p->header, .text = true, .by_lines = true};
    if (read_elements(p))
        return true;
    p->ragged_line = ragged_line;
    if (control->status == GRZ_ERROR_FORMAT) {
        control->element = first.element;
        memcpy(control->reason, first.reason, sizeof first.reason);
    }
    return false;
}

static bool read(reader *r)
{
    ply p = {.r = r, .s = grz_io_scan_text(r->bytes, r->size, SCAN_NO_COMMENTS, false)};
    bool ok = grz_io_ply_header_read(r, &p.s, &p.header);
    if (ok) {
        p.text = p.header.encoding == PLY_TEXT;
        p.big = p.header.encoding == PLY_BIG_ENDIAN;
        const text_scan rows = p.s;
        ok = read_elements(&p) || read_longer_lines(&p, &rows);
    }
    if (!ok && p.ragged_line > 0)
        grz_io_fail_more(r, "; line %llu is the first that is not one row", (unsigned long long)p.ragged_line);
    grz_io_ply_header_finish(r, &p.header);
    return ok;
}

const file_format grz_io_format_ply = {.about = {"PLY", "ply"}, .has_signature = grz_io_is_ply, .read = read};
