// SPDX-License-Identifier: MIT
// Numbers a hull's vertices and faces by position, so that the order of the input does not show, and finds the lowest
// input point at each vertex.
#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/hull/hull_parts.h"

enum {
    LOOK = 15 // loops over points look at the clock once in 2^15 steps
};

typedef struct vertex {
    double at[3];
    uint32_t place;
} vertex;

// A face by its first two corners, which no other face has in this order.
typedef struct face {
    uint32_t first, second;
    uint32_t from, count, start; // corners from .. from + count - 1 of the loops; it begins at `start`
} face;

typedef struct numbering {
    const grz_hull_points *points;
    const grz_hull_loops *loops;
    const grz_allocator *allocator;
    grz_control *control;
    uint32_t *vertex_of; // of each point's place; GRZ_HULL_NONE: it is no corner
    grz_hull_shape *out;
} numbering;

static int compare_vertices(const void *x, const void *y, void *context)
{
    const vertex *a = x, *b = y;
    (void)context;
    for (int k = 0; k < 3; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return 0;
}

static int compare_faces(const void *x, const void *y, void *context)
{
    const face *a = x, *b = y;
    (void)context;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return a->second < b->second ? -1 : a->second > b->second;
}

static grz_status number_vertices(numbering *n, const uint32_t *corners, uint32_t count)
{
    grz_hull_shape *out = n->out;
    vertex *all = grz_allocate(n->allocator, count, sizeof *all);
    out->positions = grz_allocate(n->allocator, 3 * (size_t)count, sizeof *out->positions);
    out->points = grz_allocate(n->allocator, count, sizeof *out->points);
    out->vertex_count = count;
    grz_status status = all != NULL && out->positions != NULL && out->points != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++) {
        memcpy(all[i].at, n->points->at[corners[i]], sizeof all[i].at);
        all[i].place = corners[i];
    }
    if (status == GRZ_OK)
        status = grz_sort(all, count, sizeof *all, compare_vertices, NULL, n->control);
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++) {
        if (grz_control_expired_at(n->control, i, LOOK))
            status = grz_control_status(n->control);
        memcpy(out->positions + 3 * (size_t)i, all[i].at, sizeof all[i].at);
        out->points[i] = n->points->number[all[i].place];
        n->vertex_of[all[i].place] = i;
    }
    grz_release(n->allocator, all, count, sizeof *all);
    return status;
}

