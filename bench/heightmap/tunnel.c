// SPDX-License-Identifier: MIT
// Makes ship and tunnel (tunnel.h): closed parts, put side by side in one mesh without welding. The numbers of squares
// are chosen so that the triangles are exactly as many as the paper's.
#include "tunnel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, TUBE = 0.2; // radius of the tube

// ---- Meshes of parts ------------------------------------------------------------------------------------------------

// Columns of a map from a part to the whole: x, y, z, and where its origin goes.
typedef struct frame {
    double x[3], y[3], z[3], at[3];
} frame;

static void put(const frame *f, const double p[3], double out[3])
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

// Let the normals of a closed mesh point outwards or inwards.
static void orient(peer_mesh *mesh, bool outwards)
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

// Append a closed part, which is freed.
static void add(peer_mesh *whole, peer_mesh part, const frame *f)
{
    const uint32_t first = whole->vertex_count, next = whole->triangle_count;
    for (uint32_t v = 0; v < part.vertex_count; v++)
        put(f, part.positions[v], part.positions[v]);
    orient(&part, true);
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

// A cylinder along z from -1 to 1 of radius 1: 2 · sides · rings + 2 · sides triangles.
static peer_mesh cylinder(uint32_t sides, uint32_t rings)
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

static void expect(const peer_mesh *mesh, uint32_t triangles)
{
    if (mesh->triangle_count != triangles)
        peer_die("a mesh of the tunnel has another number of triangles");
}

// ---- The ship -------------------------------------------------------------------------------------------------------

peer_mesh tunnel_ship(void)
{
    peer_mesh ship = {.positions = NULL};
    const frame body = {{0.018, 0.0, 0.0}, {0.0, 0.016, 0.0}, {0.0, 0.0, 0.13}, {0.0, 0.0, 0.0}};
    add(&ship, shape_blob(19, 0.05, 5), &body);
    for (int i = 0; i < 4; i++) {
        const double angle = PI * (0.5 * i + 0.25) + (i % 2 == 0 ? -0.3 : 0.3), c = cos(angle), s = sin(angle);
        // A box from 0 to 1: outwards, across and along the flight.
        const frame wing = {{0.075 * c, 0.075 * s, -0.02},
                            {-0.005 * s, 0.005 * c, 0.0},
                            {0.0, 0.0, 0.06},
                            {0.01 * c + 0.0025 * s, 0.01 * s - 0.0025 * c, -0.05}};
        const frame engine = {{0.008, 0.0, 0.0}, {0.0, 0.008, 0.0}, {0.0, 0.0, 0.05}, {0.085 * c, 0.085 * s, -0.03}};
        add(&ship, shape_box(9), &wing);
        add(&ship, cylinder(17, 10), &engine);
    }
    expect(&ship, SHIP_TRIANGLES);
    return ship;
}

peer_mesh tunnel_ship_of_data(void)
{
    peer_mesh ship = shape_read(PEERS_DATA "/spaceship_shuttle_a.obj");
    const peer_box box = shape_bounds(&ship);
    for (uint32_t v = 0; v < ship.vertex_count; v++)
        for (int j = 0; j < 3; j++)
            ship.positions[v][j] = (double)(float)((ship.positions[v][j] - 0.5 * (box.min[j] + box.max[j])) * 0.26 /
                                                   (box.max[2] - box.min[2]));
    return ship;
}

// ---- The tunnel -----------------------------------------------------------------------------------------------------

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

// x to the left and y upwards of a direction z, which is normalised. The line never runs along the world's z axis.
static void look_along(frame *f)
{
    const double up[3] = {0.0, 0.0, 1.0};
    normalise(f->z);
    cross(up, f->z, f->x);
    normalise(f->x);
    cross(f->z, f->x, f->y);
}

// At a place of the line, x and y across it, turned about it by an angle.
static frame across(double t, double angle)
{
    frame f, turned;
    shape_winding(t, f.at);
    shape_tangent(shape_winding, t, f.z);
    look_along(&f);
    turned = f;
    for (int i = 0; i < 3; i++) {
        turned.x[i] = cos(angle) * f.x[i] + sin(angle) * f.y[i];
        turned.y[i] = cos(angle) * f.y[i] - sin(angle) * f.x[i];
    }
    return turned;
}

// Axes x, y and z of a part, each with its length, and its middle off the line.
static frame part_at(const frame *f, double x, double y, double z, double off)
{
    frame out = *f;
    for (int i = 0; i < 3; i++) {
        out.at[i] += off * f->x[i];
        out.x[i] *= x, out.y[i] *= y, out.z[i] *= z;
    }
    return out;
}

enum {
    OBSTACLES = 24 // by turns pillars, boulders and gates: 9, 8 and 7
};

peer_mesh tunnel_make(void)
{
    peer_mesh tunnel = shape_tube(shape_winding, 657, 44, TUBE, 0.15, 11);
    shape_random random = {.state = 2026};
    orient(&tunnel, false);
    for (int i = 0; i < OBSTACLES; i++) {
        const double t = (i + 0.5 + shape_random_in(&random, -0.2, 0.2)) / OBSTACLES;
        const frame at = across(t, shape_random_in(&random, 0.0, 2.0 * PI));
        if (i % 3 == 0 || i == 23) { // a pillar from wall to wall, beside the middle
            frame pillar = part_at(&at, 0.02, 1.1 * TUBE, 0.02, shape_random_in(&random, 0.06, 0.11));
            frame upright = pillar; // its own axis is z
            memcpy(upright.y, pillar.z, sizeof upright.y);
            memcpy(upright.z, pillar.y, sizeof upright.z);
            add(&tunnel, cylinder(11, 14), &upright);
        } else if (i % 3 == 1) { // a boulder in the wall
            const double size = shape_random_in(&random, 0.06, 0.09);
            const frame boulder = part_at(&at, size, size, size, 0.9 * TUBE);
            add(&tunnel, shape_blob(6, 0.2, (uint64_t)i), &boulder);
        } else { // a gate, through which the ship fits in the middle
            const frame gate = part_at(&at, 0.85 * TUBE, 0.85 * TUBE, 0.85 * TUBE, 0.0);
            add(&tunnel, shape_tube(shape_circle, 40, 10, 0.22, 0.1, (uint64_t)i), &gate);
        }
    }
    expect(&tunnel, TUNNEL_TRIANGLES);
    return tunnel;
}

// ---- The flight -----------------------------------------------------------------------------------------------------

static void ship_at(double t, double at[3])
{
    const double sway = 0.065;
    const frame f = across(t, 0.0);
    const double left = sway * sin(2.0 * PI * 7.0 * t), up = sway * sin(2.0 * PI * 11.0 * t + 2.0);
    for (int i = 0; i < 3; i++)
        at[i] = f.at[i] + left * f.x[i] + up * f.y[i];
}

peer_pose tunnel_pose(uint32_t frame_number)
{
    const double t = (double)frame_number / TUNNEL_FRAMES, roll = 0.5 * sin(2.0 * PI * 5.0 * t);
    double before[3], after[3];
    peer_pose pose;
    frame f;
    ship_at(t, f.at);
    ship_at(t - 1e-4, before);
    ship_at(t + 1e-4, after);
    for (int i = 0; i < 3; i++)
        f.z[i] = after[i] - before[i];
    look_along(&f);
    for (int i = 0; i < 3; i++) {
        pose.m[i][0] = cos(roll) * f.x[i] + sin(roll) * f.y[i];
        pose.m[i][1] = cos(roll) * f.y[i] - sin(roll) * f.x[i];
        pose.m[i][2] = f.z[i];
        pose.m[i][3] = f.at[i];
    }
    return pose;
}
