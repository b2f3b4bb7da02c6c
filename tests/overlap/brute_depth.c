// SPDX-License-Identifier: MIT
// Inside is where the solid angles of all triangles add up to 4π (van Oosterom and Strackee 1983), outside to 0.
#include "tests/overlap/brute_depth.h"

#include <math.h>

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const long double a[3], const long double b[3], long double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// Of the origin from the segment a to b.
static long double square_to_segment(const long double a[3], const long double b[3])
{
    long double along[3], nearest[3];
    for (int k = 0; k < 3; k++)
        along[k] = b[k] - a[k];
    const long double length = dot(along, along),
                      share = length > 0.0L ? fminl(1.0L, fmaxl(0.0L, -dot(a, along) / length)) : 0.0L;
    for (int k = 0; k < 3; k++)
        nearest[k] = a[k] + share * along[k];
    return dot(nearest, nearest);
}

// Of the origin from a triangle.
static long double square_to_triangle(const long double c[3][3])
{
    long double edges[2][3], normal[3];
    for (int k = 0; k < 3; k++) {
        edges[0][k] = c[1][k] - c[0][k];
        edges[1][k] = c[2][k] - c[0][k];
    }
    cross(edges[0], edges[1], normal);
    const long double area = dot(normal, normal), height = dot(normal, c[0]);
    int in_front = 0;
    for (int i = 0; i < 3 && area > 0.0L; i++) {
        long double side[3];
        cross(c[i], c[(i + 1) % 3], side);
        in_front += dot(side, normal) >= 0.0L;
    }
    if (in_front == 3)
        return height * height / area;
    return fminl(square_to_segment(c[0], c[1]), fminl(square_to_segment(c[1], c[2]), square_to_segment(c[2], c[0])));
}

static long double solid_angle(const long double c[3][3])
{
    long double normal[3], length[3];
    for (int i = 0; i < 3; i++)
        length[i] = sqrtl(dot(c[i], c[i]));
    cross(c[1], c[2], normal);
    return 2.0L * atan2l(dot(c[0], normal), length[0] * length[1] * length[2] + dot(c[0], c[1]) * length[2] +
                                                dot(c[1], c[2]) * length[0] + dot(c[2], c[0]) * length[1]);
}

long double brute_depth(const test_mesh *mesh, const double point[3])
{
    long double least = HUGE_VALL, angle = 0.0L;
    for (uint64_t t = 0; t < mesh->face_count; t++) {
        long double c[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                c[i][k] = (long double)mesh->positions[3 * (uint64_t)mesh->indices[3 * t + (uint64_t)i] + (uint64_t)k] -
                          (long double)point[k];
        least = fminl(least, square_to_triangle((const long double(*)[3])c));
        angle += solid_angle((const long double(*)[3])c);
    }
    return fabsl(angle) > 6.28L ? sqrtl(least) : -sqrtl(least);
}
