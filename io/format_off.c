// SPDX-License-Identifier: MIT
// OFF, the text form: counts, vertices, faces. A row begins with a line and may run over several; what follows the
// coordinates (normals, colours, texture) and the corners (a colour) up to the line's end is looked at and not used.
// Where that does not come out even, the numbers are read in order, whatever the lines, as many programs do that write
// and read such files: vertices then have what the keyword says and faces have no colour. The counts are believed only
// as far as the file has room for them, and have to be right. Source: Geomview manual, section "OFF: Object File
// Format" (the Geometry Center, 1992-1996).
#include "format.h"
#include "row_layout.h"

#include <string.h>

enum {
    MOST_COLOURS = 4 // numbers of a face's colour
};

typedef enum off_keyword {
    OFF_NONE,
    OFF_PLAIN,           // with any of ST, C, N before it
    OFF_N_DIMENSIONS,    // nOFF: their number follows
    OFF_FOUR_COORDINATES // 4OFF, 4nOFF
} off_keyword;

typedef struct off {
    reader *r;
    text_scan s;
    unsigned extras; // how many numbers the keyword puts behind a vertex's coordinates
    bool joined;     // no blank between the keyword and the number of vertices
    bool vertices_share_lines, faces_share_lines;
    row_layout layout; // where rows share lines
    uint64_t vertex_count, face_count, short_faces;
    uint64_t run_on_line;                         // the first line of a row that takes more than one; 0: none yet
    uint64_t longer_vertices, longer_vertex_line; // rows that have more numbers than the keyword says; the first
    uint64_t longer_faces, longer_face_line;      // faces with numbers behind their corners that are no colour
    bool uneven;                                  // why it failed: rows and lines do not come out even
} off;

// What "[ST][C][N][4][n]OFF" a token is, and how many numbers a vertex then has behind its coordinates. The number of
// vertices may follow without a blank: "OFF8". The token becomes that of the keyword alone.
static off_keyword keyword_of(text_token *token, unsigned *extras)
{
    const unsigned char *p = token->at, *end = p + token->length;
    bool texture = end - p >= 2 && p[0] == 'S' && p[1] == 'T';
    p += texture ? 2 : 0;
    bool colour = p < end && *p == 'C';
    p += colour;
    bool normal = p < end && *p == 'N';
    p += normal;
    bool four = p < end && *p == '4';
    p += four;
    bool many = p < end && *p == 'n';
    p += many;
    if (end - p < 3 || memcmp(p, "OFF", 3) != 0)
        return OFF_NONE;
    const unsigned char *past = p + 3;
    for (const unsigned char *digit = past; digit < end; digit++)
        if (*digit < '0' || *digit > '9')
            return OFF_NONE;
    token->length = (size_t)(past - token->at);
    *extras = (texture ? 2u : 0u) + (colour ? 4u : 0u) + (normal ? 3u : 0u);
    return four ? OFF_FOUR_COORDINATES : many ? OFF_N_DIMENSIONS : OFF_PLAIN;
}

static bool has_signature(const unsigned char *bytes, size_t size)
{
    text_scan s = grz_io_scan_text(bytes, size < SIGNATURE_SIZE ? size : SIGNATURE_SIZE, '#', false);
    text_token token;
    unsigned extras;
    return grz_io_scan_more_lines(&s) && grz_io_scan_token(&s, &token) && keyword_of(&token, &extras) != OFF_NONE;
}

// The number that follows nOFF. Vertices of other than three dimensions are refused.
static bool read_dimensions(off *o)
{
    char quote[SCAN_QUOTE_SIZE];
    int64_t dimensions = 0;
    (void)grz_io_scan_more_lines(&o->s);
    const text_scan before = o->s;
    const scan_result result = grz_io_scan_integer(&o->s, &dimensions);
    if (result != SCAN_OK)
        return grz_io_fail_number(o->r, &o->s, result, "number of dimensions");
    return dimensions == 3 ||
           grz_io_fail_line(o->r, before.line, "nOFF with vertices of %s dimensions is not read, only of 3",
                            grz_io_scan_quote(&before, quote));
}

