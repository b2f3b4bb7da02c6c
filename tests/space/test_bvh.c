// SPDX-License-Identifier: MIT
// The hierarchy against the naive filter in cases where its boxes must be right to the last bit: poses of every kind,
// also singular and huge ones; meshes far from the origin, flat, tiny, deformed, with one triangle or many; with every
// SIMD width.
// ctest: timeout 600
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/control.h"
#include "base/device.h"
#include "mesh/mesh.h"
#include "space/bvh/bvh.h"
#include "support_control.h"
#include "support_meshes.h"
#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    ROUNDS = TEST_SANITIZED ? 300 : TEST_SHORT ? 600 : 1500
};

static grz_device *devices[GRZ_SIMD_COUNT]; // one for each width; NULL where this processor lacks it
static grz_result *results[GRZ_SIMD_COUNT];
static uint64_t tree_count, turned_count; // trees of A in queries of a mesh, and those of them that are turned

static int open_devices(void **state)
{
    (void)state;
    int missing = 0;
    grz_device_options options = grz_default_device_options();
    options.threads = 1; // thousands of queries too short to share
    for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
        grz_error error;
        setenv("GRZ_SIMD", grz_simd_name((grz_simd)simd), 1);
        const grz_status status = grz_device_open(&options, &devices[simd], &error);
        if (!grz_simd_available((grz_simd)simd)) {
            assert_int_equal(status, GRZ_ERROR_UNSUPPORTED);
            assert_non_null(strstr(error.message, grz_simd_name((grz_simd)simd)));
            missing++;
            continue;
        }
        assert_int_equal(status, GRZ_OK);
        results[simd] = test_result_create(devices[simd]);
    }
    print_message("  %d of %d widths are not here, and not tested\n", missing, GRZ_SIMD_COUNT);
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
        grz_result_destroy(results[simd]);
        grz_device_close(devices[simd]);
    }
    return 0;
}

static void unknown_widths_are_refused(void **state)
{
    (void)state;
    grz_device *device;
    grz_error error;
    setenv("GRZ_SIMD", "mmx", 1);
    assert_int_equal(grz_device_open(NULL, &device, &error), GRZ_ERROR_UNSUPPORTED);
    assert_null(device);
    assert_non_null(strstr(error.message, "\"mmx\""));
    const char *foreign = strcmp(grz_simd_name(GRZ_SIMD_BASE), "neon") == 0 ? "sse2" : "neon";
    setenv("GRZ_SIMD", foreign, 1);
    assert_int_equal(grz_device_open(NULL, &device, &error), GRZ_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "processor does not have"));
    setenv("GRZ_SIMD", "", 1); // as if it were not set
    assert_int_equal(grz_device_open(NULL, &device, NULL), GRZ_OK);
    grz_device_close(device);
}

// A power of two between 2^low and 2^high, or 1.
static double some_scale(random_stream *random, int low, int high)
{
    return random_below(random, 3) == 0 ? ldexp(1.0, low + (int)random_below(random, (uint32_t)(high - low + 1))) : 1.0;
}

// Turn vertices at random, after making them thinner along z.
static void turn_flat(const double frame[3][4], double thickness, double *positions, uint64_t vertex_count)
{
    for (uint64_t v = 0; v < vertex_count; v++) {
        double *p = positions + 3 * v, at[3];
        for (int i = 0; i < 3; i++)
            at[i] = frame[i][0] * p[0] + frame[i][1] * p[1] + frame[i][2] * thickness * p[2];
        memcpy(p, at, sizeof at);
    }
}

static grz_pose some_rotation(random_stream *random)
{
    const double translation[3] = {0.0, 0.0, 0.0};
    const double q[4] = {random_signed(random), random_signed(random), random_signed(random), random_signed(random)};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(translation, q, &pose, NULL), GRZ_OK);
    return pose;
}

