// SPDX-License-Identifier: MIT
// OFF, the text form: counts, a line a vertex, a line a face. What follows the coordinates (normals, colours, texture) and the
// corners (a colour) is looked at and not used. The counts are believed only as far as the file has room for them, and have to
// be right.
// Source: Geomview manual, section "OFF: Object File Format" (the Geometry Center, 1992-1996).
#include "read.h"

#include <string.h>

typedef enum off_keyword {
    OFF_NONE,
    OFF_PLAIN,          // with any of ST, C, N before it
    OFF_MANY_DIMENSIONS // 4OFF, nOFF
} off_keyword;

// What "[ST][C][N][4][n]OFF" a token is.
static off_keyword keyword_of(text_token token)
{
    const unsigned char *p = token.at, *end = p + token.length;
    if (end - p >= 2 && p[0] == 'S' && p[1] == 'T')
        p += 2;
    p += p < end && *p == 'C';
    p += p < end && *p == 'N';
    bool many = p < end && (*p == '4' || *p == 'n');
    p += p < end && *p == '4';
    p += p < end && *p == 'n';
    if (end - p != 3 || memcmp(p, "OFF", 3) != 0)
        return OFF_NONE;
    return many ? OFF_MANY_DIMENSIONS : OFF_PLAIN;
}

bool looks_like_off(const unsigned char *bytes, size_t size)
{
    text_scan s = scan_text(bytes, size < READ_LOOK_SIZE ? size : READ_LOOK_SIZE, '#', false);
    text_token token;
    return scan_more_lines(&s) && scan_token(&s, &token) && keyword_of(token) != OFF_NONE;
}

// Go past the keyword where there is one.
static bool read_keyword(reader *r, text_scan *s, bool needed)
{
    char quote[SCAN_QUOTE_SIZE];
    text_token token = {s->at, 0};
    if (!scan_more_lines(s))
        return reader_fail(r, "no OFF file: there is nothing but comments");
    text_scan before = *s;
    (void)scan_token(s, &token);
    switch (keyword_of(token)) {
    case OFF_PLAIN:
        break;
    case OFF_MANY_DIMENSIONS:
        return reader_fail_line(r, s->line, "%s has vertices of other than three dimensions, which is not supported",
                                token_quote(token, quote));
    case OFF_NONE:
        *s = before; // some programs write the counts alone
        return !needed || reader_fail_line(r, s->line, "%s where OFF is expected", token_quote(token, quote));
    }
    before = *s;
    if (scan_token(s, &token) && token_is_any_case(token, "binary"))
        return reader_fail_line(r, s->line, "binary OFF is not supported; save it as text");
    *s = before;
    return true;
}

// A count of the header, against the least that one of them takes: `least` bytes, the last line's end perhaps missing.
static bool read_count(reader *r, text_scan *s, const char *what, uint64_t least, uint64_t *count)
{
    char quote[SCAN_QUOTE_SIZE];
    int64_t number = 0;
    text_scan before = *s;
    scan_result result = scan_integer(s, &number);
    if (result == SCAN_OK && number < 0) {
        *s = before;
        (void)scan_more(s);
        return reader_fail_line(r, s->line, "the %s %s is negative", what, scan_quote(s, quote));
    }
    if (result != SCAN_OK)
        return reader_fail_number(r, s, result, what);
    uint64_t room = ((uint64_t)(s->end - s->at) + 1) / least;
    *count = (uint64_t)number;
    if (*count > room)
        return reader_fail_line(r, s->line, "the %s is %llu, but the file has room for at most %llu", what,
                                (unsigned long long)*count, (unsigned long long)room);
    return true;
}

static bool read_counts(reader *r, text_scan *s, uint64_t *vertices, uint64_t *faces)
{
    char quote[SCAN_QUOTE_SIZE];
    int64_t edges; // "can be ignored", says the manual; some programs write none
    (void)scan_more_lines(s);
    if (!read_count(r, s, "number of vertices", 6, vertices) || !read_count(r, s, "number of faces", 2, faces))
        return false;
    scan_result result = scan_integer(s, &edges);
    if (result != SCAN_OK && result != SCAN_MISSING)
        return reader_fail_number(r, s, result, "number of edges");
    if (scan_more(s))
        return reader_fail_line(r, s->line, "%s after the three counts", scan_quote(s, quote));
    scan_next_line(s);
    return true;
}

