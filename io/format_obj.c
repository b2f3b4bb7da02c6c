// SPDX-License-Identifier: MIT
// Wavefront OBJ: vertices, faces of any number of corners, objects and groups. One pass over the lines; a corner may
// refer to a vertex further down, so the largest index is checked at the end. Free-form geometry is skipped and
// counted, as are lines and points.
// Source: Wavefront Technologies, "Advanced Visualizer", appendix B1, object files (.obj), version 3.0. What it calls
// `default` is the name of faces before the first group, and of a `g` without a name. An `o` without a name gets its
// number, as the statement names one object each time. Colours behind xyz, and `fo` for `f`, are read as programs
// write them. Lines that are no statement: one that begins with another word is skipped; so is any line of text before
// the first vertex; behind it, a line that begins with no word is a mistake. What was skipped is counted and noted.
#include "format.h"

#include <stdio.h>
#include <string.h>

enum {
    UNKNOWN_LIMIT = 1000 // a text of anything else is given up after so many lines
};

// Lines that are skipped: how many, and the first.
typedef struct strange_lines {
    uint64_t count, first_line;
    char first[SCAN_QUOTE_SIZE];
} strange_lines;

typedef struct obj {
    reader *r;
    text_scan s;
    uint64_t largest_index, largest_line; // 1-based as in the file, and where
    text_token group;                     // the name that the last `g` gave
    bool in_group;                        // no `o` came since
    uint64_t objects;                     // lines `o` so far
    char substitutes[2][32];              // names of the last two objects without one: a name lasts as long as its part
    uint64_t lines, points, parameter_vertices, short_faces, weights;
    strange_lines others, strays; // that begin with an unknown word; with no word at all, before the first vertex
} obj;

static bool read_vertex(obj *o)
{
    static const char *const names[] = {"x coordinate", "y coordinate", "z coordinate"};
    double xyz[3], weight = 1;
    for (int i = 0; i < 3; i++) {
        scan_result result = grz_io_scan_double(&o->s, &xyz[i]);
        if (result != SCAN_OK)
            return grz_io_fail_number(o->r, &o->s, result, names[i]);
    }
    int extras = 0;                      // 1: a weight; 3: a colour; 4: both, or a colour with alpha
    for (; scan_more(&o->s); extras++) { // a weight, a colour, or both
        text_scan first = o->s;
        scan_result result = grz_io_scan_any_number(&o->s);
        if (result != SCAN_OK)
            return grz_io_fail_number(o->r, &o->s, result, "weight or colour");
        if (extras == 0 && grz_io_scan_double(&first, &weight) != SCAN_OK)
            weight = 0;
        if (extras == 4)
            return grz_io_fail_line(o->r, o->s.line, "a vertex of more than seven numbers");
    }
    if (extras == 2)
        return grz_io_fail_line(o->r, o->s.line,
                                "a vertex of five numbers: it has 3, 4 with a weight, 6 or 7 with a "
                                "colour");
    o->weights += extras == 1 && (weight < 1 || weight > 1);
    return reader_add_vertex(o->r, xyz[0], xyz[1], xyz[2]);
}

// The texture and normal of a corner, "/2/3", "//3", "/2": looked at, and not used.
static bool read_references(obj *o, const unsigned char **p)
{
    for (int slashes = 0; *p < o->s.end && **p == '/'; slashes++) {
        int64_t ignored;
        if (slashes == 2)
            return false;
        ++*p;
        (void)scan_digits(p, o->s.end, &ignored);
    }
    return scan_ends_token(&o->s, *p);
}

static bool fail_corner(obj *o)
{
    char quote[SCAN_QUOTE_SIZE];
    return grz_io_fail_line(o->r, o->s.line, "the corner %s is not of the form v, v/vt, v//vn or v/vt/vn",
                            grz_io_scan_quote(&o->s, quote));
}

// The vertex number at the cursor, which goes up to `end`, as it is written: it may be too large for any integer.
static bool fail_vertex(obj *o, const unsigned char *end, const char *there_are, uint64_t count, const char *vertices)
{
    enum {
        MOST = 40
    };
    const int length = end - o->s.at > MOST ? MOST : (int)(end - o->s.at);
    return grz_io_fail_line(o->r, o->s.line, "vertex number %.*s, but %s %llu %s", length, (const char *)o->s.at,
                            there_are, (unsigned long long)count, vertices);
}

