// SPDX-License-Identifier: MIT
// Makes the models: tubes round lines of points, and balls. Each model is made a little too large and cut to its number
// of triangles: the last ones, of one end, are left out, so that each is open, as surfaces from scans are.
#include "anatomy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const double PI = 3.14159265358979323846;

enum {
    MOST_RINGS = 600
};

static const part_frame as_it_is = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}};

// The line of a tube, and its radius at each point.
typedef struct tube_line {
    double at[MOST_RINGS][3], radius[MOST_RINGS];
    uint32_t count;
} tube_line;

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

static void direction_at(const tube_line *line, uint32_t k, double out[3])
{
    const uint32_t before = k > 0 ? k - 1 : 0, after = k + 1 < line->count ? k + 1 : k;
    for (int i = 0; i < 3; i++)
        out[i] = line->at[after][i] - line->at[before][i];
    normalise(out);
}

// A closed tube of `around` vertices a ring: part_cylinder(), whose rings are moved onto the line.
static peer_mesh tube(const tube_line *line, uint32_t around)
{
    peer_mesh mesh = part_cylinder(around, line->count - 1);
    double side[3] = {0.3, 0.9, 0.1}, along[3], up[3];
    for (uint32_t k = 0; k < line->count; k++) {
        direction_at(line, k, along);
        cross(along, side, up); // `side` turns with the line, as little as it can
        normalise(up);
        cross(up, along, side);
        for (uint32_t i = 0; i < around; i++) {
            const double angle = 2.0 * PI * i / around;
            for (int j = 0; j < 3; j++)
                mesh.positions[k * around + i][j] =
                    line->at[k][j] + line->radius[k] * (cos(angle) * side[j] + sin(angle) * up[j]);
        }
    }
    memcpy(mesh.positions[mesh.vertex_count - 2], line->at[0], sizeof line->at[0]);
    memcpy(mesh.positions[mesh.vertex_count - 1], line->at[line->count - 1], sizeof line->at[0]);
    return mesh;
}

static peer_mesh cut(peer_mesh mesh, uint32_t triangles)
{
    if (mesh.triangle_count < triangles || mesh.triangle_count - triangles > 100)
        peer_die("a model has a wrong number of triangles");
    mesh.triangle_count = triangles;
    return mesh;
}

// ---- Airways --------------------------------------------------------------------------------------------------------

static void add_branch(peer_mesh *whole, const double from[3], const double direction[3], double length, double radius,
                       int generation, shape_random *random)
{
    static tube_line line;
    double to[3], bend[3], next[2][3];
    line.count = generation == 5 ? 9 : generation == 0 ? 14 : 10;
    for (int i = 0; i < 3; i++)
        bend[i] = shape_random_in(random, -0.15, 0.15) * length;
    for (uint32_t k = 0; k < line.count; k++) {
        const double share = (double)k / (line.count - 1);
        for (int i = 0; i < 3; i++)
            line.at[k][i] = from[i] + share * length * direction[i] + bend[i] * sin(PI * share);
        line.radius[k] = radius * (1.0 - 0.25 * share) * (1.0 + 0.06 * sin(5.0 * PI * share)); // rings of cartilage
    }
    memcpy(to, line.at[line.count - 1], sizeof to);
    part_add(whole, tube(&line, 12), &as_it_is);
    if (generation == 5)
        return;
    for (int child = 0; child < 2; child++) {
        double across[3] = {shape_random_in(random, -1.0, 1.0), shape_random_in(random, -1.0, 1.0), 0.2}, axis[3];
        cross(direction, child == 0 ? across : next[0], axis);
        normalise(axis);
        for (int i = 0; i < 3; i++)
            next[child][i] = direction[i] + (child == 0 ? 0.7 : -0.7) * axis[i];
        normalise(next[child]);
    }
    for (int child = 0; child < 2; child++)
        add_branch(whole, to, next[child], 0.75 * length, 0.7 * radius, generation + 1, random);
}

peer_mesh anatomy_airways(void)
{
    peer_mesh whole = {.positions = NULL};
    shape_random random = {.state = 1436};
    add_branch(&whole, (double[3]){0.0, 0.0, 0.0}, (double[3]){0.0, 0.0, -1.0}, 10.0, 0.9, 0, &random);
    return cut(whole, AIRWAYS_TRIANGLES);
}

// ---- Colon ----------------------------------------------------------------------------------------------------------

