// SPDX-License-Identifier: MIT
// The bytes of a model on their way to the XML reader. Nearly all of them are rows of vertices and triangles, each like
// the last; such rows are taken here, at three times expat's speed, and expat does not see them. A row is only taken
// here if it is written in one plain way, if expat has just read another one of that way in the same list, and if
// nothing about it is wrong: all else, and every error, is expat's.
#include "threemf/threemf_model.h"

#include <string.h>

static bool begins_with(const unsigned char **at, const unsigned char *end, const char *text, size_t length)
{
    if ((size_t)(end - *at) < length || memcmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

#define BEGINS_WITH(at, end, text) begins_with(at, end, text, sizeof(text) - 1)

// A number and the quote behind it.
static bool take_number(const unsigned char **at, const unsigned char *end, double *out)
{
    text_scan s = {.at = *at, .end = end, .line = 1, .comment = '"'};
    if (threemf_is_hexadecimal(*at, end) || **at == ' ' || grz_io_scan_double(&s, out) != SCAN_OK || s.at == end ||
        *s.at != '"')
        return false;
    *at = s.at + 1;
    return true;
}

// The end of a row, behind its last quote.
static bool take_end(const unsigned char **at, const unsigned char *end)
{
    if (*at < end && **at == ' ')
        ++*at;
    return BEGINS_WITH(at, end, "/>");
}

static bool take_vertex(const unsigned char **at, const unsigned char *end, double position[3])
{
    return BEGINS_WITH(at, end, "<vertex x=\"") && *at < end && take_number(at, end, &position[0]) &&
           BEGINS_WITH(at, end, " y=\"") && *at < end && take_number(at, end, &position[1]) &&
           BEGINS_WITH(at, end, " z=\"") && *at < end && take_number(at, end, &position[2]) && take_end(at, end);
}

// Digits and the quote behind them.
static bool take_index(const unsigned char **at, const unsigned char *end, uint32_t *out)
{
    enum {
        MOST_DIGITS = 9
    };
    const unsigned char *p = *at;
    uint32_t index = 0;
    for (; p < end && *p >= '0' && *p <= '9' && p - *at < MOST_DIGITS; p++)
        index = 10 * index + (uint32_t)(*p - '0');
    if (p == *at || p == end || *p != '"')
        return false;
    *at = p + 1;
    *out = index;
    return true;
}

static bool take_triangle(const unsigned char **at, const unsigned char *end, uint32_t corners[3])
{
    uint32_t colour;
    return BEGINS_WITH(at, end, "<triangle v1=\"") && take_index(at, end, &corners[0]) &&
           BEGINS_WITH(at, end, " v2=\"") && take_index(at, end, &corners[1]) && BEGINS_WITH(at, end, " v3=\"") &&
           take_index(at, end, &corners[2]) && (!BEGINS_WITH(at, end, " pid=\"") || take_index(at, end, &colour)) &&
           (!BEGINS_WITH(at, end, " p1=\"") || take_index(at, end, &colour)) &&
           (!BEGINS_WITH(at, end, " p2=\"") || take_index(at, end, &colour)) &&
           (!BEGINS_WITH(at, end, " p3=\"") || take_index(at, end, &colour)) && take_end(at, end);
}

// White space between two rows, and how many lines it ends. A carriage return at the end of the bytes may be the first
// half of a line's end, and stays.
static const unsigned char *skip_space(const unsigned char *p, const unsigned char *end, uint64_t *lines)
{
    for (; p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'); p++) {
        if (*p == '\r' && p + 1 == end)
            break;
        *lines += *p == '\n' || (*p == '\r' && p[1] != '\n');
    }
    return p;
}

// Take the rows from *at on that are like the last, and go past them. False, with the reason, without memory.
static bool take_rows(threemf_model *m, const unsigned char **at, const unsigned char *end)
{
    const bool vertices = m->inside == INSIDE_VERTICES;
    uint64_t lines = 0;
    for (;;) {
        const unsigned char *p = skip_space(*at, end, &lines);
        double position[3];
        uint32_t corners[3];
        if (vertices ? !take_vertex(&p, end, position) : !take_triangle(&p, end, corners))
            return true;
        if (!vertices && !grz_io_threemf_are_corners(m, corners))
            return true;
        if (vertices ? !reader_add_vertex(m->t->r, position[0], position[1], position[2])
                     : !grz_io_threemf_add_triangle(m, corners))
            return false;
        grz_io_xml_skip_lines(m->x, lines);
        lines = 0;
        *at = p;
    }
}

// The next row from p on that is written plainly; NULL: there is none.
static const unsigned char *find_row(const unsigned char *p, const unsigned char *end, const unsigned char **past)
{
    while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
        double position[3];
        uint32_t corners[3];
        *past = p;
        if (take_vertex(past, end, position))
            return p;
        *past = p;
        if (take_triangle(past, end, corners))
            return p;
        p++;
    }
    return NULL;
}

// Rows that were read in the list in which the reading stands.
static uint64_t count_rows(const threemf_model *m)
{
    if (m->skipping > 0)
        return 0;
    if (m->inside == INSIDE_VERTICES)
        return 1 + m->t->r->model.vertex_count;
    return m->inside == INSIDE_TRIANGLES ? 1 + m->triangle_count : 0;
}

bool grz_io_threemf_feed_model(threemf_model *m, const unsigned char *bytes, size_t size, bool last)
{
    enum {
        LONG = 4096
    }; // a comment; to feed it in small pieces would be slow
    const unsigned char *p = bytes, *end = bytes + size, *row, *past;
    const bool looks = grz_io_xml_pending(m->x) < LONG;
    while (looks && (row = find_row(p, end, &past)) != NULL) {
        if (!grz_io_xml_feed(m->x, p, (size_t)(row - p), false))
            return false;
        const uint64_t before = count_rows(m);
        if (!grz_io_xml_feed(m->x, row, (size_t)(past - row), false))
            return false;
        p = past;
        if (before == 0 || count_rows(m) != before + 1) // in a comment, or of another namespace
            break;
        if (!take_rows(m, &p, end))
            return false;
    }
    return grz_io_xml_feed(m->x, p, (size_t)(end - p), last);
}
