// SPDX-License-Identifier: MIT
// The faces of a mesh's primitives. A corner is as many whole numbers as its inputs have offsets; the one at the offset
// of VERTEX is read, the others only have to be whole numbers. What an element counts has to be what it holds.
#include "collada/collada.h"

#include <string.h>

// A primitive being read.
typedef struct primitive {
    collada *c;
    const xml_element *element;
    uint64_t count;          // as the element says
    uint64_t stride, offset; // numbers of a corner, and which of them is the vertex
    uint64_t vertex_count;
} primitive;

// The numbers of a <p>.
typedef struct corners {
    const xml_element *p;
    text_scan s;
    uint64_t taken, count; // numbers and corners that were
} corners;

static bool read_inputs(primitive *p, const xml_element *vertices)
{
    const xml_element *vertex;
    if (!grz_io_collada_input(p->c, p->element, "VERTEX", &vertex))
        return false;
    if (vertex == NULL)
        return grz_io_collada_fail(p->c, p->element, "it has no input VERTEX");
    const char *id = grz_io_xml_value(vertices, "id"), *source = grz_io_xml_value(vertex, "source");
    if (id == NULL || source == NULL || *source != '#' || strcmp(source + 1, id) != 0)
        return grz_io_collada_fail(p->c, vertex, "its source is not the vertices of this mesh");
    for (const xml_element *e = NULL; (e = grz_io_xml_child(p->element, "input", e)) != NULL;) {
        uint64_t offset;
        if (!grz_io_collada_count(p->c, e, "offset", COLLADA_NONE, &offset))
            return false;
        p->stride = offset + 1 > p->stride ? offset + 1 : p->stride;
        if (e == vertex)
            p->offset = offset;
    }
    return true;
}

static bool fail_vertex(const primitive *p, const corners *at, int64_t vertex)
{
    return grz_io_collada_fail(p->c, at->p, "corner %llu is vertex %lld, but there are %llu",
                               (unsigned long long)at->count, (long long)vertex, (unsigned long long)p->vertex_count);
}

// Take the next corner of a <p>. *ended: there is none.
static bool take(const primitive *p, corners *at, uint32_t *vertex, bool *ended)
{
    int64_t value = 0, number;
    for (uint64_t i = 0; i < p->stride; i++) {
        if (!grz_io_collada_take(p->c, at->p, &at->s, at->taken + 1, &number, ended))
            return false;
        if (*ended)
            return i == 0 || grz_io_collada_fail(p->c, at->p, "its %llu numbers are no whole corners of %llu",
                                                 (unsigned long long)at->taken, (unsigned long long)p->stride);
        if (i == p->offset)
            value = number;
        at->taken++;
    }
    at->count++;
    if (value < 0 || (uint64_t)value >= p->vertex_count)
        return fail_vertex(p, at, value);
    *vertex = (uint32_t)value;
    return grz_io_collada_work(p->c, at->p, p->stride);
}

static corners begin(const xml_element *p)
{
    return (corners){.p = p, .s = grz_io_collada_scan(p)};
}

// The one <p> of the primitive. The schema has primitives without any; those that count nothing do not come here.
static bool only_p(const primitive *p, const xml_element **out)
{
    *out = grz_io_xml_child(p->element, "p", NULL);
    if (*out == NULL)
        return grz_io_collada_fail(p->c, p->element, "it has no p");
    if (grz_io_xml_child(p->element, "p", *out) != NULL)
        return grz_io_collada_fail(p->c, p->element, "it has more than one p");
    return true;
}

// Count the corners that are left.
static bool count_rest(const primitive *p, corners *at, uint64_t *count)
{
    uint32_t vertex = 0;
    for (bool ended = false; !ended; *count += !ended)
        if (!take(p, at, &vertex, &ended))
            return false;
    return true;
}