static uint64_t hash(const double p[3])
{
    uint64_t bits[3], sum = 0;
    memcpy(bits, p, sizeof bits);
    for (int k = 0; k < 3; k++) {
        sum = (sum ^ bits[k]) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum ^ sum >> 32;
}

// Points at equal positions: keep the lowest number. The table holds vertices + 1.
static bool find_lowest(numbering *n)
{
    grz_hull_shape *out = n->out;
    size_t size = 4;
    while (size < 2 * (size_t)out->vertex_count)
        size *= 2;
    uint32_t *table = grz_allocate_zeroed(n->allocator, size, sizeof *table);
    if (table == NULL)
        return false;
    for (uint32_t v = 0; v < out->vertex_count && !grz_control_expired_at(n->control, v, LOOK); v++) {
        size_t i = hash(out->positions + 3 * (size_t)v) & (size - 1);
        while (table[i] != 0)
            i = (i + 1) & (size - 1);
        table[i] = v + 1;
    }
    for (uint32_t p = 0; p < n->points->count && !grz_control_expired_at(n->control, p, LOOK); p++) {
        const double *at = n->points->at[p];
        for (size_t i = hash(at) & (size - 1); table[i] != 0; i = (i + 1) & (size - 1)) {
            const uint32_t v = table[i] - 1;
            if (memcmp(out->positions + 3 * (size_t)v, at, 3 * sizeof *at) != 0)
                continue;
            if (n->points->number[p] < out->points[v])
                out->points[v] = n->points->number[p];
            break;
        }
    }
    grz_release(n->allocator, table, size, sizeof *table);
    return true;
}

static void describe_face(const numbering *n, uint32_t from, uint32_t end, face *out)
{
    const uint32_t *corners = n->loops->corners.items;
    uint32_t start = from;
    for (uint32_t i = from + 1; i < end; i++)
        if (n->vertex_of[corners[i]] < n->vertex_of[corners[start]])
            start = i;
    *out = (face){.from = from, .count = end - from, .start = start, .first = n->vertex_of[corners[start]]};
    out->second = n->vertex_of[corners[start + 1 < end ? start + 1 : from]];
}

static void write_faces(const numbering *n, const face *faces)
{
    grz_hull_shape *out = n->out;
    uint32_t at = 0, triangle = 0;
    for (uint32_t f = 0; f < out->face_count; f++) {
        uint32_t *corners = out->corners + at;
        for (uint32_t i = 0, from = faces[f].start; i < faces[f].count; i++) {
            corners[i] = n->vertex_of[n->loops->corners.items[from]];
            from = from + 1 < faces[f].from + faces[f].count ? from + 1 : faces[f].from;
        }
        for (uint32_t i = 2; i < faces[f].count; i++, triangle++) {
            out->triangles[3 * (size_t)triangle] = corners[0];
            out->triangles[3 * (size_t)triangle + 1] = corners[i - 1];
            out->triangles[3 * (size_t)triangle + 2] = corners[i];
        }
        at += faces[f].count;
        out->face_offsets[f + 1] = at;
    }
    assert(at == out->corner_count && triangle == out->triangle_count);
}

static grz_status number_faces(numbering *n)
{
    grz_hull_shape *out = n->out;
    const uint32_t count = (uint32_t)n->loops->ends.count;
    if (count == 0)
        return GRZ_OK;
    face *faces = grz_allocate(n->allocator, count, sizeof *faces);
    grz_status status = GRZ_ERROR_MEMORY;
    out->face_count = count;
    out->corner_count = (uint32_t)n->loops->corners.count;
    out->triangle_count = out->corner_count - 2 * count;
    out->face_offsets = grz_allocate_zeroed(n->allocator, (size_t)count + 1, sizeof *out->face_offsets);
    out->corners = grz_allocate(n->allocator, out->corner_count, sizeof *out->corners);
    out->triangles = grz_allocate(n->allocator, 3 * (size_t)out->triangle_count, sizeof *out->triangles);
    if (faces != NULL && out->face_offsets != NULL && out->corners != NULL && out->triangles != NULL) {
        for (uint32_t f = 0; f < count; f++)
            describe_face(n, f > 0 ? n->loops->ends.items[f - 1] : 0, n->loops->ends.items[f], &faces[f]);
        status = grz_sort(faces, count, sizeof *faces, compare_faces, NULL, n->control);
        if (status == GRZ_OK)
            write_faces(n, faces);
    }
    grz_release(n->allocator, faces, count, sizeof *faces);
    return status;
}

// The corners of the loops, each once, in place of the list that has them with repetition.
static uint32_t each_once(numbering *n, uint32_t *list)
{
    uint32_t count = 0;
    for (size_t i = 0; i < n->loops->corners.count && !grz_control_expired_at(n->control, i, LOOK); i++) {
        const uint32_t place = n->loops->corners.items[i];
        if (n->vertex_of[place] != GRZ_HULL_NONE)
            continue;
        n->vertex_of[place] = 0;
        list[count++] = place;
    }
    return count;
}

grz_status grz_hull_number(const grz_hull_points *points, const grz_hull_loops *loops, const uint32_t *corners,
                           uint32_t corner_count, grz_control *control, grz_hull_shape *out)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    numbering n = {points, loops, allocator, control, NULL, out};
    const size_t most = loops->corners.count;
    uint32_t *list = NULL;
    grz_status status = GRZ_ERROR_MEMORY;
    n.vertex_of = grz_allocate(allocator, points->count, sizeof *n.vertex_of);
    if (most > 0)
        list = grz_allocate(allocator, most, sizeof *list);
    if (n.vertex_of != NULL && (most == 0 || list != NULL)) {
        memset(n.vertex_of, 0xff, points->count * sizeof *n.vertex_of);
        const uint32_t count = most > 0 ? each_once(&n, list) : corner_count;
        status = grz_control_status(control);
        if (status == GRZ_OK)
            status = number_vertices(&n, most > 0 ? list : corners, count);
        if (status == GRZ_OK)
            status = find_lowest(&n) ? grz_control_status(control) : GRZ_ERROR_MEMORY;
        if (status == GRZ_OK)
            status = number_faces(&n);
    }
    grz_release(allocator, list, most, sizeof *list);
    grz_release(allocator, n.vertex_of, points->count, sizeof *n.vertex_of);
    return status;
}
