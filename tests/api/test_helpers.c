// SPDX-License-Identifier: MIT
// The helper functions: descriptions of triangles, products and inverses of poses, a point moved by a pose, an object's
// box, the points of one contact. Also: every getter accepts NULL.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support_queries.h"

static grz_pose random_pose(random_stream *random, double far)
{
    const double translation[3] = {far * random_signed(random), far * random_signed(random),
                                   far * random_signed(random)};
    const double q[4] = {random_signed(random), random_signed(random), random_signed(random), random_signed(random)};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(translation, q, &pose, NULL), GRZ_OK);
    return pose;
}

static void triangles_are_described_in_one_call(void **state)
{
    (void)state;
    const float corners[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    double soup[36];
    grz_device *device = test_device_open(1);
    grz_mesh *mesh[2];
    for (int i = 0; i < 36; i++)
        soup[i] = (double)corners[faces[i / 3]][i % 3];
    const grz_mesh_description indexed = grz_mesh_description_from_triangles(corners, GRZ_FLOAT32, 4, faces, 4);
    const grz_mesh_description loose = grz_mesh_description_from_triangles(soup, GRZ_FLOAT64, 12, NULL, 4);
    assert_int_equal(grz_mesh_create(device, &indexed, &mesh[0], NULL), GRZ_OK);
    assert_int_equal(grz_mesh_create(device, &loose, &mesh[1], NULL), GRZ_OK);
    for (int i = 0; i < 2; i++) {
        grz_mesh_report report;
        assert_int_equal(grz_mesh_check(mesh[i], &report, NULL), GRZ_OK);
        assert_true(report.vertices == (i == 0 ? 4 : 12) && report.faces == 4 && report.triangles == 4 &&
                    report.closed);
        assert_true(report.min[0] == 0.0 && report.max[2] == 4.0); // NOLINT
        grz_mesh_destroy(mesh[i]);
    }
    // Numbers that do not fit each other are refused as ever.
    grz_mesh_description bad = grz_mesh_description_from_triangles(soup, GRZ_FLOAT64, 12, NULL, 5);
    assert_int_equal(grz_mesh_create(device, &bad, &mesh[0], NULL), GRZ_ERROR_MESH);
    bad = grz_mesh_description_from_triangles(corners, GRZ_FLOAT32, 3, faces, 4);
    assert_int_equal(grz_mesh_create(device, &bad, &mesh[0], NULL), GRZ_ERROR_MESH);
    bad = grz_mesh_description_from_triangles(corners, GRZ_FLOAT32, 4, faces,
                                              UINT64_C(0x5555555555555556)); // × 3 is 2 in 64 bits
    assert_int_equal(grz_mesh_create(device, &bad, &mesh[0], NULL), GRZ_ERROR_MESH);
    grz_device_close(device);
}

// Where every operation is exact, the product is the exact map; elsewhere it follows the documented order of roundings.
static void products_apply_the_inner_pose_first(void **state)
{
    (void)state;
    const grz_pose quarter = {{{0, -1, 0, 2}, {1, 0, 0, 0.5}, {0, 0, 1, 0}}},
                   lift = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 2, 4}}};
    const double p[3] = {3, 5, 7};
    double at_once[3], in_turn[3];
    const grz_pose both = grz_pose_product(lift, quarter);
    grz_pose_apply(both, p, at_once);
    grz_pose_apply(quarter, p, in_turn);
    assert_true(in_turn[0] == -3.0 && in_turn[1] == 3.5 && in_turn[2] == 7.0); // NOLINT
    grz_pose_apply(lift, in_turn, in_turn);
    assert_memory_equal(at_once, in_turn, sizeof at_once);
    assert_true(at_once[0] == -3.0 && at_once[1] == 3.5 && at_once[2] == 18.0); // NOLINT
    random_stream random = {.state = 5};
    for (int round = 0; round < 1000; round++) {
        const grz_pose a = random_pose(&random, 1e3), b = random_pose(&random, 1e3), product = grz_pose_product(a, b);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) {
                volatile double x = a.m[i][0] * b.m[0][j], y = a.m[i][1] * b.m[1][j], z = a.m[i][2] * b.m[2][j];
                volatile double sum = x + y;
                sum += z;
                sum += j == 3 ? a.m[i][3] : 0.0;
                assert_true(product.m[i][j] == sum); // NOLINT
            }
    }
}

