// SPDX-License-Identifier: MIT
// Exact answers of the image methods have the same bytes as those of `bvh`: for random shapes at
// random poses, in scenes and batches, for meshes in buffers. Hard cases for grids: flat regions, positions far from
// the origin, tiny meshes, triangles much larger than the region, sheets seen edge-on, copies, thousands of sheets in
// one cell, triangles without area, doubles that round to the same float. Few triangles are marked if few are close.
// Skipped where there is no OpenGL.
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"
#include "support_sanitizer.h"
#include "support_voxels.h"

#ifdef GRZ_HAVE_GL
#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT,
    WAYS = 9,
    SHADERS_TRY = 1 << 20, // pairs of marked triangles
    MOST_TRIED = 1 << 22
};

static test_answer ask(grz_device *device, const grz_object *a, const grz_object *b, const char *method, uint32_t find)
{
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.find = find;
    options.method = method;
    if (grz_collide(device, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s: %s", method, error.message);
    assert_string_equal(grz_result_summary(result)->method, method);
    const test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

// How many triangles of a job's objects are marked.
typedef struct marks {
    uint32_t count[2];
    bool whole; // there is no grid
} marks;

static marks mark(grz_device *device, const grz_object *a, const grz_object *b, grz_grid_cells cells)
{
    test_grid_request q;
    test_grid_request_init(&q, "slices", a, b, GRZ_VOXEL_RESOLUTION, GRZ_JOIN_NONE);
    q.request.cells = cells;
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    grz_control_init(&control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_grid_run(device, &q.request, &control, &round, NULL), GRZ_OK);
    const grz_grid_answer *answer = &round.answers[0];
    const marks m = {{answer->marked[0], answer->marked[1]}, (answer->flags & GRZ_JOB_WHOLE) != 0};
    grz_grid_round_finish(&round, &control);
    return m;
}

// The ways to ask. The others are compared with the first. Marked pairs are tested by a hierarchy and the predicates,
// or by shaders.
static const struct {
    const char *method;
    uint32_t tried;
} ways[WAYS] = {{"bvh", 0},
                {"slices", 0},
                {"slices", SHADERS_TRY},
                {"layers", 0},
                {"layers", SHADERS_TRY},
                {"selection", 0},
                {"selection", SHADERS_TRY},
                {"heightmap", 0},
                {"heightmap", SHADERS_TRY}};

// If a grid is of no use, `bvh` proposes for the whole meshes, and a comparison with `bvh` tests nothing. So this
// counts how many queries used a grid.
typedef struct tally {
    int by_grid, whole;
} tally;

static void count_way(grz_device *device, const grz_object *a, const grz_object *b, tally *counted)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    if (!grz_boxes_overlap(&box_a, &box_b))
        return;
    const marks m = mark(device, a, b, GRZ_CELLS_SLICES);
    counted->whole += m.whole;
    counted->by_grid += !m.whole;
}

static tally asked; // of the test that runs

// Expect that nearly all queries of the test used a grid. Resets the counts.
static void expect_grids(int most_whole)
{
    print_message("  %d questions by grid, %d not\n", asked.by_grid, asked.whole);
    assert_true(asked.by_grid > 20 && asked.whole <= most_whole);
    asked = (tally){0};
}

// Returns how many pairs of faces touch.
static uint64_t expect_same(const char *what, grz_device *device, const grz_object *a, const grz_object *b)
{
    count_way(device, a, b, &asked);
    test_answer plain = ask(device, a, b, "bvh", FIND_ALL);
    const uint64_t count = plain.pair_count;
    static int questions;
    questions++;
    for (int way = 1; way < WAYS; way++) {
        if (TEST_SHORT && way % 4 != questions % 4) // each way in turn
            continue;
        assert_int_equal(grz_grid_limit_pairs(device, ways[way].tried, NULL), GRZ_OK);
        test_answer other = ask(device, a, b, ways[way].method, FIND_ALL);
        test_answer quick = ask(device, a, b, ways[way].method, GRZ_FIND_CONTAINMENT);
        if (!test_answers_equal(what, &plain, &other))
            fail_msg("%s: %s and bvh differ, way %d", what, ways[way].method, way);
        assert_true(quick.summary.colliding == plain.summary.colliding);
        test_answer_finish(&other);
        test_answer_finish(&quick);
    }
    test_answer_finish(&plain);
    return count;
}

// Both ways round. Meshes are freed.
static uint64_t expect_same_of(const char *what, grz_device *device, test_mesh a, test_mesh b, const grz_pose *pose_a,
                               const grz_pose *pose_b)
{
    grz_mesh *mesh_a = test_mesh_upload(device, &a), *mesh_b = test_mesh_upload(device, &b);
    grz_object object_a = grz_object_at_origin(mesh_a), object_b = grz_object_at_origin(mesh_b);
    if (pose_a != NULL)
        object_a.pose = *pose_a;
    if (pose_b != NULL)
        object_b.pose = *pose_b;
    const uint64_t count = expect_same(what, device, &object_a, &object_b);
    assert_int_equal(expect_same(what, device, &object_b, &object_a), count);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    return count;
}

static grz_pose random_pose(random_stream *random, double reach)
{
    double at[3], quaternion[4];
    grz_pose pose;
    for (int i = 0; i < 3; i++)
        at[i] = reach * random_signed(random);
    for (int i = 0; i < 4; i++)
        quaternion[i] = random_signed(random) + (i == 3 ? 0.01 : 0.0);
    assert_int_equal(grz_pose_from_quaternion(at, quaternion, &pose, NULL), GRZ_OK);
    return pose;
}

static void random_shapes(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 21);
    uint64_t pairs = 0;
    for (int i = 0; i < (TEST_SHORT ? 16 : 60); i++) {
        const grz_pose pose_a = random_pose(&random, 0.3), pose_b = random_pose(&random, 1.2);
        test_mesh a, b;
        if (i % 4 == 0) {
            a = test_mesh_icosphere(1.0, (uint32_t)(i % 3) + 1);
            b = test_mesh_torus(1.0, 0.25, 20, 10);
        } else if (i % 4 == 1) { // many sizes of triangles, large ones too
            a = test_mesh_random_triangles(&random, 200, 0.05 + 0.05 * (i % 7), 0);
            b = test_mesh_random_triangles(&random, 30, 1.5, 0);
        } else if (i % 4 == 2) { // integers: exact contacts of all kinds
            a = test_mesh_random_triangles(&random, 60, 0.0, 3);
            b = test_mesh_random_triangles(&random, 60, 0.0, 3);
        } else {
            a = test_mesh_grid(12, 12, 0.1);
            b = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
        }
        pairs += expect_same_of("random", device, a, b, i % 4 == 2 ? NULL : &pose_a, i % 4 == 2 ? NULL : &pose_b);
    }
    assert_true(pairs > (TEST_SHORT ? 100 : 500));
    expect_grids(0);
    test_gl_device_close(device);
}

// Any affine map.
static void any_pose(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 22);
    for (int i = 0; i < 60; i++) {
        grz_pose poses[2];
        const double scale = ldexp(1.0, (int)random_below(&random, 600) - 300);
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < 12; j++)
                poses[k].m[j / 4][j % 4] = scale * random_signed(&random) * (i % 5 == 0 && j % 4 == 1 ? 1e-9 : 1.0);
        if (i % 4 == 0)
            memset(poses[0].m[i % 3], 0, sizeof poses[0].m[0]); // flat
        expect_same_of("any pose", device, test_mesh_random_triangles(&random, 60, 0.6, 0),
                       test_mesh_random_triangles(&random, 60, 0.6, 0), &poses[0], &poses[1]);
    }
    expect_grids(0);
    test_gl_device_close(device);
}

