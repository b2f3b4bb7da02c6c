// SPDX-License-Identifier: MIT
// Small meshes for the tests. The arrays have no capacities: their room is the power of two at or above their count, so
// it is doubled whenever the count arrives at one.
#include "support_meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/device.h"

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "test mesh: %s\n", what);
    abort();
}

// Room for one more item in an array of `count`.
static void *grown(void *items, uint64_t count, size_t item_size)
{
    if ((count & (count - 1)) != 0)
        return items;
    items = realloc(items, (count == 0 ? 1 : 2 * (size_t)count) * item_size);
    if (items == NULL)
        give_up("out of memory");
    return items;
}

void test_mesh_finish(test_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->indices);
    free(mesh->corner_counts);
    *mesh = (test_mesh){0};
}

uint32_t test_mesh_add_vertex(test_mesh *mesh, double x, double y, double z)
{
    mesh->positions = grown(mesh->positions, mesh->vertex_count, 3 * sizeof(double));
    double *p = mesh->positions + 3 * mesh->vertex_count;
    p[0] = x;
    p[1] = y;
    p[2] = z;
    return (uint32_t)mesh->vertex_count++;
}

void test_mesh_add_face(test_mesh *mesh, const uint32_t *corners, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        mesh->indices = grown(mesh->indices, mesh->index_count, sizeof *mesh->indices);
        mesh->indices[mesh->index_count++] = corners[i];
    }
    mesh->corner_counts = grown(mesh->corner_counts, mesh->face_count, sizeof *mesh->corner_counts);
    mesh->corner_counts[mesh->face_count++] = count;
}

void test_mesh_add_triangle(test_mesh *mesh, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t corners[3] = {i, j, k};
    test_mesh_add_face(mesh, corners, 3);
}

void test_mesh_add_loose_triangle(test_mesh *mesh, const double corners[3][3])
{
    uint32_t index[3];
    for (int i = 0; i < 3; i++)
        index[i] = test_mesh_add_vertex(mesh, corners[i][0], corners[i][1], corners[i][2]);
    test_mesh_add_face(mesh, index, 3);
}

void test_mesh_append(test_mesh *mesh, const test_mesh *other)
{
    const uint32_t base = (uint32_t)mesh->vertex_count;
    for (uint64_t v = 0; v < other->vertex_count; v++)
        test_mesh_add_vertex(mesh, other->positions[3 * v], other->positions[3 * v + 1], other->positions[3 * v + 2]);
    for (uint64_t face = 0, first = 0; face < other->face_count; first += other->corner_counts[face++]) {
        test_mesh_add_face(mesh, other->indices + first, other->corner_counts[face]);
        for (uint32_t i = 0; i < other->corner_counts[face]; i++)
            mesh->indices[mesh->index_count - 1 - i] += base;
    }
}

void test_mesh_take(test_mesh *mesh, test_mesh other)
{
    test_mesh_append(mesh, &other);
    test_mesh_finish(&other);
}

test_mesh test_mesh_copy(const test_mesh *mesh)
{
    test_mesh copy = {0};
    test_mesh_append(&copy, mesh);
    return copy;
}

