// SPDX-License-Identifier: MIT
#include "support_movers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/triangles.h"
#include "mover_twin.h"
#include "support_arrays.h"

void test_level_add(test_level *level, test_mesh mesh)
{
    if (level->count == TEST_LEVEL_MOST)
        fail_msg("too many objects");
    grz_mesh *made = test_mesh_upload(test_device, &mesh);
    test_mesh_finish(&mesh);
    level->meshes[level->count] = made;
    level->objects[level->count++] = grz_object_at_origin(made);
}

test_level test_level_of(test_mesh mesh)
{
    test_level level = {.count = 0};
    test_level_add(&level, mesh);
    return level;
}

void test_level_finish(test_level *level)
{
    for (uint32_t i = 0; i < level->count; i++)
        grz_mesh_destroy(level->meshes[i]);
    level->count = 0;
}

static double of_sphere(const grz_object *object, const double position[3])
{
    grz_distance_points_options options = grz_default_distance_points_options();
    grz_point_distance answer;
    grz_error error;
    options.locate = false;
    if (grz_distance_points(test_device, object, position, 1, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer.lower;
}

static double of_capsule(const grz_object *object, const grz_shape *shape, const double position[3])
{
    const double *end = shape->corners[1], ends[] = {-end[0], -end[1], -end[2], end[0], end[1], end[2]};
    const uint32_t corners[] = {0, 1, 1};
    const grz_mesh_description d = describe_mesh(ends, 2, corners, 1, 3);
    grz_mesh *core = create_mesh(&d);
    const grz_object placed = grz_object_at(core, grz_pose_from_translation(position[0], position[1], position[2]));
    grz_distance_answer answer;
    grz_error error;
    if (grz_distance(test_device, object, &placed, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    grz_mesh_destroy(core);
    return answer.lower;
}

double test_core_distance(const test_level *level, const grz_shape *shape, const double position[3])
{
    double least = HUGE_VAL;
    const bool sphere = shape->corners[1][0] == 0.0 && shape->corners[1][1] == 0.0 && shape->corners[1][2] == 0.0;
    for (uint32_t i = 0; i < level->count; i++)
        least = fmin(least, sphere ? of_sphere(&level->objects[i], position)
                                   : of_capsule(&level->objects[i], shape, position));
    return least;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double test_shape_reach(const grz_shape *shape, const double direction[3])
{
    double s[3];
    if (test_is_round(shape))
        return shape->radius + fabs(dot(direction, shape->corners[1]));
    for (int i = 0; i < 3; i++)
        s[i] = shape->half[i] * fabs(dot(direction, test_axis(shape, i).x));
    if (shape->kind == GRZ_SHAPE_CYLINDER)
        return sqrt(s[0] * s[0] + s[1] * s[1]) + s[2];
    return shape->kind == GRZ_SHAPE_BOX ? s[0] + s[1] + s[2] : sqrt(dot(s, s));
}

double test_shape_thickness(const grz_shape *shape)
{
    return test_is_round(shape) ? shape->radius : fmin(fmin(shape->half[0], shape->half[1]), shape->half[2]);
}

grz_shape test_shape(int number, double size)
{
    const double half[3] = {0.3 * size, 0.25 * size, 0.8 * size}, none[3] = {0.0, 0.0, 0.0},
                 turns[4] = {0.3, -0.2, 0.5, 0.7};
    grz_pose turn;
    if (number == 0)
        return test_sphere(0.3 * size);
    if (number == 1)
        return test_capsule(0.3 * size, 0.5 * size, (const double[3]){0.0, 0.0, 1.0});
    grz_shape shape = number % 2 ? grz_shape_ellipsoid((const double[3]){0.0, 0.0, 0.0}, half)
                                 : grz_shape_box((const double[3]){0.0, 0.0, 0.0}, half);
    if (number >= 6)
        shape = grz_shape_cylinder(none, 0.3 * size, 0.8 * size);
    if (number < 4 || number == 6 || grz_pose_from_quaternion(none, turns, &turn, NULL) != GRZ_OK)
        return shape;
    shape.pose = turn;
    return shape;
}

// True if a shape whose half axes are longer by `more` is free of a triangle by far more than roundings, along one of
// its axes or the triangle's normal. Rational numbers are slow.
static bool is_clearly_free(const grz_shape *shape, const double position[3], double more, const double c[3][3])
{
    const double u[3] = {c[1][0] - c[0][0], c[1][1] - c[0][1], c[1][2] - c[0][2]},
                 v[3] = {c[2][0] - c[0][0], c[2][1] - c[0][1], c[2][2] - c[0][2]};
    const double normal[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (int i = 0; i < 4; i++) {
        const test_direction axis = test_axis(shape, i < 3 ? i : 0);
        const double *way = i < 3 ? axis.x : normal;
        const double length = sqrt(dot(way, way)), n[3] = {way[0] / length, way[1] / length, way[2] / length};
        double low = HUGE_VAL, high = -HUGE_VAL, size = 0.0;
        if (!(length > 1e-100))
            continue;
        for (int j = 0; j < 3; j++) {
            const double d[3] = {c[j][0] - position[0], c[j][1] - position[1], c[j][2] - position[2]};
            low = fmin(low, dot(n, d));
            high = fmax(high, dot(n, d));
            size = fmax(size, fabs(d[0]) + fabs(d[1]) + fabs(d[2]));
        }
        if (fmax(low, -high) >
            test_shape_reach(shape, n) + (shape->kind == GRZ_SHAPE_ELLIPSOID ? 1.0 : 2.0) * more + 1e-8 * size)
            return true;
    }
    return false;
}

bool test_is_free(const test_level *level, const grz_shape *shape, const double position[3], double margin)
{
    double reach[3];
    if (test_is_round(shape))
        return test_core_distance(level, shape, position) >= shape->radius + margin;
    // The ellipsoid with half axes longer by twice the margin holds all that is within the margin of the first, if they
    // differ by less than ten times.
    const double more = shape->kind == GRZ_SHAPE_ELLIPSOID ? 2.0 * margin : margin;
    for (int k = 0; k < 3; k++)
        reach[k] = (test_shape_reach(shape, (const double[3]){k == 0, k == 1, k == 2}) + 2.0 * more) * 1.001;
    for (uint32_t i = 0; i < level->count; i++)
        for (uint32_t t = 0; t < level->meshes[i]->triangle_count; t++) {
            double c[3][3];
            grz_world_corners(level->meshes[i], &level->objects[i].pose, t, c);
            const grz_box box = grz_triangle_box((const double(*)[3])c);
            bool near = true;
            for (int k = 0; k < 3; k++)
                near = near && box.min[k] <= position[k] + reach[k] && box.max[k] >= position[k] - reach[k];
            if (near && !is_clearly_free(shape, position, more, (const double(*)[3])c) &&
                mover_twin_contains_part(shape, position, more, (const double(*)[3])c))
                return false;
        }
    return true;
}

grz_mover_answer test_move(const test_level *level, const grz_shape *shape, double position[3],
                           const double displacement[3], const grz_mover_options *options)
{
    grz_mover_answer answer;
    grz_error error;
    if (grz_mover_step(test_device, level->objects, level->count, shape, position, displacement, options, &answer,
                       &error) != GRZ_OK)
        fail_msg("%s", error.message);
    if (answer.outcome != GRZ_MOVER_START_INSIDE && answer.outcome != GRZ_MOVER_CRUSHED &&
        !test_is_free(level, shape, answer.position, 0.0))
        fail_msg("from %a %a %a by %a %a %a to %a %a %a: inside", position[0], position[1], position[2],
                 displacement[0], displacement[1], displacement[2], answer.position[0], answer.position[1],
                 answer.position[2]);
    memcpy(position, answer.position, sizeof answer.position);
    return answer;
}

test_mesh test_slivers(int kind)
{
    test_mesh mesh = {.vertex_count = 0};
    if (kind == 0) { // 4,000 of 20 × 0.01
        for (int i = 0; i < 2000; i++) {
            const double y = -10.0 + i * 0.01, next = i == 1999 ? 10.0 : -10.0 + (i + 1) * 0.01;
            test_mesh_add_loose_triangle(&mesh, (const double[3][3]){{-10, y, 0}, {10, y, 0}, {10, next, 0}});
            test_mesh_add_loose_triangle(&mesh, (const double[3][3]){{-10, y, 0}, {10, next, 0}, {-10, next, 0}});
        }
    } else if (kind == 1) {
        mesh = test_mesh_grid(200, 200, 0.1);
        test_mesh_move(&mesh, -10.0, -10.0, 0.0);
    } else if (kind == 2) { // a fan around a point on the way
        for (int i = 0; i < 400; i++) {
            double c[3][3] = {{2.0, 0.5, 0.0}};
            for (int j = 1; j < 3; j++) {
                const int at = (i + j - 1) % 400, side = at / 100;
                const double s = -10.0 + (at % 100) * 0.2;
                c[j][0] = side == 0 ? s : side == 1 ? 10.0 : side == 2 ? -s : -10.0;
                c[j][1] = side == 0 ? -10.0 : side == 1 ? s : side == 2 ? 10.0 : -s;
            }
            test_mesh_add_loose_triangle(&mesh, (const double(*)[3])c);
        }
    } else { // rows of squares, each row shifted by a third
        for (int row = -10; row < 10; row++)
            for (int i = -11; i < 11; i++) {
                const double x = i + (row & 1) * 0.375, y = row;
                test_mesh_add_loose_triangle(&mesh, (const double[3][3]){{x, y, 0}, {x + 1, y, 0}, {x + 1, y + 1, 0}});
                test_mesh_add_loose_triangle(&mesh, (const double[3][3]){{x, y, 0}, {x + 1, y + 1, 0}, {x, y + 1, 0}});
            }
    }
    return mesh;
}

test_mesh test_tilted(test_mesh mesh, int tilt)
{
    const double a = 0.05 * tilt, b = 0.03 * tilt;
    for (uint64_t i = 0; i < mesh.vertex_count && tilt != 0; i++) {
        double *p = mesh.positions + 3 * i;
        const double x = p[0], y = p[1];
        p[0] = x * cos(a);
        p[2] = x * sin(a) + y * sin(b);
        p[1] = y * cos(b);
    }
    return mesh;
}