// Add the corners of a <p> as one face, left out where they are less than three.
static bool end_face(const primitive *p, uint64_t corner_count)
{
    if (corner_count >= 3)
        return reader_end_face(p->c->r, corner_count);
    p->c->r->model.index_count -= corner_count;
    p->c->short_faces++;
    return true;
}

static bool add_triangles(const primitive *p)
{
    const xml_element *text;
    uint64_t count = 0;
    uint32_t vertex = 0;
    if (!only_p(p, &text))
        return false;
    corners at = begin(text);
    for (bool ended = false; !ended;) {
        if (!take(p, &at, &vertex, &ended))
            return false;
        if (ended)
            break;
        if (!reader_add_corner(p->c->r, vertex) || (++count % 3 == 0 && !reader_end_face(p->c->r, 3)))
            return false;
    }
    if (count % 3 != 0 || count / 3 != p->count)
        return grz_io_collada_fail(p->c, p->element, "its count is %llu triangles, but p has %llu corners",
                                   (unsigned long long)p->count, (unsigned long long)count);
    return true;
}

// vcount says more corners than p has, or less.
static bool fail_polylist(const primitive *p, text_scan *counts, corners *at, uint64_t said, uint64_t had)
{
    bool ended = false;
    const xml_element *vcount = grz_io_xml_child(p->element, "vcount", NULL);
    for (int64_t n = 0; !ended; said += ended ? 0 : (uint64_t)n)
        if (!grz_io_collada_take(p->c, vcount, counts, 0, &n, &ended))
            return false;
    return count_rest(p, at, &had) && grz_io_collada_fail(p->c, p->element, "vcount says %llu corners, but p has %llu",
                                                          (unsigned long long)said, (unsigned long long)had);
}

static bool add_polylist(const primitive *p)
{
    const xml_element *text, *vcount = grz_io_xml_child(p->element, "vcount", NULL);
    uint64_t polygons = 0, corner_count = 0;
    if (vcount == NULL)
        return p->count == 0 || grz_io_collada_fail(p->c, p->element, "it has no vcount");
    if (!only_p(p, &text))
        return false;
    corners at = begin(text);
    text_scan counts = grz_io_collada_scan(vcount);
    for (;;) {
        int64_t n;
        uint32_t vertex = 0;
        bool ended;
        if (!grz_io_collada_take(p->c, vcount, &counts, polygons + 1, &n, &ended) ||
            !grz_io_collada_work(p->c, vcount, 1))
            return false;
        if (ended)
            break;
        if (n < 0)
            return grz_io_collada_fail(p->c, vcount, "polygon %llu has %lld corners", (unsigned long long)polygons,
                                       (long long)n);
        for (int64_t i = 0; i < n; i++, corner_count++) {
            if (!take(p, &at, &vertex, &ended))
                return false;
            if (ended)
                return fail_polylist(p, &counts, &at, corner_count + (uint64_t)(n - i), corner_count);
            if (!reader_add_corner(p->c->r, vertex))
                return false;
        }
        if (!end_face(p, (uint64_t)n))
            return false;
        polygons++;
    }
    if (polygons != p->count)
        return grz_io_collada_fail(p->c, p->element, "its count is %llu, but vcount has %llu numbers",
                                   (unsigned long long)p->count, (unsigned long long)polygons);
    return grz_io_scan_more_lines(&at.s) ? fail_polylist(p, &counts, &at, corner_count, corner_count) : true;
}

static bool add_polygon(const primitive *p, const xml_element *text)
{
    corners at = begin(text);
    uint64_t count = 0;
    uint32_t vertex = 0;
    for (;;) {
        bool ended;
        if (!take(p, &at, &vertex, &ended))
            return false;
        if (ended)
            return end_face(p, count);
        if (!reader_add_corner(p->c->r, vertex))
            return false;
        count++;
    }
}

