// SPDX-License-Identifier: MIT
// STL, text and binary: a soup of triangles. Each facet gets three vertices of its own; nothing is welded, the library
// sees equal positions by itself. A binary file may begin with "solid", too: its size, or the absence of a facet in the
// text, tells it apart.
// Source: 3D Systems, "StereoLithography Interface Specification", 1989; 80 bytes of header, a count, 50 bytes a facet.
#include "format.h"

#include <stdio.h>
#include <string.h>

enum {
    HEADER_SIZE = 84, // with the count
    FACET_SIZE = 50,
    COUNT_AT = 80,
    CORNERS_AT = 12 // behind the normal
};

static uint32_t load_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double load_float(const unsigned char *p)
{
    uint32_t bits = load_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool has_binary_size(const unsigned char *bytes, size_t size)
{
    return size > HEADER_SIZE && size - HEADER_SIZE == (uint64_t)load_u32(bytes + COUNT_AT) * FACET_SIZE;
}

static bool begins_like_text(const unsigned char *bytes, size_t size)
{
    text_scan s = grz_io_scan_text(bytes, size < SIGNATURE_SIZE ? size : SIGNATURE_SIZE, SCAN_NO_COMMENTS, false);
    text_token token;
    if (!grz_io_scan_more_lines(&s) || !grz_io_scan_token(&s, &token) || !grz_io_token_is_any_case(token, "solid"))
        return false;
    scan_next_line(&s);
    return grz_io_scan_more_lines(&s) && grz_io_scan_token(&s, &token) &&
           (grz_io_token_is_any_case(token, "facet") || grz_io_token_is_any_case(token, "endsolid"));
}

// Another text that is called .stl.
static bool fail_text(reader *r)
{
    enum {
        SHOWN = 32
    };
    char quote[SCAN_QUOTE_SIZE];
    size_t length = 0;
    while (length < r->size && length < SHOWN && r->bytes[length] != '\n' && r->bytes[length] != '\r')
        length++;
    return grz_io_fail(r, "no STL: it is a text that does not begin as one, with solid and facet, but with %s",
                       grz_io_token_quote((text_token){r->bytes, length}, quote));
}

static bool is_text(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < HEADER_SIZE; i++)
        if (bytes[i] != '\t' && bytes[i] != '\n' && bytes[i] != '\r' && (bytes[i] < ' ' || bytes[i] > '~'))
            return false;
    return true;
}

static bool read_binary(reader *r)
{
    if (r->size < HEADER_SIZE && is_text(r->bytes, r->size))
        return fail_text(r);
    if (r->size < HEADER_SIZE)
        return grz_io_fail(r, "%llu bytes are neither an STL text nor the %d bytes of a binary STL's header",
                           (unsigned long long)r->size, (int)HEADER_SIZE);
    uint64_t facets = load_u32(r->bytes + COUNT_AT), room = (r->size - HEADER_SIZE) / FACET_SIZE;
    if (facets > room && is_text(r->bytes, r->size))
        return fail_text(r);
    if (facets > room)
        return grz_io_fail_byte(r, COUNT_AT,
                                "the header of the binary STL declares %llu facets, but the file has room for %llu",
                                (unsigned long long)facets, (unsigned long long)room);
    if (!grz_io_reserve(r, 3 * facets, 3 * facets))
        return false;
    const unsigned char *p = r->bytes + HEADER_SIZE;
    for (uint64_t i = 0; i < facets; i++, p += FACET_SIZE) {
        if (!reader_goes_on(r, p))
            return false;
        for (int corner = 0; corner < 3; corner++) {
            const unsigned char *xyz = p + CORNERS_AT + (ptrdiff_t)12 * corner;
            if (!reader_add_vertex(r, load_float(xyz), load_float(xyz + 4), load_float(xyz + 8)))
                return false;
        }
        uint32_t first = (uint32_t)(3 * i);
        if (!reader_add_triangle(r, first, first + 1, first + 2))
            return false;
    }
    uint64_t trailing = r->size - HEADER_SIZE - facets * FACET_SIZE;
    if (facets == 0)
        return grz_io_fail(r, "the header of the binary STL declares no facets; %llu bytes follow",
                           (unsigned long long)trailing);
    return grz_io_note_count(r, trailing, "byte after the last facet ignored", "bytes after the last facet ignored");
}

