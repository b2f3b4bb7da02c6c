// SPDX-License-Identifier: MIT
// grz_distance(): the walk against comparing all pairs, byte for byte; swapping, renumbering, scaling; 0 if and only if
// the surfaces touch; known distances; early ends; bad input.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support_queries.h"

static grz_device *device;

static int open_device(void **state)
{
    (void)state;
    return grz_device_open(NULL, &device, NULL) == GRZ_OK ? 0 : -1;
}

static int close_device(void **state)
{
    (void)state;
    grz_device_close(device);
    return 0;
}

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

static test_mesh some_mesh(random_stream *random, bool whole)
{
    static const double corners[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 3, 0}, {0, 0, 5}};
    const double min[3] = {-3, -2, -1}, max[3] = {3, 1, 2};
    switch (random_below(random, whole ? 4 : 8)) {
    case 0:
        return test_mesh_box(min, max);
    case 1:
        return test_mesh_random_triangles(random, 1 + random_below(random, 60), 1.0, 6);
    case 2:
        return test_mesh_grid(1 + random_below(random, 8), 1 + random_below(random, 8), 1.0);
    case 3:
        return random_below(random, 2) == 0 ? test_mesh_tetrahedron(corners) : test_mesh_box_quads(min, max);
    case 4:
        return test_mesh_icosphere(2.0, random_below(random, 3));
    case 5:
        return test_mesh_torus(3.0, 1.0, 12, 8);
    default:
        return test_mesh_random_triangles(random, 1 + random_below(random, 200), 0.5, 0);
    }
}

static grz_pose some_pose(random_stream *random, bool whole)
{
    grz_pose pose = grz_pose_identity();
    const uint32_t kind = random_below(random, 4);
    double q[4], t[3];
    for (int k = 0; k < 3; k++)
        t[k] = whole ? (double)random_below(random, 13) - 6.0 : 6.0 * random_signed(random);
    for (int k = 0; k < 4; k++)
        q[k] = random_signed(random);
    if (whole || kind == 0)
        return grz_pose_from_translation(t[0], t[1], t[2]);
    assert_int_equal(grz_pose_from_quaternion(t, q, &pose, NULL), GRZ_OK);
    for (int k = 0; k < 9 && kind == 1; k++) // sheared and stretched
        pose.m[k / 3][k % 3] = 2.0 * random_signed(random);
    for (int k = 0; k < 9 && kind == 2; k++) // larger or smaller
        pose.m[k / 3][k % 3] *= 0.25;
    return pose;
}

// Meshes at poses, in whole numbers or not, of any size.
typedef struct question {
    test_mesh meshes[2];
    grz_pose poses[2];
} question;

static question some_question(random_stream *random)
{
    question q;
    const bool whole = random_below(random, 2) == 0;
    const double scale = random_below(random, 4) == 0 ? ldexp(1.0, (int)random_below(random, 500) - 260) : 1.0;
    for (int i = 0; i < 2; i++) {
        q.meshes[i] = some_mesh(random, whole);
        q.poses[i] = some_pose(random, whole);
        test_mesh_scale(&q.meshes[i], scale, scale, scale);
        for (int k = 0; k < 3; k++)
            q.poses[i].m[k][3] *= scale;
    }
    return q;
}

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
    random_stream random = {23};
    uint64_t touching = 0, tied = 0;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        question q = some_question(&random);
        grz_object objects[2];
        char what[64];
        uint64_t pairs;
        snprintf(what, sizeof what, "case %d", i);
        for (int k = 0; k < 2; k++)
            objects[k] = grz_object_at(test_mesh_upload(device, &q.meshes[k]), q.poses[k]);
        const grz_distance_answer walked = ask(&objects[0], &objects[1], "bvh"),
                                  all = ask(&objects[0], &objects[1], "naive"),
                                  swapped = ask(&objects[1], &objects[0], NULL);
        expect_same(what, &all, &walked, false);
        if (all.face_a != all.face_b || all.ties == 1)
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
    print_message("3000 pairs of meshes: %llu touch, %llu have ties\n", (unsigned long long)touching,
                  (unsigned long long)tied);
    assert_true(touching > 300 && touching < 2700 && tied > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_give_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
