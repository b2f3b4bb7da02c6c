// SPDX-License-Identifier: MIT
// Counts crossings of a segment. It shares only orient3d with the library: neither the tree nor the ray along an axis
// with its symbolic shift. If a segment meets an edge or a corner, another direction is tried.
#include "support_count_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/exact/predicates.h"
#include "mesh/mesh.h"

enum {
    MOST_WORK = 3000000, // triangles looked at
    DIRECTIONS = 6
};

static const double *sorted_positions; // what compare_vertices() looks at; qsort passes no context

static int compare_vertices(const void *left, const void *right)
{
    const uint32_t v = *(const uint32_t *)left, w = *(const uint32_t *)right;
    for (size_t i = 0; i < 3; i++) {
        const double x = sorted_positions[3 * (size_t)v + i], y = sorted_positions[3 * (size_t)w + i];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return (v > w) - (v < w);
}

static uint32_t root_of(uint32_t *parents, uint32_t v)
{
    while (parents[v] != v)
        v = parents[v] = parents[parents[v]];
    return v;
}

static void join(uint32_t *parents, uint32_t v, uint32_t w)
{
    parents[root_of(parents, v)] = root_of(parents, w);
}

// Each vertex's component, named by one of its vertices. NULL where memory is short.
static uint32_t *components_of(const test_mesh *mesh)
{
    uint32_t *parents = malloc((size_t)mesh->vertex_count * sizeof *parents);
    uint32_t *order = malloc((size_t)mesh->vertex_count * sizeof *order);
    if (parents == NULL || order == NULL)
        abort();
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        parents[v] = order[v] = v;
    sorted_positions = mesh->positions;
    qsort(order, (size_t)mesh->vertex_count, sizeof *order, compare_vertices);
    for (uint64_t i = 1; i < mesh->vertex_count; i++) {
        const double *p = mesh->positions + 3 * (size_t)order[i - 1], *q = mesh->positions + 3 * (size_t)order[i];
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
            join(parents, order[i - 1], order[i]);
    }
    for (uint64_t face = 0, first = 0; face < mesh->face_count; first += mesh->corner_counts[face++])
        for (uint32_t i = 1; i < mesh->corner_counts[face]; i++)
            join(parents, mesh->indices[first], mesh->indices[first + i]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        order[v] = root_of(parents, v);
    free(parents);
    return order;
}

// Whether the segment runs through an odd number of triangles; -1 where it meets an edge.
static int crossings(const counted_mesh *container, const double *from, const double *to)
{
    const grz_mesh *mesh = container->uploaded;
    int odd = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        const double *p = container->world + 3 * (size_t)t[0], *q = container->world + 3 * (size_t)t[1];
        const double *r = container->world + 3 * (size_t)t[2];
        const int s0 = grz_orient3d(from, to, p, q), s1 = grz_orient3d(from, to, q, r);
        if (s0 * s1 < 0)
            continue;
        const int s2 = grz_orient3d(from, to, r, p);
        if (s0 * s2 < 0 || s1 * s2 < 0)
            continue;
        const int near = grz_orient3d(p, q, r, from), far = grz_orient3d(p, q, r, to);
        if (near == far && near != 0)
            continue;
        if (s0 == 0 || s1 == 0 || s2 == 0 || near == 0 || far == 0)
            return -1;
        odd ^= 1;
    }
    return odd;
}

static int is_inside(random_stream *random, const counted_mesh *container, const double *from)
{
    double reach = 0.0;
    for (uint64_t i = 0; i < 3 * container->mesh->vertex_count; i++)
        reach = fmax(reach, fabs(container->world[i] - from[i % 3]));
    for (int i = 0; i < DIRECTIONS; i++) {
        double to[3], largest = 0.0;
        for (int k = 0; k < 3; k++) {
            to[k] = random_signed(random);
            largest = fmax(largest, fabs(to[k]));
        }
        for (int k = 0; k < 3; k++)
            to[k] = from[k] + 4.0 * reach * (to[k] / largest);
        const int odd = crossings(container, from, to);
        if (odd >= 0)
            return odd;
    }
    return -1;
}

// Count the components of `inner`, and how many of them lie inside. False if that cannot be decided.
static bool count_components(random_stream *random, const counted_mesh *inner, const counted_mesh *container,
                             uint32_t *inside, uint32_t *all)
{
    uint32_t *component = components_of(inner->mesh);
    bool *seen = calloc((size_t)inner->mesh->vertex_count, sizeof *seen);
    bool told = seen != NULL;
    *inside = *all = 0;
    for (uint64_t i = 0; i < inner->mesh->index_count && told; i++) {
        const uint32_t v = inner->mesh->indices[i], c = component[v];
        if (seen[c])
            continue;
        seen[c] = true;
        const int odd = ++*all * (uint64_t)container->uploaded->triangle_count > MOST_WORK
                            ? -1
                            : is_inside(random, container, inner->world + 3 * (size_t)v);
        told = odd >= 0;
        *inside += odd > 0;
    }
    free(component);
    free(seen);
    return told;
}

bool count_relation(random_stream *random, const counted_mesh *a, const counted_mesh *b, grz_relation *relation)
{
    grz_mesh_report report_a, report_b;
    uint32_t inside_a = 0, inside_b = 0, all_a = 1, all_b = 1;
    if (grz_mesh_check(a->uploaded, &report_a, NULL) != GRZ_OK ||
        grz_mesh_check(b->uploaded, &report_b, NULL) != GRZ_OK)
        return false;
    if (report_b.closed && !count_components(random, a, b, &inside_a, &all_a))
        return false;
    if (report_a.closed && !count_components(random, b, a, &inside_b, &all_b))
        return false;
    *relation = inside_a == all_a         ? GRZ_A_INSIDE_B
                : inside_b == all_b       ? GRZ_B_INSIDE_A
                : inside_a + inside_b > 0 ? GRZ_OVERLAPPING
                                          : GRZ_APART;
    return true;
}
