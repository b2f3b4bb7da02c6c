// SPDX-License-Identifier: MIT
// grz_distance(): the walk against comparing all pairs, byte for byte; swapping, renumbering, scaling; 0 if and only if
// the surfaces touch; known distances; early ends; bad input.
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h> // so that the build links the readers
#include "support_own_device.h"
#include "support_questions.h"
#include "support_sanitizer.h"

static grz_distance_answer ask(const grz_object *a, const grz_object *b, const char *method)
{
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer;
    grz_error error;
    options.method = method;
    if (grz_distance(device, a, b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_true(answer.certainty == GRZ_EXACT && answer.ties > 0 && answer.compared > 0);
    assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper &&
                (answer.lower == answer.upper || nextafter(answer.lower, HUGE_VAL) == answer.upper));
    return answer;
}

static bool same_feature(grz_feature a, grz_feature b)
{
    return a.vertex[0] == b.vertex[0] && a.vertex[1] == b.vertex[1];
}

// All but how many pairs were compared. `swapped`: B's answer is about B and A.
static void expect_same(const char *what, const grz_distance_answer *a, const grz_distance_answer *b, bool swapped)
{
    grz_distance_answer other = *b;
    if (swapped) {
        other.face_a = b->face_b, other.face_b = b->face_a;
        other.feature_a = b->feature_b, other.feature_b = b->feature_a;
        memcpy(other.point_a, b->point_b, sizeof other.point_a);
        memcpy(other.point_b, b->point_a, sizeof other.point_b);
    }
    if (a->distance != other.distance || a->lower != other.lower || a->upper != other.upper ||
        a->touching != other.touching || a->face_a != other.face_a || a->face_b != other.face_b ||
        !same_feature(a->feature_a, other.feature_a) || !same_feature(a->feature_b, other.feature_b) ||
        memcmp(a->point_a, other.point_a, sizeof a->point_a) != 0 ||
        memcmp(a->point_b, other.point_b, sizeof a->point_b) != 0 || a->ties != other.ties)
        fail_msg("%s: %a (%a, %a), faces %u and %u, %llu ties; the other way %a (%a, %a), %u and %u, %llu", what,
                 a->distance, a->lower, a->upper, a->face_a, a->face_b, (unsigned long long)a->ties, other.distance,
                 other.lower, other.upper, other.face_a, other.face_b, (unsigned long long)other.ties);
}

// ---- All ways are equal -------------------------------------------------------------------------------------------

static bool surfaces_touch(const grz_object *a, const grz_object *b, uint64_t *pairs)
{
    grz_collide_options options = grz_default_collide_options();
    grz_result *result;
    grz_error error;
    options.find = GRZ_FIND_PAIRS;
    assert_int_equal(grz_result_create(device, &result, NULL), GRZ_OK);
    if (grz_collide(device, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    *pairs = grz_result_summary(result)->pair_count;
    grz_result_destroy(result);
    return *pairs > 0;
}

static void all_ways_give_the_same_bytes(void **state)
{
    const uint64_t cases = TEST_SHORT ? 300 : 1500;
    random_stream random = {23};
    uint64_t touching = 0, tied = 0;
    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        test_question q = test_random_question(&random);
        grz_object objects[2];
        char what[64];
        uint64_t pairs;
        snprintf(what, sizeof what, "case %d", (int)i);
        for (int k = 0; k < 2; k++)
            objects[k] = grz_object_at(test_mesh_upload(device, &q.meshes[k]), q.poses[k]);
        const grz_distance_answer walked = ask(&objects[0], &objects[1], "bvh"),
                                  all = ask(&objects[0], &objects[1], "naive"),
                                  swapped = ask(&objects[1], &objects[0], NULL);
        expect_same(what, &all, &walked, false);
        expect_same(what, &all, &swapped, true);
        assert_true(walked.touching == surfaces_touch(&objects[0], &objects[1], &pairs));
        if (walked.touching)
            assert_true(walked.distance == 0.0 && walked.ties == pairs);
        touching += walked.touching;
        tied += walked.ties > 1;
        for (int k = 0; k < 2; k++) {
            grz_mesh_destroy((grz_mesh *)objects[k].mesh);
            test_mesh_finish(&q.meshes[k]);
        }
    }
    print_message("%llu pairs of meshes: %llu touch, %llu have ties\n", (unsigned long long)cases,
                  (unsigned long long)touching, (unsigned long long)tied);
    assert_true(touching > cases / 10 && touching < cases - cases / 10 && tied > cases / 10);
}

// Surfaces that run side by side: the walk goes on depth first and leaves out tests that tell nothing. Small bumps make
// the nearest pair one of many; without them many tie.
static void surfaces_side_by_side(void **state)
{
    (void)state;
    for (int bumpy = 0; bumpy < 2; bumpy++) {
        test_mesh inner = test_mesh_icosphere(1.0, TEST_SHORT ? 2 : 3),
                  outer = test_mesh_icosphere(1.02, TEST_SHORT ? 3 : 4);
        for (uint32_t i = 0; i < 3 * inner.vertex_count && bumpy != 0; i++)
            inner.positions[i] *= 1.0 + 0.01 * sin(37.0 * i);
        const grz_object a = grz_object_at_origin(test_mesh_upload(device, &inner)),
                         b = grz_object_at_origin(test_mesh_upload(device, &outer));
        for (int again = 0; again < 2; again++) { // the second time the trees have slabs
            const grz_distance_answer walked = ask(&a, &b, "bvh"), compared = ask(&a, &b, "naive");
            expect_same("surfaces side by side", &walked, &compared, false);
        }
        const grz_distance_answer swapped = ask(&b, &a, "bvh"), compared = ask(&a, &b, "naive");
        expect_same("surfaces side by side, swapped", &swapped, &compared, true);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
        test_mesh_finish(&inner);
        test_mesh_finish(&outer);
    }
}

// ---- Known answers ------------------------------------------------------------------------------------------------

static grz_distance_answer of_cubes(double size, const grz_pose *pose)
{
    test_mesh mesh = test_mesh_cube(0.0, 0.0, 0.0, size);
    grz_mesh *cube = test_mesh_upload(device, &mesh);
    const grz_object a = grz_object_at_origin(cube), b = grz_object_at(cube, *pose);
    const grz_distance_answer answer = ask(&a, &b, NULL), all = ask(&a, &b, "naive");
    expect_same("cubes", &answer, &all, false);
    grz_mesh_destroy(cube);
    test_mesh_finish(&mesh);
    return answer;
}

static void distances_of_cubes_are_known(void **state)
{
    static const struct {
        double x, y, z, distance;
        bool whole; // the distance is a double
    } cases[] = {{3.0, 0.0, 0.0, 2.0, true},
                 {3.0, 0.5, 0.25, 2.0, true},
                 {4.0, 5.0, 0.0, 5.0, true},
                 {2.0, 2.0, 0.0, 0x1.6a09e667f3bcdp+0, false},
                 {2.0, 2.0, 2.0, 0x1.bb67ae8584caap+0, false},
                 {0x1p-1074, 0.0, 0.0, 0.0, true},
                 {1.0, 1.0, 1.0, 0.0, true},
                 {0x1.0000000000001p+0, 0.0, 0.0, 0x1p-52, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const grz_pose pose = grz_pose_from_translation(cases[i].x, cases[i].y, cases[i].z);
        const grz_distance_answer answer = of_cubes(1.0, &pose);
        if (answer.distance != cases[i].distance || (answer.lower == answer.upper) != cases[i].whole)
            fail_msg("case %zu: %a (%a to %a)", i, answer.distance, answer.lower, answer.upper);
    }
}

// Two squares face each other, each cut into two triangles: all four pairs are at the same distance, two of them along
// the diagonal. The quads are one pair.
static void pairs_at_the_same_distance_are_counted(void **state)
{
    (void)state;
    for (int quads = 0; quads < 2; quads++) {
        test_mesh mesh = quads ? test_mesh_grid_quads(1, 1, 1.0) : test_mesh_grid(1, 1, 1.0);
        grz_mesh *square = test_mesh_upload(device, &mesh);
        const grz_object a = grz_object_at_origin(square),
                         b = grz_object_at(square, grz_pose_from_translation(0.0, 0.0, 1.5));
        const grz_distance_answer answer = ask(&a, &b, NULL);
        assert_true(answer.distance == 1.5 && answer.face_a == 0 && answer.face_b == 0);
        assert_int_equal(answer.ties, quads ? 1 : 4);
        grz_mesh_destroy(square);
        test_mesh_finish(&mesh);
    }
}

// The largest and the smallest coordinates that a mesh may have.
static void any_size_is_measured(void **state)
{
    static const double sizes[] = {0x1p-1070, 0x1p-1000, 0x1p-537, 0x1p-300, 0x1p-101, 0x1p100, 0x1p101, 0x1p298};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const grz_pose pose = grz_pose_from_translation(3.0 * sizes[i], 0.25 * sizes[i], 0.0);
        const grz_distance_answer answer = of_cubes(sizes[i], &pose);
        if (answer.distance != 2.0 * sizes[i] || answer.lower != answer.upper || answer.touching)
            fail_msg("cubes of %a: distance %a", sizes[i], answer.distance);
    }
    // Far less than the smallest double: rounded to 0, but not touching.
    const double low[3][3] = {{0.0, 0.0, 0.0}, {0x1p299, 0.0, 0.0}, {0.0, 0x1p299, 0x1p-1074}};
    const double high[3][3] = {{0x1p290, 0x1p200, 0x1p-1074}, {0x1p290, 0x1p201, 0x1p-1074}, {0x1p291, 0x1p200, 1.0}};
    test_mesh meshes[2] = {{.positions = NULL}, {.positions = NULL}};
    grz_object objects[2];
    test_mesh_add_loose_triangle(&meshes[0], low);
    test_mesh_add_loose_triangle(&meshes[1], high);
    for (int i = 0; i < 2; i++)
        objects[i] = grz_object_at_origin(test_mesh_upload(device, &meshes[i]));
    const grz_distance_answer answer = ask(&objects[0], &objects[1], NULL);
    assert_true(!answer.touching && answer.lower <= 0x1p-1074 && answer.upper >= answer.lower);
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
        test_mesh_finish(&meshes[i]);
    }
}

// The samples of data/ at poses of many kinds: the distance is 0 if and only if the surfaces touch.
static void samples_have_no_distance_where_they_touch(void **state)
{
    static const char *const files[] = {"data/cow_spot.ply",
                                        "data/face_1252.obj",
                                        "data/nbody_a_bennu.ply",
                                        "data/nbody_a_itokawa.ply",
                                        "data/scalpel_sword128.obj",
                                        "data/spaceship_shuttle_a.obj",
                                        "data/teapot_3751.obj",
                                        "data/hard/joined_tetrahedra.obj",
                                        "data/hard/not_convex.obj",
                                        "data/hard/polygonfaces.obj",
                                        "data/hard/quadknot.obj",
                                        "data/hard/spot_tiny.obj",
                                        "data/hard/spot_huge_offset.obj",
                                        "data/hard/thin_mat40x40.obj",
                                        "data/hard/wallhole.obj",
                                        "data/robot/fer_hand.stl",
                                        "data/robot/fer_link0.stl"};
    enum {
        FILES = sizeof files / sizeof *files
    };
    const uint64_t least = TEST_SHORT ? 5 : 15;
    grz_object objects[FILES];
    random_stream random = {41};
    uint64_t touching = 0, apart = 0;
    (void)state;
    for (int i = 0; i < FILES; i++) {
        test_mesh mesh = test_mesh_load(files[i]);
        objects[i] = grz_object_at_origin(test_mesh_upload(device, &mesh));
        test_mesh_finish(&mesh);
    }
    for (int i = 0; i < FILES; i++)
        for (int j = i; j < FILES; j++)
            for (int k = 0; k < 3; k++) {
                double min[3], max[3], q[4];
                uint64_t pairs;
                if ((i + 3 * j + 5 * k) % (TEST_SHORT ? 8 : 3) != 0)
                    continue;
                grz_object other = objects[j];
                assert_int_equal(grz_object_bounds(&objects[i], min, max, NULL), GRZ_OK);
                for (int axis = 0; axis < 3 && k > 0; axis++)
                    min[axis] = k * (max[axis] - min[axis]) * random_signed(&random);
                for (int axis = 0; axis < 4; axis++)
                    q[axis] = random_signed(&random);
                if (k > 0)
                    assert_int_equal(grz_pose_from_quaternion(min, q, &other.pose, NULL), GRZ_OK);
                const grz_distance_answer answer = ask(&objects[i], &other, NULL);
                const bool touch = surfaces_touch(&objects[i], &other, &pairs);
                if (answer.touching != touch || (touch && answer.ties != pairs))
                    fail_msg("%s and %s, pose %d: distance %a, %llu ties; touching at %llu pairs", files[i], files[j],
                             k, answer.distance, (unsigned long long)answer.ties, (unsigned long long)pairs);
                touching += touch;
                apart += !touch;
            }
    print_message("samples: %llu touch, %llu are apart\n", (unsigned long long)touching, (unsigned long long)apart);
    assert_true(touching > least && apart > least);
    for (int i = 0; i < FILES; i++)
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
}

// What changes nothing: new numbers of vertices and faces, a power of two.
static void laws(void **state)
{
    random_stream random = {31};
    (void)state;
    for (int i = 0; i < 200; i++) {
        test_question q = test_random_question(&random);
        grz_object objects[2], others[2];
        test_mesh shuffled[2];
        uint32_t *numbers[2];
        for (int k = 0; k < 2; k++) {
            objects[k] = grz_object_at(test_mesh_upload(device, &q.meshes[k]), q.poses[k]);
            shuffled[k] = test_mesh_triangulated(&q.meshes[k]);
            numbers[k] = malloc(shuffled[k].face_count * sizeof *numbers[k]);
            assert_non_null(numbers[k]);
            test_mesh_shuffle(&shuffled[k], &random, numbers[k]);
            test_mesh_scale(&shuffled[k], 0.25, 0.25, 0.25);
            others[k] = grz_object_at(test_mesh_upload(device, &shuffled[k]), q.poses[k]);
            for (int r = 0; r < 3; r++)
                others[k].pose.m[r][3] *= 0.25;
        }
        const grz_distance_answer plain = ask(&objects[0], &objects[1], NULL),
                                  other = ask(&others[0], &others[1], NULL);
        if (plain.distance != 4.0 * other.distance || plain.touching != other.touching)
            fail_msg("case %d: %a, and shuffled at a quarter %a", i, plain.distance, other.distance);
        if (plain.ties == 1) { // several ties: another one may be shown, as numbers break them
            const bool same =
                memcmp(plain.point_a,
                       (double[3]){4.0 * other.point_a[0], 4.0 * other.point_a[1], 4.0 * other.point_a[2]},
                       sizeof plain.point_a) == 0;
            assert_true(same || q.meshes[0].face_count != shuffled[0].face_count || plain.distance < 0x1p-1000);
        }
        for (int k = 0; k < 2; k++) {
            grz_mesh_destroy((grz_mesh *)objects[k].mesh);
            grz_mesh_destroy((grz_mesh *)others[k].mesh);
            test_mesh_finish(&q.meshes[k]);
            test_mesh_finish(&shuffled[k]);
            free(numbers[k]);
        }
    }
}

// ---- At the ends of the range -------------------------------------------------------------------------------------

// Walked and compared in all pairs: the same, and this distance, if it is above 0.
static void expect_of_triangles(const char *what, const double (*a)[3][3], uint32_t count_a, const grz_pose *pose_a,
                                const double (*b)[3][3], uint32_t count_b, const grz_pose *pose_b, double distance)
{
    test_mesh meshes[2] = {{.positions = NULL}, {.positions = NULL}};
    grz_object objects[2];
    for (uint32_t i = 0; i < count_a; i++)
        test_mesh_add_loose_triangle(&meshes[0], a[i]);
    for (uint32_t i = 0; i < count_b; i++)
        test_mesh_add_loose_triangle(&meshes[1], b[i]);
    for (int k = 0; k < 2; k++)
        objects[k] = grz_object_at_origin(test_mesh_upload(device, &meshes[k]));
    objects[0].pose = *pose_a;
    objects[1].pose = *pose_b;
    const grz_distance_answer walked = ask(&objects[0], &objects[1], "bvh"),
                              all = ask(&objects[0], &objects[1], "naive");
    expect_same(what, &walked, &all, false);
    if (distance > 0.0 && walked.distance != distance)
        fail_msg("%s: %a, not %a", what, walked.distance, distance);
    for (int k = 0; k < 2; k++) {
        grz_mesh_destroy((grz_mesh *)objects[k].mesh);
        test_mesh_finish(&meshes[k]);
    }
}

// Points of the smallest coordinates there are, in both orders: projections onto a way between them underflow.
static void the_smallest_coordinates_are_measured(void **state)
{
    static const double t = 0x1p-1074;
    static const double a[1][3][3] = {{{-t, -t, -t}, {-t, -t, -t}, {-t, -t, -t}}};
    static const double far[3][3] = {{t, t, t}, {t, t, t}, {t, t, t}},
                        near[3][3] = {{t, t, 0.0}, {t, t, 0.0}, {t, t, 0.0}};
    const grz_pose identity = grz_pose_identity();
    double b[2][3][3];
    (void)state;
    for (int order = 0; order < 2; order++) {
        memcpy(b[order], far, sizeof far);
        memcpy(b[1 - order], near, sizeof near);
        expect_of_triangles("smallest", a, 1, &identity, (const double(*)[3][3])b, 2, &identity, 3.0 * t);
    }
}

// A column of a pose that is as large as doubles are, for a coordinate that is 0 everywhere.
static void columns_that_matter_nothing_may_be_huge(void **state)
{
    static const double a[2][3][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{2, 2, 0}, {3, 2, 0}, {2, 3, 0}}};
    static const double b[1][3][3] = {{{6, 6, 6}, {6, 6, 6}, {6, 6, 6}}};
    static const double columns[] = {1.7e308, 0x1p200, 0x1p128, 0x1p100};
    const grz_pose identity = grz_pose_identity();
    (void)state;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        grz_pose pose = grz_pose_identity();
        for (int k = 0; k < 3; k++)
            pose.m[k][2] = columns[i];
        expect_of_triangles("huge column", a, 2, &pose, b, 1, &identity, sqrt(3.5 * 3.5 + 3.5 * 3.5 + 36.0));
    }
}

