// SPDX-License-Identifier: MIT
// grz_distance_points(): against all triangles compared exactly, byte for byte; known distances; the same with two
// threads and in any order; inside and outside as grz_locate_points() says; early ends; bad input.
// ctest: concurrent
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h> // so that the build links the readers

#include "geometry/distance/nearest.h"
#include "mesh/triangles.h"
#include "support_queries.h"
#include "support_questions.h"

static grz_device *devices[2]; // with one thread, and with two

static int open_devices(void **state)
{
    grz_device_options options = grz_default_device_options();
    (void)state;
    for (int i = 0; i < 2; i++) {
        options.threads = (unsigned)i + 1;
        if (grz_device_open(&options, &devices[i], NULL) != GRZ_OK)
            return -1;
    }
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        grz_device_close(devices[i]);
    return 0;
}

static bool same_feature(grz_feature a, grz_feature b)
{
    return a.vertex[0] == b.vertex[0] && a.vertex[1] == b.vertex[1];
}

static void expect_same(const char *what, uint64_t i, const double point[3], const grz_point_distance *x,
                        const grz_point_distance *y)
{
    if (memcmp(&x->distance, &y->distance, sizeof x->distance) != 0 ||
        memcmp(&x->lower, &y->lower, sizeof x->lower) != 0 || memcmp(&x->upper, &y->upper, sizeof x->upper) != 0 ||
        memcmp(x->point, y->point, sizeof x->point) != 0 || x->face != y->face || x->location != y->location ||
        !same_feature(x->feature, y->feature))
        fail_msg("%s, point %llu (%a %a %a): %a (%a to %a), face %u (%u %u) at %a %a %a, location %d; expected %a (%a "
                 "to %a), face %u (%u %u) at %a %a %a, location %d",
                 what, (unsigned long long)i, point[0], point[1], point[2], x->distance, x->lower, x->upper, x->face,
                 x->feature.vertex[0], x->feature.vertex[1], x->point[0], x->point[1], x->point[2], x->location,
                 y->distance, y->lower, y->upper, y->face, y->feature.vertex[0], y->feature.vertex[1], y->point[0],
                 y->point[1], y->point[2], y->location);
}

static void ask(const grz_object *object, int threads, const double *points, uint64_t count, grz_inside_rule rule,
                grz_point_distance *answers)
{
    grz_distance_points_options options = grz_default_distance_points_options();
    grz_error error;
    options.inside_rule = rule;
    memset(answers, 0xff, count * sizeof *answers);
    if (grz_distance_points(devices[threads - 1], object, points, count, &options, answers, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (uint64_t i = 0; i < count; i++)
        assert_true(
            answers[i].lower <= answers[i].distance && answers[i].distance <= answers[i].upper &&
            (answers[i].lower == answers[i].upper || nextafter(answers[i].lower, HUGE_VAL) == answers[i].upper));
}

// ---- All triangles, exactly ---------------------------------------------------------------------------------------

static grz_feature user_feature(const grz_mesh *mesh, uint32_t triangle, uint8_t feature)
{
    const uint32_t *v = mesh->triangles + 3 * (size_t)triangle;
    grz_feature own = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}};
    if (feature <= GRZ_CORNER_2) {
        own.vertex[0] = v[feature];
        for (int i = 0; i < 3; i++) {
            const double *p = grz_mesh_position(mesh, v[i]), *q = grz_mesh_position(mesh, v[feature]);
            if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && v[i] < own.vertex[0])
                own.vertex[0] = v[i];
        }
    } else if (feature <= GRZ_EDGE_2 && grz_mesh_edge_is_side(mesh, triangle, feature - GRZ_EDGE_0)) {
        const uint32_t x = v[feature - GRZ_EDGE_0], y = v[(feature - GRZ_EDGE_0 + 1) % 3];
        own = (grz_feature){{x < y ? x : y, x < y ? y : x}};
    }
    return own;
}

// All triangles, in the order of their numbers. The location is left to grz_locate_points().
static grz_point_distance of_all_triangles(const grz_object *object, const double point[3])
{
    const grz_mesh *mesh = object->mesh;
    double dot[3][3];
    bool any = false;
    grz_square best = {.shift = 0};
    grz_point_distance answer = {.face = GRZ_NO_FACE};
    for (int i = 0; i < 3; i++)
        memcpy(dot[i], point, sizeof dot[i]);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3], same[3];
        grz_square square;
        grz_intersection meeting;
        grz_world_corners(mesh, &object->pose, t, c);
        grz_triangles_intersect((const double(*)[3])dot, (const double(*)[3])c, &meeting);
        if (meeting.node_count > 0) {
            answer = (grz_point_distance){.face = grz_mesh_triangle_face(mesh, t),
                                          .feature = user_feature(mesh, t, meeting.nodes[0].b),
                                          .point = {point[0] + 0.0, point[1] + 0.0, point[2] + 0.0}};
            return answer;
        }
        const grz_nearest nearest = grz_triangles_nearest((const double(*)[3])dot, (const double(*)[3])c);
        grz_square_of((const double(*)[3])dot, (const double(*)[3])c, nearest, &square);
        if (any && grz_square_compare(&square, &best) >= 0)
            continue;
        any = true;
        best = square;
        answer.face = grz_mesh_triangle_face(mesh, t);
        answer.feature = user_feature(mesh, t, nearest.b);
        grz_nearest_points((const double(*)[3])dot, (const double(*)[3])c, nearest, same, answer.point);
    }
    const grz_root root = grz_square_root(&best);
    answer.distance = root.nearest;
    answer.lower = root.lower;
    answer.upper = root.upper;
    return answer;
}

