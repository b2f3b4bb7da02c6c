// SPDX-License-Identifier: MIT
#include "level/mover/body/moved_shape.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "geometry/vector.h"
#include "level/vector_check.h"

static const double LARGEST = 0x1p100, SMALLEST = 0x1p-100; // of what the caller gives, as <graze/mover.h> says
static const double RIGHT_ANGLES = 0x1p-40;                 // how far axes may be from length 1 and right angles
static const double MOST_RATIO = 64.0;                      // of the axes of an ellipsoid

static grz_status refuse(grz_error *error, const char *what)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mover: %s", what);
}

static grz_status check_axes(const grz_moved_shape *shape, grz_error *error)
{
    double least = LARGEST, most = 0.0;
    for (int i = 0; i < 3; i++) {
        if (!(shape->half[i] >= SMALLEST && shape->half[i] <= LARGEST))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "mover: shape.half[%d] is %g, must be 2^-100 to 2^100", i, shape->half[i]);
        least = fmin(least, shape->half[i]);
        most = fmax(most, shape->half[i]);
        for (int j = 0; j <= i; j++)
            if (!(fabs(grz_dot(shape->axes[i], shape->axes[j]) - (i == j)) <= RIGHT_ANGLES))
                return refuse(error, "the columns of shape.pose are not of length 1 at right angles to each other");
    }
    if (shape->kind == GRZ_MOVED_ELLIPSOID && most > MOST_RATIO * least)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mover: the ellipsoid's half axes are %g to %g, the longest may be 64 times the shortest",
                        least, most);
    if (shape->kind == GRZ_MOVED_CYLINDER && shape->half[0] != shape->half[1])
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mover: the cylinder's radii are %g and %g, must be equal", shape->half[0], shape->half[1]);
    return GRZ_OK;
}

static grz_status read_axes(const grz_shape *given, grz_moved_shape *shape, grz_error *error)
{
    if (given->radius != 0.0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mover: shape.radius is %g; boxes, ellipsoids and cylinders have none here", given->radius);
    memcpy(shape->half, given->half, sizeof shape->half);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            shape->axes[i][k] = given->pose.m[k][i];
    return check_axes(shape, error);
}

// The core's end, from its middle: the shape's own point at an end, turned by the pose.
static grz_status read_round(const grz_shape *given, grz_moved_shape *shape, grz_error *error)
{
    static const double zeros[3] = {0.0, 0.0, 0.0};
    const double *end = given->kind == GRZ_SHAPE_POINT ? given->corners[0] : given->corners[1];
    const double *other = given->kind == GRZ_SHAPE_POINT ? zeros : given->corners[0];
    shape->radius = given->radius;
    if (!(shape->radius >= SMALLEST && shape->radius <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mover: shape.radius is %g, must be 2^-100 to 2^100",
                        shape->radius);
    grz_status status = grz_vector_check("mover", "shape.corners[0]", given->corners[0], error);
    if (status == GRZ_OK && given->kind == GRZ_SHAPE_SEGMENT)
        status = grz_vector_check("mover", "shape.corners[1]", given->corners[1], error);
    for (int k = 0; k < 3 && status == GRZ_OK; k++) {
        if (given->kind == GRZ_SHAPE_POINT ? end[k] != 0.0 : end[k] != -other[k])
            return refuse(error, "the middle of the shape is not at (0, 0, 0)");
        shape->half[k] = given->kind == GRZ_SHAPE_POINT ? 0.0 : end[k];
    }
    if (status == GRZ_OK)
        grz_pose_apply(given->pose, shape->half, shape->half);
    return status == GRZ_OK ? grz_vector_check("mover", "the end of the capsule", shape->half, error) : status;
}

grz_status grz_moved_shape_read(const grz_shape *given, grz_moved_shape *shape, grz_error *error)
{
    *shape = (grz_moved_shape){.kind = GRZ_MOVED_ROUND};
    if (given == NULL)
        return refuse(error, "the shape is NULL");
    if (given->pose.m[0][3] != 0.0 || given->pose.m[1][3] != 0.0 || given->pose.m[2][3] != 0.0)
        return refuse(error, "the middle of the shape is not at (0, 0, 0)");
    switch (given->kind) {
    case GRZ_SHAPE_POINT:
    case GRZ_SHAPE_SEGMENT:
        return read_round(given, shape, error);
    case GRZ_SHAPE_BOX:
        shape->kind = GRZ_MOVED_BOX;
        return read_axes(given, shape, error);
    case GRZ_SHAPE_ELLIPSOID:
        shape->kind = GRZ_MOVED_ELLIPSOID;
        return read_axes(given, shape, error);
    case GRZ_SHAPE_CYLINDER:
        shape->kind = GRZ_MOVED_CYLINDER;
        return read_axes(given, shape, error);
    default:
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mover: shape.kind is %d; spheres, capsules, boxes, ellipsoids and cylinders can move",
                        (int)given->kind);
    }
}

double grz_moved_shape_thickness(const grz_moved_shape *shape)
{
    return shape->kind == GRZ_MOVED_ROUND ? shape->radius : fmin(fmin(shape->half[0], shape->half[1]), shape->half[2]);
}