// A flat mesh whose triangles are tilted, so that its tree has axes of its own, stretched by far.
static void stretched_trees_with_axes_of_their_own(void **state)
{
    random_stream random = {61};
    (void)state;
    for (int i = 0; i < 150; i++) {
        enum {
            TILTED = 600,
            OTHERS = 40
        };
        static double a[TILTED][3][3], b[OTHERS][3][3];
        const double large = 0x1p46, small = 1.0 / large, half = sqrt(0.5);
        grz_pose pose = grz_pose_identity(), turned = grz_pose_identity();
        double d[3], e[3], square = 0.0, along = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = random_signed(&random), e[k] = random_signed(&random);
            square += d[k] * d[k];
        }
        for (int k = 0; k < 3; k++)
            d[k] /= sqrt(square), along += d[k] * e[k];
        for (uint32_t t = 0; t < TILTED; t++) {
            const double c[3] = {random_signed(&random), random_signed(&random), small * random_signed(&random)};
            for (int k = 0; k < 3; k++) {
                a[t][0][k] = c[k];
                a[t][1][k] = c[k] + small * d[k];
                a[t][2][k] = c[k] + small * (0.5 * d[k] + (e[k] - along * d[k]) / 16.0);
            }
        }
        for (uint32_t t = 0; t < OTHERS; t++) {
            const double c[3] = {2.0 + 0.01 * fabs(random_signed(&random)), 2.0 * random_signed(&random),
                                 random_signed(&random)};
            for (int corner = 0; corner < 3; corner++) {
                const double y = c[1] + 0.01 * random_signed(&random), z = c[2] + 0.01 * random_signed(&random);
                b[t][corner][0] = c[0], b[t][corner][1] = y, b[t][corner][2] = z;
            }
        }
        pose.m[0][2] = pose.m[1][2] = large; // cancels along B's first axis
        turned.m[0][0] = turned.m[0][1] = turned.m[1][1] = half;
        turned.m[1][0] = -half;
        pose.m[2][2] = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 1.0 : large;
        expect_of_triangles("stretched", (const double(*)[3][3])a, TILTED, &pose, (const double(*)[3][3])b, OTHERS,
                            &turned, 0.0);
    }
}

