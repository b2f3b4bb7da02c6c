// SPDX-License-Identifier: MIT
// Shapes around (0, 0, 0), as movers take them.
#ifndef GRZ_TESTS_SUPPORT_MOVED_H
#define GRZ_TESTS_SUPPORT_MOVED_H

#include <graze/shape.h>

static inline grz_shape test_sphere(double radius)
{
    return grz_shape_sphere((const double[3]){0.0, 0.0, 0.0}, radius);
}

// A capsule whose core reaches `half` times `axis` to both sides.
static inline grz_shape test_capsule(double radius, double half, const double axis[3])
{
    const double end[3] = {half * axis[0], half * axis[1], half * axis[2]};
    return grz_shape_capsule((const double[3]){-end[0], -end[1], -end[2]}, end, radius);
}

static inline bool test_is_round(const grz_shape *shape)
{
    return shape->kind == GRZ_SHAPE_POINT || shape->kind == GRZ_SHAPE_SEGMENT;
}

// Axis i of a box or an ellipsoid: a column of its pose.
typedef struct test_direction {
    double x[3];
} test_direction;

static inline test_direction test_axis(const grz_shape *shape, int i)
{
    return (test_direction){{shape->pose.m[0][i], shape->pose.m[1][i], shape->pose.m[2][i]}};
}

#endif
