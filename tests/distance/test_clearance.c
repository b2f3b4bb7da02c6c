// SPDX-License-Identifier: MIT
// Clearances: the pairs of faces that are near, against comparing all triangles and against distances; methods,
// threads, scenes and batches alike; nothing else in the answer changes; bad input.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>
#include <graze/io.h> // so that the build links the readers

#include "geometry/distance/nearer.h"
#include "geometry/triangle/pair.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"
#include "support_control.h"
#include "support_queries.h"
#include "support_questions.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static grz_device *device, *alone; // with as many threads as there are, and with one

static int open_devices(void **state)
{
    grz_device_options options = grz_default_device_options();
    (void)state;
    options.threads = 1;
    return grz_device_open(NULL, &device, NULL) == GRZ_OK && grz_device_open(&options, &alone, NULL) == GRZ_OK ? 0 : -1;
}

static int close_devices(void **state)
{
    (void)state;
    grz_device_close(alone);
    grz_device_close(device);
    return 0;
}

static double random_unit(random_stream *random)
{
    return 0.5 + 0.5 * random_signed(random);
}

static grz_result *new_result(void)
{
    grz_result *result;
    assert_int_equal(grz_result_create(device, &result, NULL), GRZ_OK);
    return result;
}

static const grz_summary *ask(grz_device *on, const grz_object *a, const grz_object *b, const char *method,
                              uint32_t find, double clearance, grz_result *result)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.method = method;
    options.find = find;
    options.clearance = clearance;
    if (grz_collide(on, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return grz_result_summary(result);
}

// ---- Against all pairs of triangles -------------------------------------------------------------------------------

// For each pair of faces: 0 far, 1 near, 2 touching.
static unsigned char *all_faces(const grz_object *a, const grz_object *b, double clearance)
{
    const grz_mesh *mesh_a = a->mesh, *mesh_b = b->mesh;
    unsigned char *known = calloc((size_t)mesh_a->face_count * mesh_b->face_count, 1);
    assert_non_null(known);
    for (uint32_t i = 0; i < mesh_a->triangle_count; i++)
        for (uint32_t j = 0; j < mesh_b->triangle_count; j++) {
            double p[3][3], q[3][3];
            unsigned char *pair = &known[(size_t)grz_mesh_triangle_face(mesh_a, i) * mesh_b->face_count +
                                         grz_mesh_triangle_face(mesh_b, j)];
            grz_world_corners(mesh_a, &a->pose, i, p);
            grz_world_corners(mesh_b, &b->pose, j, q);
            if (grz_triangles_touch((const double(*)[3])p, (const double(*)[3])q))
                *pair = 2;
            else if (*pair == 0)
                *pair = grz_triangles_nearer((const double(*)[3])p, (const double(*)[3])q, clearance, grz_triangle_gap);
        }
    return known;
}

static void expect_pairs(const char *what, const unsigned char *known, uint32_t width, uint32_t height,
                         const grz_pair *pairs, uint64_t count, unsigned char wanted)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < height; i++)
        for (uint32_t j = 0; j < width; j++)
            if (known[(size_t)i * width + j] == wanted) {
                if (at == count || pairs[at].face_a != i || pairs[at].face_b != j ||
                    (wanted == 1) != (pairs[at].kind == GRZ_NEAR))
                    fail_msg("%s: faces %u and %u are missing, or out of place", what, i, j);
                at++;
            }
    if (at != count)
        fail_msg("%s: %llu pairs, not %llu", what, (unsigned long long)count, (unsigned long long)at);
}