test_mesh test_mesh_make(const double *positions, uint64_t vertex_count, const uint32_t *indices, uint64_t face_count,
                         uint32_t corners_per_face)
{
    test_mesh mesh = {0};
    for (uint64_t v = 0; v < vertex_count; v++)
        test_mesh_add_vertex(&mesh, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    for (uint64_t face = 0; face < face_count; face++)
        test_mesh_add_face(&mesh, indices + face * corners_per_face, corners_per_face);
    return mesh;
}

test_mesh test_mesh_box_quads(const double min[3], const double max[3])
{
    static const uint32_t quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    test_mesh mesh = {0};
    for (int i = 0; i < 8; i++) {
        const int x = (i & 3) == 1 || (i & 3) == 2, y = (i & 3) >= 2, z = i >= 4;
        test_mesh_add_vertex(&mesh, x ? max[0] : min[0], y ? max[1] : min[1], z ? max[2] : min[2]);
    }
    for (int i = 0; i < 6; i++)
        test_mesh_add_face(&mesh, quads[i], 4);
    return mesh;
}

test_mesh test_mesh_box(const double min[3], const double max[3])
{
    test_mesh quads = test_mesh_box_quads(min, max);
    test_mesh mesh = test_mesh_triangulated(&quads);
    test_mesh_finish(&quads);
    return mesh;
}

test_mesh test_mesh_cube(double x, double y, double z, double size)
{
    const double min[3] = {x, y, z}, max[3] = {x + size, y + size, z + size};
    return test_mesh_box(min, max);
}

test_mesh test_mesh_cube_quads(double x, double y, double z, double size)
{
    const double min[3] = {x, y, z}, max[3] = {x + size, y + size, z + size};
    return test_mesh_box_quads(min, max);
}

test_mesh test_mesh_tetrahedron(const double corners[4][3])
{
    static const uint32_t faces[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    return test_mesh_make(&corners[0][0], 4, faces, 4, 3);
}

test_mesh test_mesh_grid_quads(uint32_t nx, uint32_t ny, double step)
{
    test_mesh mesh = {0};
    for (uint32_t j = 0; j <= ny; j++)
        for (uint32_t i = 0; i <= nx; i++)
            test_mesh_add_vertex(&mesh, i * step, j * step, 0.0);
    for (uint32_t j = 0; j < ny; j++) {
        for (uint32_t i = 0; i < nx; i++) {
            const uint32_t low = j * (nx + 1) + i, high = low + nx + 1;
            const uint32_t corners[4] = {low, low + 1, high + 1, high};
            test_mesh_add_face(&mesh, corners, 4);
        }
    }
    return mesh;
}

test_mesh test_mesh_grid(uint32_t nx, uint32_t ny, double step)
{
    test_mesh quads = test_mesh_grid_quads(nx, ny, step);
    test_mesh mesh = test_mesh_triangulated(&quads);
    test_mesh_finish(&quads);
    return mesh;
}

// The vertex in the middle of an edge, on the sphere: found again by looking through those that were made for this
// subdivision.
static uint32_t sphere_middle(test_mesh *mesh, uint64_t first_new, double radius, uint32_t p, uint32_t q)
{
    double middle[3], length = 0.0;
    if (mesh->positions == NULL)
        give_up("a sphere without vertices");
    for (int i = 0; i < 3; i++) {
        middle[i] = mesh->positions[3 * p + (uint32_t)i] + mesh->positions[3 * q + (uint32_t)i];
        length += middle[i] * middle[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++)
        middle[i] *= radius / length;
    for (uint64_t v = first_new; v < mesh->vertex_count; v++)
        if (memcmp(mesh->positions + 3 * v, middle, sizeof middle) == 0)
            return (uint32_t)v;
    return test_mesh_add_vertex(mesh, middle[0], middle[1], middle[2]);
}

static test_mesh sphere_subdivided(const test_mesh *coarse, double radius)
{
    test_mesh fine = {0};
    for (uint64_t v = 0; v < coarse->vertex_count; v++)
        test_mesh_add_vertex(&fine, coarse->positions[3 * v], coarse->positions[3 * v + 1],
                             coarse->positions[3 * v + 2]);
    for (uint64_t face = 0; face < coarse->face_count; face++) {
        const uint32_t *corner = coarse->indices + 3 * face;
        uint32_t middle[3];
        for (int i = 0; i < 3; i++)
            middle[i] = sphere_middle(&fine, coarse->vertex_count, radius, corner[i], corner[(i + 1) % 3]);
        for (int i = 0; i < 3; i++)
            test_mesh_add_triangle(&fine, corner[i], middle[i], middle[(i + 2) % 3]);
        test_mesh_add_triangle(&fine, middle[0], middle[1], middle[2]);
    }
    return fine;
}

test_mesh test_mesh_icosphere(double radius, uint32_t subdivisions)
{
    static const uint32_t faces[60] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                                       4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                                       6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
    const double golden = (1.0 + sqrt(5.0)) / 2.0, scale = radius / sqrt(1.0 + golden * golden), s = scale,
                 l = golden * scale;
    const double vertices[12][3] = {{-s, l, 0},  {s, l, 0},  {-s, -l, 0}, {s, -l, 0}, {0, -s, l},  {0, s, l},
                                    {0, -s, -l}, {0, s, -l}, {l, 0, -s},  {l, 0, s},  {-l, 0, -s}, {-l, 0, s}};
    test_mesh mesh = test_mesh_make(&vertices[0][0], 12, faces, 20, 3);
    for (uint32_t i = 0; i < subdivisions; i++) {
        test_mesh fine = sphere_subdivided(&mesh, radius);
        test_mesh_finish(&mesh);
        mesh = fine;
    }
    return mesh;
}

test_mesh test_mesh_torus(double radius, double tube, uint32_t around, uint32_t across)
{
    const double turn = 6.283185307179586;
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < around; i++) {
        for (uint32_t j = 0; j < across; j++) {
            const double u = turn * i / around, v = turn * j / across, r = radius + tube * cos(v);
            test_mesh_add_vertex(&mesh, r * cos(u), r * sin(u), tube * sin(v));
        }
    }
    for (uint32_t i = 0; i < around; i++) {
        for (uint32_t j = 0; j < across; j++) {
            const uint32_t next = (i + 1) % around, above = (j + 1) % across;
            const uint32_t p = i * across + j, q = next * across + j, r = next * across + above, s = i * across + above;
            test_mesh_add_triangle(&mesh, p, q, r);
            test_mesh_add_triangle(&mesh, p, r, s);
        }
    }
    return mesh;
}

test_mesh test_mesh_random_triangles(random_stream *random, uint32_t count, double size, uint32_t grid)
{
    test_mesh mesh = {0};
    for (uint32_t t = 0; t < count; t++) {
        double corners[3][3];
        for (int axis = 0; axis < 3; axis++) {
            const double centre = random_signed(random);
            for (int i = 0; i < 3; i++)
                corners[i][axis] = grid > 0 ? (double)random_below(random, 2 * grid + 1) - (double)grid
                                            : centre + 0.5 * size * random_signed(random);
        }
        test_mesh_add_loose_triangle(&mesh, (const double(*)[3])corners);
    }
    return mesh;
}

test_mesh test_mesh_soup(const test_mesh *mesh)
{
    test_mesh soup = {0};
    for (uint64_t face = 0, first = 0; face < mesh->face_count; first += mesh->corner_counts[face++]) {
        const uint32_t count = mesh->corner_counts[face];
        test_mesh_add_face(&soup, mesh->indices + first, count);
        for (uint32_t i = 0; i < count; i++) {
            const double *p = mesh->positions + 3 * (size_t)mesh->indices[first + i];
            soup.indices[first + i] = test_mesh_add_vertex(&soup, p[0], p[1], p[2]);
        }
    }
    return soup;
}

test_mesh test_mesh_triangulated(const test_mesh *mesh)
{
    test_mesh triangles = {0};
    for (uint64_t v = 0; v < mesh->vertex_count; v++)
        test_mesh_add_vertex(&triangles, mesh->positions[3 * v], mesh->positions[3 * v + 1],
                             mesh->positions[3 * v + 2]);
    for (uint64_t face = 0, first = 0; face < mesh->face_count; first += mesh->corner_counts[face++])
        for (uint32_t i = 1; i + 1 < mesh->corner_counts[face]; i++)
            test_mesh_add_triangle(&triangles, mesh->indices[first], mesh->indices[first + i],
                                   mesh->indices[first + i + 1]);
    return triangles;
}

void test_mesh_move(test_mesh *mesh, double x, double y, double z)
{
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        mesh->positions[3 * v] += x;
        mesh->positions[3 * v + 1] += y;
        mesh->positions[3 * v + 2] += z;
    }
}

void test_mesh_scale(test_mesh *mesh, double x, double y, double z)
{
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        mesh->positions[3 * v] *= x;
        mesh->positions[3 * v + 1] *= y;
        mesh->positions[3 * v + 2] *= z;
    }
}