static test_mesh some_mesh(random_stream *random)
{
    static const uint32_t counts[] = {1, 2, 7, 8, 9, 15, 16, 17, 40, 100, 400};
    const uint32_t count = counts[random_below(random, sizeof counts / sizeof *counts)];
    test_mesh mesh = random_below(random, 4) == 0
                         ? test_mesh_icosphere(1.0, random_below(random, 2))
                         : test_mesh_random_triangles(random, count, 1.0, random_below(random, 2) ? 8 : 0);
    double scale[3];
    const bool point = random_below(random, 20) == 0;
    const double size =
        random_below(random, 8) == 0 ? ldexp(1.0, (int)random_below(random, 1275) - 1074) : some_scale(random, -60, 60);
    for (int i = 0; i < 3; i++)
        scale[i] = point || random_below(random, 10) == 0 ? 0.0 : size * some_scale(random, -12, 12);
    test_mesh_scale(&mesh, scale[0], scale[1], scale[2]);
    if (random_below(random, 2) == 0) { // flat or long, and askew
        const grz_pose pose = some_rotation(random);
        turn_flat(pose.m, 1.0, mesh.positions, mesh.vertex_count);
    }
    if (random_below(random, 3) == 0) {
        const double far = size * some_scale(random, 0, 50);
        test_mesh_move(&mesh, far * random_signed(random), far * random_signed(random), far * random_signed(random));
    }
    return mesh;
}

// Rigid, scaled, sheared, nearly or truly singular.
static grz_pose some_pose(random_stream *random)
{
    grz_pose pose = some_rotation(random);
    const uint32_t kind = random_below(random, 8);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (kind == 1)
                pose.m[i][j] = i == j ? 1.0 : 0.0;
            else if (kind == 2)
                pose.m[i][j] = (int)random_below(random, 3) - 1;
            else if (kind == 3)
                pose.m[i][j] = random_signed(random) * some_scale(random, -40, 40);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (kind == 4)
                pose.m[i][j] *= ldexp(1.0, 12 * i); // a scale of its own along each axis of the world
            else if (kind == 5)
                pose.m[i][j] =
                    pose.m[0][j] * (1.0 + 0.25 * i) + (i == 2 ? 0x1p-40 * random_signed(random) : 0.0); // nearly a line
            else if (kind == 6)
                pose.m[i][j] = pose.m[0][j]; // a line
        }
    return pose;
}

// Shrink a pose by a power of two, as far as subnormal numbers.
static void shrink(grz_pose *pose, int exponent)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            pose->m[i][j] = ldexp(pose->m[i][j], -exponent);
}

// Move B so that one of its vertices is at, or next to, a vertex of A: they touch, or nearly.
static void bring_together(random_stream *random, const test_mesh *a, const test_mesh *b, const grz_pose *pose_a,
                           grz_pose *pose_b)
{
    const double *p = a->positions + 3 * random_below(random, (uint32_t)a->vertex_count);
    const double *q = b->positions + 3 * random_below(random, (uint32_t)b->vertex_count);
    for (int i = 0; i < 3; i++) {
        const double *m = pose_a->m[i], *n = pose_b->m[i];
        const double at = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
        pose_b->m[i][3] = at - (n[0] * q[0] + n[1] * q[1] + n[2] * q[2]);
    }
}

static bool same_pairs(const grz_result *x, const grz_result *y)
{
    uint64_t count_x, count_y;
    const grz_pair *pairs_x = grz_result_pairs(x, &count_x), *pairs_y = grz_result_pairs(y, &count_y);
    return count_x == count_y && (count_x == 0 || memcmp(pairs_x, pairs_y, (size_t)count_x * sizeof *pairs_x) == 0);
}