// One question at one clearance, in all ways. Returns how many pairs are near.
static uint64_t check_clearance(const char *what, const grz_object objects[2], double clearance, grz_result *results[3])
{
    const uint32_t width = objects[1].mesh->face_count, height = objects[0].mesh->face_count;
    unsigned char *known = all_faces(&objects[0], &objects[1], clearance);
    static size_t turn;
    const char *const methods[] = {"bvh", "naive", NULL, test_exact_method_in_turn(2, turn++)};
    uint64_t count = 0;
    ask(device, &objects[0], &objects[1], "bvh", GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT, 0.0, results[0]);
    const grz_summary plain = *grz_result_summary(results[0]);
    assert_true(plain.clearance == GRZ_CLEARANCE_NOT_ASKED && plain.near_count == 0);
    for (int i = 0; i < 4; i++) {
        const grz_summary *summary = ask(i < 2 ? device : alone, &objects[0], &objects[1], methods[i],
                                         GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT, clearance, results[1]);
        uint64_t near_count, pair_count, plain_count, curves, plain_curves;
        const grz_pair *near = grz_result_near_pairs(results[1], &near_count),
                       *pairs = grz_result_pairs(results[1], &pair_count),
                       *plain_pairs = grz_result_pairs(results[0], &plain_count);
        expect_pairs(what, known, width, height, near, near_count, 1);
        expect_pairs(what, known, width, height, pairs, pair_count, 2);
        assert_true(near_count == summary->near_count && summary->kinds[GRZ_NEAR] == 0);
        assert_true(summary->relation == plain.relation && summary->containment == plain.containment &&
                    summary->pair_count == plain.pair_count && plain_count == pair_count);
        assert_true(pair_count == 0 || memcmp(pairs, plain_pairs, (size_t)pair_count * sizeof *pairs) == 0);
        grz_result_curves(results[0], &plain_curves);
        grz_result_curves(results[1], &curves);
        assert_int_equal(curves, plain_curves);
        assert_int_equal(summary->clearance, near_count + pair_count > 0 ? GRZ_CLEARANCE_NOT_MET : GRZ_CLEARANCE_MET);
        count = near_count;
        const grz_clearance clear = summary->clearance;
        // Yes or no, with and without containment; and solids, for which all that touches is found.
        for (uint32_t k = 0; k < 3; k++) {
            static const uint32_t finds[] = {0, GRZ_FIND_CONTAINMENT, GRZ_FIND_SOLIDS};
            summary = ask(device, &objects[0], &objects[1], methods[i], finds[k], clearance, results[2]);
            assert_int_equal(summary->clearance, clear);
            assert_true((summary->relation == GRZ_COLLIDING) == (plain.relation == GRZ_COLLIDING));
            assert_true(k != 1 || summary->relation == plain.relation);
            assert_true(summary->near_count == 0 && summary->pair_count == 0);
        }
    }
    free(known);
    return count;
}

static void all_ways_find_what_is_near(void **state)
{
    random_stream random = {77};
    grz_result *results[3] = {new_result(), new_result(), new_result()};
    const int rounds = TEST_SANITIZED ? 25 : TEST_SHORT ? 120 : 500;
    uint64_t found = 0, with = 0, cases = 0;
    (void)state;
    for (int i = 0; i < rounds; i++) {
        test_question q = test_random_question(&random);
        grz_object objects[2];
        grz_distance_answer distance;
        double min[3], max[3];
        char what[64];
        for (int k = 0; k < 2; k++)
            objects[k] = grz_object_at(test_mesh_upload(device, &q.meshes[k]), q.poses[k]);
        assert_int_equal(grz_distance(device, &objects[0], &objects[1], NULL, &distance, NULL), GRZ_OK);
        assert_int_equal(grz_object_bounds(&objects[0], min, max, NULL), GRZ_OK);
        const double size = fmax(max[0] - min[0], max[1] - min[1]);
        const double clearances[] = {distance.lower, nextafter(distance.upper, HUGE_VAL), distance.upper + 0.1 * size,
                                     random_unit(&random) * size};
        for (size_t k = 0; k < sizeof clearances / sizeof *clearances; k++) {
            if (!(clearances[k] > 0.0 && clearances[k] < HUGE_VAL))
                continue;
            snprintf(what, sizeof what, "case %d, clearance %a", i, clearances[k]);
            const uint64_t count = check_clearance(what, objects, clearances[k], results);
            assert_true(k != 0 || count == 0);
            assert_true(k != 1 || distance.touching || count >= distance.ties);
            found += count;
            with += count > 0;
            cases++;
        }
        for (int k = 0; k < 2; k++) {
            grz_mesh_destroy((grz_mesh *)objects[k].mesh);
            test_mesh_finish(&q.meshes[k]);
        }
    }
    print_message("%llu clearances, %llu with pairs that are near, %llu of them\n", (unsigned long long)cases,
                  (unsigned long long)with, (unsigned long long)found);
    assert_true(with > (uint64_t)rounds * 3 / 2 && cases - with > (uint64_t)rounds / 2);
    for (int k = 0; k < 3; k++)
        grz_result_destroy(results[k]);
}