void test_mesh_reverse(test_mesh *mesh)
{
    for (uint64_t face = 0, first = 0; face < mesh->face_count; first += mesh->corner_counts[face++]) {
        uint32_t *corners = mesh->indices + first;
        for (uint32_t i = 0, j = mesh->corner_counts[face] - 1; i < j; i++, j--) {
            const uint32_t swapped = corners[i];
            corners[i] = corners[j];
            corners[j] = swapped;
        }
    }
}

// A random order of 0 … count - 1; free it.
static uint32_t *random_order(random_stream *random, uint64_t count)
{
    uint32_t *order = malloc((size_t)(count + 1) * sizeof *order);
    if (order == NULL)
        give_up("out of memory");
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

void test_mesh_shuffle(test_mesh *mesh, random_stream *random, uint32_t *new_face)
{
    test_mesh shuffled = {0};
    uint32_t *vertex_order = random_order(random, mesh->vertex_count),
             *face_order = random_order(random, mesh->face_count);
    uint32_t *new_vertex = random_order(random, mesh->vertex_count);
    uint64_t *first = malloc((size_t)(mesh->face_count + 1) * sizeof *first);
    if (first == NULL)
        give_up("out of memory");
    for (uint64_t face = 0, at = 0; face < mesh->face_count; at += mesh->corner_counts[face++])
        first[face] = at;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double *p = mesh->positions + 3 * (size_t)vertex_order[v];
        new_vertex[vertex_order[v]] = test_mesh_add_vertex(&shuffled, p[0], p[1], p[2]);
    }
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        const uint32_t face = face_order[i], count = mesh->corner_counts[face];
        // A polygon's first corner decides how it is triangulated: it stays.
        const uint32_t turn = count == 3 ? random_below(random, 3) : 0;
        test_mesh_add_face(&shuffled, mesh->indices + first[face], count);
        for (uint32_t k = 0; k < count; k++)
            shuffled.indices[shuffled.index_count - count + k] =
                new_vertex[mesh->indices[first[face] + (k + turn) % count]];
        if (new_face != NULL)
            new_face[face] = i;
    }
    free(first);
    free(vertex_order);
    free(face_order);
    free(new_vertex);
    test_mesh_finish(mesh);
    *mesh = shuffled;
}