// Corners at the same place, with signs of 0, and triangles of one face at the same place: the same choice by any
// search.
static void equal_places_do_not_confuse(void **state)
{
    static const double p[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {3, 3, 0}};
    static const int order[8] = {3, 2, 3, 2, 1, 2, 0, 2};
    static const double at[3][3] = {{3.69, 5.61, 1}, {3.69, 5.61, 1}, {3.69, 5.61, 1}};
    static const double zeros[3][3] = {{0, 0, 0}, {-0.0, 0, 0}, {-1, 0, 0}},
                        point[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    static const uint32_t turned[3] = {1, 0, 2};
    test_mesh face = {.positions = NULL}, dot = {.positions = NULL}, signs = {.positions = NULL},
              other = {.positions = NULL};
    uint32_t corners[8];
    (void)state;
    for (uint32_t i = 0; i < 8; i++)
        corners[i] = test_mesh_add_vertex(&face, p[order[i]][0], p[order[i]][1], p[order[i]][2]);
    test_mesh_add_face(&face, corners, 8);
    test_mesh_add_loose_triangle(&dot, at);
    for (int i = 0; i < 3; i++)
        test_mesh_add_vertex(&signs, zeros[i][0], zeros[i][1], zeros[i][2]);
    test_mesh_add_triangle(&signs, turned[0], turned[1], turned[2]);
    test_mesh_add_loose_triangle(&other, point);
    grz_mesh *meshes[4] = {test_mesh_upload(device, &face), test_mesh_upload(device, &dot),
                           test_mesh_upload(device, &signs), test_mesh_upload(device, &other)};
    for (int i = 0; i < 4; i += 2) {
        const grz_object a = grz_object_at_origin(meshes[i]), b = grz_object_at_origin(meshes[i + 1]);
        const grz_distance_answer walked = ask(&a, &b, "bvh"), all = ask(&a, &b, "naive"), swapped = ask(&b, &a, NULL);
        expect_same("equal places", &walked, &all, false);
        expect_same("equal places, swapped", &walked, &swapped, true);
        if (i == 2)
            assert_int_equal(walked.feature_a.vertex[0], 0);
    }
    for (int i = 0; i < 4; i++)
        grz_mesh_destroy(meshes[i]);
    test_mesh_finish(&face);
    test_mesh_finish(&dot);
    test_mesh_finish(&signs);
    test_mesh_finish(&other);
}

// Two pairs of corners at distances that bounds in doubles do not tell apart, with differences that are doubles.
static void corners_nearly_as_far_apart_are_no_tie(void **state)
{
    test_mesh meshes[2] = {{.positions = NULL}, {.positions = NULL}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const double y = 8.0 * i, x = i == 0 ? 1.0 : 1.0 + 0x1p-50;
        const double a[3][3] = {{0, y, 0}, {-1, y + 1, 0}, {-1, y - 1, 0.5}},
                     b[3][3] = {{x, y, 0}, {2, y + 1, 0.25}, {2, y - 1, 0}};
        test_mesh_add_loose_triangle(&meshes[0], a);
        test_mesh_add_loose_triangle(&meshes[1], b);
    }
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &meshes[0])),
                     b = grz_object_at_origin(test_mesh_upload(device, &meshes[1]));
    const grz_distance_answer walked = ask(&a, &b, "bvh"), all = ask(&a, &b, "naive");
    assert_true(walked.distance == 1.0 && walked.lower == 1.0 && walked.upper == 1.0);
    assert_true(walked.ties == 1 && walked.face_a == 0 && walked.face_b == 0);
    expect_same("corners nearly as far apart", &walked, &all, false);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&meshes[0]);
    test_mesh_finish(&meshes[1]);
}