static void hard_cases(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 23);
    grz_pose pose = grz_pose_identity();
    // A region without thickness: two boxes that share a side, two sheets in one plane, two points in one place.
    assert_true(expect_same_of("side by side", device, test_mesh_cube(0.0, 0.0, 0.0, 1.0),
                               test_mesh_cube(1.0, 0.25, 0.5, 1.0), NULL, NULL) > 0);
    assert_true(expect_same_of("one plane", device, test_mesh_grid(8, 8, 1.0), test_mesh_grid(8, 8, 0.75), NULL, NULL) >
                0);
    assert_true(expect_same_of("corner to corner", device, test_mesh_cube(0.0, 0.0, 0.0, 1.0),
                               test_mesh_cube(1.0, 1.0, 1.0, 1.0), NULL, NULL) > 0);
    const double points[6][3] = {{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}, {1.0, 2.0, 3.0},
                                 {2.0, 2.0, 3.0}, {5.0, 2.0, 3.0}, {9.0, 2.0, 3.0}};
    const uint32_t two[6] = {0, 1, 2, 3, 4, 5};
    assert_true(expect_same_of("no area", device, test_mesh_make(&points[0][0], 6, two, 2, 3),
                               test_mesh_make(&points[0][0], 6, two, 2, 3), NULL, NULL) >= 2);
    // Far from the origin, tiny, and both, by positions and by poses.
    for (int i = 0; i < 12; i++) {
        const double size = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 1e-4 : 1e-12, far = i % 2 == 0 ? 1e6 : 0.0;
        const bool one_point = far > 0.0 && size < 1e-9; // all their triangles touch, and shall not take minutes
        const bool coarse = TEST_SHORT != 0;
        test_mesh a = test_mesh_icosphere(1.0, one_point ? 1 : coarse ? 2 : 3);
        test_mesh b = test_mesh_torus(1.0, 0.3, one_point ? 8 : coarse ? 15 : 30, one_point || coarse ? 6 : 12);
        test_mesh_scale(&a, size, size, size);
        test_mesh_scale(&b, size, size, size);
        test_mesh_move(&a, far, -far, far);
        if (i < 6)
            test_mesh_move(&b, far + 0.9 * size, -far, far);
        pose = grz_pose_from_translation(far + 0.9 * size, -far, far);
        expect_same_of("far and tiny", device, a, b, NULL, i < 6 ? NULL : &pose);
    }
    // Immense triangles beside the region, alone and many.
    for (int i = 0; i < 8; i++) {
        test_mesh large = test_mesh_random_triangles(&random, i % 2 == 0 ? 1 : 300, 1.0, 0),
                  small = test_mesh_icosphere(1.0, 2);
        test_mesh_scale(&large, 1e7, 1e7, i < 4 ? 1e7 : 1e-3);
        expect_same_of("immense", device, large, small, NULL, NULL);
    }
    // Sheets parallel to the view, copies of a mesh, thousands of sheets in a cell.
    const int copies = TEST_SHORT ? 500 : 1000;
    test_mesh sheets = test_mesh_grid(3, 3, 1.0), upright = test_mesh_grid(3, 3, 1.0);
    for (uint64_t v = 0; v < upright.vertex_count; v++) { // into x = 1.5
        upright.positions[3 * v + 2] = upright.positions[3 * v] - 1.0;
        upright.positions[3 * v] = 1.5;
    }
    assert_true(expect_same_of("on edge", device, test_mesh_copy(&sheets), upright, NULL, NULL) > 0);
    assert_true(expect_same_of("a copy", device, test_mesh_icosphere(1.0, 3), test_mesh_icosphere(1.0, 3), NULL, NULL) >
                1280);
    for (int i = 0; i < copies; i++) {
        test_mesh another = test_mesh_grid(1, 1, 1.0);
        test_mesh_move(&another, 0.0, 0.0, 1e-7 * (i + 1));
        test_mesh_take(&sheets, another);
    }
    test_mesh needle = test_mesh_cube(0.4, 0.4, 1e-5, 0.01);
    assert_true(expect_same_of("sheets", device, sheets, needle, NULL, NULL) > (uint64_t)copies / 2);
    // Doubles that floats cannot tell apart: 2^-40 above and below.
    for (int i = 0; i < 2; i++) {
        test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0), lid = test_mesh_cube(0.0, 0.0, 1.0, 1.0);
        test_mesh_move(&lid, 0.25, 0.25, i == 0 ? 0x1p-40 : -0x1p-40);
        assert_true((expect_same_of("close doubles", device, cube, lid, NULL, NULL) > 0) == (i == 1));
    }
    expect_grids(4); // meshes of size 10^-12 at a distance of 10^6 use no grid
    test_gl_device_close(device);
}