// The function gives the vertex position that queries use, to the last bit.
static void points_move_as_vertices_do(void **state)
{
    (void)state;
    random_stream random = {.state = 6};
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_CONTACTS;
    for (int round = 0; round < 200; round++) {
        const double p[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
        const double point[9] = {p[0], p[1], p[2], p[0], p[1], p[2], p[0], p[1], p[2]};
        const grz_mesh_description d = grz_mesh_description_from_triangles(point, GRZ_FLOAT64, 3, NULL, 1);
        const grz_pose pose = random_pose(&random, 10.0);
        double world[9];
        grz_mesh *mesh[2];
        uint64_t count = 0;
        for (int corner = 0; corner < 3; corner++)
            grz_pose_apply(pose, p, world + (ptrdiff_t)3 * corner);
        const grz_mesh_description there = grz_mesh_description_from_triangles(world, GRZ_FLOAT64, 3, NULL, 1);
        assert_int_equal(grz_mesh_create(device, &d, &mesh[0], NULL), GRZ_OK);
        assert_int_equal(grz_mesh_create(device, &there, &mesh[1], NULL), GRZ_OK);
        const grz_object a = grz_object_at(mesh[0], pose), b = grz_object_at_origin(mesh[1]);
        double min[3], max[3];
        assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
        assert_true(grz_result_summary(result)->colliding); // one bit off, and they would be apart
        const double *touch = grz_result_contact_points(result, 0, &count);
        assert_int_equal(count, 1);
        assert_memory_equal(touch, world, 3 * sizeof(double));
        assert_int_equal(grz_object_bounds(&a, min, max, NULL), GRZ_OK);
        for (int i = 0; i < 3; i++)
            assert_true(min[i] <= world[i] && world[i] <= max[i]);
        grz_mesh_destroy(mesh[0]);
        grz_mesh_destroy(mesh[1]);
    }
    grz_result_destroy(result);
    grz_device_close(device);
    grz_pose_apply(grz_pose_identity(), NULL, NULL);
}

static void angles_have_sines(void **state)
{
    double s = 1.0, c = 0.0;
    (void)state;
    grz_sine_cosine(0.0, &s, &c);
    assert_true(s == 0.0 && c == 1.0);
    grz_sine_cosine(0x1.921fb54442d18p+0, &s, NULL);
    grz_sine_cosine(0x1.921fb54442d18p+0, NULL, &c);
    assert_true(s == 1.0 && c == 0x1.1a62633145c07p-54); // of the double nearest to pi/2
    grz_sine_cosine(-1e300, &s, &c);
    assert_true(fabs(s * s + c * c - 1.0) < 1e-15 && s == 0.8178819121159085); // of the double 1e300
    grz_sine_cosine(HUGE_VAL, &s, &c);
    assert_true(isnan(s) && isnan(c));
    grz_sine_cosine(1.0, NULL, NULL);
}

static void inverses_bring_points_back(void **state)
{
    (void)state;
    random_stream random = {.state = 7};
    double worst = 0.0;
    for (int round = 0; round < 20000; round++) {
        const double size = ldexp(1.0, (int)random_below(&random, 40) - 20),
                     far = ldexp(1.0, (int)random_below(&random, 40) - 20);
        const double p[3] = {size * random_signed(&random), size * random_signed(&random),
                             size * random_signed(&random)};
        const grz_pose pose = random_pose(&random, far);
        grz_pose back;
        double q[3];
        assert_int_equal(grz_pose_inverse(&pose, &back, NULL), GRZ_OK);
        grz_pose_apply(pose, p, q);
        grz_pose_apply(back, q, q);
        double largest = 0.0;
        for (int i = 0; i < 3; i++)
            largest = fmax(largest, fmax(fabs(p[i]), fabs(pose.m[i][3])));
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(q[i] - p[i]) / largest);
    }
    print_message("  there and back: %.2f units of 2^-52\n", worst * 0x1p52);
    assert_true(worst > 0.0 && worst <= 0x1p-48);
    const grz_pose scale = {{{0x1p-600, 0, 0, 0}, {0, 0, -0x1p400, 0}, {0, 2, 0, 3}}}, identity = grz_pose_identity();
    grz_pose back = scale;
    assert_int_equal(grz_pose_inverse(&back, &back, NULL), GRZ_OK); // in place
    const grz_pose expected = {{{0x1p600, 0, 0, 0}, {0, 0, 0.5, -1.5}, {0, -0x1p-400, 0, 0}}};
    assert_memory_equal(&back, &expected, sizeof back);
    assert_int_equal(grz_pose_inverse(&identity, &back, NULL), GRZ_OK);
    assert_memory_equal(&back, &identity, sizeof back);
}