// Query with all SIMD widths and with the naive filter. Returns how many pairs touch.
static uint64_t compare_with_naive(int round, const test_mesh *a, const test_mesh *b, const grz_pose *pose_a,
                                   const grz_pose *pose_b, const double *moved)
{
    uint64_t count = 0;
    grz_result *naive = test_result_create(devices[GRZ_SIMD_SCALAR]);
    for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
        if (devices[simd] == NULL)
            continue;
        grz_mesh *mesh_a = test_mesh_upload_flags(devices[simd], a, round % 3 == 0 ? GRZ_MESH_FAST_BUILD : 0),
                 *mesh_b = b != NULL ? test_mesh_upload(devices[simd], b) : NULL;
        grz_object object_a = grz_object_at_origin(mesh_a), object_b = grz_object_at_origin(mesh_b);
        grz_collide_options options = grz_default_collide_options();
        object_a.pose = *pose_a;
        object_b.pose = *pose_b;
        options.find = GRZ_FIND_PAIRS;
        grz_device_set_solo_steps(devices[simd], round % 2 == 0 ? 1024 : 3); // the rest as tasks
        if (moved != NULL) {                                                 // refitted
            assert_int_equal(grz_mesh_prepare(mesh_a, "bvh", NULL), GRZ_OK);
            assert_int_equal(grz_mesh_set_positions(mesh_a, moved, NULL), GRZ_OK);
        }
        if (b != NULL && round % 5 < 3) {
            test_want_slabs(mesh_a);
            test_want_slabs(mesh_b);
        }
        for (int method = simd == GRZ_SIMD_SCALAR ? 0 : 1; method < 2; method++) {
            grz_result *result = method == 0 ? naive : results[simd];
            options.method = method == 0 ? "naive" : "bvh";
            const grz_status status = b != NULL
                                          ? grz_collide(devices[simd], &object_a, &object_b, &options, result, NULL)
                                          : grz_collide_self(devices[simd], &object_a, &options, result, NULL);
            if (status == GRZ_ERROR_POSE) // past the range: for all
                break;
            assert_int_equal(status, GRZ_OK);
            if (method == 1 && !same_pairs(naive, results[simd]))
                fail_msg("round %d, %s: %llu pairs, must be %llu", round, grz_simd_name((grz_simd)simd),
                         (unsigned long long)grz_result_summary(results[simd])->pair_count,
                         (unsigned long long)grz_result_summary(naive)->pair_count);
            count = grz_result_summary(result)->pair_count;
        }
        const grz_bvh *bvh;
        assert_int_equal(test_mesh_bvh(mesh_a, &bvh), GRZ_OK);
        tree_count++;
        turned_count += bvh->turned;
        grz_mesh_destroy(mesh_a);
        grz_mesh_destroy(mesh_b);
    }
    grz_result_destroy(naive);
    return count;
}

static double *some_positions(random_stream *random, const test_mesh *mesh)
{
    double *moved = malloc(3 * mesh->vertex_count * sizeof *moved);
    assert_non_null(moved);
    const double scale = some_scale(random, -8, 8);
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++)
        moved[i] = mesh->positions[i] * (scale + 0.25 * random_signed(random));
    return moved;
}

static void no_touching_pair_is_lost_at_any_pose(void **state)
{
    (void)state;
    random_stream random = {.state = 2};
    uint64_t touching = 0, pairs = 0;
    for (int round = 0; round < ROUNDS; round++) {
        test_mesh a = some_mesh(&random), b = some_mesh(&random);
        grz_pose pose_a = some_pose(&random), pose_b = some_pose(&random);
        double *moved = random_below(&random, 4) == 0 ? some_positions(&random, &a) : NULL;
        test_mesh now = a;
        now.positions = moved != NULL ? moved : a.positions;
        if (round % 8 == 7) {
            const int exponent = (int)random_below(&random, 1075);
            shrink(&pose_a, exponent);
            shrink(&pose_b, random_below(&random, 4) == 0 ? exponent / 2 : exponent);
        }
        bring_together(&random, &now, &b, &pose_a, &pose_b);
        const uint64_t count = compare_with_naive(round, &a, &b, &pose_a, &pose_b, moved);
        touching += count > 0;
        pairs += count;
        free(moved);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    print_message("  %llu of %d touch, in %llu pairs\n", (unsigned long long)touching, ROUNDS,
                  (unsigned long long)pairs);
    assert_in_range(touching, ROUNDS / 2, ROUNDS - 1);
    print_message("  %llu of %llu trees are turned\n", (unsigned long long)turned_count,
                  (unsigned long long)tree_count);
    assert_true(turned_count > tree_count / 100);
}

// The same two balls propose no more pairs where they are small, but for the coarser rounding of the smallest.
static void small_poses_cost_no_more(void **state)
{
    (void)state;
    const int exponents[] = {0, 400, 600, 899, 901, 950, 1000, 1020, 1030};
    test_mesh ball = test_mesh_icosphere(1.0, 3);
    grz_device *device = devices[GRZ_SIMD_BASE];
    grz_mesh *mesh_a = test_mesh_upload(device, &ball), *mesh_b = test_mesh_upload(device, &ball);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_PAIRS;
    uint64_t usual = 0;
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
        const double q[4] = {0.1, 0.2, 0.3, 0.9}, t[3] = {1.1, 0.7, 0.3};
        assert_int_equal(grz_pose_from_quaternion(t, q, &b.pose, NULL), GRZ_OK);
        shrink(&a.pose, exponents[i]);
        shrink(&b.pose, exponents[i]);
        assert_int_equal(grz_collide(device, &a, &b, &options, results[GRZ_SIMD_BASE], NULL), GRZ_OK);
        const uint64_t candidates = grz_result_summary(results[GRZ_SIMD_BASE])->candidates;
        usual = i == 0 ? candidates : usual;
        if (candidates == 0 || candidates > usual + usual / 4)
            fail_msg("2^-%d: %llu candidates, at size 1 %llu", exponents[i], (unsigned long long)candidates,
                     (unsigned long long)usual);
    }
    assert_true(usual > 0);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&ball);
}