enum {
    POSES = 40,
    CROWDED = 12 // poses that are more than a round has room for
};

static void choose_way(grz_device *device, int way, grz_collide_options *options)
{
    *options = grz_default_collide_options();
    options->method = ways[way].method;
    assert_int_equal(grz_grid_limit_pairs(device, ways[way].tried, NULL), GRZ_OK);
}

// Expect the same answers for one mesh at many poses against a fixed one, with and without lists.
static void expect_same_batches(grz_device *device, const grz_mesh *mesh, const grz_pose *poses, uint32_t count,
                                uint32_t find)
{
    const grz_object object = grz_object_at_origin(mesh);
    grz_pose_answer answers[WAYS][POSES];
    for (int way = 0; way < WAYS; way++) {
        grz_collide_options options;
        grz_error error;
        choose_way(device, way, &options);
        options.find = find;
        if (grz_collide_poses(device, &object, mesh, poses, count, &options, answers[way], &error) != GRZ_OK)
            fail_msg("%s", error.message);
        for (uint32_t i = 0; i < count; i++) {
            const grz_pose_answer *x = &answers[0][i], *y = &answers[way][i];
            assert_true(x->relation == y->relation && x->containment == y->containment &&
                        x->pair_count == y->pair_count);
            assert_memory_equal(x->kinds, y->kinds, sizeof x->kinds);
        }
    }
}

