// SPDX-License-Identifier: MIT
// Puts closed parts side by side in one mesh (parts.h).
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void put(const part_frame *f, const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (double)(float)(f->at[i] + p[0] * f->x[i] + p[1] * f->y[i] + p[2] * f->z[i]);
}

// Six times the volume, positive where normals point outwards.
static double volume(const peer_mesh *mesh)
{
    double sum = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const double *a = mesh->positions[mesh->triangles[t][0]], *b = mesh->positions[mesh->triangles[t][1]],
                     *c = mesh->positions[mesh->triangles[t][2]];
        for (int i = 0; i < 3; i++)
            sum += a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3]);
    }
    return sum;
}

void part_orient(peer_mesh *mesh, bool outwards)
{
    if ((volume(mesh) > 0.0) == outwards)
        return;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t corner = mesh->triangles[t][1];
        mesh->triangles[t][1] = mesh->triangles[t][2];
        mesh->triangles[t][2] = corner;
    }
}

static void *grow(void *block, size_t bytes)
{
    void *grown = realloc(block, bytes);
    if (grown == NULL)
        peer_die("out of memory");
    return grown;
}

void part_add(peer_mesh *whole, peer_mesh part, const part_frame *f)
{
    const uint32_t first = whole->vertex_count, next = whole->triangle_count;
    for (uint32_t v = 0; v < part.vertex_count; v++)
        put(f, part.positions[v], part.positions[v]);
    part_orient(&part, true);
    whole->positions = grow(whole->positions, (first + part.vertex_count) * sizeof *whole->positions);
    whole->triangles = grow(whole->triangles, (next + part.triangle_count) * sizeof *whole->triangles);
    memcpy(whole->positions[first], part.positions, part.vertex_count * sizeof *part.positions);
    for (uint32_t t = 0; t < part.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            whole->triangles[next + t][k] = first + part.triangles[t][k];
    whole->vertex_count += part.vertex_count;
    whole->triangle_count += part.triangle_count;
    shape_free(&part);
}

peer_mesh part_cylinder(uint32_t sides, uint32_t rings)
{
    const uint32_t low = sides * (rings + 1), high = low + 1; // the middles of the ends
    peer_mesh mesh = {.vertex_count = low + 2, .triangle_count = 2 * sides * rings + 2 * sides};
    mesh.positions = grow(NULL, mesh.vertex_count * sizeof *mesh.positions);
    mesh.triangles = grow(NULL, mesh.triangle_count * sizeof *mesh.triangles);
    for (uint32_t v = 0; v < low; v++) {
        const double angle = 2.0 * PI * (v % sides) / sides;
        mesh.positions[v][0] = cos(angle), mesh.positions[v][1] = sin(angle);
        mesh.positions[v][2] = 2.0 * (v / sides) / rings - 1.0;
    }
    memcpy(mesh.positions[low], (double[3]){0.0, 0.0, -1.0}, sizeof mesh.positions[low]);
    memcpy(mesh.positions[high], (double[3]){0.0, 0.0, 1.0}, sizeof mesh.positions[high]);
    uint32_t(*t)[3] = mesh.triangles;
    for (uint32_t i = 0; i < sides; i++) {
        const uint32_t j = (i + 1) % sides, top = sides * rings;
        for (uint32_t ring = 0; ring < rings; ring++) {
            const uint32_t a = ring * sides + i, b = ring * sides + j;
            const uint32_t square[2][3] = {{a, b, b + sides}, {a, b + sides, a + sides}};
            memcpy(t, square, sizeof square);
            t += 2;
        }
        const uint32_t ends[2][3] = {{low, j, i}, {high, top + i, top + j}};
        memcpy(t, ends, sizeof ends);
        t += 2;
    }
    return mesh;
}

static void normalise(double v[3])
{
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int j = 0; j < 3; j++)
        v[j] /= size;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

void part_look_along(part_frame *f)
{
    const double up[3] = {0.0, 0.0, 1.0};
    normalise(f->z);
    cross(up, f->z, f->x);
    normalise(f->x);
    cross(f->z, f->x, f->y);
}

peer_mesh part_ship(uint32_t body_squares, uint32_t wing_squares, uint32_t engine_rings)
{
    peer_mesh ship = {.positions = NULL};
    const part_frame body = {{0.018, 0.0, 0.0}, {0.0, 0.016, 0.0}, {0.0, 0.0, 0.13}, {0.0, 0.0, 0.0}};
    part_add(&ship, shape_blob(body_squares, 0.05, 5), &body);
    for (int i = 0; i < 4; i++) {
        const double angle = PI * (0.5 * i + 0.25) + (i % 2 == 0 ? -0.3 : 0.3), c = cos(angle), s = sin(angle);
        // A box from 0 to 1: outwards, across and along the flight.
        const part_frame wing = {{0.075 * c, 0.075 * s, -0.02},
                                 {-0.005 * s, 0.005 * c, 0.0},
                                 {0.0, 0.0, 0.06},
                                 {0.01 * c + 0.0025 * s, 0.01 * s - 0.0025 * c, -0.05}};
        const part_frame engine = {
            {0.008, 0.0, 0.0}, {0.0, 0.008, 0.0}, {0.0, 0.0, 0.05}, {0.085 * c, 0.085 * s, -0.03}};
        part_add(&ship, shape_box(wing_squares), &wing);
        part_add(&ship, part_cylinder(17, engine_rings), &engine);
    }
    return ship;
}

peer_pose part_pose(const part_frame *f, double roll)
{
    peer_pose pose;
    for (int i = 0; i < 3; i++) {
        pose.m[i][0] = cos(roll) * f->x[i] + sin(roll) * f->y[i];
        pose.m[i][1] = cos(roll) * f->y[i] - sin(roll) * f->x[i];
        pose.m[i][2] = f->z[i];
        pose.m[i][3] = f->at[i];
    }
    return pose;
}