// ---- Larger meshes: the law of distances --------------------------------------------------------------------------

// At the distance itself the clearance is met; a step above, it is not.
static void clearances_are_met_up_to_the_distance(void **state)
{
    static const char *const files[] = {"data/cow_spot.ply",           "data/nbody_a_bennu.ply",
                                        "data/nbody_a_itokawa.ply",    "data/teapot_3751.obj",
                                        "data/hard/thin_mat40x40.obj", "data/robot/fer_link0.stl"};
    enum {
        FILES = sizeof files / sizeof *files
    };
    grz_object objects[FILES];
    grz_result *result = new_result();
    random_stream random = {5};
    uint64_t tested = 0;
    (void)state;
    for (int i = 0; i < FILES; i++) {
        test_mesh mesh = test_mesh_load(files[i]);
        objects[i] = grz_object_at_origin(test_mesh_upload(device, &mesh));
        test_mesh_finish(&mesh);
    }
    for (int i = 0; i < FILES; i++)
        for (int j = 0; j < FILES; j++) {
            double min[3], max[3], q[4];
            grz_object other = objects[j];
            grz_distance_answer distance;
            assert_int_equal(grz_object_bounds(&objects[i], min, max, NULL), GRZ_OK);
            for (int axis = 0; axis < 3; axis++)
                min[axis] = (1.0 + j % 3) * (max[axis] - min[axis]) * random_signed(&random);
            for (int axis = 0; axis < 4; axis++)
                q[axis] = random_signed(&random);
            assert_int_equal(grz_pose_from_quaternion(min, q, &other.pose, NULL), GRZ_OK);
            assert_int_equal(grz_distance(device, &objects[i], &other, NULL, &distance, NULL), GRZ_OK);
            if (distance.touching)
                continue;
            for (uint32_t find = 0; find < 2; find++) {
                uint64_t count;
                const grz_summary *summary = ask(device, &objects[i], &other, NULL, find, distance.lower, result);
                assert_true(summary->clearance == GRZ_CLEARANCE_MET && summary->near_count == 0);
                summary = ask(device, &objects[i], &other, NULL, find, nextafter(distance.upper, HUGE_VAL), result);
                assert_int_equal(summary->clearance, GRZ_CLEARANCE_NOT_MET);
                assert_true(summary->relation == GRZ_APART);
                const grz_pair *near = grz_result_near_pairs(result, &count);
                bool there = find == 0;
                for (uint64_t k = 0; k < count; k++)
                    there = there || (near[k].face_a == distance.face_a && near[k].face_b == distance.face_b);
                assert_true(there && (find == 0 ? count == 0 : count >= distance.ties));
            }
            tested++;
        }
    print_message("%llu pairs of samples\n", (unsigned long long)tested);
    assert_true(tested > 12);
    grz_result_destroy(result);
    for (int i = 0; i < FILES; i++)
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
}

// ---- Larger meshes, against all pairs of triangles ----------------------------------------------------------------

// A pose that turns, and maybe stretches each axis by its own factor, and moves.
static grz_pose pose_at(random_stream *random, bool stretched, const double at[3])
{
    double q[4];
    grz_pose pose;
    for (int k = 0; k < 4; k++)
        q[k] = random_signed(random);
    assert_int_equal(grz_pose_from_quaternion(at, q, &pose, NULL), GRZ_OK);
    for (int j = 0; j < 3 && stretched; j++) {
        const double factor = 1.0 + random_signed(random) * 0.75;
        for (int i = 0; i < 3; i++)
            pose.m[i][j] *= factor;
    }
    return pose;
}

// The lists of `bvh` and `naive` at one clearance are the same bytes. Returns their length.
static uint64_t expect_same_lists(const grz_object objects[2], double clearance, grz_result *results[2])
{
    uint64_t count = 0, other_count, yes;
    ask(device, &objects[0], &objects[1], "naive", GRZ_FIND_PAIRS, clearance, results[0]);
    const grz_pair *pairs = grz_result_near_pairs(results[0], &count);
    for (int i = 0; i < 2; i++) {
        ask(i == 0 ? device : alone, &objects[0], &objects[1], "bvh", GRZ_FIND_PAIRS, clearance, results[1]);
        const grz_pair *other = grz_result_near_pairs(results[1], &other_count);
        assert_int_equal(count, other_count);
        assert_true(count == 0 || memcmp(pairs, other, (size_t)count * sizeof *pairs) == 0);
    }
    yes = ask(device, &objects[0], &objects[1], "bvh", 0, clearance, results[1])->clearance == GRZ_CLEARANCE_NOT_MET;
    assert_true(yes == (count > 0 || grz_result_summary(results[0])->pair_count > 0));
    return count;
}

