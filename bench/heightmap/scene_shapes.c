// SPDX-License-Identifier: MIT
// Makes the meshes of the scene (scene_shapes.h), and the courses of ship and airship.
#include "scene_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const double PI = 3.14159265358979323846, LAND = 4.0; // half of the land's width

enum {
    HOUSES = 60, // 1,200 triangles each
    ROCKS = 30   // 768 triangles each
};

// ---- Where things are -----------------------------------------------------------------------------------------------

static double ground(double x, double y)
{
    return 0.11 * sin(1.3 * x + 0.4) * cos(1.1 * y) + 0.05 * sin(3.1 * x) * sin(2.7 * y) +
           0.012 * sin(23.0 * x) * sin(19.0 * y);
}

// The course, once around for t from 0 to 1.
static void course(double t, double at[3])
{
    const double angle = 2.0 * PI * t, radius = 2.5 + 0.25 * sin(3.0 * angle);
    at[0] = radius * cos(angle);
    at[1] = radius * sin(angle);
    at[2] = 0.28 + 0.2 * sin(5.0 * angle - 1.26);
}

// At a place of the course, `left` and `up` of it; z along it. `turn` is 1 or, to fly backwards, -1.
static part_frame beside(double t, double turn, double left, double up)
{
    part_frame f;
    double before[3], after[3];
    course(t, f.at);
    course(t - 1e-4 * turn, before);
    course(t + 1e-4 * turn, after);
    for (int i = 0; i < 3; i++)
        f.z[i] = after[i] - before[i];
    part_look_along(&f);
    for (int i = 0; i < 3; i++)
        f.at[i] += left * f.x[i] + up * f.y[i];
    return f;
}

peer_pose scene_ship_pose(uint32_t frame)
{
    const double t = (double)frame / SCENE_FRAMES;
    const part_frame f = beside(t, 1.0, 0.0, 0.0);
    return part_pose(&f, 0.4 * sin(2.0 * PI * 4.0 * t));
}

// The other way round, twice as fast: it meets the ship three times.
peer_pose scene_airship_pose(uint32_t frame)
{
    const double t = (double)frame / SCENE_FRAMES;
    const part_frame f = beside(0.06 - 2.0 * t, -1.0, 0.1, 0.05);
    return part_pose(&f, 0.0);
}

// ---- Meshes ---------------------------------------------------------------------------------------------------------

static peer_mesh make_land(void)
{
    peer_mesh land = shape_sheet(324);
    for (uint32_t v = 0; v < land.vertex_count; v++) {
        double *p = land.positions[v];
        p[0] = (double)(float)(LAND * p[0]);
        p[1] = (double)(float)(LAND * p[1]);
        p[2] = (double)(float)ground(p[0], p[1]);
    }
    // Its upper side is its front.
    const double *a = land.positions[land.triangles[0][0]], *b = land.positions[land.triangles[0][1]],
                 *c = land.positions[land.triangles[0][2]];
    const bool upwards = (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]);
    for (uint32_t t = 0; t < land.triangle_count && !upwards; t++) {
        const uint32_t corner = land.triangles[t][1];
        land.triangles[t][1] = land.triangles[t][2];
        land.triangles[t][2] = corner;
    }
    return land;
}

// Houses on both sides of a street that is a little wider than the ship.
static peer_mesh make_town(void)
{
    peer_mesh town = {.positions = NULL};
    shape_random random = {.state = 315};
    for (int i = 0; i < HOUSES; i++) {
        const double t = 0.08 + 0.3 * (i + 0.5) / HOUSES, width = shape_random_in(&random, 0.1, 0.2),
                     height = shape_random_in(&random, 0.4, 1.0),
                     off = shape_random_in(&random, 0.09, 0.14) + 0.5 * width;
        const part_frame at = beside(t, 1.0, i % 2 == 0 ? off : -off, 0.0);
        part_frame house = {.x = {width * at.x[0], width * at.x[1]}, .z = {0.0, 0.0, height}};
        house.y[0] = -house.x[1], house.y[1] = house.x[0];
        for (int k = 0; k < 2; k++)
            house.at[k] = at.at[k] - 0.5 * (house.x[k] + house.y[k]);
        house.at[2] = ground(at.at[0], at.at[1]) - 0.15;
        part_add(&town, shape_box(10), &house);
    }
    return town;
}

static peer_mesh make_rocks(void)
{
    peer_mesh rocks = {.positions = NULL};
    shape_random random = {.state = 316};
    for (int i = 0; i < ROCKS; i++) {
        const double size = shape_random_in(&random, 0.05, 0.14);
        const part_frame at = beside(0.44 + 0.2 * (i + 0.5) / ROCKS, 1.0, shape_random_in(&random, -0.3, 0.3), 0.0);
        const part_frame rock = {{size, 0.0, 0.0},
                                 {0.0, size, 0.0},
                                 {0.0, 0.0, 1.5 * size},
                                 {at.at[0], at.at[1], ground(at.at[0], at.at[1]) + 0.5 * size}};
        part_add(&rocks, shape_blob(8, 0.25, (uint64_t)i), &rock);
    }
    return rocks;
}

static peer_mesh make_airship(void)
{
    const part_frame body = {{0.08, 0.0, 0.0}, {0.0, 0.08, 0.0}, {0.0, 0.0, 0.24}, {0.0, 0.0, 0.0}};
    peer_mesh airship = {.positions = NULL};
    part_add(&airship, shape_blob(30, 0.04, 7), &body);
    return airship;
}

void scene_shapes_make(scene_shapes *shapes)
{
    shape_random random = {.state = 317};
    uint32_t triangles = 0;
    *shapes = (scene_shapes){.meshes = {make_land(), make_town(), make_rocks(), make_airship()},
                             .ship = part_ship(24, 13, 12)};
    for (int i = 0; i < SCENE_MESHES; i++)
        triangles += shapes->meshes[i].triangle_count;
    if (triangles != SCENE_TRIANGLES || shapes->ship.triangle_count != SCENE_SHIP_TRIANGLES)
        peer_die("a mesh of the scene has another number of triangles");
    for (int i = 0; i < SCENE_PLANTS; i++) {
        const part_frame at =
            beside(shape_random_in(&random, 0.74, 0.84), 1.0, shape_random_in(&random, -0.5, 0.5), 0.0);
        const double foot[3] = {at.at[0], at.at[1], ground(at.at[0], at.at[1])};
        for (int k = 0; k < 3; k++)
            shapes->plants[i][k] = (float)foot[k];
    }
    // The pole is beside the course, and the cloth hangs half across it.
    const part_frame pole = beside(0.68, 1.0, -0.55, -0.15);
    for (int k = 0; k < 3; k++) {
        shapes->flag[0][k] = 0.55 * pole.x[k];
        shapes->flag[1][k] = 0.3 * pole.y[k];
        shapes->flag[2][k] = 0.04 * pole.z[k];
        shapes->flag[3][k] = pole.at[k];
    }
    course(0.92, shapes->firework);
}

void scene_shapes_free(scene_shapes *shapes)
{
    for (int i = 0; i < SCENE_MESHES; i++)
        shape_free(&shapes->meshes[i]);
    shape_free(&shapes->ship);
}
