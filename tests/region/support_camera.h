// SPDX-License-Identifier: MIT
// For tests of picking: cameras, as matrices from the world to pixels, and regions that are only touched.
#ifndef GRZ_TESTS_REGION_SUPPORT_CAMERA_H
#define GRZ_TESTS_REGION_SUPPORT_CAMERA_H

#include <math.h>

#include <graze/region.h>

#include "pair_generator.h"
#include "support_meshes.h"

typedef const double (*test_matrix)[4];

typedef struct test_camera {
    double eye[3], right[3], up[3], forward[3];
    double focal; // pixels
    double near, far;
    uint32_t width, height;
    double to_pixels[4][4];
} test_camera;

// Compute the matrix of a perspective camera whose other members are set.
static inline void test_camera_set(test_camera *c)
{
    const double depth = c->far / (c->far - c->near);
    double at[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        at[0] -= c->right[k] * c->eye[k];
        at[1] -= c->up[k] * c->eye[k];
        at[2] -= c->forward[k] * c->eye[k];
    }
    for (int k = 0; k < 4; k++) {
        const double x = k < 3 ? c->right[k] : at[0], y = k < 3 ? c->up[k] : at[1], z = k < 3 ? c->forward[k] : at[2];
        c->to_pixels[0][k] = c->focal * x + 0.5 * c->width * z;
        c->to_pixels[1][k] = 0.5 * c->height * z - c->focal * y;
        c->to_pixels[2][k] = depth * (z - (k == 3 ? c->near : 0.0));
        c->to_pixels[3][k] = z;
    }
}

static inline void test_unit(double v[3])
{
    const double length = sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

// A camera at this distance from a point, from a random side, that looks at it.
static inline test_camera test_camera_around(random_stream *random, const double target[3], double distance,
                                             uint32_t width, uint32_t height)
{
    test_camera c = {
        .focal = 0.9 * width, .near = 0.05 * distance, .far = 3.0 * distance, .width = width, .height = height};
    double side[3];
    for (int k = 0; k < 3; k++) {
        c.forward[k] = random_signed(random);
        side[k] = random_signed(random);
    }
    test_unit(c.forward);
    for (int k = 0; k < 3; k++)
        c.right[k] = c.forward[(k + 1) % 3] * side[(k + 2) % 3] - c.forward[(k + 2) % 3] * side[(k + 1) % 3];
    test_unit(c.right);
    for (int k = 0; k < 3; k++) {
        c.up[k] = c.right[(k + 1) % 3] * c.forward[(k + 2) % 3] - c.right[(k + 2) % 3] * c.forward[(k + 1) % 3];
        c.eye[k] = target[k] - distance * c.forward[k];
    }
    test_camera_set(&c);
    return c;
}

// A region that an object only touches: with the vertex that lies farthest along an axis, at its pose. `end` is
// 0 or 1. Nothing else of the object is in it.
static inline grz_region test_region_at_end(const grz_object *object, const test_mesh *mesh, int axis, int end)
{
    grz_region region = {.depth = {{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}};
    double most = -HUGE_VAL;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double world[3];
        grz_pose_apply(object->pose, mesh->positions + 3 * v, world);
        most = fmax(most, end == 0 ? -world[axis] : world[axis]);
    }
    for (int i = 0; i < 6; i++)
        region.planes[i][3] = i == 2 ? -most : 1.0;
    region.planes[2][axis] = end == 0 ? -1.0 : 1.0;
    return region;
}

#endif