static void larger_meshes_have_the_same_lists(void **state)
{
    static const double gaps[] = {0.01, 0.1, 1.0, 30.0}; // in sizes
    static const double shares[] = {0.999999, 1.000001, 1.02, 1.3};
    random_stream random = {21};
    test_mesh shapes[3] = {test_mesh_torus(1.0, 0.4, 48, 16), test_mesh_icosphere(1.0, 2),
                           test_mesh_rough_sphere(&random, 2, 0.2, false)};
    grz_mesh *meshes[3];
    grz_result *results[2] = {new_result(), new_result()};
    uint64_t tested = 0, found = 0;
    (void)state;
    test_mesh_move(&shapes[1], 1e5, -2e5, 3e5); // far from its origin
    for (int i = 0; i < 3; i++)
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    for (int i = 0; i < (TEST_SHORT ? 8 : 16); i++) {
        double at[3], size = 0.0;
        const int small = 1 + i / 4 % 2, large = i % 8 == 7 ? 3 - small : 0, first = i % 2 == 0 ? large : small;
        grz_object objects[2] = {grz_object_at_origin(meshes[first]),
                                 grz_object_at_origin(meshes[large + small - first])};
        grz_distance_answer distance;
        for (int k = 0; k < 3; k++) {
            at[k] = random_signed(&random);
            size += at[k] * at[k];
        }
        for (int k = 0; k < 2; k++) {
            const double origin[3] = {0.0, 0.0, 0.0},
                         *middle = objects[k].mesh == meshes[1] ? (double[]){1e5, -2e5, 3e5} : origin;
            objects[k].pose = pose_at(&random, i % 3 == 2, origin);
            double moved[3];
            for (int r = 0; r < 3; r++)
                moved[r] = grz_dot(objects[k].pose.m[r], middle);
            for (int r = 0; r < 3; r++)
                objects[k].pose.m[r][3] = (k == 1 ? at[r] * (2.4 + gaps[i % 4]) / sqrt(size) : 0.0) - moved[r];
        }
        assert_int_equal(grz_distance(device, &objects[0], &objects[1], NULL, &distance, NULL), GRZ_OK);
        if (distance.touching)
            continue;
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            const double clearance = k == 3 && i % 4 > 1 ? 1.01 * distance.distance : shares[k] * distance.distance;
            const uint64_t count = expect_same_lists(objects, clearance, results);
            assert_true((k == 0) == (count == 0));
            found += count;
        }
        tested++;
    }
    print_message("%llu poses, %llu pairs\n", (unsigned long long)tested, (unsigned long long)found);
    assert_true(tested > (TEST_SHORT ? 4 : 10));
    for (int k = 0; k < 2; k++)
        grz_result_destroy(results[k]);
    for (int i = 0; i < 3; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
}

// Stripes of long thin triangles in shallow waves, askew in the mesh's own coordinates: their trees have axes of their
// own.
static test_mesh askew_stripes(double height)
{
    test_mesh mesh = test_mesh_grid(2, 128, 1.0);
    const double translation[3] = {0.3, 0.1, -0.2}, q[4] = {0.35, 0.21, -0.4, 0.8};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(translation, q, &pose, NULL), GRZ_OK);
    test_mesh_scale(&mesh, 0.5, 1.0 / 128.0, 1.0);
    for (uint64_t v = 0; v < mesh.vertex_count; v++) {
        double *p = mesh.positions + 3 * v;
        p[2] = height + 0.005 * sin(9.0 * p[0]) * cos(7.0 * p[1]);
        grz_pose_apply(pose, p, p);
    }
    return mesh;
}

