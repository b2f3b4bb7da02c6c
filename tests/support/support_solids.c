// SPDX-License-Identifier: MIT
// Closed surfaces for tests of containment.
#include "support_solids.h"

#include <math.h>
#include <stdlib.h>

static const double turn = 6.283185307179586;

// ---- Solids of cells ------------------------------------------------------------------------------------------------

solid_cells solid_random(random_stream *random, uint32_t sevenths)
{
    solid_cells s;
    for (int i = 0; i < SOLID_CELLS * SOLID_CELLS * SOLID_CELLS; i++)
        s.full[i % SOLID_CELLS][i / SOLID_CELLS % SOLID_CELLS][i / SOLID_CELLS / SOLID_CELLS] =
            random_below(random, 7) < sevenths;
    s.full[SOLID_CELLS / 2][SOLID_CELLS / 2][SOLID_CELLS / 2] = true;
    return s;
}

bool solid_is_full(const solid_cells *s, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < SOLID_CELLS && y < SOLID_CELLS && z < SOLID_CELLS && s->full[x][y][z];
}

test_mesh solid_surface(const solid_cells *s, bool quads)
{
    test_mesh mesh = {0};
    for (int i = 0; i < SOLID_CELLS * SOLID_CELLS * SOLID_CELLS; i++) {
        const int cell[3] = {i % SOLID_CELLS, i / SOLID_CELLS % SOLID_CELLS, i / SOLID_CELLS / SOLID_CELLS};
        if (!s->full[cell[0]][cell[1]][cell[2]])
            continue;
        for (int side = 0; side < 6; side++) {
            const int axis = side / 2, step = side % 2 == 0 ? -1 : 1;
            int beside[3] = {cell[0], cell[1], cell[2]};
            beside[axis] += step;
            if (solid_is_full(s, beside[0], beside[1], beside[2]))
                continue;
            double low[3] = {SOLID_CELL_SIZE * cell[0], SOLID_CELL_SIZE * cell[1], SOLID_CELL_SIZE * cell[2]};
            low[axis] += step > 0 ? SOLID_CELL_SIZE : 0;
            uint32_t corner[4];
            for (int k = 0; k < 4; k++) {
                double p[3] = {low[0], low[1], low[2]};
                p[(axis + 1) % 3] += k == 1 || k == 2 ? SOLID_CELL_SIZE : 0;
                p[(axis + 2) % 3] += k >= 2 ? SOLID_CELL_SIZE : 0;
                corner[step > 0 ? k : 3 - k] = test_mesh_add_vertex(&mesh, p[0], p[1], p[2]);
            }
            test_mesh_add_face(&mesh, corner, 4);
        }
    }
    if (quads)
        return mesh;
    test_mesh triangles = test_mesh_triangulated(&mesh);
    test_mesh_finish(&mesh);
    return triangles;
}

// ---- Surfaces -------------------------------------------------------------------------------------------------------

// Two triangles between four vertices in order.
static void add_square(test_mesh *mesh, uint32_t p, uint32_t q, uint32_t r, uint32_t s)
{
    test_mesh_add_triangle(mesh, p, q, r);
    test_mesh_add_triangle(mesh, p, r, s);
}

test_mesh test_mesh_double_tube(double radius, uint32_t around, uint32_t across)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < across; j++) {
            const double u = turn * i / around, v = 2.0 * turn * j / across, wall = 1.0 + 0.3 * cos(0.5 * v);
            const double r = radius + wall * cos(v);
            test_mesh_add_vertex(&mesh, r * cos(u), r * sin(u), wall * sin(v));
        }
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < across; j++) {
            const uint32_t next = (i + 1) % around, above = (j + 1) % across;
            add_square(&mesh, i * across + j, next * across + j, next * across + above, i * across + above);
        }
    return mesh;
}

test_mesh test_mesh_klein_bottle(uint32_t around, uint32_t across)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < across; j++) {
            const double u = turn * i / around, v = turn * j / across;
            const double r = 2.5 + cos(0.5 * u) * sin(v) - sin(0.5 * u) * sin(2.0 * v);
            test_mesh_add_vertex(&mesh, r * cos(u), r * sin(u), sin(0.5 * u) * sin(v) + cos(0.5 * u) * sin(2.0 * v));
        }
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < across; j++) {
            // After one turn the cross-section has turned over.
            const uint32_t above = (j + 1) % across, far = i + 1 < around ? j : (across - j) % across,
                           far_above = i + 1 < around ? above : (across - above) % across;
            const uint32_t next = (i + 1) % around;
            add_square(&mesh, i * across + j, next * across + far, next * across + far_above, i * across + above);
        }
    return mesh;
}

test_mesh test_mesh_shells(uint32_t count, uint32_t reversed)
{
    test_mesh mesh = {0};
    for (uint32_t i = 0; i < count; i++) {
        const double size = 2.0 * (count - i);
        test_mesh shell = test_mesh_cube(-0.5 * size, -0.5 * size, -0.5 * size, size);
        if ((reversed >> i & 1) != 0)
            test_mesh_reverse(&shell);
        test_mesh_take(&mesh, shell);
    }
    return mesh;
}