// ---- Early ends ---------------------------------------------------------------------------------------------------

static void an_interval_holds_the_distance(void **state)
{
    const uint32_t around = TEST_SHORT ? 80 : 200;
    test_mesh meshes[2] = {test_mesh_torus(3.0, 1.0, around, around / 2), test_mesh_icosphere(2.0, TEST_SHORT ? 5 : 6)};
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer, exact;
    grz_object objects[2];
    grz_error error;
    grz_pose pose;
    const double at[3] = {1.0, 2.0, 6.0}, turn[4] = {0.3, 0.2, 0.1, 0.9};
    (void)state;
    assert_int_equal(grz_pose_from_quaternion(at, turn, &pose, NULL), GRZ_OK);
    for (int k = 0; k < 2; k++)
        objects[k] = grz_object_at_origin(test_mesh_upload(device, &meshes[k]));
    objects[1].pose = pose;
    exact = ask(&objects[0], &objects[1], NULL);
    for (int i = -6; i < 2; i++) {
        options.relative_error = pow(10.0, i);
        assert_int_equal(grz_distance(device, &objects[0], &objects[1], &options, &answer, NULL), GRZ_OK);
        assert_true(answer.certainty == GRZ_ENCLOSED && answer.lower <= exact.distance &&
                    exact.distance <= answer.upper && answer.distance <= answer.upper);
        assert_true(answer.upper <= answer.lower * (1.0 + options.relative_error) * (1.0 + 1e-9));
        assert_true(answer.compared <= exact.compared && answer.face_a != GRZ_NO_FACE && answer.ties == 0);
    }
    // Nearer than doubles tell without care: the relative error holds all the same.
    test_mesh cube_mesh = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *cube = test_mesh_upload(device, &cube_mesh);
    const grz_object here = grz_object_at_origin(cube),
                     there = grz_object_at(cube, grz_pose_from_translation(1.0 + 0x1p-52, 0.0, 0.0));
    options.relative_error = 0.1;
    assert_int_equal(grz_distance(device, &here, &there, &options, &answer, NULL), GRZ_OK);
    assert_true(answer.lower <= 0x1p-52 && answer.upper >= 0x1p-52 && answer.upper <= answer.lower * 1.1001);
    grz_mesh_destroy(cube);
    test_mesh_finish(&cube_mesh);
    // From any earlier answer, also one of other meshes, the same answer comes.
    options = grz_default_distance_options();
    options.earlier = &exact;
    assert_int_equal(grz_distance(device, &objects[0], &objects[1], &options, &answer, NULL), GRZ_OK);
    expect_same("from the answer itself", &answer, &exact, false);
    // Its faces come first: a call that is cancelled after a few pairs has their distance.
    const int cancelled = 1;
    options.method = "naive";
    options.limits.cancel = &cancelled;
    for (int i = 0; i < 2; i++) {
        options.earlier = i == 0 ? &exact : NULL;
        assert_int_equal(grz_distance(device, &objects[0], &objects[1], &options, &answer, NULL), GRZ_ERROR_CANCELLED);
        assert_true(answer.upper >= exact.lower && (answer.upper <= exact.upper * (1.0 + 1e-9)) == (i == 0));
    }
    options = grz_default_distance_options();
    grz_distance_answer strange = exact;
    strange.face_a = 4000000000u, strange.face_b = 17;
    options.earlier = &strange;
    assert_int_equal(grz_distance(device, &objects[0], &objects[1], &options, &strange, NULL), GRZ_OK);
    expect_same("from faces that are not there", &strange, &exact, false);
    // A deadline that has passed before anything is compared, and one in the middle of comparing all pairs.
    options = grz_default_distance_options();
    for (int i = 0; i < 2; i++) {
        options.method = i == 0 ? "bvh" : "naive";
        options.limits.deadline = i == 0 ? 1e-9 : 0.02;
        test_expect_error(grz_distance(device, &objects[0], &objects[1], &options, &answer, &error), GRZ_ERROR_DEADLINE,
                          &error, "deadline", GRZ_NO_ELEMENT);
        assert_true(answer.certainty == GRZ_UNDECIDED && answer.lower <= exact.distance &&
                    exact.distance <= answer.upper && (i == 0 || answer.upper < HUGE_VAL));
    }
    const int flag = 1;
    options = grz_default_distance_options();
    options.limits.cancel = &flag;
    test_expect_error(grz_distance(device, &objects[0], &objects[1], &options, &answer, &error), GRZ_ERROR_CANCELLED,
                      &error, "cancel", GRZ_NO_ELEMENT);
    for (int k = 0; k < 2; k++) {
        grz_mesh_destroy((grz_mesh *)objects[k].mesh);
        test_mesh_finish(&meshes[k]);
    }
}