static void turned_trees_have_the_same_lists(void **state)
{
    static const double shares[] = {0.999999, 1.000001, 1.02, 1.5};
    random_stream random = {22};
    test_mesh shapes[2] = {askew_stripes(0.0), askew_stripes(0.01)};
    grz_mesh *meshes[2] = {test_mesh_upload(device, &shapes[0]), test_mesh_upload(device, &shapes[1])};
    grz_result *results[2] = {new_result(), new_result()};
    uint64_t found = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        const grz_bvh *bvh;
        assert_int_equal(test_mesh_bvh(meshes[i], &bvh), GRZ_OK);
        assert_true(bvh->turned);
    }
    for (int i = 0; i < 8; i++) {
        grz_object objects[2] = {grz_object_at_origin(meshes[0]), grz_object_at_origin(meshes[1])};
        grz_distance_answer distance;
        const double at[3] = {0.3 * random_signed(&random), 0.3 * random_signed(&random), 0.3 * random_signed(&random)};
        objects[1].pose = i < 4 ? grz_pose_from_translation(at[0], at[1], at[2]) : pose_at(&random, i == 7, at);
        assert_int_equal(grz_distance(device, &objects[0], &objects[1], NULL, &distance, NULL), GRZ_OK);
        for (size_t k = 0; k < sizeof shares / sizeof *shares && !distance.touching; k++)
            found += expect_same_lists(objects, shares[k] * distance.distance, results);
    }
    assert_true(found > 100);
    for (int k = 0; k < 2; k++) {
        grz_result_destroy(results[k]);
        grz_mesh_destroy(meshes[k]);
        test_mesh_finish(&shapes[k]);
    }
}

// Two objects so far apart that floats do not know one end of them from the other: as wholes they keep all clearances
// but those close to their distance, and nothing is compared.
static void wholes_keep_a_clearance(void **state)
{
    test_mesh shape = test_mesh_icosphere(1.0, 3);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    grz_result *result = new_result();
    (void)state;
    for (int exponent = 4; exponent <= 40; exponent += TEST_SHORT ? 6 : 1) {
        const double far = ldexp(1.0, exponent),
                     at[3] = {0.6 * far, -0.64 * far, 0.48 * far}; // far away, along (15, -16, 12)
        grz_object objects[2] = {grz_object_at_origin(mesh), grz_object_at_origin(mesh)};
        grz_distance_answer distance;
        for (int k = 0; k < 3; k++)
            objects[1].pose.m[k][3] = at[k];
        assert_int_equal(grz_distance(device, &objects[0], &objects[1], NULL, &distance, NULL), GRZ_OK);
        for (uint32_t find = 0; find < 2; find++) {
            const double spare = far - 4.0; // the boxes' corners are at most 2·3^½ nearer than the middles
            const grz_summary *summary = ask(device, &objects[0], &objects[1], NULL, find, spare, result);
            assert_true(summary->clearance == GRZ_CLEARANCE_MET && summary->candidates == 0);
            summary = ask(device, &objects[0], &objects[1], NULL, 0, nextafter(distance.upper, HUGE_VAL), result);
            assert_int_equal(summary->clearance, GRZ_CLEARANCE_NOT_MET);
        }
    }
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
}

// ---- Scenes and batches -------------------------------------------------------------------------------------------

enum {
    OBJECTS = 14
};

typedef struct small_scene {
    test_mesh shapes[OBJECTS];
    grz_object objects[OBJECTS];
    grz_scene *scene;
} small_scene;

static void open_scene(small_scene *s, random_stream *random)
{
    assert_int_equal(grz_scene_create(device, &s->scene, NULL), GRZ_OK);
    for (int i = 0; i < OBJECTS; i++) {
        uint32_t id;
        s->shapes[i] = i % 3 == 0   ? test_mesh_cube_quads(0.0, 0.0, 0.0, i == 0 ? 12.0 : 1.0)
                       : i % 3 == 1 ? test_mesh_icosphere(0.7, 1)
                                    : test_mesh_grid(3, 3, 0.5);
        s->objects[i] =
            grz_object_at(test_mesh_upload(device, &s->shapes[i]),
                          i == 0 ? grz_pose_from_translation(-4.0, -4.0, -4.0)
                                 : grz_pose_from_translation(4.0 * random_unit(random), 4.0 * random_unit(random),
                                                             4.0 * random_unit(random)));
        assert_int_equal(grz_scene_add(s->scene, &s->objects[i], &id, NULL), GRZ_OK);
        assert_int_equal(id, i);
    }
}

static void close_scene(small_scene *s)
{
    grz_scene_destroy(s->scene);
    for (int i = 0; i < OBJECTS; i++) {
        grz_mesh_destroy((grz_mesh *)s->objects[i].mesh);
        test_mesh_finish(&s->shapes[i]);
    }
}