// What is left of a line has to be numbers, and is not used.
static bool skip_numbers(reader *r, text_scan *s, const char *what)
{
    while (scan_more(s)) {
        scan_result result = scan_any_number(s);
        if (result != SCAN_OK)
            return reader_fail_number(r, s, result, what);
    }
    scan_next_line(s);
    return true;
}

static bool read_vertices(reader *r, text_scan *s, uint64_t count)
{
    static const char *const names[] = {"x coordinate", "y coordinate", "z coordinate"};
    for (uint64_t v = 0; v < count; v++) {
        double xyz[3];
        if (!scan_more_lines(s))
            return reader_fail_line(r, s->line, "the file ends after %llu of %llu vertices", (unsigned long long)v,
                                    (unsigned long long)count);
        for (int i = 0; i < 3; i++) {
            scan_result result = scan_double(s, &xyz[i]);
            if (result != SCAN_OK)
                return reader_fail_number(r, s, result, names[i]);
        }
        if (!reader_add_vertex(r, xyz[0], xyz[1], xyz[2]) || !skip_numbers(r, s, "normal or colour"))
            return false;
    }
    return true;
}

// The corners of a face, behind their number.
static bool read_corners(reader *r, text_scan *s, uint64_t corners)
{
    for (uint64_t i = 0; i < corners; i++) {
        int64_t index = 0;
        text_scan before = *s;
        scan_result result = scan_integer(s, &index);
        if (result == SCAN_MISSING)
            return reader_fail_line(r, s->line, "a face of %llu corners has only %llu", (unsigned long long)corners,
                                    (unsigned long long)i);
        if (result != SCAN_OK)
            return reader_fail_number(r, s, result, "corner");
        if (index < 0 || (uint64_t)index >= r->out->vertex_count)
            return reader_fail_line(r, before.line, "a corner is vertex %lld, but there are %llu vertices, counted from 0",
                                    (long long)index, (unsigned long long)r->out->vertex_count);
        if (!reader_add_corner(r, (uint32_t)index))
            return false;
    }
    return true;
}

static bool read_faces(reader *r, text_scan *s, uint64_t count, uint64_t *short_faces)
{
    for (uint64_t f = 0; f < count; f++) {
        int64_t corners = 0;
        if (!scan_more_lines(s))
            return reader_fail_line(r, s->line, "the file ends after %llu of %llu faces", (unsigned long long)f,
                                    (unsigned long long)count);
        scan_result result = scan_integer(s, &corners);
        if (result != SCAN_OK)
            return reader_fail_number(r, s, result, "number of corners");
        if (corners < 0)
            return reader_fail_line(r, s->line, "a face of %lld corners", (long long)corners);
        if (!read_corners(r, s, (uint64_t)corners) || !skip_numbers(r, s, "colour"))
            return false;
        if (corners < 3) {
            r->out->index_count -= (uint64_t)corners;
            ++*short_faces;
        } else if (!reader_end_face(r, (uint64_t)corners)) {
            return false;
        }
    }
    return true;
}

bool read_off(reader *r, bool keyword_needed)
{
    text_scan s = scan_text(r->bytes, r->size, '#', false);
    uint64_t vertices = 0, faces = 0, short_faces = 0;
    char quote[SCAN_QUOTE_SIZE];
    if (!read_keyword(r, &s, keyword_needed) || !read_counts(r, &s, &vertices, &faces) || !reader_reserve(r, vertices, 0) ||
        !read_vertices(r, &s, vertices) || !read_faces(r, &s, faces, &short_faces))
        return false;
    if (scan_more_lines(&s))
        return reader_fail_line(r, s.line, "%s after the last of %llu faces", scan_quote(&s, quote), (unsigned long long)faces);
    return reader_note_count(r, short_faces, "face with fewer than 3 corners skipped", "faces with fewer than 3 corners skipped");
}