// The corner at the cursor.
static bool read_corner(obj *o)
{
    const unsigned char *p = o->s.at;
    uint64_t vertices = o->r->model.vertex_count;
    int64_t number;
    const bool digits = scan_digits(&p, o->s.end, &number);
    const unsigned char *end = p;
    if (!digits || !read_references(o, &p))
        return fail_corner(o);
    if (number == 0)
        return grz_io_fail_line(o->r, o->s.line, "vertex number 0: numbers start at 1");
    if (number < 0) {
        if ((uint64_t)-number > vertices)
            return fail_vertex(o, end, "there are only", vertices, "vertices before it");
        number += (int64_t)vertices + 1;
    }
    if ((uint64_t)number > o->largest_index) {
        o->largest_index = (uint64_t)number;
        o->largest_line = o->s.line;
        if (number > UINT32_MAX)
            return fail_vertex(o, end, "there can be at most", UINT32_MAX, "vertices");
    }
    o->s.at = p;
    return reader_add_corner(o->r, (uint32_t)(number - 1));
}

static bool read_face(obj *o)
{
    growing_model *m = &o->r->model;
    uint64_t first = m->index_count;
    for (; scan_more(&o->s); o->r->reached = o->s.at)
        if (!reader_goes_on(o->r, o->s.at) || !read_corner(o))
            return false;
    uint64_t corners = m->index_count - first;
    if (corners >= 3)
        return reader_end_face(o->r, corners);
    if (corners == 0)
        return grz_io_fail_line(o->r, o->s.line, "a face without corners");
    if (o->s.at == o->s.end) // with no line end behind it, the file was cut
        return grz_io_fail_line(o->r, o->s.line, "the file ends within a face");
    m->index_count = first;
    o->short_faces++;
    return true;
}

static bool begin_group(obj *o)
{
    text_token name = grz_io_scan_rest_of_line(&o->s);
    if (name.length == 0)
        name = (text_token){(const unsigned char *)"default", 7};
    // Exporters repeat the group's line before each block of vertices; it is one group still.
    if (o->in_group && name.length == o->group.length && memcmp(name.at, o->group.at, name.length) == 0)
        return true;
    o->group = name;
    o->in_group = true;
    return grz_io_begin_part(o->r, name);
}

static bool begin_object(obj *o)
{
    text_token name = grz_io_scan_rest_of_line(&o->s);
    char *substitute = o->substitutes[++o->objects % 2];
    if (name.length == 0) {
        (void)snprintf(substitute, sizeof *o->substitutes, "object %llu", (unsigned long long)o->objects);
        name = (text_token){(const unsigned char *)substitute, strlen(substitute)};
    }
    o->in_group = false;
    return grz_io_begin_part(o->r, name);
}