// Each pair of the scene has the answer of the two objects alone. Returns how many are near and do not touch.
static uint64_t check_scene(small_scene *s, const char *method, uint32_t find, double clearance, grz_result *result,
                            grz_result *single)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    uint64_t count, clearances, solids_count, all_near, at = 0, near_only = 0, near_total = 0;
    bool met = true;
    options.method = method;
    options.find = find;
    options.clearance = clearance;
    if (grz_collide_scene(device, s->scene, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    const grz_pair_clearance *clear = grz_result_scene_clearances(result, &clearances);
    const grz_pair *near = grz_result_near_pairs(result, &all_near);
    grz_result_scene_solids(result, &solids_count);
    assert_true(clearances == (clearance > 0.0 ? count : 0));
    assert_true(solids_count == ((find & GRZ_FIND_SOLIDS) != 0 ? count : 0));
    for (uint32_t i = 0; i < OBJECTS; i++)
        for (uint32_t j = i + 1; j < OBJECTS; j++) {
            const grz_summary *alone_is = ask(device, &s->objects[i], &s->objects[j], method, find, clearance, single);
            const bool plainly_apart =
                alone_is->relation == GRZ_APART && alone_is->containment != GRZ_CONTAINMENT_UNDECIDABLE;
            uint64_t single_count;
            const grz_pair *single_near = grz_result_near_pairs(single, &single_count);
            met = met && alone_is->clearance != GRZ_CLEARANCE_NOT_MET;
            if (plainly_apart && alone_is->clearance != GRZ_CLEARANCE_NOT_MET)
                continue;
            assert_true(at < count && pairs[at].a == i && pairs[at].b == j);
            assert_true(pairs[at].relation == alone_is->relation && pairs[at].pair_count == alone_is->pair_count);
            if (clearance > 0.0) {
                assert_int_equal(clear[at].clearance, alone_is->clearance);
                assert_int_equal(clear[at].near_count, alone_is->near_count);
                assert_true(single_count == clear[at].near_count && clear[at].first_near + single_count <= all_near);
                assert_true(single_count == 0 ||
                            memcmp(near + clear[at].first_near, single_near, (size_t)single_count * sizeof *near) == 0);
                near_total += single_count;
            }
            near_only += plainly_apart;
            at++;
        }
    assert_true(at == count && near_total == all_near && near_total == grz_result_summary(result)->near_count);
    assert_int_equal(grz_result_summary(result)->clearance, !(clearance > 0.0) ? GRZ_CLEARANCE_NOT_ASKED
                                                            : met              ? GRZ_CLEARANCE_MET
                                                                               : GRZ_CLEARANCE_NOT_MET);
    return near_only;
}

// Clearances that change from query to query, objects that move, a large box around all that they are near to, or not.
static void scenes_are_as_their_pairs(void **state)
{
    random_stream random = {99};
    grz_result *result = new_result(), *single = new_result();
    small_scene s;
    uint64_t near_only = 0;
    (void)state;
    open_scene(&s, &random);
    for (int i = 0; i < (TEST_SANITIZED ? 10 : TEST_SHORT ? 20 : 100); i++) {
        static const double clearances[] = {0.0, 0.3, 0.0, 1e-9, 5.0, 0.3, 0.3, 1e200};
        static const uint32_t finds[] = {GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT, GRZ_FIND_CONTAINMENT, 0,
                                         GRZ_FIND_PAIRS | GRZ_FIND_SOLIDS, GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT};
        near_only += check_scene(&s, i % 7 == 6 ? "naive" : NULL, finds[i % 5], clearances[i % 8], result, single);
        const uint32_t moved = 1 + random_below(&random, OBJECTS - 1);
        s.objects[moved].pose = grz_pose_from_translation(4.0 * random_unit(&random), 4.0 * random_unit(&random),
                                                          4.0 * random_unit(&random));
        if (i % 3 != 0)
            assert_int_equal(grz_scene_set_pose(s.scene, moved, &s.objects[moved].pose, NULL), GRZ_OK);
        else
            s.objects[moved].pose = grz_scene_object(s.scene, moved)->pose;
    }
    print_message("%llu pairs of objects are near only\n", (unsigned long long)near_only);
    assert_true(near_only > (TEST_SANITIZED ? 25 : TEST_SHORT ? 80 : 500));
    close_scene(&s);
    grz_result_destroy(result);
    grz_result_destroy(single);
}

static void batches_are_as_their_poses(void **state)
{
    enum {
        POSES = 200
    };
    static grz_pose poses[POSES];
    static grz_pose_answer answers[POSES];
    static const uint32_t finds[] = {0, GRZ_FIND_PAIRS, GRZ_FIND_CONTAINMENT};
    random_stream random = {3};
    test_mesh shapes[2] = {test_mesh_icosphere(1.0, 2), test_mesh_cube(0.0, 0.0, 0.0, 0.5)};
    grz_object a = grz_object_at_origin(test_mesh_upload(device, &shapes[0])),
               b = grz_object_at_origin(test_mesh_upload(device, &shapes[1]));
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = new_result();
    uint64_t counts[3] = {0};
    grz_error error;
    (void)state;
    for (int i = 0; i < POSES; i++)
        poses[i] =
            grz_pose_from_translation(4.0 * random_signed(&random), random_signed(&random), random_signed(&random));
    options.clearance = 0.25;
    for (int k = 0; k < 3; k++) {
        options.find = finds[k];
        assert_int_equal(grz_collide_poses(device, &a, b.mesh, poses, POSES, &options, answers, NULL), GRZ_OK);
        for (int i = 0; i < POSES; i++) {
            b.pose = poses[i];
            const grz_summary *summary = ask(device, &a, &b, NULL, finds[k], options.clearance, result);
            assert_true(answers[i].relation == summary->relation && answers[i].clearance == summary->clearance &&
                        answers[i].pair_count == summary->pair_count);
            counts[summary->clearance == GRZ_CLEARANCE_MET ? 0 : summary->relation == GRZ_APART ? 1 : 2]++;
        }
    }
    assert_true(counts[0] > 100 && counts[1] > 20 && counts[2] > 100);
    // A pose of which too many pairs are near: its yes or no is there all the same.
    options.find = GRZ_FIND_PAIRS;
    options.max_pairs = 3;
    options.clearance = 0.5;
    poses[0] = grz_pose_from_translation(1.25, -0.25, -0.25);
    assert_int_equal(grz_collide_poses(device, &a, b.mesh, poses, 1, &options, answers, &error), GRZ_ERROR_LIMIT);
    assert_true(answers[0].relation == GRZ_APART && answers[0].clearance == GRZ_CLEARANCE_NOT_MET &&
                !answers[0].pairs_complete && error.element == 0);
    grz_result_destroy(result);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&shapes[0]);
    test_mesh_finish(&shapes[1]);
}

