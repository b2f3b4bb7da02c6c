// SPDX-License-Identifier: MIT
#include "support_movers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh_support.h"

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

static double of_capsule(const grz_object *object, const grz_mover_shape *shape, const double position[3])
{
    const double ends[] = {-shape->half[0], -shape->half[1], -shape->half[2],
                           shape->half[0],  shape->half[1],  shape->half[2]};
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

double test_core_distance(const test_level *level, const grz_mover_shape *shape, const double position[3])
{
    double least = HUGE_VAL;
    const bool sphere = shape->half[0] == 0.0 && shape->half[1] == 0.0 && shape->half[2] == 0.0;
    for (uint32_t i = 0; i < level->count; i++)
        least = fmin(least, sphere ? of_sphere(&level->objects[i], position)
                                   : of_capsule(&level->objects[i], shape, position));
    return least;
}

grz_mover_answer test_move(const test_level *level, const grz_mover_shape *shape, double position[3],
                           const double wish[3], const grz_mover_options *options)
{
    grz_mover_answer answer;
    grz_error error;
    if (grz_mover_step(test_device, level->objects, level->count, shape, position, wish, options, &answer, &error) !=
        GRZ_OK)
        fail_msg("%s", error.message);
    if (answer.outcome != GRZ_MOVER_START_INSIDE) {
        const double distance = test_core_distance(level, shape, answer.position);
        if (!(distance >= shape->radius))
            fail_msg("from %a %a %a by %a %a %a to %a %a %a: distance %.17g, radius %.17g", position[0], position[1],
                     position[2], wish[0], wish[1], wish[2], answer.position[0], answer.position[1], answer.position[2],
                     distance, shape->radius);
    }
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
