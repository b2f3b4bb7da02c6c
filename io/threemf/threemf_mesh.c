// SPDX-License-Identifier: MIT
// Meshes: vertices and triangles, each an element with its numbers as attributes. Nearly all of a file's bytes are
// these.
// Source: 3MF Core Specification, 4.1.
#include "threemf/threemf_model.h"

#include <stdio.h>
#include <string.h>

bool grz_io_threemf_begin_mesh(threemf_model *m, const char **attributes)
{
    threemf_object *object = threemf_current_object(m);
    (void)attributes;
    if (object->mesh != THREEMF_NONE || object->component_count > 0)
        return grz_io_threemf_fail_object(m, "it has more than one mesh or list of components");
    m->has_vertices = m->has_triangles = false;
    m->vertex_count = m->triangle_count = 0;
    m->mesh_first = m->t->r->model.vertex_count;
    object->mesh = m->t->r->model.mesh_count;
    return grz_io_begin_mesh(m->t->r) || grz_io_fail_memory(m->t->r);
}

bool grz_io_threemf_begin_vertices(threemf_model *m, const char **attributes)
{
    (void)attributes;
    if (m->has_vertices)
        return grz_io_threemf_fail_object(m, "its mesh has a second <vertices>");
    m->has_vertices = true;
    return true;
}

bool grz_io_threemf_begin_triangles(threemf_model *m, const char **attributes)
{
    (void)attributes;
    if (!m->has_vertices)
        return grz_io_threemf_fail_object(m, "the triangles of its mesh stand before the vertices");
    if (m->has_triangles)
        return grz_io_threemf_fail_object(m, "its mesh has a second <triangles>");
    m->has_triangles = true;
    m->vertex_count = m->t->r->model.vertex_count - m->mesh_first;
    return true;
}

bool grz_io_threemf_end_mesh(threemf_model *m)
{
    if (!m->has_triangles)
        return grz_io_threemf_fail_object(m, "its mesh has no <%s>", m->has_vertices ? "triangles" : "vertices");
    grz_io_end_mesh(m->t->r);
    m->t->counts.empty_meshes += m->triangle_count == 0;
    return true;
}

// The whole value of an attribute as a number.
static bool read_coordinate(threemf_model *m, const char *text, const char *axis, double *out)
{
    const unsigned char *bytes = (const unsigned char *)text, *end = bytes + strlen(text);
    text_scan s = {.at = bytes, .end = end, .line = 1, .comment = SCAN_NO_COMMENTS};
    scan_result result = SCAN_MISSING;
    if (grz_io_scan_more_lines(&s))
        result = threemf_is_hexadecimal(s.at, end) ? SCAN_NOT_A_NUMBER : grz_io_scan_double(&s, out);
    if (result == SCAN_OK && (s.at == end || !grz_io_scan_more_lines(&s)))
        return true;
    if (result == SCAN_OK)
        result = SCAN_NOT_A_NUMBER;
    const uint64_t number = m->t->r->model.vertex_count - m->mesh_first;
    char of[64];
    (void)snprintf(of, sizeof of, "vertex %llu: %s", (unsigned long long)number, axis);
    return grz_io_threemf_fail_number(m, (text_token){bytes, (size_t)(end - bytes)}, result, of);
}

bool grz_io_threemf_read_vertex(threemf_model *m, const char **attributes)
{
    static const char *const axes[3] = {"x", "y", "z"};
    double position[3] = {0, 0, 0};
    unsigned given = 0;
    for (const char **a = attributes; *a != NULL; a += 2) {
        const unsigned axis = (unsigned)(a[0][0] - 'x');
        if (axis > 2 || a[0][1] != '\0') {
            grz_io_threemf_count_attribute(m, a[0]);
            continue;
        }
        if (!read_coordinate(m, a[1], axes[axis], &position[axis]))
            return false;
        given |= 1U << axis;
    }
    const unsigned all = 7; // three bits
    if (given == all)
        return reader_add_vertex(m->t->r, position[0], position[1], position[2]);
    const unsigned missing = (given & 1) == 0 ? 0 : (given & 2) == 0 ? 1 : 2;
    return grz_io_xml_fail(m->x, "vertex %llu has no %s",
                           (unsigned long long)(m->t->r->model.vertex_count - m->mesh_first), axes[missing]);
}

static bool fail_corner(threemf_model *m, unsigned which, const char *text)
{
    char quote[SCAN_QUOTE_SIZE];
    uint64_t index;
    const unsigned long long number = m->triangle_count, count = m->vertex_count;
    if (grz_io_threemf_take_whole(text, &index))
        return grz_io_xml_fail(m->x, "triangle %llu: v%u is %llu, but the mesh has %llu vertices", number, which + 1,
                               (unsigned long long)index, count);
    const text_token token = {(const unsigned char *)text, strlen(text)};
    return grz_io_xml_fail(m->x, "triangle %llu: v%u: %s is not the number of a vertex", number, which + 1,
                           grz_io_token_quote(token, quote));
}

// The number of a vertex. Nearly all are a few digits and nothing else.
static inline bool read_corner(threemf_model *m, unsigned which, const char *text, uint32_t *out)
{
    enum {
        MOST_DIGITS = 9
    };
    uint64_t index = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9' && p - text < MOST_DIGITS; p++)
        index = 10 * index + (uint64_t)(*p - '0');
    if ((*p != '\0' || p == text) && !grz_io_threemf_take_whole(text, &index))
        return fail_corner(m, which, text);
    *out = (uint32_t)index;
    return index < m->vertex_count || fail_corner(m, which, text);
}

bool grz_io_threemf_are_corners(const threemf_model *m, const uint32_t corners[3])
{
    return corners[0] < m->vertex_count && corners[1] < m->vertex_count && corners[2] < m->vertex_count;
}

bool grz_io_threemf_add_triangle(threemf_model *m, const uint32_t corners[3])
{
    m->t->counts.doubled_corners += corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
    m->triangle_count++;
    return reader_add_triangle(m->t->r, corners[0], corners[1], corners[2]);
}

// "pid", and "p1", "p2", "p3".
static bool is_colour(const char *name)
{
    return name[0] == 'p' && ((name[1] >= '1' && name[1] <= '3' && name[2] == '\0') || strcmp(name + 1, "id") == 0);
}

bool grz_io_threemf_read_triangle(threemf_model *m, const char **attributes)
{
    uint32_t corners[3] = {0, 0, 0};
    unsigned given = 0;
    for (const char **a = attributes; *a != NULL; a += 2) {
        const char *name = a[0];
        const unsigned which = name[0] == 'v' ? (unsigned)(name[1] - '1') : 3;
        if (which > 2 || name[2] != '\0') {
            if (!is_colour(name))
                grz_io_threemf_count_attribute(m, name);
            continue;
        }
        if (!read_corner(m, which, a[1], &corners[which]))
            return false;
        given |= 1U << which;
    }
    const unsigned all = 7; // three bits
    if (given != all)
        return grz_io_xml_fail(m->x, "triangle %llu has no v%d", (unsigned long long)m->triangle_count,
                               (given & 1) == 0   ? 1
                               : (given & 2) == 0 ? 2
                                                  : 3);
    return grz_io_threemf_add_triangle(m, corners);
}