// ---- Known answers, and bad input ---------------------------------------------------------------------------------

// Two cubes a quarter apart: exactly a quarter is enough.
static void cubes_keep_exactly_their_gap(void **state)
{
    test_mesh shape = test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0);
    grz_mesh *cube = test_mesh_upload(device, &shape);
    const grz_object a = grz_object_at_origin(cube), b = grz_object_at(cube, grz_pose_from_translation(1.25, 0.0, 0.0));
    grz_result *result = new_result();
    uint64_t count;
    (void)state;
    assert_int_equal(ask(device, &a, &b, NULL, GRZ_FIND_PAIRS, 0.25, result)->clearance, GRZ_CLEARANCE_MET);
    assert_int_equal(ask(device, &a, &b, NULL, GRZ_FIND_PAIRS, nextafter(0.25, 1.0), result)->clearance,
                     GRZ_CLEARANCE_NOT_MET);
    const grz_pair *near = grz_result_near_pairs(result, &count);
    assert_int_equal(count, 21); // of the five sides of each but the far one: all but opposite ones
    for (uint64_t i = 0; i < count; i++)
        assert_true(near[i].kind == GRZ_NEAR && near[i].face_a != 5 && near[i].face_b != 3);
    grz_result_destroy(result);
    grz_mesh_destroy(cube);
    test_mesh_finish(&shape);
}

