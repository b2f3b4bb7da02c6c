// SPDX-License-Identifier: MIT
// grz_distance_points(): against all triangles compared exactly, byte for byte; known distances; the same with two
// threads and in any order; inside and outside as grz_locate_points() says; early ends; bad input.
// ctest: concurrent order_and_threads_change_nothing early_ends_leave_nothing
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h> // so that the build links the readers

#include "mesh/triangles.h"
#include "support_all_triangles.h"
#include "support_devices.h"
#include "support_queries.h"
#include "support_questions.h"
#include "support_sanitizer.h"

static void expect_same(const char *what, uint64_t i, const double point[3], const grz_point_distance *x,
                        const grz_point_distance *y)
{
    if (!test_same_point_distance(x, y))
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
    if (grz_distance_points(test_devices[threads - 1], object, points, count, &options, answers, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (uint64_t i = 0; i < count; i++)
        assert_true(
            answers[i].lower <= answers[i].distance && answers[i].distance <= answers[i].upper &&
            (answers[i].lower == answers[i].upper || nextafter(answers[i].lower, HUGE_VAL) == answers[i].upper));
}

// ---- All triangles, exactly ---------------------------------------------------------------------------------------

// Returns how many of the points are on the surface.
static uint32_t check(const char *what, const grz_object *object, const double *points, uint64_t count,
                      grz_inside_rule rule)
{
    grz_point_distance *answers[2] = {malloc(count * sizeof **answers), malloc(count * sizeof **answers)};
    grz_location *locations = malloc(count * sizeof *locations);
    grz_locate_options options = grz_default_locate_options();
    uint32_t on = 0;
    if (answers[0] == NULL || answers[1] == NULL || locations == NULL) {
        fail_msg("out of memory");
        abort(); // for analysers, which do not know that the line above does not return
    }
    options.inside_rule = rule;
    assert_int_equal(grz_locate_points(test_devices[0], object, points, count, &options, locations, NULL), GRZ_OK);
    for (int i = 0; i < 2; i++)
        ask(object, i + 1, points, count, rule, answers[i]);
    for (uint64_t i = 0; i < count; i++) {
        grz_point_distance expected = test_distance_to_all_triangles(object, points + 3 * i);
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
    for (int i = 0; i < (TEST_SANITIZED ? 300 : 1500); i++) {
        test_question q = test_random_question(&random);
        double points[COUNT][3], min[3], max[3], size = 0.0;
        char what[64];
        snprintf(what, sizeof what, "case %d", i);
        const grz_object object = grz_object_at(test_mesh_upload(test_devices[0], &q.meshes[0]), q.poses[0]);
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
    assert_true(on > (TEST_SANITIZED ? 150 : 1000) && tiny > (TEST_SANITIZED ? 3 : 30) &&
                large > (TEST_SANITIZED ? 3 : 30));
}

// ---- Known answers ------------------------------------------------------------------------------------------------

static grz_point_distance of_cube(double size, double x, double y, double z)
{
    test_mesh mesh = test_mesh_cube(0.0, 0.0, 0.0, size);
    const grz_object cube = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
    const double point[3] = {x, y, z};
    grz_point_distance answer;
    ask(&cube, 1, point, 1, GRZ_EVEN_ODD, &answer);
    check("cube", &cube, point, 1, GRZ_EVEN_ODD);
    grz_mesh_destroy((grz_mesh *)cube.mesh);
    test_mesh_finish(&mesh);
    return answer;
}

static void distances_from_a_cube_are_known(void **state)
{
    static const struct {
        double x, y, z, distance, nearest[3];
        grz_location location;
    } cases[] = {{3.0, 0.5, 0.25, 2.0, {1.0, 0.5, 0.25}, GRZ_OUTSIDE},
                 {4.0, 5.0, 0.25, 5.0, {1.0, 1.0, 0.25}, GRZ_OUTSIDE},
                 {2.0, 2.0, 0.25, 0x1.6a09e667f3bcdp+0, {1.0, 1.0, 0.25}, GRZ_OUTSIDE},
                 {2.0, 2.0, 2.0, 0x1.bb67ae8584caap+0, {1.0, 1.0, 1.0}, GRZ_OUTSIDE},
                 {0.5, 0.625, 0.5, 0.375, {0.5, 1.0, 0.5}, GRZ_INSIDE},
                 {0.5, 0.25, 1.0, 0.0, {0.5, 0.25, 1.0}, GRZ_ON_SURFACE},
                 {0x1.0000000000001p+0, 0.5, 0.25, 0x1p-52, {1.0, 0.5, 0.25}, GRZ_OUTSIDE},
                 {0x1.fffffffffffffp-1, 0.5, 0.25, 0x1p-53, {1.0, 0.5, 0.25}, GRZ_INSIDE},
                 {-0x1p-1074, 0.5, 0.25, 0x1p-1074, {0.0, 0.5, 0.25}, GRZ_OUTSIDE},
                 {-0.0, -0.0, 0.5, 0.0, {0.0, 0.0, 0.5}, GRZ_ON_SURFACE}};
    static const double sizes[] = {1.0, 0x1p-260, 0x1p-101, 0x1p101, 0x1p240, 0x1p290};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const double size = sizes[s];
            if (cases[i].x == -0x1p-1074 && size != 1.0)
                continue;
            const grz_point_distance answer = of_cube(size, size * cases[i].x, size * cases[i].y, size * cases[i].z);
            if (answer.distance != size * cases[i].distance || answer.location != cases[i].location ||
                answer.point[0] != size * cases[i].nearest[0] || answer.point[1] != size * cases[i].nearest[1] ||
                answer.point[2] != size * cases[i].nearest[2])
                fail_msg("cube of %a, case %zu: %a at %a %a %a, location %d", size, i, answer.distance, answer.point[0],
                         answer.point[1], answer.point[2], answer.location);
        }
    // The middle is as far from all faces. A corner is one of several faces.
    assert_int_equal(of_cube(1.0, 0.5, 0.5, 0.5).face, 0);
    const grz_point_distance corner = of_cube(1.0, 2.0, 2.0, 2.0);
    assert_true(corner.feature.vertex[0] != GRZ_NO_VERTEX && corner.feature.vertex[1] == GRZ_NO_VERTEX);
    const grz_point_distance edge = of_cube(1.0, 4.0, 5.0, 0.25);
    assert_true(edge.feature.vertex[0] < edge.feature.vertex[1] && edge.feature.vertex[1] != GRZ_NO_VERTEX);
    const grz_point_distance face = of_cube(1.0, 3.0, 0.5, 0.25);
    assert_true(face.feature.vertex[0] == GRZ_NO_VERTEX);
}

// Meshes and points of very different sizes: the smallest coordinates, and the largest.
static void any_size_is_measured(void **state)
{
    static const double sizes[] = {0x1p-1070, 0x1p-1000, 0x1p-537, 0x1p-300, 1.0, 0x1p150, 0x1p299};
    random_stream random = {5};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            const double x = sizes[j];
            double points[5][3] = {{x, x, x}, {-x, 0.0, x}, {0.0, x, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
            char what[64];
            for (int k = 0; k < 3; k++) {
                points[3][k] = x * random_signed(&random);
                points[4][k] = 0.75 * sizes[i] + x * random_signed(&random) * (k == 0 ? 1.0 : 0x1p-20);
            }
            test_mesh mesh = test_mesh_cube(0.0, 0.0, 0.0, sizes[i]);
            snprintf(what, sizeof what, "cube of %a, points of %a", sizes[i], x);
            const grz_object cube = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
            check(what, &cube, points[0], 5, GRZ_EVEN_ODD);
            grz_mesh_destroy((grz_mesh *)cube.mesh);
            test_mesh_finish(&mesh);
        }
}

// From the middle of a sphere all faces are nearly as near, and many are equally near.
static void the_middle_of_a_sphere(void **state)
{
    test_mesh mesh = test_mesh_icosphere(2.0, 3);
    const grz_object sphere = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
    const double points[5][3] = {
        {0.0, 0.0, 0.0}, {0x1p-60, 0.0, 0.0}, {0x1p-53, 0x1p-54, 0.0}, {0.5, 0.5, 0.5}, {3.0, 0.0, 0.0}};
    grz_point_distance answers[5];
    (void)state;
    check("sphere", &sphere, points[0], 5, GRZ_EVEN_ODD);
    ask(&sphere, 1, points[0], 5, GRZ_EVEN_ODD, answers);
    assert_true(answers[0].distance > 1.98 && answers[0].distance < 2.0 && answers[0].location == GRZ_INSIDE);
    assert_true(answers[4].distance >= 1.0 && answers[4].distance < 1.02 && answers[4].location == GRZ_OUTSIDE);
    grz_mesh_destroy((grz_mesh *)sphere.mesh);
    test_mesh_finish(&mesh);
}

// A square of two triangles: over its diagonal both are as near, and the diagonal is an edge of triangles, but not of a
// quad.
static void a_diagonal_belongs_to_the_first_face(void **state)
{
    const double points[3][3] = {{0.5, 0.5, 1.5}, {0.25, 0.25, -2.0}, {0.75, 0.75, 0.0}};
    (void)state;
    for (int quads = 0; quads < 2; quads++) {
        test_mesh mesh = quads ? test_mesh_grid_quads(1, 1, 1.0) : test_mesh_grid(1, 1, 1.0);
        const grz_object square = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
        grz_point_distance answers[3];
        ask(&square, 1, points[0], 3, GRZ_EVEN_ODD, answers);
        check("square", &square, points[0], 3, GRZ_EVEN_ODD);
        for (int i = 0; i < 3; i++)
            assert_true(answers[i].face == 0 && answers[i].distance == fabs(points[i][2]) &&
                        answers[i].point[2] == 0.0);
        grz_mesh_destroy((grz_mesh *)square.mesh);
        test_mesh_finish(&mesh);
    }
}

// A column of a pose that is as large as doubles are, for a coordinate that is 0 everywhere; and poses that flatten.
static void strange_poses(void **state)
{
    static const double columns[] = {1.7e308, 0x1p200, 0x1p100, 0.0};
    random_stream random = {15};
    (void)state;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        test_mesh mesh = test_mesh_grid(5, 5, 1.0);
        grz_object grid = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
        double points[40][3];
        for (int k = 0; k < 3; k++) {
            grid.pose.m[k][2] = columns[i];
            grid.pose.m[k][1] = i == 3 ? 0.0 : grid.pose.m[k][1];
        }
        for (int k = 0; k < 120; k++)
            points[k / 3][k % 3] = 10.0 * random_signed(&random);
        check("strange pose", &grid, points[0], 40, GRZ_EVEN_ODD);
        grz_mesh_destroy((grz_mesh *)grid.mesh);
        test_mesh_finish(&mesh);
    }
}

// Thin triangles that all lie along a direction that is askew: their tree has axes of its own.
static void trees_with_axes_of_their_own(void **state)
{
    random_stream random = {63};
    (void)state;
    for (int i = 0; i < 12; i++) {
        enum {
            NEEDLES = 600,
            COUNT = 20
        };
        test_mesh mesh = {.positions = NULL};
        const double way[3] = {0.5, 0.6, 0.7}, far = i % 3 == 0 ? 0.0 : ldexp(1.0, 10 * (i % 3));
        double points[COUNT][3];
        for (int t = 0; t < NEEDLES; t++) {
            double c[3][3], along = random_signed(&random);
            for (int k = 0; k < 3; k++) {
                c[0][k] = random_signed(&random) + far;
                c[1][k] = c[0][k] + along * way[k];
                c[2][k] = c[0][k] + 0x1p-12 * random_signed(&random);
            }
            test_mesh_add_loose_triangle(&mesh, (const double(*)[3])c);
        }
        grz_object needles = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
        const double at[3] = {1.0, 2.0, 3.0}, turn[4] = {random_signed(&random), 0.2, 0.1, 0.9};
        if (i % 2 == 1)
            assert_int_equal(grz_pose_from_quaternion(at, turn, &needles.pose, NULL), GRZ_OK);
        for (int p = 0; p < COUNT; p++)
            some_point(&random, &needles, 1.0 + far, points[p]);
        check("needles", &needles, points[0], COUNT, GRZ_EVEN_ODD);
        grz_mesh_destroy((grz_mesh *)needles.mesh);
        test_mesh_finish(&mesh);
    }
}

static void a_sample_is_measured(void **state)
{
    enum {
        COUNT = 60
    };
    test_mesh mesh = test_mesh_load("data/cow_spot.ply");
    grz_object cow = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
    random_stream random = {77};
    double points[COUNT][3];
    const double at[3] = {1.0, 2.0, 3.0}, turn[4] = {0.3, 0.2, 0.1, 0.9};
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        for (int p = 0; p < COUNT; p++)
            some_point(&random, &cow, 1.0, points[p]);
        assert_true(check("cow", &cow, points[0], COUNT, GRZ_EVEN_ODD) > 5);
        assert_int_equal(grz_pose_from_quaternion(at, turn, &cow.pose, NULL), GRZ_OK);
    }
    grz_mesh_destroy((grz_mesh *)cow.mesh);
    test_mesh_finish(&mesh);
}

// ---- Many points --------------------------------------------------------------------------------------------------

static void order_and_threads_change_nothing(void **state)
{
    enum {
        COUNT = 6000
    };
    test_mesh mesh = test_mesh_torus(3.0, 1.0, 200, 100);
    const grz_object torus = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
    random_stream random = {9};
    static double points[COUNT][3], backwards[COUNT][3];
    static grz_point_distance answers[3][COUNT], single;
    static grz_location locations[COUNT];
    uint32_t inside = 0;
    (void)state;
    for (int i = 0; i < COUNT; i++)
        some_point(&random, &torus, 4.0, points[i]);
    for (int i = 0; i < COUNT; i++)
        memcpy(backwards[i], points[COUNT - 1 - i], sizeof points[i]);
    ask(&torus, 1, points[0], COUNT, GRZ_EVEN_ODD, answers[0]);
    ask(&torus, 2, points[0], COUNT, GRZ_EVEN_ODD, answers[1]);
    ask(&torus, 2, backwards[0], COUNT, GRZ_EVEN_ODD, answers[2]);
    assert_int_equal(grz_locate_points(test_devices[0], &torus, points[0], COUNT, NULL, locations, NULL), GRZ_OK);
    for (int i = 0; i < COUNT; i++) {
        expect_same("two threads", (uint64_t)i, points[i], &answers[1][i], &answers[0][i]);
        expect_same("backwards", (uint64_t)i, points[i], &answers[2][COUNT - 1 - i], &answers[0][i]);
        assert_int_equal(answers[0][i].location, locations[i]);
        inside += locations[i] == GRZ_INSIDE;
    }
    assert_true(inside > COUNT / 20);
    for (int i = 0; i < COUNT; i += 100) {
        ask(&torus, 1, points[i], 1, GRZ_EVEN_ODD, &single);
        expect_same("alone", (uint64_t)i, points[i], &single, &answers[0][i]);
    }
    // Without the location.
    grz_distance_points_options options = grz_default_distance_points_options();
    options.locate = false;
    assert_int_equal(grz_distance_points(test_devices[0], &torus, points[0], COUNT, &options, answers[1], NULL),
                     GRZ_OK);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(answers[1][i].location,
                         locations[i] == GRZ_ON_SURFACE ? GRZ_ON_SURFACE : GRZ_LOCATION_UNKNOWN);
        answers[1][i].location = answers[0][i].location;
        expect_same("without location", (uint64_t)i, points[i], &answers[1][i], &answers[0][i]);
    }
    grz_mesh_destroy((grz_mesh *)torus.mesh);
    test_mesh_finish(&mesh);
}

// The rule matters where two bodies overlap; an open mesh has no inside.
static void the_rule_and_open_meshes(void **state)
{
    test_mesh two = test_mesh_cube(0.0, 0.0, 0.0, 4.0), other = test_mesh_cube(1.0, 1.0, 1.0, 4.0),
              open = test_mesh_grid(2, 2, 1.0);
    const double points[3][3] = {{2.0, 2.0, 2.5}, {0.5, 0.5, 0.5}, {9.0, 9.0, 9.0}};
    grz_point_distance answers[3];
    (void)state;
    test_mesh_append(&two, &other);
    grz_object object = grz_object_at_origin(test_mesh_upload(test_devices[0], &two));
    for (int rule = 0; rule < 2; rule++) {
        ask(&object, 1, points[0], 3, rule ? GRZ_NONZERO : GRZ_EVEN_ODD, answers);
        assert_int_equal(answers[0].location, rule ? GRZ_INSIDE : GRZ_OUTSIDE);
        assert_int_equal(answers[1].location, GRZ_INSIDE);
        assert_int_equal(answers[2].location, GRZ_OUTSIDE);
    }
    grz_mesh_destroy((grz_mesh *)object.mesh);
    object = grz_object_at_origin(test_mesh_upload(test_devices[0], &open));
    object.pose.m[2][0] = 1.0; // it has a box with an inside
    ask(&object, 1, points[0], 3, GRZ_EVEN_ODD, answers);
    assert_int_equal(check("open", &object, points[0], 3, GRZ_EVEN_ODD), 1);
    assert_int_equal(answers[1].location, GRZ_ON_SURFACE);
    assert_int_equal(answers[2].location, GRZ_OUTSIDE);
    const double above[3] = {0.5, 0.5, 1.0};
    ask(&object, 1, above, 1, GRZ_EVEN_ODD, answers);
    assert_int_equal(answers[0].location, GRZ_LOCATION_UNKNOWN);
    grz_mesh_destroy((grz_mesh *)object.mesh);
    test_mesh_finish(&two);
    test_mesh_finish(&other);
    test_mesh_finish(&open);
}

// ---- Early ends and bad input -------------------------------------------------------------------------------------

static void expect_nothing(const grz_point_distance *answers, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        assert_true(answers[i].distance == HUGE_VAL && answers[i].lower == 0.0 && answers[i].upper == HUGE_VAL &&
                    answers[i].face == GRZ_NO_FACE && answers[i].location == GRZ_LOCATION_UNKNOWN &&
                    answers[i].feature.vertex[0] == GRZ_NO_VERTEX);
}

static void early_ends_leave_nothing(void **state)
{
    enum {
        COUNT = 400000
    };
    test_mesh mesh = test_mesh_torus(3.0, 1.0, 100, 50);
    const grz_object torus = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
    grz_distance_points_options options = grz_default_distance_points_options();
    double *points = malloc((size_t)COUNT * 3 * sizeof *points);
    grz_point_distance *answers = malloc((size_t)COUNT * sizeof *answers);
    random_stream random = {19};
    grz_error error;
    const int flag = 1;
    (void)state;
    assert_true(points != NULL && answers != NULL);
    for (size_t i = 0; i < 3 * (size_t)COUNT; i++)
        points[i] = 4.0 * random_signed(&random);
    assert_int_equal(grz_mesh_prepare(torus.mesh, "bvh", NULL), GRZ_OK);
    for (int i = 0; i < 4; i++) {
        options.limits.deadline = i < 2 ? 1e-9 : 0.03; // all of it takes seconds
        test_expect_error(grz_distance_points(test_devices[i % 2], &torus, points, COUNT, &options, answers, &error),
                          GRZ_ERROR_DEADLINE, &error, "deadline", GRZ_NO_ELEMENT);
        expect_nothing(answers, COUNT);
    }
    options = grz_default_distance_points_options();
    options.limits.cancel = &flag;
    test_expect_error(grz_distance_points(test_devices[1], &torus, points, COUNT, &options, answers, &error),
                      GRZ_ERROR_CANCELLED, &error, "cancel", GRZ_NO_ELEMENT);
    expect_nothing(answers, COUNT);
    options = grz_default_distance_points_options();
    options.limits.memory_limit = 1;
    test_expect_error(grz_distance_points(test_devices[1], &torus, points, 10, &options, answers, &error),
                      GRZ_ERROR_MEMORY, &error, "limit of 1 bytes", GRZ_NO_ELEMENT);
    expect_nothing(answers, 10);
    free(points);
    free(answers);
    grz_mesh_destroy((grz_mesh *)torus.mesh);
    test_mesh_finish(&mesh);
}

static void bad_input_is_refused(void **state)
{
    test_mesh mesh = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_distance_points_options options = grz_default_distance_points_options();
    double points[3][3] = {{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}};
    grz_point_distance answers[3];
    grz_error error;
    (void)state;
    grz_object cube = grz_object_at_origin(test_mesh_upload(test_devices[0], &mesh));
    const grz_object none = {.mesh = NULL};
#define REFUSED(device, object, points, count, options, answers, status, words, element)                               \
    test_expect_error(grz_distance_points(device, object, points, count, options, answers, &error), status, &error,    \
                      words, element)
    REFUSED(NULL, &cube, points[0], 3, NULL, answers, GRZ_ERROR_ARGUMENT, "the device is NULL", GRZ_NO_ELEMENT);
    expect_nothing(answers, 3);
    REFUSED(test_devices[0], NULL, points[0], 3, NULL, answers, GRZ_ERROR_ARGUMENT, "the object", GRZ_NO_ELEMENT);
    REFUSED(test_devices[0], &none, points[0], 3, NULL, answers, GRZ_ERROR_ARGUMENT, "the object", GRZ_NO_ELEMENT);
    REFUSED(test_devices[0], &cube, NULL, 3, NULL, answers, GRZ_ERROR_ARGUMENT, "the points are NULL", GRZ_NO_ELEMENT);
    REFUSED(test_devices[0], &cube, points[0], 3, NULL, NULL, GRZ_ERROR_ARGUMENT, "the answers are NULL",
            GRZ_NO_ELEMENT);
    assert_int_equal(grz_distance_points(test_devices[0], &cube, NULL, 0, NULL, NULL, &error), GRZ_OK);
    const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 0x1.0000000000001p300, -0x1p301};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        points[2][1] = wrong[i];
        REFUSED(test_devices[0], &cube, points[0], 3, NULL, answers, GRZ_ERROR_ARGUMENT, "distance: point 2: y is", 2);
        expect_nothing(answers, 3);
        assert_int_equal(grz_distance_points(test_devices[0], &cube, points[0], 2, NULL, answers, &error), GRZ_OK);
    }
    points[2][1] = -0x1p300;
    assert_int_equal(grz_distance_points(test_devices[0], &cube, points[0], 3, NULL, answers, &error), GRZ_OK);
    assert_true(answers[2].distance == 0x1p300);
    options.inside_rule = (grz_inside_rule)7;
    REFUSED(test_devices[0], &cube, points[0], 3, &options, answers, GRZ_ERROR_ARGUMENT, "options.inside_rule is 7",
            GRZ_NO_ELEMENT);
    options = grz_default_distance_points_options();
    options.limits.deadline = -1.0;
    REFUSED(test_devices[0], &cube, points[0], 3, &options, answers, GRZ_ERROR_ARGUMENT, "options.limits.deadline",
            GRZ_NO_ELEMENT);
    options.limits.deadline = (double)NAN;
    REFUSED(test_devices[0], &cube, points[0], 3, &options, answers, GRZ_ERROR_ARGUMENT, "options.limits.deadline",
            GRZ_NO_ELEMENT);
    options = grz_default_distance_points_options();
    options.size = 4;
    REFUSED(test_devices[0], &cube, points[0], 3, &options, answers, GRZ_ERROR_ARGUMENT,
            "grz_default_distance_points_options()", GRZ_NO_ELEMENT);
    cube.pose.m[1][1] = (double)NAN;
    REFUSED(test_devices[0], &cube, points[0], 3, NULL, answers, GRZ_ERROR_POSE, "the object: pose: row 1",
            GRZ_NO_ELEMENT);
    expect_nothing(answers, 3);
    grz_mesh_destroy((grz_mesh *)cube.mesh);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_triangles_give_the_same_bytes),
        cmocka_unit_test(distances_from_a_cube_are_known),
        cmocka_unit_test(any_size_is_measured),
        cmocka_unit_test(the_middle_of_a_sphere),
        cmocka_unit_test(a_diagonal_belongs_to_the_first_face),
        cmocka_unit_test(strange_poses),
        cmocka_unit_test(trees_with_axes_of_their_own),
        cmocka_unit_test(a_sample_is_measured),
        cmocka_unit_test(order_and_threads_change_nothing),
        cmocka_unit_test(the_rule_and_open_meshes),
        cmocka_unit_test(early_ends_leave_nothing),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, test_devices_open, test_devices_close);
}