// Statements that carry no geometry of a polygon mesh: shading, materials, display.
static bool is_harmless(text_token word)
{
    static const char *const words[] = {"vt",    "vn",  "s",  "usemtl",   "mtllib",   "usemap",     "maplib",
                                        "bevel", "lod", "mg", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (grz_io_token_is(word, words[i]))
            return true;
    return false;
}

// A text with statements of no known kind and no vertex: somebody took another file for a model.
static bool fail_no_model(obj *o)
{
    const bool by_stray = o->strays.count > 0 && (o->others.count == 0 || o->strays.first_line < o->others.first_line);
    const strange_lines *first = by_stray ? &o->strays : &o->others;
    if (o->r->evidence == GRZ_IO_GUESS)
        return grz_io_fail(
            o->r,
            "no model of a known format: neither first bytes nor extension name one, and it is no OBJ text (line "
            "%llu begins with %s)",
            (unsigned long long)first->first_line, first->first);
    char where[48] = "it";
    if (o->s.at < o->s.end) // given up
        (void)snprintf(where, sizeof where, "its first %llu lines", (unsigned long long)o->s.line);
    return grz_io_fail(
        o->r, "no OBJ file: not one vertex in %s, and line %llu begins with %s, which starts no statement of OBJ",
        o->s.line == 1 && o->s.at < o->s.end ? "its first line" : where, (unsigned long long)first->first_line,
        first->first);
}

// A word as statements begin with: printable ASCII from a letter on.
static bool is_word(text_token token)
{
    const unsigned char first = token.at[0];
    bool word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_';
    for (size_t i = 0; word && i < token.length; i++)
        word = token.at[i] > ' ' && token.at[i] < 0x7f;
    return word;
}

// What a line of text may begin with.
static bool is_text(text_token token)
{
    if (token.length > SCAN_NUMBER_LENGTH)
        return false;
    for (size_t i = 0; i < token.length; i++)
        if (token.at[i] < ' ' || token.at[i] == 0x7f)
            return false;
    return true;
}

// Anything else. Words skip. So do lines of numbers and other text before the first vertex, as some programs put them
// there; behind it they are a mistake, since a face or vertex may have lost its letter.
static bool skip_other(obj *o, text_token word)
{
    char quote[SCAN_QUOTE_SIZE];
    const bool nothing_yet = o->r->model.vertex_count == 0 && o->r->model.face_count == 0, known = is_word(word);
    strange_lines *lines = known ? &o->others : &o->strays;
    if (!known && !nothing_yet)
        return grz_io_fail_line(o->r, o->s.line, "%s starts no statement of an OBJ file",
                                grz_io_token_quote(word, quote));
    if (lines->count++ == 0) {
        grz_io_token_quote(word, lines->first);
        lines->first_line = o->s.line;
    }
    if (nothing_yet && ((!known && !is_text(word)) || o->others.count + o->strays.count == UNKNOWN_LIMIT))
        return fail_no_model(o);
    return true;
}

// Statements of numbers, which may go on behind a backslash at the end of a line. Names may end in one, and the next
// line is a statement of its own.
static bool goes_on_behind_backslash(text_token word)
{
    static const char *const words[] = {"v",      "f",        "fo",       "l",     "p",    "vt",    "vn",   "vp",
                                        "s",      "mg",       "lod",      "deg",   "bmat", "step",  "curv", "surf",
                                        "cstype", "parm",     "trim",     "hole",  "scrv", "curv2", "sp",   "con",
                                        "bevel",  "c_interp", "d_interp", "ctech", "stech"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word.length > 0 && word.at[0] == (unsigned char)words[i][0] && grz_io_token_is(word, words[i]))
            return true;
    return false;
}

static bool read_statement(obj *o)
{
    text_token word;
    if (o->s.end - o->s.at > 2 && o->s.at[1] == ' ' && (*o->s.at == 'v' || *o->s.at == 'f')) {
        o->s.at++;
        return o->s.at[-1] == 'v' ? read_vertex(o) : read_face(o);
    }
    (void)grz_io_scan_token(&o->s, &word);
    o->s.joins_lines = goes_on_behind_backslash(word);
    unsigned char first = word.at[0];
    if (word.length == 1) {
        switch (first) {
        case 'v':
            return read_vertex(o);
        case 'f':
            return read_face(o);
        case 'g':
            return begin_group(o);
        case 'o':
            return begin_object(o);
        case 'l':
            o->lines++;
            return true;
        case 'p':
            o->points++;
            return true;
        default:
            break;
        }
    }
    if (is_harmless(word))
        return true;
    if (grz_io_token_is(word, "fo"))
        return read_face(o);
    if (grz_io_token_is(word, "vp")) {
        o->parameter_vertices++;
        return true;
    }
    return skip_other(o, word);
}

static bool write_notes(obj *o)
{
    reader *r = o->r;
    if (!grz_io_note_count(r, o->lines, "line element skipped", "line elements skipped") ||
        !grz_io_note_count(r, o->points, "point element skipped", "point elements skipped") ||
        !grz_io_note_count(r, o->parameter_vertices, "parameter space vertex skipped",
                           "parameter space vertices skipped") ||
        !grz_io_note_count(r, o->short_faces, "face with fewer than 3 corners skipped",
                           "faces with fewer than 3 corners skipped") ||
        !grz_io_note_count(r, o->weights, "vertex has a weight other than 1, which was ignored",
                           "vertices have a weight other than 1, which was ignored"))
        return false;
    if (o->strays.count > 0 &&
        !grz_io_note(r, "%llu %s before the first vertex skipped, the first is line %llu, which begins with %s",
                     (unsigned long long)o->strays.count,
                     o->strays.count == 1 ? "line that is no statement" : "lines that are no statements",
                     (unsigned long long)o->strays.first_line, o->strays.first))
        return false;
    if (o->others.count == 0)
        return true;
    return grz_io_note(r, "%llu %s of unsupported kinds skipped, the first %s in line %llu",
                       (unsigned long long)o->others.count, o->others.count == 1 ? "statement" : "statements",
                       o->others.first, (unsigned long long)o->others.first_line);
}

static bool read(reader *r)
{
    obj o = {.r = r, .s = grz_io_scan_text(r->bytes, r->size, '#', true)};
    while (grz_io_scan_more_lines(&o.s)) {
        r->reached = o.s.at;
        if (!reader_goes_on(r, o.s.at) || !read_statement(&o))
            return false;
        scan_next_line(&o.s);
        o.s.joins_lines = true;
    }
    if (o.others.count + o.strays.count > 0 && r->model.vertex_count == 0 && r->model.face_count == 0)
        return fail_no_model(&o);
    if (o.largest_index > r->model.vertex_count)
        return grz_io_fail_line(r, o.largest_line, "vertex number %llu, but the file has only %llu vertices",
                                (unsigned long long)o.largest_index, (unsigned long long)r->model.vertex_count);
    return grz_io_end_part(r) && write_notes(&o);
}

// No byte that a text would not have, as far as the start of the file shows. That is little, so this is a guess.
static bool fits(const unsigned char *bytes, size_t size)
{
    size_t shown = size < 4096 ? size : 4096;
    for (size_t i = 0; i < shown; i++)
        if (bytes[i] < ' ' && !scan_is_blank(bytes[i]) && !scan_is_line_end(bytes[i]))
            return false;
    return true;
}

const file_format grz_io_format_obj = {.about = {"OBJ", "obj"}, .fits = fits, .read = read};