// Returns how many of the points are on the surface.
static uint32_t check(const char *what, const grz_object *object, const double *points, uint64_t count,
                      grz_inside_rule rule)
{
    grz_point_distance *answers[2] = {malloc(count * sizeof **answers), malloc(count * sizeof **answers)};
    grz_location *locations = malloc(count * sizeof *locations);
    grz_locate_options options = grz_default_locate_options();
    uint32_t on = 0;
    assert_true(answers[0] != NULL && answers[1] != NULL && locations != NULL);
    options.inside_rule = rule;
    assert_int_equal(grz_locate_points(devices[0], object, points, count, &options, locations, NULL), GRZ_OK);
    for (int i = 0; i < 2; i++)
        ask(object, i + 1, points, count, rule, answers[i]);
    for (uint64_t i = 0; i < count; i++) {
        grz_point_distance expected = of_all_triangles(object, points + 3 * i);
        expected.location = locations[i];
        expect_same(what, i, points + 3 * i, &answers[0][i], &expected);
        expect_same("two threads", i, points + 3 * i, &answers[1][i], &answers[0][i]);
        on += locations[i] == GRZ_ON_SURFACE;
    }
    free(answers[0]);
    free(answers[1]);
    free(locations);
    return on;
}

// A point of some kind: anywhere near the mesh, on it, or over one of its features.
static void some_point(random_stream *random, const grz_object *object, double size, double point[3])
{
    const grz_mesh *mesh = object->mesh;
    double c[3][3], away = size * ldexp(random_signed(random), -(int)random_below(random, 60));
    const uint32_t kind = random_below(random, 8);
    grz_world_corners(mesh, &object->pose, random_below(random, mesh->triangle_count), c);
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * c[0][k] + 0.5 * c[1][k];
        switch (kind) {
        case 0: // a corner
            point[k] = c[0][k];
            break;
        case 1: // the middle of an edge, or near it where that is rounded
            point[k] = half;
            break;
        case 2:
            point[k] = 0.5 * half + 0.5 * c[2][k];
            break;
        case 3: // near a corner
            point[k] = c[0][k] + away * random_signed(random);
            break;
        case 4: // near a face
            point[k] = 0.5 * half + 0.5 * c[2][k] + away * random_signed(random);
            break;
        case 5: // in whole numbers
            point[k] = size * floor(16.0 * random_signed(random)) / 16.0;
            break;
        default:
            point[k] = (kind == 6 ? 1.0 : 100.0) * size * random_signed(random);
        }
    }
}

static void all_triangles_give_the_same_bytes(void **state)
{
    enum {
        COUNT = 24
    };
    random_stream random = {71};
    uint32_t on = 0, tiny = 0, large = 0;
    (void)state;
    for (int i = 0; i < 1500; i++) {
        test_question q = test_random_question(&random);
        double points[COUNT][3], min[3], max[3], size = 0.0;
        char what[64];
        snprintf(what, sizeof what, "case %d", i);
        const grz_object object = grz_object_at(test_mesh_upload(devices[0], &q.meshes[0]), q.poses[0]);
        assert_int_equal(grz_object_bounds(&object, min, max, NULL), GRZ_OK);
        for (int k = 0; k < 3; k++)
            size = fmax(size, fmax(fabs(min[k]), fabs(max[k])));
        for (int p = 0; p < COUNT; p++)
            some_point(&random, &object, size, points[p]);
        on += check(what, &object, points[0], COUNT, i % 2 == 0 ? GRZ_EVEN_ODD : GRZ_NONZERO);
        tiny += size < 0x1p-150;
        large += size > 0x1p150;
        grz_mesh_destroy((grz_mesh *)object.mesh);
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&q.meshes[k]);
    }
    print_message("1500 meshes of 24 points: %u points on surfaces, %u tiny meshes, %u large ones\n", on, tiny, large);
    assert_true(on > 1000 && tiny > 30 && large > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_triangles_give_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
