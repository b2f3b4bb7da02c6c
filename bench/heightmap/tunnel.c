// SPDX-License-Identifier: MIT
// Makes ship and tunnel (tunnel.h): closed parts, put side by side in one mesh without welding. The numbers of squares
// are chosen so that the triangles are exactly as many as the paper's.
#include "tunnel.h"

#include <math.h>
#include <string.h>

#include "parts.h"

static const double PI = 3.14159265358979323846, TUBE = 0.2; // radius of the tube

static void expect(const peer_mesh *mesh, uint32_t triangles)
{
    if (mesh->triangle_count != triangles)
        peer_die("a mesh of the tunnel has another number of triangles");
}

// ---- The ship -------------------------------------------------------------------------------------------------------

peer_mesh tunnel_ship(void)
{
    peer_mesh ship = part_ship(19, 9, 10);
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

// At a place of the line, x and y across it, turned about it by an angle.
static part_frame across(double t, double angle)
{
    part_frame f, turned;
    shape_winding(t, f.at);
    shape_tangent(shape_winding, t, f.z);
    part_look_along(&f);
    turned = f;
    for (int i = 0; i < 3; i++) {
        turned.x[i] = cos(angle) * f.x[i] + sin(angle) * f.y[i];
        turned.y[i] = cos(angle) * f.y[i] - sin(angle) * f.x[i];
    }
    return turned;
}

// Axes x, y and z of a part, each with its length, and its middle off the line.
static part_frame part_at(const part_frame *f, double x, double y, double z, double off)
{
    part_frame out = *f;
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
    part_orient(&tunnel, false);
    for (int i = 0; i < OBSTACLES; i++) {
        const double t = (i + 0.5 + shape_random_in(&random, -0.2, 0.2)) / OBSTACLES;
        const part_frame at = across(t, shape_random_in(&random, 0.0, 2.0 * PI));
        if (i % 3 == 0 || i == 23) { // a pillar from wall to wall, beside the middle
            part_frame pillar = part_at(&at, 0.02, 1.1 * TUBE, 0.02, shape_random_in(&random, 0.06, 0.11));
            part_frame upright = pillar; // its own axis is z
            memcpy(upright.y, pillar.z, sizeof upright.y);
            memcpy(upright.z, pillar.y, sizeof upright.z);
            part_add(&tunnel, part_cylinder(11, 14), &upright);
        } else if (i % 3 == 1) { // a boulder in the wall
            const double size = shape_random_in(&random, 0.06, 0.09);
            const part_frame boulder = part_at(&at, size, size, size, 0.9 * TUBE);
            part_add(&tunnel, shape_blob(6, 0.2, (uint64_t)i), &boulder);
        } else { // a gate, through which the ship fits in the middle
            const part_frame gate = part_at(&at, 0.85 * TUBE, 0.85 * TUBE, 0.85 * TUBE, 0.0);
            part_add(&tunnel, shape_tube(shape_circle, 40, 10, 0.22, 0.1, (uint64_t)i), &gate);
        }
    }
    expect(&tunnel, TUNNEL_TRIANGLES);
    return tunnel;
}

// ---- The flight -----------------------------------------------------------------------------------------------------

static void ship_at(double t, double sway, double at[3])
{
    const part_frame f = across(t, 0.0);
    const double left = sway * sin(2.0 * PI * 7.0 * t), up = sway * sin(2.0 * PI * 11.0 * t + 2.0);
    for (int i = 0; i < 3; i++)
        at[i] = f.at[i] + left * f.x[i] + up * f.y[i];
}

peer_pose tunnel_pose_swaying(uint32_t frame_number, double sway)
{
    const double t = (double)frame_number / TUNNEL_FRAMES, roll = 0.5 * sin(2.0 * PI * 5.0 * t);
    double before[3], after[3];
    part_frame f;
    ship_at(t, sway, f.at);
    ship_at(t - 1e-4, sway, before);
    ship_at(t + 1e-4, sway, after);
    for (int i = 0; i < 3; i++)
        f.z[i] = after[i] - before[i];
    part_look_along(&f);
    return part_pose(&f, roll);
}

peer_pose tunnel_pose(uint32_t frame_number)
{
    return tunnel_pose_swaying(frame_number, TUNNEL_SWAY);
}