// Triangle i of a strip is i, i + 1, i + 2, or i, i + 2, i + 1 where i is odd; of a fan it is 0, i + 1, i + 2.
static bool add_strip_or_fan(const primitive *p, const xml_element *text, bool fan)
{
    corners at = begin(text);
    uint32_t two[2] = {0, 0}, vertex = 0;
    for (uint64_t i = 0;; i++) {
        bool ended;
        if (!take(p, &at, &vertex, &ended))
            return false;
        if (ended) {
            p->c->short_faces += i < 3;
            return true;
        }
        const bool turned = !fan && i % 2 == 1;
        if (i >= 2 && !reader_add_triangle(p->c->r, two[0], turned ? vertex : two[1], turned ? two[1] : vertex))
            return false;
        if (!fan || i == 0)
            two[0] = i == 0 ? vertex : two[1];
        two[1] = vertex;
    }
}

static bool add_strip(const primitive *p, const xml_element *text)
{
    return add_strip_or_fan(p, text, false);
}

static bool add_fan(const primitive *p, const xml_element *text)
{
    return add_strip_or_fan(p, text, true);
}

static bool count_line_strip(const primitive *p, const xml_element *text)
{
    corners at = begin(text);
    uint64_t count = 0;
    if (!count_rest(p, &at, &count))
        return false;
    p->c->lines += count > 0 ? count - 1 : 0;
    return true;
}

// Every <p> of a primitive that may have several.
static bool add_each(const primitive *p, bool (*add)(const primitive *, const xml_element *))
{
    uint64_t count = 0;
    if (grz_io_xml_child(p->element, "ph", NULL) != NULL)
        return grz_io_collada_fail(p->c, grz_io_xml_child(p->element, "ph", NULL),
                                   "a polygon with a hole (ph) is not read");
    for (const xml_element *e = NULL; (e = grz_io_xml_child(p->element, "p", e)) != NULL; count++)
        if (!add(p, e))
            return false;
    if (count != p->count)
        return grz_io_collada_fail(p->c, p->element, "its count is %llu, but it has %llu p",
                                   (unsigned long long)p->count, (unsigned long long)count);
    return true;
}

static bool count_lines(const primitive *p)
{
    const xml_element *text;
    uint64_t count = 0;
    if (!only_p(p, &text))
        return false;
    corners at = begin(text);
    if (!count_rest(p, &at, &count))
        return false;
    if (count != 2 * p->count)
        return grz_io_collada_fail(p->c, p->element, "its count is %llu lines, but p has %llu corners",
                                   (unsigned long long)p->count, (unsigned long long)count);
    p->c->lines += p->count;
    return true;
}

static bool add_polygons(const primitive *p)
{
    return add_each(p, add_polygon);
}

static bool add_strips(const primitive *p)
{
    return add_each(p, add_strip);
}

static bool add_fans(const primitive *p)
{
    return add_each(p, add_fan);
}

static bool count_line_strips(const primitive *p)
{
    return add_each(p, count_line_strip);
}

bool grz_io_collada_add_faces(collada *c, const xml_element *element, const xml_element *vertices,
                              uint64_t vertex_count, bool *known)
{
    static const struct {
        const char *name;
        bool (*add)(const primitive *);
    } kinds[] = {{"triangles", add_triangles},     {"polylist", add_polylist}, {"polygons", add_polygons},
                 {"tristrips", add_strips},        {"trifans", add_fans},      {"lines", count_lines},
                 {"linestrips", count_line_strips}};
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].name, element->name) != 0)
        kind++;
    *known = kind < sizeof kinds / sizeof *kinds;
    if (!*known)
        return true;
    primitive p = {.c = c, .element = element, .stride = 1, .vertex_count = vertex_count};
    if (!grz_io_collada_count(c, element, "count", COLLADA_NONE, &p.count))
        return false;
    const bool empty =
        p.count == 0 && grz_io_xml_child(element, "p", NULL) == NULL && grz_io_xml_child(element, "ph", NULL) == NULL;
    return empty || (read_inputs(&p, vertices) && kinds[kind].add(&p));
}