// Go past the keyword where there is one.
static bool read_keyword(off *o)
{
    reader *r = o->r;
    text_scan *s = &o->s;
    char quote[SCAN_QUOTE_SIZE];
    text_token token = {s->at, 0};
    if (!grz_io_scan_more_lines(s))
        return grz_io_fail(r, "no OFF file: there is nothing but comments");
    text_scan before = *s;
    (void)grz_io_scan_token(s, &token);
    switch (keyword_of(&token, &o->extras)) {
    case OFF_PLAIN:
        o->joined = s->at != token.at + token.length;
        s->at = token.at + token.length;
        break;
    case OFF_N_DIMENSIONS:
        s->at = token.at + token.length;
        return read_dimensions(o);
    case OFF_FOUR_COORDINATES:
        return grz_io_fail_line(r, s->line, "%s has vertices of other than three dimensions, which is not supported",
                                grz_io_token_quote(token, quote));
    case OFF_NONE:
        *s = before; // some programs write the counts alone
        return true;
    }
    before = *s;
    if (grz_io_scan_token(s, &token) && grz_io_token_is_any_case(token, "binary"))
        return grz_io_fail_line(r, s->line, "binary OFF is not supported; save it as text");
    *s = before;
    return true;
}

// Where the line has no more numbers, go to the next one that has. Returns whether there is one.
static bool runs_on(off *o, scan_result result)
{
    uint64_t line = o->s.line;
    if (result != SCAN_MISSING || !grz_io_scan_more_lines(&o->s))
        return false;
    if (o->run_on_line == 0)
        o->run_on_line = line;
    return true;
}

static bool next_integer(off *o, const char *what, int64_t *value)
{
    scan_result result = grz_io_scan_integer(&o->s, value);
    if (runs_on(o, result))
        result = grz_io_scan_integer(&o->s, value);
    return result == SCAN_OK || grz_io_fail_number(o->r, &o->s, result, what);
}

static bool next_double(off *o, const char *what, double *value)
{
    scan_result result = grz_io_scan_double(&o->s, value);
    if (runs_on(o, result))
        result = grz_io_scan_double(&o->s, value);
    return result == SCAN_OK || grz_io_fail_number(o->r, &o->s, result, what);
}

// A count of the header, against the least that one of them takes: `least` bytes, the last one's blank perhaps missing.
static bool read_count(off *o, const char *what, uint64_t least, uint64_t *count)
{
    char quote[SCAN_QUOTE_SIZE];
    int64_t number = 0;
    (void)grz_io_scan_more_lines(&o->s);
    text_scan before = o->s;
    if (!next_integer(o, what, &number))
        return false;
    if (number < 0)
        return grz_io_fail_line(o->r, before.line, "the %s %s is negative", what, grz_io_scan_quote(&before, quote));
    uint64_t room = ((uint64_t)(o->s.end - o->s.at) + 1) / least;
    *count = (uint64_t)number;
    if (*count <= room)
        return true;
    text_token text;
    (void)grz_io_scan_token(&before, &text);
    return grz_io_fail_line(o->r, o->s.line, "the %s is %s, but the file has room for at most %llu", what,
                            grz_io_token_number(text, quote), (unsigned long long)room);
}

static bool read_counts(off *o)
{
    char quote[SCAN_QUOTE_SIZE];
    int64_t edges; // "can be ignored", says the manual
    if (!read_count(o, "number of vertices", 6, &o->vertex_count))
        return false;
    uint64_t line = o->s.line;
    if (!read_count(o, "number of faces", 2, &o->face_count))
        return false;
    // Some programs write none; then the two others are the line.
    if ((o->s.line != line || scan_more(&o->s)) && !next_integer(o, "number of edges", &edges))
        return false;
    if (o->vertices_share_lines)
        return true;
    if (scan_more(&o->s)) {
        o->uneven = true;
        return grz_io_fail_line(o->r, o->s.line, "%s after the three counts", grz_io_scan_quote(&o->s, quote));
    }
    scan_next_line(&o->s);
    return true;
}

// What is left of a line has to be numbers, and is not used. Returns how many in `count`.
static bool skip_numbers(off *o, const char *what, uint64_t *count)
{
    for (*count = 0; scan_more(&o->s); ++*count) {
        scan_result result = grz_io_scan_any_number(&o->s);
        if (result != SCAN_OK)
            return grz_io_fail_number(o->r, &o->s, result, what);
    }
    scan_next_line(&o->s);
    return true;
}