static void scenes_and_batches(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 24);
    test_mesh shapes[3] = {test_mesh_icosphere(1.0, 2), test_mesh_torus(0.8, 0.3, 24, 12),
                           test_mesh_random_triangles(&random, 150, 1.0, 0)};
    grz_mesh *meshes[3];
    grz_pose poses[POSES];
    test_answer scenes[WAYS];
    for (int i = 0; i < 3; i++)
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    for (int i = 0; i < POSES; i++)
        poses[i] = random_pose(&random, 3.0);
    for (int i = 0; i < 3; i++) {
        expect_same_batches(device, meshes[i], poses, POSES, GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT);
        expect_same_batches(device, meshes[i], poses, POSES, 0);
    }
    for (int way = 0; way < WAYS; way++) {
        grz_collide_options options;
        grz_result *result = test_result_create(device);
        grz_scene *scene;
        grz_error error;
        uint32_t id;
        choose_way(device, way, &options);
        assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
        for (int i = 0; i < POSES; i++) {
            grz_object object = grz_object_at_origin(meshes[i % 3]);
            object.pose = poses[i];
            assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
        }
        options.find = FIND_ALL;
        if (grz_collide_scene(device, scene, &options, result, &error) != GRZ_OK)
            fail_msg("%s", error.message);
        scenes[way] = test_answer_of(result);
        assert_true(scenes[way].pair_count > 0 && test_answers_equal("scene", &scenes[0], &scenes[way]));
        grz_scene_destroy(scene);
        grz_result_destroy(result);
    }
    for (int way = 0; way < WAYS; way++)
        test_answer_finish(&scenes[way]);
    for (int i = 0; i < 3; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
    test_gl_device_close(device);
}