// How many pairs of nodes the queries of a mesh have opened. They are counted while its tree has no slabs.
static uint64_t openings_of(const grz_mesh *mesh)
{
    grz_control control;
    const grz_bvh *bvh;
    grz_control_init(&control, grz_device_allocator(mesh->device), NULL);
    assert_int_equal(grz_mesh_bvh(mesh, &control, &bvh, NULL), GRZ_OK);
    return atomic_load(&bvh->openings);
}

// A small ball in the middle of a large one: its root is compared as a whole with the large one's nodes. The octants of
// the large one may reach there, but none of their children.
static void few_nodes_are_opened_inside_a_hollow_ball(void **state)
{
    enum {
        POSES = 50,
        OPENINGS = 4 // a pose: the roots, and some octants of the large ball
    };
    (void)state;
    random_stream random = {.state = 11};
    grz_device *device = devices[GRZ_SIMD_BASE];
    test_mesh large = test_mesh_icosphere(1.0, 5), small = test_mesh_icosphere(0.1, 3);
    grz_mesh *around = test_mesh_upload(device, &large), *inside = test_mesh_upload(device, &small);
    grz_collide_options options = grz_default_collide_options();
    options.find = 0;
    for (int i = 0; i < POSES; i++) {
        grz_object a = grz_object_at_origin(around), b = grz_object_at_origin(inside);
        const double q[4] = {random_signed(&random), random_signed(&random), random_signed(&random), 1.0};
        const double t[3] = {0.2 * random_signed(&random), 0.2 * random_signed(&random), 0.2 * random_signed(&random)};
        assert_int_equal(grz_pose_from_quaternion(t, q, &b.pose, NULL), GRZ_OK);
        assert_int_equal(grz_collide(device, &a, &b, &options, results[GRZ_SIMD_BASE], NULL), GRZ_OK);
        assert_false(grz_result_summary(results[GRZ_SIMD_BASE])->colliding);
    }
    const uint64_t openings = openings_of(inside);
    print_message("  %.2f pairs of nodes are opened a pose\n", (double)openings / POSES);
    assert_in_range(openings, POSES, OPENINGS * POSES);
    grz_mesh_destroy(around);
    grz_mesh_destroy(inside);
    test_mesh_finish(&large);
    test_mesh_finish(&small);
}

static void no_touching_pair_of_one_mesh_is_lost(void **state)
{
    (void)state;
    random_stream random = {.state = 5};
    uint64_t touching = 0;
    tree_count = turned_count = 0;
    const grz_pose identity = grz_pose_identity();
    for (int round = 0; round < ROUNDS / 4; round++) {
        test_mesh a = some_mesh(&random);
        double *moved = random_below(&random, 3) == 0 ? some_positions(&random, &a) : NULL;
        touching += compare_with_naive(round, &a, NULL, &identity, &identity, moved) > 0;
        free(moved);
        test_mesh_finish(&a);
    }
    print_message("  %llu of %d touch themselves\n", (unsigned long long)touching, ROUNDS / 4);
    assert_in_range(touching, ROUNDS / 16, ROUNDS / 4 - 1);
    print_message("  %llu of %llu trees are turned\n", (unsigned long long)turned_count,
                  (unsigned long long)tree_count);
    assert_true(turned_count > tree_count / 100);
}

// A ball that is dented again and again, and a tool of a few triangles that reaches into it.
typedef struct dented_ball {
    test_mesh ball, tool;
    double *positions; // of the ball, dented
    grz_pose pose_ball, pose_tool;
} dented_ball;