// What the keyword puts behind the coordinates; nan and inf will do.
static bool skip_extras(off *o)
{
    for (unsigned i = 0; i < o->extras; i++) {
        scan_result result = grz_io_scan_any_number(&o->s);
        if (runs_on(o, result))
            result = grz_io_scan_any_number(&o->s);
        if (result != SCAN_OK)
            return grz_io_fail_number(o->r, &o->s, result, "normal or colour");
    }
    return true;
}

// Numbers behind a row of one line: a face has a colour of 1, 3 or 4, a vertex what the keyword says.
static void count_longer(off *o, uint64_t line, uint64_t left, bool is_face)
{
    uint64_t *count = is_face ? &o->longer_faces : &o->longer_vertices,
             *first = is_face ? &o->longer_face_line : &o->longer_vertex_line;
    const bool is_longer = is_face ? left == 2 || left > MOST_COLOURS : left > o->extras;
    if (is_longer && (*count)++ == 0)
        *first = line;
}

// A row that began in line `first` has ended; where rows do not share lines, so has to its line, but for `most` more
// numbers behind a row of several lines, and any behind one of a single line.
static bool end_row(off *o, uint64_t first, uint64_t most, const char *row, const char *extra)
{
    uint64_t line = o->s.line, left;
    if (!skip_numbers(o, extra, &left))
        return false;
    if (line == first)
        count_longer(o, line, left, most > 0);
    if (line == first || left <= most)
        return true;
    o->uneven = true;
    o->run_on_line = 0; // the message says it
    return grz_io_fail_line(o->r, line, "the %s that begins in line %llu ends before this line does", row,
                            (unsigned long long)first);
}

static bool read_vertices(off *o)
{
    static const char *const names[] = {"x coordinate", "y coordinate", "z coordinate"};
    for (uint64_t v = 0; v < o->vertex_count; v++) {
        double xyz[3];
        if (!reader_goes_on(o->r, o->s.at))
            return false;
        if (!grz_io_scan_more_lines(&o->s)) {
            o->uneven = true;
            return grz_io_fail_line(o->r, o->s.line, "the file ends after %llu of %llu vertices", (unsigned long long)v,
                                    (unsigned long long)o->vertex_count);
        }
        uint64_t first = o->s.line;
        for (int i = 0; i < 3; i++)
            if (!next_double(o, names[i], &xyz[i]))
                return false;
        if (!reader_add_vertex(o->r, xyz[0], xyz[1], xyz[2]))
            return false;
        bool last = v + 1 == o->vertex_count;
        if (!(o->vertices_share_lines ? skip_extras(o) && grz_io_row_layout_add(&o->layout, o->r, &o->s, first, last)
                                      : end_row(o, first, 0, "vertex", "normal or colour")))
            return false;
    }
    if (!o->layout.shares || o->faces_share_lines)
        return true;
    return grz_io_fail_line(o->r, o->s.line, "the vertices end before this line does");
}

// The corners of a face, behind their number.
static bool read_corners(off *o, uint64_t corners)
{
    reader *r = o->r;
    for (uint64_t i = 0; i < corners; i++) {
        int64_t index = 0;
        scan_result result = grz_io_scan_integer(&o->s, &index);
        if (runs_on(o, result))
            result = grz_io_scan_integer(&o->s, &index);
        if (result == SCAN_MISSING)
            return grz_io_fail_line(r, o->s.line, "a face of %llu corners has only %llu", (unsigned long long)corners,
                                    (unsigned long long)i);
        if (result != SCAN_OK)
            return grz_io_fail_number(r, &o->s, result, "corner");
        if (index < 0 || (uint64_t)index >= r->model.vertex_count)
            return grz_io_fail_line(r, o->s.line,
                                    "a corner is vertex %lld, but there are %llu vertices, counted from 0",
                                    (long long)index, (unsigned long long)r->model.vertex_count);
        if (!reader_add_corner(r, (uint32_t)index))
            return false;
    }
    return true;
}