// The next token, on this line or a later one, has to be this word.
static inline bool expect(reader *r, text_scan *s, const char *word)
{
    char quote[SCAN_QUOTE_SIZE];
    text_token token;
    if (!grz_io_scan_more_lines(s))
        return grz_io_fail_line(r, s->line, "the file ends where \"%s\" is expected", word);
    size_t length = strlen(word);
    if ((size_t)(s->end - s->at) > length && s->at[length] <= ' ' && memcmp(s->at, word, length) == 0 &&
        scan_ends_token(s, s->at + length)) { // as nearly all are written
        s->at += length;
        return true;
    }
    text_scan before = *s;
    (void)grz_io_scan_token(s, &token);
    if (grz_io_token_is_any_case(token, word))
        return true;
    *s = before;
    return grz_io_fail_line(r, s->line, "\"%s\" expected, found %s", word, grz_io_token_quote(token, quote));
}

// Writers put "nan", "-nan(ind)" and worse into normals, which nobody needs: three tokens, whatever they are.
static bool skip_normal(reader *r, text_scan *s)
{
    text_token token;
    for (int i = 0; i < 3; i++)
        if (!grz_io_scan_more_lines(s) || !grz_io_scan_token(s, &token) || grz_io_token_is_any_case(token, "outer"))
            return grz_io_fail_line(r, s->line, "a normal of fewer than three numbers");
    return true;
}

static bool read_corner(reader *r, text_scan *s)
{
    static const char *const names[] = {"x coordinate", "y coordinate", "z coordinate"};
    double xyz[3];
    if (!expect(r, s, "vertex"))
        return false;
    for (int i = 0; i < 3; i++) {
        (void)grz_io_scan_more_lines(s);
        scan_result result = grz_io_scan_double(s, &xyz[i]);
        if (result != SCAN_OK)
            return grz_io_fail_number(r, s, result, names[i]);
    }
    return reader_add_vertex(r, xyz[0], xyz[1], xyz[2]);
}

// From behind "facet" to its "endfacet".
static bool read_facet(reader *r, text_scan *s)
{
    r->reached = s->at;
    if (!reader_goes_on(r, s->at))
        return false;
    if (!expect(r, s, "normal") || !skip_normal(r, s) || !expect(r, s, "outer") || !expect(r, s, "loop"))
        return false;
    for (int i = 0; i < 3; i++)
        if (!read_corner(r, s))
            return false;
    if (!expect(r, s, "endloop") || !expect(r, s, "endfacet"))
        return false;
    uint32_t past = (uint32_t)r->model.vertex_count;
    return reader_add_triangle(r, past - 3, past - 2, past - 1);
}

// From behind "solid" to its "endsolid" and the line's end.
static bool read_solid(reader *r, text_scan *s, uint64_t number, bool *named)
{
    char substitute[32]; // as long as the part lasts
    text_token name = grz_io_scan_rest_of_line(s), token;
    *named = name.length > 0;
    if (!*named) {
        snprintf(substitute, sizeof substitute, "solid %llu", (unsigned long long)number);
        name = (text_token){(const unsigned char *)substitute, strlen(substitute)};
    }
    if (!grz_io_begin_part(r, name))
        return false;
    for (;;) {
        text_scan before;
        if (!grz_io_scan_more_lines(s))
            return grz_io_fail_line(r, s->line, "the file ends within a solid, before its \"endsolid\"");
        before = *s;
        (void)grz_io_scan_token(s, &token);
        if (grz_io_token_is_any_case(token, "endsolid"))
            break;
        *s = before;
        if (!expect(r, s, "facet") || !read_facet(r, s))
            return false;
    }
    (void)grz_io_scan_rest_of_line(s);
    return grz_io_end_part(r);
}

static bool read_text(reader *r)
{
    text_scan s = grz_io_scan_text(r->bytes, r->size, SCAN_NO_COMMENTS, false);
    uint64_t solids = 0;
    bool named = false;
    while (grz_io_scan_more_lines(&s))
        if (!expect(r, &s, "solid") || !read_solid(r, &s, ++solids, &named))
            return false;
    if (solids == 1 && !named)
        grz_io_drop_parts(r); // the file has no name for it, nor a need of one
    return true;
}

static bool read(reader *r)
{
    if (has_binary_size(r->bytes, r->size))
        return read_binary(r);
    if (begins_like_text(r->bytes, r->size))
        return read_text(r);
    // Neither. A damaged text deserves the text's message; a binary file has a NUL in its header or its count.
    size_t start = r->size < HEADER_SIZE ? r->size : HEADER_SIZE;
    bool solid = start >= 5 && memcmp(r->bytes, "solid", 5) == 0;
    return solid && !memchr(r->bytes, 0, start) ? read_text(r) : read_binary(r);
}

const file_format grz_io_format_stl = {
    .about = {"STL", "stl"}, .has_signature = begins_like_text, .fits = has_binary_size, .read = read};
