// SPDX-License-Identifier: MIT
// Another proof of a contact, where edges lie flush on edges and none goes through a triangle for certain: a point of
// one surface is outside the other mesh at t = 0 and inside it later, or the other way round, each time farther from
// its surface than all errors. In between it went through.
#include <graze/distance.h>

#include <math.h>

#include "ask/move/rigid/rigid_walk.h"
#include "base/control.h"
#include "mesh/triangles.h"

// What rounding takes a middle off its triangle: 512 roundings of the mesh's coordinates, chosen; and of what is added
// up for its place in the world, which a pose at rest may have made much larger, 32: it has 3, and the place 4.
static const double OF_MESH = 0x1p-44, OF_WORLD = 0x1p-48;

// The middle of a triangle, in mesh coordinates. Rounding may take it off the triangle, hardly.
static void find_middle(const grz_mesh *mesh, uint32_t triangle, double middle[3])
{
    double corners[3][3];
    grz_mesh_corners(mesh, triangle, corners);
    for (int k = 0; k < 3; k++)
        middle[k] = (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0;
}

static double middle_error(const grz_mesh *mesh, const grz_pose *pose)
{
    const double *most = mesh->max_abs;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *m = pose->m[k];
        sum += fabs(m[0]) * most[0] + fabs(m[1]) * most[1] + fabs(m[2]) * most[2] + fabs(m[3]);
    }
    return OF_MESH * (most[0] + most[1] + most[2]) + OF_WORLD * sum;
}

// On which side of the other mesh the points are for certain. GRZ_LOCATION_UNKNOWN: too near to its surface to tell.
static bool locate(const grz_rigid_question *question, int side, double t, int count, double points[][3],
                   grz_location where[])
{
    const grz_moving *own = &question->pair.sides[side], *other = &question->pair.sides[1 - side];
    grz_moving_state states[2];
    grz_point_distance answers[GRZ_RIGID_NEAR];
    grz_distance_points_options options = grz_default_distance_points_options();
    options.limits = grz_control_limits_left(question->control);
    double world[GRZ_RIGID_NEAR][3];
    grz_moving_at(own, t, &states[0]);
    grz_moving_at(other, t, &states[1]);
    const double least = 4.0 * question->pair.error + middle_error(own->mesh, &states[0].pose);
    for (int i = 0; i < count; i++)
        grz_world_position(&states[0].pose, points[i], world[i]);
    const grz_object object = grz_object_at(other->mesh, states[1].pose);
    const grz_status status =
        grz_distance_points(question->device, &object, world[0], (uint64_t)count, &options, answers, NULL);
    if (status == GRZ_ERROR_MEMORY || status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_CANCELLED)
        grz_control_fail(question->control, status);
    if (status != GRZ_OK)
        return false;
    for (int i = 0; i < count; i++)
        where[i] = answers[i].lower > least ? answers[i].location : GRZ_LOCATION_UNKNOWN;
    return true;
}

bool grz_rigid_certain_point(const grz_rigid_question *question, double t, int count,
                             const uint32_t triangles[2][GRZ_RIGID_NEAR])
{
    for (int side = 0; side < 2; side++) {
        double points[GRZ_RIGID_NEAR][3];
        grz_location later[GRZ_RIGID_NEAR], start[GRZ_RIGID_NEAR];
        for (int i = 0; i < count; i++)
            find_middle(question->pair.sides[side].mesh, triangles[side][i], points[i]);
        if (!locate(question, side, t, count, points, later) || !locate(question, side, 0.0, count, points, start))
            continue;
        for (int i = 0; i < count; i++)
            if ((later[i] == GRZ_INSIDE && start[i] == GRZ_OUTSIDE) ||
                (later[i] == GRZ_OUTSIDE && start[i] == GRZ_INSIDE))
                return true;
    }
    return false;
}