static bool read_faces(off *o)
{
    grz_io_row_layout_begin(&o->layout);
    for (uint64_t f = 0; f < o->face_count; f++) {
        int64_t corners = 0;
        if (!reader_goes_on(o->r, o->s.at))
            return false;
        if (!grz_io_scan_more_lines(&o->s)) {
            o->uneven = true;
            return grz_io_fail_line(o->r, o->s.line, "the file ends after %llu of %llu faces", (unsigned long long)f,
                                    (unsigned long long)o->face_count);
        }
        uint64_t first = o->s.line;
        scan_result result = grz_io_scan_integer(&o->s, &corners);
        if (result != SCAN_OK)
            return grz_io_fail_number(o->r, &o->s, result, "number of corners");
        // Where rows share lines, a colour that the format puts at a line's end would pass for faces without corners.
        if (corners < (o->faces_share_lines ? 3 : 0))
            return grz_io_fail_line(o->r, o->s.line, "a face of %lld corners", (long long)corners);
        if (!read_corners(o, (uint64_t)corners))
            return false;
        if (!(o->faces_share_lines ? grz_io_row_layout_add(&o->layout, o->r, &o->s, first, f + 1 == o->face_count)
                                   : end_row(o, first, MOST_COLOURS, "face", "colour")))
            return false;
        if (corners < 3) {
            o->r->model.index_count -= (uint64_t)corners;
            o->short_faces++;
        } else if (!reader_end_face(o->r, (uint64_t)corners)) {
            return false;
        }
    }
    return true;
}

// All behind the keyword.
static bool read_rows(off *o)
{
    char quote[SCAN_QUOTE_SIZE];
    if (!read_counts(o) || !grz_io_reserve(o->r, o->vertex_count, 0) || !read_vertices(o) || !read_faces(o))
        return false;
    if (!grz_io_scan_more_lines(&o->s))
        return true;
    o->uneven = true;
    return grz_io_fail_line(o->r, o->s.line, "%s after the last of %llu faces", grz_io_scan_quote(&o->s, quote),
                            (unsigned long long)o->face_count);
}

// Read again from `start`, with rows that share lines. If nothing comes out even that way either, the first attempt's
// reason stays; where that was about rows and lines, it gets what stopped the attempt that came furthest.
static bool read_rows_that_share_lines(off *o, const off *start)
{
    load_control *control = o->r->control;
    const load_control first = *control;
    char furthest[REASON_SIZE] = "";
    const unsigned char *reached = o->s.at;
    const off before = *o;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (!grz_io_forget_failure(o->r))
            return false;
        grz_io_drop_rows(o->r);
        *o = *start;
        o->vertices_share_lines = true;
        o->faces_share_lines = attempt > 0;
        if (read_rows(o))
            return grz_io_note(o->r, "rows share lines, so numbers were read in order");
        if (o->s.at > reached) {
            reached = o->s.at;
            memcpy(furthest, control->reason, sizeof furthest);
        }
    }
    if (control->status != GRZ_ERROR_FORMAT)
        return false;
    control->element = first.element;
    memcpy(control->reason, first.reason, sizeof first.reason);
    if (before.run_on_line > 0)
        grz_io_fail_more(o->r, "; line %llu is the first that is not one row", (unsigned long long)before.run_on_line);
    if (before.uneven && *furthest)
        grz_io_fail_more(o->r, "; or, if rows share lines, %s", furthest);
    return false;
}

static bool read(reader *r)
{
    off o = {.r = r, .s = grz_io_scan_text(r->bytes, r->size, '#', false)};
    if (!read_keyword(&o))
        return false;
    const off start = o;
    if (!read_rows(&o) && !read_rows_that_share_lines(&o, &start))
        return false;
    if (o.joined && !grz_io_note(r, "the keyword and the number of vertices have no blank between them"))
        return false;
    if (o.longer_vertices > 0 &&
        !grz_io_note(r, "%llu vert%s more numbers than the keyword says, which were skipped, first in line %llu",
                     (unsigned long long)o.longer_vertices, o.longer_vertices == 1 ? "ex has" : "ices have",
                     (unsigned long long)o.longer_vertex_line))
        return false;
    if (o.longer_faces > 0 &&
        !grz_io_note(
            r, "%llu face%s numbers behind the corners that are no colour, which were skipped, first in line %llu",
            (unsigned long long)o.longer_faces, o.longer_faces == 1 ? " has" : "s have",
            (unsigned long long)o.longer_face_line))
        return false;
    return grz_io_note_count(r, o.short_faces, "face with fewer than 3 corners skipped",
                             "faces with fewer than 3 corners skipped");
}

const file_format grz_io_format_off = {.about = {"OFF", "off"}, .has_signature = has_signature, .read = read};