test_mesh test_mesh_rough_sphere(random_stream *random, uint32_t subdivisions, double share, bool crumple)
{
    test_mesh ball = test_mesh_icosphere(2, subdivisions);
    for (uint64_t v = 0; v < ball.vertex_count; v++) {
        const double factor = 1.0 + share * random_signed(random);
        for (uint64_t axis = 0; axis < 3; axis++)
            ball.positions[3 * v + axis] *= crumple ? 1.0 + share * random_signed(random) : factor;
    }
    return ball;
}

// ---- Changes --------------------------------------------------------------------------------------------------------

void test_mesh_drop_face(test_mesh *mesh, uint64_t face)
{
    test_mesh rest = {0};
    for (uint64_t v = 0; v < mesh->vertex_count; v++)
        test_mesh_add_vertex(&rest, mesh->positions[3 * v], mesh->positions[3 * v + 1], mesh->positions[3 * v + 2]);
    for (uint64_t i = 0; i < mesh->face_count; i++)
        if (i != face)
            test_mesh_add_face(&rest, mesh->indices + 3 * i, 3);
    test_mesh_finish(mesh);
    *mesh = rest;
}

void test_mesh_reverse_some(test_mesh *mesh, random_stream *random)
{
    for (uint64_t face = 0; face < mesh->face_count; face++)
        if (random_below(random, 2) == 0) {
            const uint32_t first = mesh->indices[3 * face];
            mesh->indices[3 * face] = mesh->indices[3 * face + 1];
            mesh->indices[3 * face + 1] = first;
        }
}

// A vertex between two others, rounded.
static uint32_t add_middle(test_mesh *mesh, uint32_t a, uint32_t b)
{
    double p[3];
    if (mesh->positions == NULL)
        abort();
    for (uint32_t axis = 0; axis < 3; axis++)
        p[axis] = 0.5 * (mesh->positions[3 * (size_t)a + axis] + mesh->positions[3 * (size_t)b + axis]);
    return test_mesh_add_vertex(mesh, p[0], p[1], p[2]);
}

void test_mesh_split_one_side(test_mesh *mesh, uint64_t face, bool filled)
{
    const uint32_t a = mesh->indices[3 * face], b = mesh->indices[3 * face + 1], c = mesh->indices[3 * face + 2];
    const uint32_t middle = add_middle(mesh, a, b);
    mesh->indices[3 * face + 1] = middle; // (a, middle, c)
    test_mesh_add_triangle(mesh, middle, b, c);
    if (filled)
        test_mesh_add_triangle(mesh, a, b, middle);
}

void test_mesh_add_degenerates(test_mesh *mesh, random_stream *random)
{
    const uint32_t faces = (uint32_t)mesh->face_count;
    for (int k = 0; k < 12; k++) {
        const uint32_t face = random_below(random, faces);
        const uint32_t a = mesh->indices[3 * face], b = mesh->indices[3 * face + 1], c = mesh->indices[3 * face + 2];
        const uint32_t other = mesh->indices[random_below(random, 3 * faces)];
        switch (k / 2) {
        case 0: // two vertices in one place; before any vertex is copied
            for (uint32_t axis = 0; axis < 3; axis++)
                mesh->positions[3 * (size_t)a + axis] = mesh->positions[3 * (size_t)b + axis];
            break;
        case 1: // a face over a face, turned over: the two of them bound nothing
            test_mesh_add_triangle(mesh, a, b, c);
            test_mesh_add_triangle(mesh, a, c, b);
            break;
        case 2: // a spike
            test_mesh_add_triangle(mesh, a, b, other);
            test_mesh_add_triangle(mesh, b, a, other);
            break;
        case 3: // no area: a segment there and back, and a point
            test_mesh_add_triangle(mesh, a, b, a);
            test_mesh_add_triangle(mesh, c, c, c);
            test_mesh_add_triangle(mesh, a, a, other); // through the inside
            test_mesh_add_triangle(mesh, other, c, c);
            test_mesh_add_triangle(mesh, other, b, other);
            break;
        case 4:
            test_mesh_split_one_side(mesh, face, true);
            break;
        default: // a vertex of its own in place of a common one
            mesh->indices[3 * face] =
                test_mesh_add_vertex(mesh, mesh->positions[3 * (size_t)a], mesh->positions[3 * (size_t)a + 1],
                                     mesh->positions[3 * (size_t)a + 2]);
            break;
        }
    }
}

test_mesh test_mesh_subdivided(const test_mesh *mesh)
{
    test_mesh fine = {0};
    for (uint64_t v = 0; v < mesh->vertex_count; v++)
        test_mesh_add_vertex(&fine, mesh->positions[3 * v], mesh->positions[3 * v + 1], mesh->positions[3 * v + 2]);
    for (uint64_t face = 0; face < mesh->face_count; face++) {
        const uint32_t *corner = mesh->indices + 3 * face;
        uint32_t middle[3];
        for (int i = 0; i < 3; i++)
            middle[i] = add_middle(&fine, corner[i], corner[(i + 1) % 3]);
        for (int i = 0; i < 3; i++)
            test_mesh_add_triangle(&fine, corner[i], middle[i], middle[(i + 2) % 3]);
        test_mesh_add_triangle(&fine, middle[0], middle[1], middle[2]);
    }
    return fine;
}
