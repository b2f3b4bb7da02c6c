// SPDX-License-Identifier: MIT
// The tightest perspective view of a set of points: each side of the picture is a plane through the eye, and for a
// given slope the points say how far out each plane must lie. Two opposite planes meet where the eye can be at the
// nearest, once for the width and once for the height; the farther of the two shows everything.
#include "geometry/vector.h"
#include "picture/camera.h"

#include <assert.h>
#include <math.h>

static const double half_width = 0.36397023426620234; // of what is seen, at distance 1: the tangent of 20 degrees
static const double least_distance = 0.5;             // from the eye to the first point, in units
static const double room = 0.02;                      // between the points and the near and far planes, in units

void grz_camera_right(const grz_camera *camera, double right[3])
{
    const double *forward = camera->direction, *up = camera->up;
    for (int i = 0; i < 3; i++)
        right[i] = forward[(i + 1) % 3] * up[(i + 2) % 3] - forward[(i + 2) % 3] * up[(i + 1) % 3];
}

// A vector of any length but zero, scaled to 1.
static void make_unit(const double v[3], double unit[3])
{
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    assert(most != 0.0);
    for (int j = 0; j < 3; j++)
        unit[j] = v[j] / most;
    const double length = sqrt(grz_dot(unit, unit));
    for (int j = 0; j < 3; j++)
        unit[j] /= length;
}

void grz_camera_turn(grz_camera *camera, const double direction[3], const double up[3])
{
    double upright[3], rest[3];
    make_unit(direction, camera->direction);
    make_unit(up, upright);
    const double *f = camera->direction;
    double along = grz_dot(f, upright);
    for (int j = 0; j < 3; j++)
        rest[j] = upright[j] - along * f[j];
    if (!(grz_dot(rest, rest) > 1e-12)) { // looking along it: the axis that is least along the direction serves as well
        const int least = fabs(f[0]) <= fabs(f[1]) && fabs(f[0]) <= fabs(f[2]) ? 0 : fabs(f[1]) <= fabs(f[2]) ? 1 : 2;
        for (int j = 0; j < 3; j++)
            rest[j] = (j == least ? 1.0 : 0.0) - f[least] * f[j];
    }
    make_unit(rest, camera->up);
}

grz_extent grz_extent_empty(double aspect, double filled)
{
    assert(aspect > 0.0 && filled > 0.0 && filled <= 1.0);
    const double wide = half_width * filled;
    grz_extent extent = {.slope = {aspect > 1.0 ? wide : wide * aspect, aspect > 1.0 ? wide / aspect : wide},
                         .filled = filled};
    for (int j = 0; j < 3; j++) {
        extent.low[j] = HUGE_VAL;
        extent.high[j] = -HUGE_VAL;
    }
    for (int j = 0; j < 2; j++)
        extent.side[j][0] = extent.side[j][1] = -HUGE_VAL;
    return extent;
}

void grz_extent_add(grz_extent *extent, const grz_camera *camera, const double right[3], const double point[3])
{
    const double at[3] = {grz_dot(right, point), grz_dot(camera->up, point), grz_dot(camera->direction, point)};
    for (int j = 0; j < 3; j++) {
        extent->low[j] = fmin(extent->low[j], at[j]);
        extent->high[j] = fmax(extent->high[j], at[j]);
    }
    for (int j = 0; j < 2; j++) {
        extent->side[j][0] = fmax(extent->side[j][0], at[j] - extent->slope[j] * at[2]);
        extent->side[j][1] = fmax(extent->side[j][1], -at[j] - extent->slope[j] * at[2]);
    }
}

// Put the target straight in front of the eye, which is given in the extent's coordinates.
static void aim(grz_camera *camera, const double eye[3], double depth, const double middle[3])
{
    double right[3];
    grz_camera_right(camera, right);
    for (int j = 0; j < 3; j++)
        camera->target[j] =
            middle[j] + (eye[0] * right[j] + eye[1] * camera->up[j] + depth * camera->direction[j]) * camera->unit;
    camera->distance = (depth - eye[2]) * camera->unit;
}

static void set_range(grz_camera *camera, double nearest, double farthest)
{
    const double least = 0.1 * least_distance;
    camera->near = fmax(nearest - room, fmax(0.5 * nearest, least * 0.1)) * camera->unit;
    camera->far = (farthest + room) * camera->unit;
}

void grz_camera_fit(grz_camera *camera, const grz_extent *extent, const double middle[3])
{
    double eye[3] = {0.0, 0.0, extent->low[2] - least_distance};
    for (int j = 0; j < 2; j++) {
        eye[j] = 0.5 * (extent->side[j][0] - extent->side[j][1]);
        eye[2] = fmin(eye[2], -0.5 * (extent->side[j][0] + extent->side[j][1]) / extent->slope[j]);
    }
    for (int j = 0; j < 2; j++)
        camera->slope[j] = extent->slope[j] / extent->filled;
    aim(camera, eye, 0.5 * (extent->low[2] + extent->high[2]), middle);
    set_range(camera, extent->low[2] - eye[2], extent->high[2] - eye[2]);
}

void grz_camera_step_back(grz_camera *camera, const grz_extent *shown, const grz_extent *all, const double middle[3])
{
    const double depth = 0.5 * (shown->low[2] + shown->high[2]), outside = all->low[2] - least_distance;
    double eye[3] = {0.5 * (shown->low[0] + shown->high[0]), 0.5 * (shown->low[1] + shown->high[1]),
                     depth - camera->distance / camera->unit};
    if (eye[2] > outside) {
        const double aspect = camera->slope[0] / camera->slope[1];
        eye[2] = outside;
        const double high =
            fmax(0.5 * (shown->high[0] - shown->low[0]) / aspect, 0.5 * (shown->high[1] - shown->low[1]));
        const double slope = fmax(high, 1e-9) / ((shown->low[2] - outside) * shown->filled);
        aim(camera, eye, depth, middle);
        camera->slope[0] = slope * aspect;
        camera->slope[1] = slope;
    }
    set_range(camera, all->low[2] - eye[2], all->high[2] - eye[2]);
}

void grz_camera_matrix(const grz_camera *camera, double clip[4][4])
{
    const double *forward = camera->direction, *up = camera->up, unit = camera->unit;
    const double distance = camera->distance / unit, far = camera->far / unit, near = camera->near / unit;
    const double depth = far / (far - near);
    double right[3];
    grz_camera_right(camera, right);
    for (int j = 0; j < 3; j++) {
        clip[0][j] = right[j] / unit / camera->slope[0];
        clip[1][j] = up[j] / unit / camera->slope[1];
        clip[2][j] = forward[j] / unit * depth;
        clip[3][j] = forward[j] / unit;
    }
    clip[0][3] = clip[1][3] = 0.0;
    clip[2][3] = (distance - near) * depth;
    clip[3][3] = distance;
}