// Poses that shrink both cubes to far below the range of floats, by powers of two: the gap is known.
static void tiny_poses_keep_their_gap(void **state)
{
    static const int exponents[] = {-300, -499, -501, -600, -900, -1000};
    test_mesh shape = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *cube = test_mesh_upload(device, &shape);
    grz_object objects[2] = {grz_object_at_origin(cube), grz_object_at_origin(cube)};
    grz_result *results[3] = {new_result(), new_result(), new_result()};
    (void)state;
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        const double size = ldexp(1.0, exponents[i]);
        for (int k = 0; k < 3; k++)
            objects[0].pose.m[k][k] = objects[1].pose.m[k][k] = size;
        objects[1].pose.m[0][3] = 1.25 * size;
        assert_int_equal(check_clearance("tiny", objects, 0.25 * size, results), 0);
        assert_true(check_clearance("tiny", objects, 0.2500001 * size, results) > 50);
    }
    for (int k = 0; k < 3; k++)
        grz_result_destroy(results[k]);
    grz_mesh_destroy(cube);
    test_mesh_finish(&shape);
}

static void expect_refusal(const grz_object *object, grz_collide_options options, grz_status expected,
                           const char *words)
{
    grz_result *result = new_result();
    grz_error error;
    const grz_status status = grz_collide(device, object, object, &options, result, &error);
    test_expect_error(status, expected, &error, words, GRZ_NO_ELEMENT);
    grz_result_destroy(result);
}

static void bad_input_is_refused(void **state)
{
    static const double bad[] = {-1.0, -0x1p-1074, (double)NAN, HUGE_VAL};
    test_mesh shape = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    const grz_object cube = grz_object_at_origin(test_mesh_upload(device, &shape));
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = new_result();
    grz_error error;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        options.clearance = bad[i];
        expect_refusal(&cube, options, GRZ_ERROR_ARGUMENT, "options.clearance is");
    }
    options.clearance = 0.5;
    test_expect_error(grz_collide_self(device, &cube, &options, result, &error), GRZ_ERROR_ARGUMENT, &error,
                      "options.clearance is for two objects", GRZ_NO_ELEMENT);
    for (size_t i = 0; grz_method_name(i) != NULL; i++) {
        grz_method method;
        if (!grz_method_info(i, &method) || !method.gl)
            continue;
        options.method = method.name;
        expect_refusal(&cube, options, GRZ_ERROR_UNSUPPORTED, method.name);
    }
    options.method = NULL;
    options.answer = GRZ_ANSWER_DISCRETE;
    expect_refusal(&cube, options, GRZ_ERROR_ARGUMENT, "a discrete answer proves no clearance");
    options.answer = GRZ_ANSWER_EXACT;
    // Too many near pairs, of which none touches, and too many that touch.
    options.max_pairs = 3;
    const grz_object beside = grz_object_at(cube.mesh, grz_pose_from_translation(1.25, 0.0, 0.0));
    test_expect_error(grz_collide(device, &cube, &beside, &options, result, &error), GRZ_ERROR_LIMIT, &error,
                      "more than 3 pairs", GRZ_NO_ELEMENT);
    assert_true(grz_result_summary(result)->certainty == GRZ_UNDECIDED && grz_result_summary(result)->near_count == 0);
    test_expect_error(grz_collide(device, &cube, &cube, &options, result, &error), GRZ_ERROR_LIMIT, &error,
                      "more than 3 pairs", GRZ_NO_ELEMENT);
    assert_true(grz_result_summary(result)->relation == GRZ_COLLIDING);
    uint64_t none = 1;
    assert_true(grz_result_near_pairs(NULL, &none) == NULL && none == 0);
    none = 1;
    assert_true(grz_result_scene_clearances(NULL, &none) == NULL && none == 0);
    grz_result_destroy(result);
    grz_mesh_destroy((grz_mesh *)cube.mesh);
    test_mesh_finish(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_find_what_is_near),        cmocka_unit_test(clearances_are_met_up_to_the_distance),
        cmocka_unit_test(scenes_are_as_their_pairs),         cmocka_unit_test(batches_are_as_their_poses),
        cmocka_unit_test(cubes_keep_exactly_their_gap),      cmocka_unit_test(tiny_poses_keep_their_gap),
        cmocka_unit_test(larger_meshes_have_the_same_lists), cmocka_unit_test(turned_trees_have_the_same_lists),
        cmocka_unit_test(wholes_keep_a_clearance),           cmocka_unit_test(bad_input_is_refused),
    };
    const int failed = cmocka_run_group_tests(tests, open_devices, close_devices);
    test_queries_finish();
    return failed;
}