// So many triangles cover so many pixels that the grid skips them. Each mesh also has small triangles, which share
// cells: the lists of those alone are not the answer.
static void too_many_pixels(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh sheets = {0}, spots = {0};
    for (int i = 0; i < 17500; i++) {
        const double z = 1e-5 * i, corners[3][3] = {{0.0, 0.0, z}, {1.0, 0.0, z}, {0.0, 1.0, z}};
        test_mesh_add_loose_triangle(&sheets, corners);
    }
    const double corner[3][3] = {{0.9, 0.9, 0.05}, {0.92, 0.9, 0.05}, {0.9, 0.92, 0.05}};
    test_mesh_add_loose_triangle(&sheets, corner);
    for (int i = 0; i < 2100; i++) { // more than shaders try to join
        const double x = 0.905 + 1e-6 * i, spot[3][3] = {{x, 0.905, 0.051}, {x, 0.906, 0.051}, {x, 0.905, 0.052}};
        test_mesh_add_loose_triangle(&spots, spot);
    }
    const double pin[3][3] = {{0.2, 0.2, 0.1}, {0.21, 0.2, 0.1005}, {0.2, 0.21, 0.1005}}; // through some sheets
    const double ends[2][3][3] = {{{-0.1, -0.1, 0.0}, {-0.1, 0.0, 0.0}, {0.0, -0.1, 0.0}},
                                  {{1.1, 1.1, 0.2}, {1.0, 1.1, 0.2}, {1.1, 1.0, 0.2}}};
    test_mesh_add_loose_triangle(&spots, pin);
    test_mesh_add_loose_triangle(&spots, ends[0]);
    test_mesh_add_loose_triangle(&spots, ends[1]);
    assert_in_range(expect_same_of("sheets that are skipped", device, sheets, spots, NULL, NULL), 40, 60);
    test_gl_device_close(device);
}

// More pairs of boxes than a round has room for: the jobs that do not fit are run one by one.
static void too_many_pairs(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 25);
    test_mesh soup = test_mesh_random_triangles(&random, 700, 2.0, 0);
    grz_mesh *mesh = test_mesh_upload(device, &soup);
    const grz_object object = grz_object_at_origin(mesh);
    grz_pose poses[CROWDED];
    grz_object objects[1 + CROWDED];
    grz_job jobs[CROWDED];
    uint32_t all[CROWDED];
    for (int i = 0; i < CROWDED; i++)
        poses[i] = random_pose(&random, 0.1);
    objects[0] = object;
    for (uint32_t i = 0; i < CROWDED; i++) {
        objects[1 + i] = object;
        objects[1 + i].pose = poses[i];
        const grz_box box_a = grz_world_box(&object.pose, &mesh->bounds),
                      box_b = grz_world_box(&poses[i], &mesh->bounds);
        jobs[i] = (grz_job){.a = 0, .b = 1 + i, .clip = grz_box_intersection(&box_a, &box_b)};
        all[i] = i;
    }
    const grz_job_set set = {.objects = objects, .object_count = 1 + CROWDED, .jobs = jobs, .job_count = CROWDED};
    const grz_grid_request request = {.method = "slices",
                                      .set = &set,
                                      .form = GRZ_GRID_PER_PAIR,
                                      .jobs = all,
                                      .count = CROWDED,
                                      .resolution = GRZ_VOXEL_RESOLUTION,
                                      .join = GRZ_JOIN_MARKED};
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    int left_open = 0, done = 0;
    grz_control_init(&control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_grid_limit_pairs(device, SHADERS_TRY, NULL), GRZ_OK);
    assert_int_equal(grz_grid_run(device, &request, &control, &round, NULL), GRZ_OK);
    for (int i = 0; i < CROWDED; i++) {
        left_open += (round.answers[i].flags & GRZ_JOB_OVERFLOW) != 0;
        done += round.answers[i].flags == 0;
    }
    print_message("  of %d jobs %d had no room for their pairs\n", CROWDED, left_open);
    assert_true(left_open > 0 && done > 0 && left_open + done == CROWDED);
    for (size_t i = 0; i < round.candidate_count; i++)
        assert_int_equal(round.answers[round.candidates[i].job].flags, 0);
    grz_grid_round_finish(&round, &control);
    expect_same_batches(device, mesh, poses, CROWDED, GRZ_FIND_PAIRS);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&soup);
    test_gl_device_close(device);
}

static bool among(const grz_pair *pairs, uint64_t count, const grz_grid_candidate *candidate)
{
    for (uint64_t i = 0; i < count; i++)
        if (pairs[i].face_a == candidate->triangles[0] && pairs[i].face_b == candidate->triangles[1])
            return true;
    return false;
}

