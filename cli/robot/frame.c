// SPDX-License-Identifier: MIT
#include "robot/frame.h"

#include <math.h>

#include <graze/object.h>

robot_frame frame_identity(void)
{
    return (robot_frame){.turn = {0, 0, 0, 1}};
}

static void normalise(double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// v + 2w (u × v) + 2 u × (u × v), where u is the quaternion's vector: exact for no turn.
static void turn_vector(const double q[4], const double v[3], double out[3])
{
    double once[3], twice[3];
    cross(q, v, once);
    cross(q, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2 * (q[3] * once[i] + twice[i]);
}

robot_frame frame_combine(const robot_frame *outer, const robot_frame *inner)
{
    const double *p = outer->turn, *q = inner->turn;
    robot_frame product;
    turn_vector(p, inner->shift, product.shift);
    for (int i = 0; i < 3; i++)
        product.shift[i] += outer->shift[i];
    product.turn[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    product.turn[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    product.turn[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    product.turn[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
    normalise(product.turn);
    return product;
}

robot_frame frame_about(const double axis[3], double angle)
{
    double s, c;
    grz_sine_cosine(angle / 2, &s, &c);
    robot_frame turned = {.turn = {axis[0] * s, axis[1] * s, axis[2] * s, c}};
    normalise(turned.turn);
    return turned;
}

robot_frame frame_along(const double axis[3], double way)
{
    robot_frame moved = frame_identity();
    for (int i = 0; i < 3; i++)
        moved.shift[i] = axis[i] * way;
    return moved;
}

robot_frame frame_from_origin(const double xyz[3], const double rpy[3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    robot_frame frame = frame_identity();
    for (int i = 2; i >= 0; i--) {
        const robot_frame turned = frame_about(axes[i], rpy[i]);
        frame = frame_combine(&frame, &turned);
    }
    for (int i = 0; i < 3; i++)
        frame.shift[i] = xyz[i];
    return frame;
}