peer_mesh anatomy_colon(void)
{
    // Up on the right, across, down on the left, and a bow to the end; centimetres.
    static const double corners[][3] = {{-12.0, -18.0, 0.0}, {-14.0, -8.0, 1.0}, {-13.0, 4.0, -1.0}, {-10.0, 8.0, 2.0},
                                        {-2.0, 3.0, 5.0},    {6.0, 5.0, 4.0},    {13.0, 10.0, -2.0}, {14.0, 0.0, -3.0},
                                        {13.0, -10.0, -1.0}, {8.0, -16.0, 2.0},  {2.0, -11.0, 4.0},  {0.0, -18.0, 1.0},
                                        {0.0, -24.0, -2.0}};
    const int pieces = (int)(sizeof corners / sizeof *corners) - 1;
    static tube_line line;
    peer_mesh whole = {.positions = NULL};
    line.count = 506;
    for (uint32_t k = 0; k < line.count; k++) {
        const double t = (double)pieces * k / line.count, s = t - floor(t);
        const int i = (int)t, before = i > 0 ? i - 1 : 0, after = i + 2 < pieces ? i + 2 : pieces;
        for (int j = 0; j < 3; j++) { // Catmull-Rom
            const double a = corners[before][j], b = corners[i][j], c = corners[i + 1][j], d = corners[after][j];
            line.at[k][j] = b + 0.5 * s * (c - a + s * (2.0 * a - 5.0 * b + 4.0 * c - d + s * (3.0 * (b - c) + d - a)));
        }
        line.radius[k] = 2.0 + 0.5 * fabs(sin(0.25 * k)) - 0.9 * k / line.count; // folds
    }
    part_add(&whole, tube(&line, 32), &as_it_is);
    return cut(whole, COLON_TRIANGLES);
}

// ---- Spine and hips -------------------------------------------------------------------------------------------------

static void add_straight(peer_mesh *whole, const double from[3], const double to[3], double thick, uint32_t around,
                         uint32_t rings)
{
    static tube_line line;
    line.count = rings + 1;
    for (uint32_t k = 0; k <= rings; k++) {
        for (int i = 0; i < 3; i++)
            line.at[k][i] = from[i] + (to[i] - from[i]) * k / rings;
        line.radius[k] = thick * (1.0 - 0.5 * k / rings);
    }
    part_add(whole, tube(&line, around), &as_it_is);
}

// The middle of a vertebra, from the lowest on: an S.
static void vertebra_at(double number, double at[3])
{
    at[0] = 0.0, at[1] = 2.5 * sin(0.28 * number), at[2] = 3.0 * number;
}

static void add_vertebra(peer_mesh *whole, int number)
{
    double at[3];
    vertebra_at(number, at);
    const double size = 1.0 - 0.02 * number;
    const part_frame body = {{2.2 * size, 0.0, 0.0}, {0.0, 1.7 * size, 0.0}, {0.0, 0.0, 1.2}, {at[0], at[1], at[2]}};
    const part_frame ring = {
        {1.2 * size, 0.0, 0.0}, {0.0, 1.2 * size, 0.0}, {0.0, 0.0, 1.2 * size}, {at[0], at[1] - 2.3 * size, at[2]}};
    part_add(whole, shape_blob(7, 0.1, (uint64_t)number), &body);
    part_add(whole, shape_tube(shape_circle, 24, 8, 0.35, 0.05, (uint64_t)number), &ring);
    for (int i = 0; i < 3; i++) { // to the left, to the right, and back
        const double end[3] = {at[0] + (i < 2 ? (i == 0 ? -4.0 : 4.0) * size : 0.0), at[1] - (i < 2 ? 3.0 : 6.0) * size,
                               at[2] - (i < 2 ? 0.0 : 1.5)};
        add_straight(whole, (double[3]){at[0], at[1] - 2.0 * size, at[2]}, end, 0.6 * size, 10, 10);
    }
}

// A bent ring, wide above.
static void add_hip(peer_mesh *whole, double side)
{
    static tube_line line;
    line.count = 121;
    for (uint32_t k = 0; k < line.count; k++) {
        const double angle = 2.0 * PI * k / (line.count - 1);
        line.at[k][0] = side * (5.0 + 4.0 * cos(angle) + 2.5 * (1.0 + sin(angle)));
        line.at[k][1] = 3.0 * cos(angle + 0.5);
        line.at[k][2] = -9.0 + 8.0 * sin(angle);
        line.radius[k] = 1.5 + 0.7 * sin(angle);
    }
    part_add(whole, tube(&line, 24), &as_it_is);
}

peer_mesh anatomy_spine(void)
{
    peer_mesh whole = {.positions = NULL};
    const part_frame sacrum = {{3.5, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 5.0}, {0.0, -1.0, -6.0}};
    for (int i = 0; i < 24; i++)
        add_vertebra(&whole, i);
    part_add(&whole, shape_blob(10, 0.1, 99), &sacrum);
    add_hip(&whole, 1.0);
    add_hip(&whole, -1.0);
    return cut(whole, SPINE_TRIANGLES);
}