// A deadline in the middle of the walk: between nested spheres nearly everything is nearly as near.
static void a_deadline_leaves_what_is_proved(void **state)
{
    test_mesh inner = test_mesh_icosphere(1.0, 5), outer = test_mesh_icosphere(1.1, 5);
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &inner)),
                     b = grz_object_at_origin(test_mesh_upload(device, &outer));
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer;
    uint32_t ended = 0;
    (void)state;
    assert_int_equal(grz_mesh_prepare(a.mesh, "bvh", NULL), GRZ_OK);
    assert_int_equal(grz_mesh_prepare(b.mesh, "bvh", NULL), GRZ_OK);
    for (int i = 0; i < 5; i++) {
        options.limits.deadline = ldexp(1.0, i - 10); // 1 to 16 ms; all of it takes hundreds
        const grz_status status = grz_distance(device, &a, &b, &options, &answer, NULL);
        assert_true(answer.lower <= answer.upper && (answer.compared == 0 || answer.upper < 0.12));
        assert_true(answer.lower <= 0.0999715164645833); // the exact distance is a little larger
        if (status != GRZ_OK) {
            assert_int_equal(status, GRZ_ERROR_DEADLINE);
            assert_true(answer.certainty == GRZ_UNDECIDED && answer.ties == 0);
            assert_true(answer.compared == 0 || answer.face_a != GRZ_NO_FACE);
            ended += answer.compared > 0;
        }
    }
    assert_true(ended > 0);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&inner);
    test_mesh_finish(&outer);
}