static dented_ball some_dented_ball(random_stream *random)
{
    dented_ball d;
    d.ball = random_below(random, 3) == 0 ? test_mesh_random_triangles(random, 700 + random_below(random, 700), 0.3, 0)
                                          : test_mesh_icosphere(1.0, 3);
    d.tool = test_mesh_random_triangles(random, 1 + random_below(random, 40), 0.1, 0);
    test_mesh_scale(&d.tool, 0.2, 0.2, 0.2);
    d.positions = malloc(3 * d.ball.vertex_count * sizeof *d.positions);
    assert_non_null(d.positions);
    for (uint64_t i = 0; i < 3 * d.ball.vertex_count; i++)
        d.positions[i] = d.ball.positions[i] * (1.0 + 0.1 * random_signed(random));
    if (random_below(random, 2) == 0) { // flat and askew
        const grz_pose pose = some_rotation(random);
        turn_flat(pose.m, 0x1p-6, d.ball.positions, d.ball.vertex_count);
        turn_flat(pose.m, 0x1p-6, d.positions, d.ball.vertex_count);
    }
    d.pose_ball = some_pose(random);
    d.pose_tool = random_below(random, 2) == 0 ? d.pose_ball : some_pose(random);
    test_mesh now = d.ball;
    now.positions = d.positions;
    bring_together(random, &now, &d.tool, &d.pose_ball, &d.pose_tool);
    return d;
}

static void finish_dented_ball(dented_ball *d)
{
    free(d->positions);
    test_mesh_finish(&d->ball);
    test_mesh_finish(&d->tool);
}

static bool tree_is_stale(const grz_mesh *mesh)
{
    uint32_t spared;
    return grz_mesh_slot_is_stale(mesh, &grz_bvh_slot_type, &spared);
}

// Query several times after new positions, with the objects in either order. Returns how many queries needed no refit.
static int ask_again_and_again(grz_device *device, const dented_ball *d, const grz_result *naive, grz_result *result,
                               int round)
{
    grz_mesh *ball = test_mesh_upload(device, &d->ball), *tool = test_mesh_upload(device, &d->tool);
    grz_object a = grz_object_at_origin(ball), b = grz_object_at_origin(tool);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_PAIRS;
    options.method = "bvh";
    a.pose = d->pose_ball;
    b.pose = d->pose_tool;
    int spared = 0;
    assert_int_equal(grz_mesh_prepare(ball, "bvh", NULL), GRZ_OK);
    assert_int_equal(grz_mesh_set_positions(ball, d->positions, NULL), GRZ_OK);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
        spared += tree_is_stale(ball);
        if (!same_pairs(naive, result))
            fail_msg("round %d, query %d: %llu pairs, must be %llu", round, i,
                     (unsigned long long)grz_result_summary(result)->pair_count,
                     (unsigned long long)grz_result_summary(naive)->pair_count);
    }
    assert_false(tree_is_stale(ball)); // after so many queries the tree must be refitted
    assert_int_equal(grz_mesh_set_positions(ball, d->positions, NULL), GRZ_OK);
    options.find = 0;
    assert_int_equal(grz_collide(device, &b, &a, &options, result, NULL), GRZ_OK);
    assert_int_equal(grz_result_summary(result)->colliding, grz_result_summary(naive)->colliding);
    grz_mesh_destroy(ball);
    grz_mesh_destroy(tool);
    return spared;
}

static grz_status ask_naive(const dented_ball *d, grz_result *result)
{
    grz_device *device = devices[GRZ_SIMD_SCALAR];
    test_mesh now = d->ball;
    now.positions = d->positions;
    grz_mesh *ball = test_mesh_upload(device, &now), *tool = test_mesh_upload(device, &d->tool);
    grz_object a = grz_object_at_origin(ball), b = grz_object_at_origin(tool);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_PAIRS;
    options.method = "naive";
    a.pose = d->pose_ball;
    b.pose = d->pose_tool;
    const grz_status status = grz_collide(device, &a, &b, &options, result, NULL);
    grz_mesh_destroy(ball);
    grz_mesh_destroy(tool);
    return status;
}