// The verdicts of shaders on pairs of triangles, over several queries.
typedef struct shader_tally {
    uint64_t boxes, touching, proved, left;
} shader_tally;

// Pairs that shaders prove must touch, and they must drop no touching pair.
static void expect_truth(grz_device *device, const grz_object *a, const grz_object *b, shader_tally *sum)
{
    test_grid_request q;
    test_grid_request_init(&q, "slices", a, b, GRZ_VOXEL_RESOLUTION, GRZ_JOIN_MARKED);
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    uint64_t count, found = 0;
    options.find = GRZ_FIND_PAIRS;
    assert_int_equal(grz_collide(device, a, b, &options, result, NULL), GRZ_OK);
    const grz_pair *pairs = grz_result_pairs(result, &count);
    assert_int_equal(grz_grid_limit_pairs(device, MOST_TRIED, NULL), GRZ_OK);
    grz_control_init(&control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_grid_run(device, &q.request, &control, &round, NULL), GRZ_OK);
    assert_int_equal(round.answers[0].flags, 0);
    for (size_t i = 0; i < round.candidate_count; i++) {
        const bool touches = among(pairs, count, &round.candidates[i]);
        assert_true(touches || !round.candidates[i].proved);
        found += touches;
        sum->proved += round.candidates[i].proved;
        sum->left += !round.candidates[i].proved;
    }
    assert_int_equal(found, count);
    sum->touching += count;
    sum->boxes += round.box_pair_count;
    grz_grid_round_finish(&round, &control);
    grz_result_destroy(result);
}

static void print_tally(const shader_tally *t)
{
    print_message("  of %d pairs of boxes %d touch, shaders prove %d and leave %d\n", (int)t->boxes, (int)t->touching,
                  (int)t->proved, (int)t->left);
}

// In general position shaders leave less than one pair in a hundred to the predicates.
static void shaders_decide(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 26);
    test_mesh ball = test_mesh_icosphere(1.0, 4), torus = test_mesh_torus(1.0, 0.4, 80, 40);
    grz_mesh *meshes[2] = {test_mesh_upload(device, &ball), test_mesh_upload(device, &torus)};
    shader_tally sum = {0};
    for (int k = 0; k < 12; k++) {
        grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]);
        a.pose = random_pose(&random, 0.2);
        b.pose = random_pose(&random, 1.5);
        expect_truth(device, &a, &b, &sum);
    }
    print_tally(&sum);
    assert_true(sum.boxes > 2000 && sum.touching > 500 && 100 * sum.left < sum.boxes);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    test_mesh_finish(&ball);
    test_mesh_finish(&torus);
    test_gl_device_close(device);
}

// Pairs that floats cannot decide: they touch in a point, an edge or a plane, or are apart or cross by one or a few
// ulps of doubles.
static void shaders_leave_close_cases_undecided(void **state)
{
    (void)state;
    enum {
        EACH = 216
    };
    grz_device *device = test_gl_device_open();
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, 27);
        double corners[2][EACH][9];
        uint32_t triangles[EACH][3];
        shader_tally sum = {0};
        for (uint32_t i = 0; i < EACH; i++) {
            double a[3][3], b[3][3], largest = 0.0;
            pair_generate((pair_class)group, &random, a, b);
            for (int j = 0; j < 9; j++)
                largest = fmax(largest, fmax(fabs(a[j / 3][j % 3]), fabs(b[j / 3][j % 3])));
            const double scale =
                ldexp(1.0, -ilogb(fmax(largest, 1e-300)) - 1); // scaled into a unit cube at a position of its own
            for (uint32_t j = 0; j < 9; j++) {
                const double at = j % 3 == 0 ? i % 6 : j % 3 == 1 ? i / 6 % 6 : i / 36;
                corners[0][i][j] = a[j / 3][j % 3] * scale + 2.0 * at;
                corners[1][i][j] = b[j / 3][j % 3] * scale + 2.0 * at;
            }
            for (uint32_t j = 0; j < 3; j++)
                triangles[i][j] = 3 * i + j;
        }
        grz_object objects[2];
        test_mesh soups[2];
        for (int k = 0; k < 2; k++) {
            soups[k] = test_mesh_make(corners[k][0], 3 * EACH, triangles[0], EACH, 3);
            objects[k] = grz_object_at_origin(test_mesh_upload(device, &soups[k]));
        }
        expect_truth(device, &objects[0], &objects[1], &sum);
        expect_truth(device, &objects[1], &objects[0], &sum);
        print_tally(&sum);
        for (int k = 0; k < 2; k++) {
            grz_mesh_destroy((grz_mesh *)objects[k].mesh);
            test_mesh_finish(&soups[k]);
        }
    }
    test_gl_device_close(device);
}