static void bad_input_is_refused(void **state)
{
    test_mesh mesh = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer;
    grz_error error;
    (void)state;
    grz_mesh *cube = test_mesh_upload(device, &mesh);
    const grz_object a = grz_object_at_origin(cube);
    grz_object b = a;
    test_expect_error(grz_distance(NULL, &a, &a, NULL, &answer, &error), GRZ_ERROR_ARGUMENT, &error,
                      "distance: the device is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_distance(device, &a, &a, NULL, NULL, &error), GRZ_ERROR_ARGUMENT, &error,
                      "distance: the answer is NULL", GRZ_NO_ELEMENT);
    test_expect_error(grz_distance(device, &a, NULL, NULL, &answer, &error), GRZ_ERROR_ARGUMENT, &error, "object B", 1);
    assert_true(answer.lower == 0.0 && answer.upper == HUGE_VAL && answer.face_a == GRZ_NO_FACE);
    b.pose.m[0][3] = (double)NAN;
    test_expect_error(grz_distance(device, &a, &b, NULL, &answer, &error), GRZ_ERROR_POSE, &error, "object B", 1);
    const double wrong[] = {-1.0, (double)NAN, HUGE_VAL};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.relative_error = wrong[i];
        test_expect_error(grz_distance(device, &a, &a, &options, &answer, &error), GRZ_ERROR_ARGUMENT, &error,
                          "options.relative_error", GRZ_NO_ELEMENT);
    }
    options = grz_default_distance_options();
    options.limits.deadline = -1.0;
    test_expect_error(grz_distance(device, &a, &a, &options, &answer, &error), GRZ_ERROR_ARGUMENT, &error,
                      "options.limits.deadline", GRZ_NO_ELEMENT);
    options = grz_default_distance_options();
    options.method = "slices";
    test_expect_error(grz_distance(device, &a, &a, &options, &answer, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "method slices cannot measure distances", GRZ_NO_ELEMENT);
    options.method = "nothing";
    test_expect_error(grz_distance(device, &a, &a, &options, &answer, &error), GRZ_ERROR_UNSUPPORTED, &error,
                      "no method is called \"nothing\"", GRZ_NO_ELEMENT);
    options = grz_default_distance_options();
    options.size = 4;
    test_expect_error(grz_distance(device, &a, &a, &options, &answer, &error), GRZ_ERROR_ARGUMENT, &error,
                      "grz_default_distance_options()", GRZ_NO_ELEMENT);
    // A vertex thrice is a face without area; it is measured like any other.
    const double point[3][3] = {{4.0, 0.5, 0.5}, {4.0, 0.5, 0.5}, {4.0, 0.5, 0.5}};
    test_mesh dot = {.positions = NULL};
    test_mesh_add_loose_triangle(&dot, point);
    grz_mesh *single = test_mesh_upload(device, &dot);
    b = grz_object_at_origin(single);
    const grz_distance_answer to_dot = ask(&a, &b, NULL);
    assert_true(to_dot.distance == 3.0 && to_dot.feature_b.vertex[0] == 0 &&
                to_dot.feature_b.vertex[1] == GRZ_NO_VERTEX);
    grz_mesh_destroy(cube);
    grz_mesh_destroy(single);
    test_mesh_finish(&mesh);
    test_mesh_finish(&dot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_give_the_same_bytes),
        cmocka_unit_test(surfaces_side_by_side),
        cmocka_unit_test(distances_of_cubes_are_known),
        cmocka_unit_test(samples_have_no_distance_where_they_touch),
        cmocka_unit_test(pairs_at_the_same_distance_are_counted),
        cmocka_unit_test(any_size_is_measured),
        cmocka_unit_test(laws),
        cmocka_unit_test(the_smallest_coordinates_are_measured),
        cmocka_unit_test(columns_that_matter_nothing_may_be_huge),
        cmocka_unit_test(stretched_trees_with_axes_of_their_own),
        cmocka_unit_test(equal_places_do_not_confuse),
        cmocka_unit_test(corners_nearly_as_far_apart_are_no_tie),
        cmocka_unit_test(an_interval_holds_the_distance),
        cmocka_unit_test(a_deadline_leaves_what_is_proved),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