static void poses_without_an_inverse_are_refused(void **state)
{
    (void)state;
    const grz_pose bad[] = {
        {{{0}}},
        {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}}},              // a sheet
        {{{1, 2, 3, 0}, {2, 4, 6, 0}, {0, 0, 1, 0}}},              // two rows in one direction
        {{{1, 1, 0, 0}, {1, 1 + 0x1p-45, 0, 0}, {0, 0, 1, 0}}},    // nearly so
        {{{(double)NAN, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},    // no number
        {{{HUGE_VAL, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},       // not finite
        {{{1, 0, 0, HUGE_VAL}, {0, 1, 0, 0}, {0, 0, 1, 0}}},       // nor is its translation
        {{{0x1p-1060, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},      // 2^1060 is past a double's range
        {{{0x1p-900, 0, 0, 0x1p300}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, // and so is the translation of this one's inverse
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        grz_pose out = grz_pose_identity();
        grz_error error = {.code = GRZ_OK};
        if (grz_pose_inverse(&bad[i], &out, &error) != GRZ_ERROR_POSE || error.code != GRZ_ERROR_POSE)
            fail_msg("pose %zu is inverted", i);
        const grz_pose identity = grz_pose_identity();
        assert_memory_equal(&out, &identity, sizeof out);
    }
    grz_pose out;
    assert_int_equal(grz_pose_inverse(NULL, &out, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_pose_inverse(&bad[0], NULL, NULL), GRZ_ERROR_ARGUMENT);
}

static void boxes_hold_their_objects(void **state)
{
    (void)state;
    random_stream random = {.state = 8};
    grz_device *device = test_device_open(1);
    test_mesh shape = test_mesh_torus(3.0, 1.0, 16, 8);
    test_mesh_add_vertex(&shape, 100.0, 100.0, 100.0); // no face uses it
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    double min[3], max[3];
    grz_error error = {.code = GRZ_OK};
    for (int round = 0; round < 300; round++) {
        const grz_object object = grz_object_at(mesh, random_pose(&random, 5.0));
        assert_int_equal(grz_object_bounds(&object, min, max, NULL), GRZ_OK);
        for (uint64_t v = 0; v + 1 < shape.vertex_count; v++) {
            double world[3];
            grz_pose_apply(object.pose, shape.positions + 3 * v, world);
            for (int i = 0; i < 3; i++)
                assert_true(min[i] <= world[i] && world[i] <= max[i]);
        }
    }
    grz_object object = grz_object_at(mesh, grz_pose_from_translation(10.0, 20.0, 30.0));
    assert_int_equal(grz_object_bounds(&object, min, max, NULL), GRZ_OK);
    assert_true(min[0] == 6.0 && max[0] == 14.0 && max[1] == 24.0 && max[2] == 31.0); // NOLINT
    object.pose.m[1][1] = (double)NAN;
    assert_int_equal(grz_object_bounds(&object, min, max, &error), GRZ_ERROR_POSE);
    assert_true(strncmp(error.message, "bounds: pose", 12) == 0 && min[0] == 6.0); // NOLINT
    object.mesh = NULL;
    assert_int_equal(grz_object_bounds(&object, min, max, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_object_bounds(NULL, min, max, &error), GRZ_ERROR_ARGUMENT);
    object = grz_object_at_origin(mesh);
    assert_int_equal(grz_object_bounds(&object, NULL, max, &error), GRZ_ERROR_ARGUMENT);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    grz_device_close(device);
}

static void contacts_give_their_points(void **state)
{
    (void)state;
    grz_device *device = test_device_open(1);
    test_mesh shape = test_mesh_icosphere(1.0, 3);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    grz_result *result = test_result_create(device);
    const grz_object a = grz_object_at_origin(mesh),
                     b = grz_object_at(mesh, grz_pose_from_translation(1.0, 0.25, 0.125));
    grz_collide_options options = grz_default_collide_options();
    uint64_t contacts = 0, all = 0, count = 7, seen = 0;
    options.find = GRZ_FIND_CONTACTS;
    assert_null(grz_result_contact_points(result, 0, &count)); // nothing was asked yet
    assert_int_equal(count, 0);
    assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
    const grz_contact *list = grz_result_contacts(result, &contacts);
    const double *points = grz_result_points(result, &all);
    assert_true(contacts > 20);
    for (uint64_t i = 0; i < contacts; i++) {
        assert_ptr_equal(grz_result_contact_points(result, i, &count), points + 3 * seen);
        assert_int_equal(count, list[i].point_count);
        assert_ptr_equal(grz_result_contact_points(result, i, NULL), points + 3 * seen);
        seen += count;
    }
    assert_int_equal(seen, all);
    count = 7;
    assert_null(grz_result_contact_points(result, contacts, &count));
    assert_int_equal(count, 0);
    assert_null(grz_result_contact_points(result, UINT64_MAX, NULL));
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    grz_device_close(device);
}

// Getters treat NULL as an empty object.
static void getters_accept_null(void **state)
{
    (void)state;
    uint64_t count;
    assert_null(grz_result_summary(NULL));
#define EMPTY(getter)                                                                                                  \
    do {                                                                                                               \
        count = 7;                                                                                                     \
        assert_null(getter(NULL, &count));                                                                             \
        assert_int_equal(count, 0);                                                                                    \
        assert_null(getter(NULL, NULL));                                                                               \
    } while (0)
    EMPTY(grz_result_pairs);
    EMPTY(grz_result_contacts);
    EMPTY(grz_result_points);
    EMPTY(grz_result_features);
    EMPTY(grz_result_curves);
    EMPTY(grz_result_curve_points);
    EMPTY(grz_result_scene_pairs);
    EMPTY(grz_result_collision_boxes);
    count = 7;
    assert_null(grz_result_contact_points(NULL, 0, &count));
    assert_int_equal(count, 0);
    assert_int_equal(grz_mesh_vertex_count(NULL) + grz_mesh_face_count(NULL) + grz_mesh_triangle_count(NULL), 0);
    assert_null(grz_scene_object(NULL, 0));
    assert_int_equal(grz_scene_object_count(NULL), 0);
    assert_null(grz_device_name(NULL));
    assert_null(grz_device_simd_name(NULL));
    assert_int_equal(grz_device_threads(NULL), 0);
    grz_device_close(NULL);
    grz_mesh_destroy(NULL);
    grz_result_destroy(NULL);
    grz_scene_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_are_described_in_one_call),
        cmocka_unit_test(products_apply_the_inner_pose_first),
        cmocka_unit_test(points_move_as_vertices_do),
        cmocka_unit_test(angles_have_sines),
        cmocka_unit_test(inverses_bring_points_back),
        cmocka_unit_test(poses_without_an_inverse_are_refused),
        cmocka_unit_test(boxes_hold_their_objects),
        cmocka_unit_test(contacts_give_their_points),
        cmocka_unit_test(getters_accept_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
