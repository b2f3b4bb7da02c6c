// SPDX-License-Identifier: MIT
// Measures the distances of many points of a surface from another.
#include "ask/penetration/deepest.h"

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "geometry/triangle/triangle.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    OF_TRIANGLE = 7, // points: corners, middles of edges, the middle
    BLOCK = 512,     // points that are measured at once
    MOST_POINTS = 1 << 16
};

static const double SMALL_ROUNDINGS = 0x1p-1071; // 8 of numbers near the smallest ones, which round to their multiples

static const double SAME_DIRECTION = 0.95; // the cosine at which two directions count as one

static bool are_one_direction(const double p[3], const double q[3])
{
    return grz_dot(p, q) > SAME_DIRECTION;
}

// Keep a point if it is one of the deepest, and the deepest of those whose directions are about the same.
static void offer(grz_deepest *deepest, double depth, const double direction[3])
{
    int at = 0;
    while (at < deepest->count && !are_one_direction(deepest->directions[at], direction))
        at++;
    if (at < deepest->count) { // instead of that one
        if (depth <= deepest->depths[at])
            return;
    } else if (at == GRZ_MOST_DEEPEST) { // instead of the last one
        at--;
        if (depth <= deepest->depths[at])
            return;
    } else {
        deepest->count++;
    }
    for (; at > 0 && deepest->depths[at - 1] < depth; at--) {
        deepest->depths[at] = deepest->depths[at - 1];
        memcpy(deepest->directions[at], deepest->directions[at - 1], sizeof deepest->directions[at]);
    }
    deepest->depths[at] = depth;
    memcpy(deepest->directions[at], direction, sizeof deepest->directions[at]);
}

// A point of the surface, rounded, and how far from it the rounded one is at most.
typedef struct sample {
    double at[3], error;
} sample;

// True if half the sum of two numbers is a double.
static bool has_middle(double a, double b)
{
    const double sum = a + b, part = sum - a;
    // 2^-1000: half of it is no subnormal number.
    return (a - (sum - part)) + (b - part) == 0.0 && (fabs(sum) > 0x1p-1000 || sum == 0.0);
}

// The points of a triangle. `error` is that of a point that is rounded.
static void set_samples(const grz_object *object, uint32_t triangle, double error, sample samples[OF_TRIANGLE])
{
    double c[3][3];
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    for (int i = 0; i < OF_TRIANGLE; i++)
        samples[i].error = i == OF_TRIANGLE - 1 ? error : 0.0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            const double other = c[(i + 1) % 3][k];
            samples[i].at[k] = c[i][k];
            samples[3 + i].at[k] = 0.5 * (c[i][k] + other);
            if (!has_middle(c[i][k], other))
                samples[3 + i].error = error;
        }
        samples[6].at[k] = c[0][k] / 3.0 + c[1][k] / 3.0 + c[2][k] / 3.0;
    }
}

static grz_status measure(grz_move_call *call, const grz_object *outer, const sample *samples, size_t count,
                          grz_deepest *deepest)
{
    double points[BLOCK][3];
    grz_distance_points_options options = grz_default_distance_points_options();
    grz_point_distance answers[BLOCK];
    options.inside_rule = call->options.inside_rule;
    options.limits = grz_control_limits_left(&call->frame.control);
    for (size_t i = 0; i < count; i++)
        memcpy(points[i], samples[i].at, sizeof points[i]);
    const grz_status status =
        grz_distance_points(call->frame.device, outer, points[0], count, &options, answers, call->frame.error);
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        const double depth = answers[i].lower - samples[i].error;
        double direction[3];
        for (int k = 0; k < 3; k++)
            direction[k] = answers[i].point[k] - points[i][k];
        if (answers[i].location == GRZ_INSIDE && depth > 0.0 && grz_make_unit(direction))
            offer(deepest, depth, direction);
    }
    return status;
}

static bool has_area(const grz_mesh *mesh, const grz_pose *shape, uint32_t triangle)
{
    double corners[3][3];
    grz_world_corners(mesh, shape, triangle, corners);
    return grz_triangle_dimension((const double(*)[3])corners) == 2;
}

static bool box_holds(const grz_box *box, const double p[3])
{
    return box->min[0] < p[0] && p[0] < box->max[0] && box->min[1] < p[1] && p[1] < box->max[1] && box->min[2] < p[2] &&
           p[2] < box->max[2];
}

grz_status grz_deepest_find(grz_move_call *call, const grz_object *inner, const grz_pose *shape,
                            const grz_object *outer, grz_deepest *deepest)
{
    const grz_box box = grz_world_box(&outer->pose, &outer->mesh->bounds),
                  own = grz_world_box(&inner->pose, &inner->mesh->bounds);
    const uint32_t count = inner->mesh->triangle_count, stride = count / (MOST_POINTS / OF_TRIANGLE) + 1;
    sample samples[BLOCK];
    double most = 0.0;
    size_t filled = 0;
    grz_status status = GRZ_OK;
    deepest->count = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(fabs(own.min[k]), fabs(own.max[k])));
    for (uint32_t i = 0; i < count && status == GRZ_OK; i += stride) {
        sample some[OF_TRIANGLE];
        if (grz_control_expired_at(&call->frame.control, i + 1, 8))
            return grz_call_explain(&call->frame, grz_control_status(&call->frame.control));
        const bool counts = has_area(inner->mesh, shape, i);
        // 8 roundings; a mean of three has 3 a coordinate, √3 · 3 in all
        set_samples(inner, i, 0x1p-50 * most + SMALL_ROUNDINGS, some);
        for (int k = 0; k < OF_TRIANGLE; k++)
            if (counts && box_holds(&box, some[k].at))
                samples[filled++] = some[k];
        if (filled + OF_TRIANGLE > BLOCK || i + stride >= count) {
            if (filled > 0)
                status = measure(call, outer, samples, filled, deepest);
            filled = 0;
        }
    }
    return status;
}