static void a_small_tool_misses_nothing_of_a_mesh_that_moved(void **state)
{
    (void)state;
    random_stream random = {.state = 11};
    int touching = 0, spared = 0;
    grz_result *naive = test_result_create(devices[GRZ_SIMD_SCALAR]);
    for (int round = 0; round < ROUNDS / 30; round++) {
        dented_ball d = some_dented_ball(&random);
        if (ask_naive(&d, naive) == GRZ_OK) {
            touching += grz_result_summary(naive)->colliding;
            for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++)
                if (devices[simd] != NULL)
                    spared += ask_again_and_again(devices[simd], &d, naive, results[simd], round) > 0;
        }
        finish_dented_ball(&d);
    }
    print_message("  %d of %d touch; %d times queries did without a refit\n", touching, ROUNDS / 30, spared);
    assert_true(touching > ROUNDS / 60 && (TEST_SANITIZED || touching < ROUNDS / 30)); // ten rounds may all touch
    assert_true(spared > ROUNDS / 30);
    grz_result_destroy(naive);
}

// If a query without a refit is ended early, the next one still finds all pairs. If memory for it is short, the query
// refits, which needs no memory.
static void a_query_without_a_refit_can_be_ended(void **state)
{
    (void)state;
    random_stream random = {.state = 12};
    grz_device *device = devices[GRZ_SIMD_BASE];
    grz_result *result = results[GRZ_SIMD_BASE], *naive = test_result_create(device);
    dented_ball d = some_dented_ball(&random);
    d.pose_ball = d.pose_tool = grz_pose_identity();
    test_mesh now = d.ball;
    now.positions = d.positions;
    bring_together(&random, &now, &d.tool, &d.pose_ball, &d.pose_tool);
    assert_int_equal(ask_naive(&d, naive), GRZ_OK);
    grz_mesh *ball = test_mesh_upload(device, &d.ball), *tool = test_mesh_upload(device, &d.tool);
    grz_object a = grz_object_at_origin(ball), b = grz_object_at_origin(tool);
    b.pose = d.pose_tool;
    assert_int_equal(grz_mesh_prepare(ball, "bvh", NULL), GRZ_OK);
    assert_int_equal(grz_mesh_prepare(tool, "bvh", NULL), GRZ_OK);
    uint64_t least_refitted = 0, least_spared = 0;
    int refitted = 0;
    for (uint64_t limit = 1; limit < 1 << 20; limit += limit / 4 + 1) {
        const volatile int raised = 1;
        grz_collide_options options = grz_default_collide_options();
        options.find = GRZ_FIND_PAIRS;
        assert_int_equal(grz_mesh_set_positions(ball, d.positions, NULL), GRZ_OK);
        options.limits.cancel = &raised;
        assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_ERROR_CANCELLED);
        options.limits.cancel = NULL;
        options.limits.deadline = 1e-9;
        assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_ERROR_DEADLINE);
        options.limits.deadline = 0.0;
        options.limits.memory_limit = limit;
        grz_result *fresh[2] = {test_result_create(device), test_result_create(device)}; // with no room yet
        grz_status status = grz_collide(device, &a, &b, &options, fresh[0], NULL);
        if (status == GRZ_OK && least_spared == 0)
            least_spared = limit;
        refitted += status == GRZ_OK && !tree_is_stale(ball);
        assert_true(status == GRZ_OK ? same_pairs(naive, fresh[0]) : status == GRZ_ERROR_MEMORY);
        for (int i = 0; i < 5; i++) { // until it is refitted
            options.limits.memory_limit = 0;
            assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
            assert_true(same_pairs(naive, result));
        }
        options.limits.memory_limit = limit;
        status = grz_collide(device, &a, &b, &options, fresh[1], NULL);
        if (status == GRZ_OK && least_refitted == 0)
            least_refitted = limit;
        grz_result_destroy(fresh[0]);
        grz_result_destroy(fresh[1]);
    }
    print_message("  %llu bytes are enough after a refit, %llu before; %d times memory was too short to do without\n",
                  (unsigned long long)least_refitted, (unsigned long long)least_spared, refitted);
    assert_true(least_spared == least_refitted && refitted > 0);
    grz_mesh_destroy(ball);
    grz_mesh_destroy(tool);
    finish_dented_ball(&d);
    grz_result_destroy(naive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_touching_pair_is_lost_at_any_pose),
        cmocka_unit_test(small_poses_cost_no_more),
        cmocka_unit_test(few_nodes_are_opened_inside_a_hollow_ball),
        cmocka_unit_test(no_touching_pair_of_one_mesh_is_lost),
        cmocka_unit_test(a_small_tool_misses_nothing_of_a_mesh_that_moved),
        cmocka_unit_test(a_query_without_a_refit_can_be_ended),
        cmocka_unit_test(unknown_widths_are_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