// Two balls of 20,480 triangles that touch lightly: only triangles near the contact are marked, by cells and by ranges
// of depths. Side by side their boxes overlap, but they share no cell. Nor is any triangle of theirs marked by ranges:
// within the region each ball is one sheet, which has nothing of the other behind it. Ranges mark more where a ball has
// two sheets in a pixel: beside a ring around it (test_ranges has such cases).
static void few_triangles_are_marked(void **state)
{
    (void)state;
    static const grz_grid_cells kinds[] = {GRZ_CELLS_SLICES, GRZ_CELLS_RANGES};
    grz_device *device = test_gl_device_open();
    test_mesh ball = test_mesh_icosphere(1.0, 5);
    grz_mesh *mesh = test_mesh_upload(device, &ball);
    grz_object a = grz_object_at_origin(mesh), b = a;
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < 2; i++) {
            b.pose = grz_pose_from_translation(i == 0 ? 1.9 : 1.2, 0.0, 0.0);
            const marks m = mark(device, &a, &b, kinds[kind]);
            assert_false(m.whole);
            print_message("  %u and %u of %u triangles are marked\n", m.count[0], m.count[1], mesh->triangle_count);
            for (int k = 0; k < 2; k++)
                assert_in_range(m.count[k], 100, mesh->triangle_count / 12);
        }
        b.pose = grz_pose_from_translation(1.3, 1.3, 1.0);
        const marks m = mark(device, &a, &b, kinds[kind]);
        print_message("  side by side %u and %u\n", m.count[0], m.count[1]);
        assert_true(m.count[0] == 0 && m.count[1] == 0);
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    test_gl_device_close(device);
}

static void wrong_devices(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open(), *other = test_gl_device_open(), *cpu;
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    const grz_object object = grz_object_at_origin(mesh);
    grz_collide_options options = grz_default_collide_options();
    grz_device_options only_cpu = grz_default_device_options();
    grz_error error;
    options.method = "slices";
    grz_result *result = test_result_create(other);
    assert_int_equal(grz_collide(other, &object, &object, &options, result, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "another device"));
    assert_int_equal(grz_collide_self(other, &object, &options, result, &error), GRZ_ERROR_UNSUPPORTED);
    grz_result_destroy(result);
    only_cpu.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&only_cpu, &cpu, NULL), GRZ_OK);
    result = test_result_create(cpu);
    grz_mesh *cpu_mesh = test_mesh_upload(cpu, &cube);
    const grz_object cpu_object = grz_object_at_origin(cpu_mesh);
    assert_int_equal(grz_collide(cpu, &cpu_object, &cpu_object, &options, result, &error), GRZ_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "needs OpenGL"));
    grz_mesh_destroy(cpu_mesh);
    grz_result_destroy(result);
    grz_device_close(cpu);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
    test_gl_device_close(device);
    test_gl_device_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_shapes),
        cmocka_unit_test(any_pose),
        cmocka_unit_test(hard_cases),
        cmocka_unit_test(scenes_and_batches),
        cmocka_unit_test(too_many_pixels),
        cmocka_unit_test(too_many_pairs),
        cmocka_unit_test(shaders_decide),
        cmocka_unit_test(shaders_leave_close_cases_undecided),
        cmocka_unit_test(few_triangles_are_marked),
        cmocka_unit_test(wrong_devices),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