grz_mesh *test_mesh_upload_flags(grz_device *device, const test_mesh *mesh, uint32_t flags)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_error error = {.code = GRZ_OK};
    grz_mesh *uploaded;
    description.positions = mesh->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = mesh->vertex_count;
    description.indices = mesh->indices;
    description.index_count = mesh->index_count;
    description.face_count = mesh->face_count;
    description.corner_counts = mesh->corner_counts;
    description.flags = flags;
    if (grz_mesh_create(device, &description, &uploaded, &error) != GRZ_OK)
        give_up(error.message);
    return uploaded;
}

grz_mesh *test_mesh_upload(grz_device *device, const test_mesh *mesh)
{
    return test_mesh_upload_flags(device, mesh, 0);
}

const char *test_exact_method(size_t index)
{
    grz_method method;
    for (size_t i = 0; grz_method_info(i, &method); i++)
        if (method.exact && !method.gl && index-- == 0)
            return method.name;
    return NULL;
}

const char *test_exact_method_in_turn(size_t index, size_t turn)
{
    size_t others = 0;
    if (index < 2)
        return test_exact_method(index);
    while (test_exact_method(2 + others) != NULL)
        others++;
    return index == 2 && others > 0 ? test_exact_method(2 + turn % others) : NULL;
}

bool test_label_fits(grz_certainty certainty, double lower, double upper)
{
    switch (certainty) {
    case GRZ_EXACT:
        return lower <= upper && nextafter(lower, HUGE_VAL) >= upper;
    case GRZ_ENCLOSED:
        return lower < upper;
    default:
        return false;
    }
}

grz_device *test_device_open(unsigned threads)
{
    grz_device_options options = grz_default_device_options();
    grz_error error = {.code = GRZ_OK};
    grz_device *device;
    options.threads = threads;
    if (grz_device_open(&options, &device, &error) != GRZ_OK)
        give_up(error.message);
    grz_device_set_solo_steps(device, 2); // small as they are, tests' queries are to be shared, too
    return device;
}

grz_result *test_result_create(grz_device *device)
{
    grz_error error = {.code = GRZ_OK};
    grz_result *result;
    if (grz_result_create(device, &result, &error) != GRZ_OK)
        give_up(error.message);
    return result;
}

void test_mesh_crumple(test_mesh *mesh, random_stream *random, uint32_t raster, double amount)
{
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++) {
        if (raster > 0 && random_below(random, 3) > 0)
            mesh->positions[i] += (double)random_below(random, 2 * raster + 1) - (double)raster;
        else if (raster == 0)
            mesh->positions[i] += amount * random_signed(random);
    }
}

void test_mesh_add_divided(test_mesh *mesh, random_stream *random, double c[3][3], int depth, uint32_t whole)
{
    double middle[3][3], part[3][3];
    if (depth == 0 || random_below(random, whole) == 0) {
        test_mesh_add_loose_triangle(mesh, (const double(*)[3])c);
        return;
    }
    for (int i = 0; i < 9; i++)
        middle[i / 3][i % 3] = 0.5 * (c[i / 3][i % 3] + c[(i / 3 + 1) % 3][i % 3]);
    const int parts = random_below(random, 2) == 0 ? 2 : 4;
    for (int i = 0; i < parts; i++) {
        if (parts == 2) {
            memcpy(part[0], c[2], sizeof part[0]);
            memcpy(part[1], i == 0 ? c[0] : middle[0], sizeof part[1]);
            memcpy(part[2], i == 0 ? middle[0] : c[1], sizeof part[2]);
        } else {
            for (int k = 0; k < 3; k++)
                memcpy(part[k],
                       i == 3   ? middle[k]
                       : k == 0 ? c[i]
                       : k == 1 ? middle[i]
                                : middle[(i + 2) % 3],
                       sizeof part[k]);
        }
        test_mesh_add_divided(mesh, random, part, depth - 1, whole);
    }
}
