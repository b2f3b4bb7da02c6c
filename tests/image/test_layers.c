// SPDX-License-Identifier: MIT
// Exact answers of method `layers`, where it differs from `slices` (test_image_exact.c). A mesh with itself gives the
// same bytes as `bvh`: random, crumpled, moved, of polygons, with equal corners. No point of a triangle lies outside of
// its fragments, and these are hardly deeper than the triangle. Neighbours are left out, except those that collide.
// Lists longer than one dispatch can walk, buffers that have to grow, triangles over too many pixels; scenes of
// hundreds of objects in one grid. Skipped where there is no OpenGL.
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL
#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"
#include "image/grid/voxel_grid.h"
#include "mesh/mesh.h"
#include "support_sanitizer.h"
#include "support_voxels.h"

enum {
    SHADERS_TRY = 1 << 20,
    SIDE = 64
};

static test_answer ask_self(grz_device *device, const grz_mesh *mesh, const char *method, uint32_t find)
{
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    const grz_object object = grz_object_at_origin(mesh);
    grz_error error;
    options.find = find;
    options.method = method;
    if (grz_collide_self(device, &object, &options, result, &error) != GRZ_OK)
        fail_msg("%s: %s", method, error.message);
    assert_string_equal(grz_result_summary(result)->method, method);
    const test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

// A round of one job by layers.
static grz_grid_round run_round(grz_device *device, const grz_object *a, const grz_object *b, const grz_box *clip,
                                uint32_t side, grz_control *control)
{
    test_grid_request q;
    test_grid_request_init(&q, "layers", a, b, side, GRZ_JOIN_FRAGMENTS);
    if (clip != NULL)
        q.job.clip = *clip;
    grz_grid_round round = {.answers = NULL};
    grz_error error;
    grz_control_init(control, grz_device_allocator(device), NULL);
    if (grz_grid_run(device, &q.request, control, &round, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return round;
}

// Of a mesh with itself: the flags.
static uint32_t flags_of(grz_device *device, const grz_mesh *mesh, uint32_t side)
{
    const grz_object object = grz_object_at_origin(mesh);
    grz_control control;
    grz_grid_round round = run_round(device, &object, NULL, NULL, side, &control);
    const uint32_t flags = round.answers[0].flags;
    grz_grid_round_finish(&round, &control);
    return flags;
}

// Returns how many pairs there are.
static uint64_t expect_same_mesh(const char *what, grz_device *device, const grz_mesh *mesh)
{
    test_answer plain = ask_self(device, mesh, "bvh", GRZ_FIND_CURVES);
    const uint64_t count = plain.pair_count;
    for (int way = 0; way < 2; way++) { // pairs decided by the predicates, and where they can by shaders
        assert_int_equal(grz_grid_limit_pairs(device, way == 0 ? 0 : SHADERS_TRY, NULL), GRZ_OK);
        test_answer other = ask_self(device, mesh, "layers", GRZ_FIND_CURVES),
                    quick = ask_self(device, mesh, "layers", 0);
        if (!test_answers_equal(what, &plain, &other))
            fail_msg("%s: layers and bvh differ, way %d", what, way);
        assert_true(quick.summary.colliding == plain.summary.colliding);
        test_answer_finish(&other);
        test_answer_finish(&quick);
    }
    assert_int_equal(grz_grid_limit_pairs(device, 0, NULL), GRZ_OK);
    test_answer_finish(&plain);
    return count;
}

// The mesh is freed.
static uint64_t expect_same(const char *what, grz_device *device, test_mesh mesh, uint32_t flags)
{
    grz_mesh *uploaded = test_mesh_upload_flags(device, &mesh, flags);
    assert_int_equal(flags_of(device, uploaded, SIDE), 0);
    const uint64_t count = expect_same_mesh(what, device, uploaded);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
    return count;
}

static test_mesh random_mesh(random_stream *random, uint32_t seed)
{
    test_mesh mesh;
    switch (seed % 6) {
    case 0:
        mesh = test_mesh_random_triangles(random, 300, 0.3, 0);
        break;
    case 1:
        mesh = test_mesh_random_triangles(random, 40, 0, 2);
        break;
    case 2:
        mesh = test_mesh_grid(9, 7, 1);
        test_mesh_crumple(&mesh, random, 1, 0);
        break;
    case 3:
        mesh = test_mesh_grid_quads(8, 6, 1);
        test_mesh_crumple(&mesh, random, 1 + seed % 2, 0);
        break;
    case 4:
        mesh = test_mesh_grid(30, 30, 0.25);
        test_mesh_crumple(&mesh, random, 0, 0.05 + 0.05 * (seed % 7));
        break;
    default:
        mesh = test_mesh_icosphere(2, 2);
        test_mesh_crumple(&mesh, random, seed % 2, 0.1 * (seed % 4));
    }
    if (seed % 4 == 1) { // corners are shared by position only
        test_mesh soup = test_mesh_soup(&mesh);
        test_mesh_finish(&mesh);
        mesh = soup;
    }
    return mesh;
}

static void random_meshes(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    uint64_t pairs = 0;
    for (uint32_t seed = 0; seed < (TEST_SHORT ? 20 : 60); seed++) {
        random_stream random = random_stream_of_block(PAIR_RANDOM, 100 + seed);
        test_mesh mesh = random_mesh(&random, seed);
        grz_mesh *uploaded = test_mesh_upload_flags(device, &mesh, seed % 5 == 0 ? (uint32_t)GRZ_MESH_INDEX_ONLY : 0);
        assert_int_equal(flags_of(device, uploaded, SIDE), 0);
        pairs += expect_same_mesh("random mesh", device, uploaded);
        // Move some of the vertices, so that corners that are the same one get different positions.
        for (uint64_t v = 0; v < mesh.vertex_count; v++)
            if (random_below(&random, 3) == 0)
                mesh.positions[3 * v + random_below(&random, 3)] += random_below(&random, 2) == 0 ? 1.0 : -0.5;
        assert_int_equal(grz_mesh_set_positions(uploaded, mesh.positions, NULL), GRZ_OK);
        pairs += expect_same_mesh("random mesh, moved", device, uploaded);
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    print_message("  %llu pairs\n", (unsigned long long)pairs);
    assert_true(pairs > (TEST_SHORT ? 1000 : 5000));
    test_gl_device_close(device);
}

static void far_and_small(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 90);
    static const double scales[] = {0x1p-1072, 1e-30, 1e-4, 1e30, 1e80};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        test_mesh mesh = test_mesh_grid(20, 20, 1);
        test_mesh_crumple(&mesh, &random, 0, 0.9);
        test_mesh_scale(&mesh, scales[i], scales[i], scales[i]);
        assert_true(expect_same("scaled", device, mesh, 0) > 0);
    }
    for (int i = 0; i < 4; i++) {
        test_mesh mesh = test_mesh_grid(20, 20, 0.01);
        test_mesh_crumple(&mesh, &random, 0, 0.009);
        test_mesh_move(&mesh, i % 2 == 0 ? 0.0 : 1e6, -1e6, i < 2 ? 0.0 : 1e6);
        assert_true(expect_same("far", device, mesh, 0) > 0);
    }
    // Doubles that round to the same float: sheets 2^-40 above each other, and one that goes through them.
    test_mesh sheets = test_mesh_grid(6, 6, 1);
    for (int i = 1; i < 5; i++) {
        test_mesh other = test_mesh_grid(6, 6, 1);
        test_mesh_move(&other, 0.1 * i, 0, i * 0x1p-40);
        test_mesh_take(&sheets, other);
    }
    assert_int_equal(expect_same("close sheets", device, test_mesh_copy(&sheets), 0), 0);
    test_mesh_take(&sheets, test_mesh_cube(1.5, 1.5, -0.5, 1));
    assert_true(expect_same("close sheets and a box", device, sheets, 0) > 0);
    assert_int_equal(expect_same("flat", device, test_mesh_grid(12, 12, 1), 0), 0);
    test_mesh copies = test_mesh_icosphere(1, 2), copy = test_mesh_icosphere(1, 2);
    test_mesh_take(&copies, copy);
    assert_true(expect_same("copies", device, copies, 0) >= 320);
    test_gl_device_close(device);
}

// The total depth of all fragments.
typedef struct depths {
    double slices;
    uint64_t fragments;
} depths;

// Expect that a point of a triangle lies within the triangle's fragment in that pixel.
static void expect_point(const grz_grid_fragment *fragments, uint32_t at, uint32_t triangle, double depth)
{
    bool found = false;
    for (; at != 0; at = fragments[at - 1].next)
        if (fragments[at - 1].triangle == triangle)
            found = found || (fragments[at - 1].low <= depth * GRZ_LAYER_UNITS &&
                              fragments[at - 1].high >= depth * GRZ_LAYER_UNITS);
    if (!found)
        fail_msg("triangle %u: a point is in none of its fragments", triangle);
}

static void expect_points(grz_device *device, const grz_mesh *mesh, random_stream *random, int points, depths *sum)
{
    const grz_object object = grz_object_at_origin(mesh);
    double size = 0.0;
    for (int j = 0; j < 3; j++)
        size = fmax(size, mesh->bounds.max[j] - mesh->bounds.min[j]);
    const grz_grid_frame grid = grz_grid_frame_of(&mesh->bounds, size, SIDE);
    grz_control control;
    grz_grid_round round = run_round(device, &object, NULL, NULL, SIDE, &control);
    const uint32_t count = (uint32_t)round.fragment_count;
    uint32_t *heads = calloc((size_t)SIDE * SIDE * GRZ_VOXEL_SLICES, sizeof *heads);
    grz_grid_fragment *fragments = calloc(count, sizeof *fragments);
    assert_true(heads != NULL && fragments != NULL && round.answers[0].flags == 0);
    assert_int_equal(grz_grid_read_fragments(device, SIDE, heads, fragments, count, NULL), GRZ_OK);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (int i = 0; i < points; i++) {
            double weights[3] = {0.0}, sum_of_weights = 0.0, cell[3];
            for (int k = 0; k < 3; k++) { // corners and edges, too
                weights[k] =
                    i < 3 ? (k == i) : (random_below(random, 4) == 0 ? 0.0 : 0.01 + fabs(random_signed(random)));
                sum_of_weights += weights[k];
            }
            if (sum_of_weights == 0.0)
                continue;
            for (int k = 0; k < 3; k++) {
                double at = 0.0;
                for (size_t c = 0; c < 3; c++)
                    at += weights[c] / sum_of_weights *
                          grz_mesh_position(mesh, mesh->triangles[3 * (size_t)t + c])[grid.axes[k]];
                cell[k] = fmin(fmax((at - grid.least[k]) * grid.per[k], 0.0), grid.cells[k] * (1.0 - 1e-12));
            }
            const size_t list = ((size_t)cell[1] * SIDE + (size_t)cell[0]) * GRZ_VOXEL_SLICES + (size_t)cell[2];
            expect_point(fragments, heads[list], t, cell[2]);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        sum->slices += (fragments[i].high - fragments[i].low) / GRZ_LAYER_UNITS;
    sum->fragments += count;
    free(heads);
    free(fragments);
    grz_grid_round_finish(&round, &control);
}

static void points_lie_in_fragments(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 91);
    depths all = {.slices = 0.0};
    for (uint32_t seed = 0; seed < 24; seed++) {
        test_mesh mesh = random_mesh(&random, seed);
        grz_mesh *uploaded = test_mesh_upload(device, &mesh);
        expect_points(device, uploaded, &random, 40, &all);
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    // A slope that goes through all slices over all pixels: a fragment is as deep as the slope within its pixel, not as
    // the whole slope.
    depths slope = {.slices = 0.0};
    test_mesh sheet = test_mesh_grid(1, 1, 1);
    for (uint64_t v = 0; v < sheet.vertex_count; v++)
        sheet.positions[3 * v + 2] = 0.75 * sheet.positions[3 * v];
    grz_mesh *uploaded = test_mesh_upload(device, &sheet);
    expect_points(device, uploaded, &random, 1000, &slope);
    print_message("  a fragment of a slope over all slices is %.2f slices deep\n",
                  slope.slices / (double)slope.fragments);
    assert_true(slope.slices / (double)slope.fragments < 0.6 &&
                slope.slices / (double)slope.fragments > 0.4); // 32 over 64 pixels
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&sheet);
    test_gl_device_close(device);
}

// Each triangle has a dozen neighbours. Hardly any of these is left to the predicates, whether corners are shared by
// index or by position.
static void neighbours_are_left_out(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    for (int i = 0; i < 4; i++) {
        test_mesh mesh = i % 2 == 0 ? test_mesh_icosphere(1, 5) : test_mesh_torus(1, 0.3, 160, 64);
        test_mesh soup = test_mesh_soup(&mesh);
        grz_mesh *uploaded = test_mesh_upload(device, i < 2 ? &mesh : &soup);
        const grz_object object = grz_object_at_origin(uploaded);
        grz_control control;
        grz_grid_round round = run_round(device, &object, NULL, NULL, 128, &control);
        print_message("  %u triangles, %llu fragments, %llu pairs of these, %zu pairs of triangles left\n",
                      uploaded->triangle_count, (unsigned long long)round.fragment_count,
                      (unsigned long long)round.fragment_pair_count, round.candidate_count);
        assert_int_equal(round.answers[0].flags, 0);
        assert_true(round.fragment_pair_count > 6 * (uint64_t)uploaded->triangle_count); // they were met
        assert_true(round.candidate_count < uploaded->triangle_count / 2);
        grz_grid_round_finish(&round, &control);
        test_answer answer = ask_self(device, uploaded, "layers", GRZ_FIND_PAIRS);
        test_answer plain = ask_self(device, uploaded, "bvh", GRZ_FIND_PAIRS);
        print_message("  candidates of a query: %llu, of bvh %llu\n", (unsigned long long)answer.summary.candidates,
                      (unsigned long long)plain.summary.candidates);
        assert_true(answer.summary.candidates < 2 * plain.summary.candidates);
        assert_int_equal(answer.pair_count, 0);
        test_answer_finish(&answer);
        test_answer_finish(&plain);
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
        test_mesh_finish(&soup);
    }
    test_gl_device_close(device);
}

// Small triangles behind each other in one pixel of a large frame.
static void add_needle(test_mesh *mesh, uint32_t count, double x, double from, double step, double slope)
{
    for (uint32_t i = 0; i < count; i++) {
        const double z = from + step * i,
                     corners[3][3] = {{x, 30.1, z - slope}, {x + 0.2, 30.1, z}, {x, 30.3, z + slope}};
        test_mesh_add_loose_triangle(mesh, corners);
    }
}

static test_mesh needle_of(uint32_t count, double x, double slope)
{
    test_mesh mesh = {0};
    add_needle(&mesh, count, x, 1.0, 1.0, slope);
    return mesh;
}

static void long_lists(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    const double min[3] = {0.0, 0.0, 0.0}, max[3] = {1e5, 1e5, 1e4};
    test_mesh needle = needle_of(9000, 30.1, 0.25),
              frame = test_mesh_box(min, max); // lists of 9,000, walks of nine dispatches
    test_mesh_take(&needle, frame);
    test_mesh other = needle_of(5000, 30.15, -0.25);
    grz_mesh *mesh_a = test_mesh_upload(device, &needle), *mesh_b = test_mesh_upload(device, &other);
    const grz_object a = grz_object_at_origin(mesh_a), b = grz_object_at_origin(mesh_b);
    assert_int_equal(flags_of(device, mesh_a, SIDE), 0);
    expect_same_mesh("a needle in a box", device, mesh_a);
    // Two needles against each other in one pixel; they are thin along two axes.
    const grz_box clip = {{30.0, 30.0, 0.0}, {3000.0, 3000.0, 1e4}};
    grz_control control;
    grz_grid_round round = run_round(device, &a, &b, &clip, SIDE, &control);
    assert_int_equal(round.answers[0].flags, 0);
    assert_true(round.candidate_count >= 5000);
    grz_grid_round_finish(&round, &control);
    test_answer plain, layers;
    for (int i = 0; i < 2; i++) {
        grz_collide_options options = grz_default_collide_options();
        grz_result *result = test_result_create(device);
        options.method = i == 0 ? "bvh" : "layers";
        assert_int_equal(grz_collide(device, &a, &b, &options, result, NULL), GRZ_OK);
        *(i == 0 ? &plain : &layers) = test_answer_of(result);
        grz_result_destroy(result);
    }
    assert_true(plain.pair_count > 0 && test_answers_equal("needles", &plain, &layers));
    test_answer_finish(&plain);
    test_answer_finish(&layers);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&needle);
    test_mesh_finish(&other);
    test_gl_device_close(device);
}

// More fragments, pairs of fragments and candidates than the first buffers hold; then again on a device whose buffers
// have grown.
static void buffers_grow(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 92);
    test_mesh soup = test_mesh_random_triangles(&random, 5000, 0.6, 0);
    grz_mesh *mesh = test_mesh_upload(device, &soup);
    const grz_object object = grz_object_at_origin(mesh);
    for (int i = 0; i < 2; i++) {
        grz_control control;
        grz_grid_round round = run_round(device, &object, NULL, NULL, SIDE, &control);
        print_message("  %llu fragments, %llu pairs of these, %zu candidates\n",
                      (unsigned long long)round.fragment_count, (unsigned long long)round.fragment_pair_count,
                      round.candidate_count);
        assert_true(round.fragment_count > 1 << 17 && round.fragment_pair_count > 1 << 16 &&
                    round.candidate_count > 1 << 14);
        assert_int_equal(round.answers[0].flags, 0);
        grz_grid_round_finish(&round, &control);
        assert_true(expect_same_mesh("soup", device, mesh) > 1000);
    }
    grz_mesh_destroy(mesh);
    test_mesh_finish(&soup);
    test_gl_device_close(device);
}

// Many triangles cover many pixels each, together more than the limit. The method reports that.
static void too_many_pixels(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh mesh = {0};
    for (int i = 0; i < 1200; i++) {
        const double z = 0.01 * i, corners[3][3] = {{0.0, 0.0, z}, {100.0, 0.0, z}, {0.0, 100.0, z}};
        test_mesh_add_loose_triangle(&mesh, corners);
    }
    grz_mesh *uploaded = test_mesh_upload(device, &mesh);
    assert_int_equal(flags_of(device, uploaded, 512), GRZ_JOB_OVERFLOW);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
    test_gl_device_close(device);
}

// ---- Many objects in one grid ---------------------------------------------------------------------------------------

enum {
    MANY = 600 // more than a uniform block has places for
};

// A scene of many objects of three meshes, with groups that are not tested against each other. `apart`: one object is
// so far away that the grid becomes coarse.
static grz_scene *many_objects(grz_device *device, grz_mesh *const meshes[3], random_stream *random, bool apart)
{
    grz_scene *scene;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (int i = 0; i < MANY; i++) {
        grz_object object = grz_object_at_origin(meshes[i % 3]);
        double at[3], quaternion[4];
        uint32_t id;
        for (int j = 0; j < 3; j++)
            at[j] = 4.0 * random_signed(random) + (apart && i == 7 ? 1e6 : 0.0);
        for (int j = 0; j < 4; j++)
            quaternion[j] = random_signed(random) + 0.01;
        assert_int_equal(grz_pose_from_quaternion(at, quaternion, &object.pose, NULL), GRZ_OK);
        object.group = i % 5 == 0 ? 2 : 1;
        object.mask = i % 5 == 0 ? 1 : 3;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    }
    return scene;
}

static grz_result *ask_scene(grz_device *device, grz_scene *scene, const char *method, uint32_t find)
{
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = test_result_create(device);
    grz_error error;
    options.method = method;
    options.find = find;
    if (grz_collide_scene(device, scene, &options, result, &error) != GRZ_OK)
        fail_msg("%s: %s", method, error.message);
    return result;
}

static void expect_same_scenes(grz_device *device, grz_scene *scenes[4], uint64_t least_pairs)
{
    grz_result *plain = ask_scene(device, scenes[0], "bvh", GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT);
    test_answer plain_answer = test_answer_of(plain);
    uint64_t count, other_count;
    const grz_scene_pair *pairs = grz_result_scene_pairs(plain, &count);
    assert_true(count >= least_pairs && plain_answer.pair_count > 1000);
    for (int way = 0; way < 3;
         way++) { // pairs decided by the predicates, and where they can by shaders; yes or no only
        assert_int_equal(grz_grid_limit_pairs(device, way == 1 ? SHADERS_TRY : 0, NULL), GRZ_OK);
        const uint32_t find =
            way == 2 ? (uint32_t)GRZ_FIND_CONTAINMENT : (uint32_t)(GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT);
        grz_result *other = ask_scene(device, scenes[1 + way], "layers", find);
        test_answer answer = test_answer_of(other);
        const grz_scene_pair *others = grz_result_scene_pairs(other, &other_count);
        assert_int_equal(count, other_count);
        for (uint64_t i = 0; i < count; i++)
            assert_true(pairs[i].a == others[i].a && pairs[i].b == others[i].b &&
                        pairs[i].relation == others[i].relation);
        assert_true(way == 2 || test_answers_equal("scene", &plain_answer, &answer));
        test_answer_finish(&answer);
        grz_result_destroy(other);
    }
    assert_int_equal(grz_grid_limit_pairs(device, 0, NULL), GRZ_OK);
    test_answer_finish(&plain_answer);
    grz_result_destroy(plain);
}

static void many_objects_in_one_grid(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 93);
    test_mesh shapes[3] = {test_mesh_icosphere(0.5, 1), test_mesh_torus(0.4, 0.15, 12, 8),
                           test_mesh_random_triangles(&random, 20, 0.7, 0)};
    grz_mesh *meshes[3];
    for (int i = 0; i < 3; i++)
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    for (int apart = 0; apart < 2; apart++) {
        const random_stream before = random;
        grz_scene *scenes[4]; // one per query, so that nothing is remembered
        for (int i = 0; i < 4; i++) {
            random = before;
            scenes[i] = many_objects(device, meshes, &random, apart == 1);
        }
        expect_same_scenes(device, scenes, 100);
        for (int i = 0; i < 4; i++)
            grz_scene_destroy(scenes[i]);
    }
    // All jobs in one round, certainly.
    grz_object objects[MANY];
    grz_job jobs[MANY - 1];
    grz_object_list list;
    grz_control control;
    grz_scene *scene = many_objects(device, meshes, &random, false);
    for (uint32_t i = 0; i < MANY; i++) {
        objects[i] = *grz_scene_object(scene, i);
        if (i > 0) // any jobs that name them all
            jobs[i - 1] = (grz_job){.a = 0, .b = i, .clip = {{-5.0, -5.0, -5.0}, {5.0, 5.0, 5.0}}};
    }
    const grz_job_set set = {.objects = objects, .object_count = MANY, .jobs = jobs, .job_count = MANY - 1};
    grz_control_init(&control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_object_list_make(&list, device, &set, &control, NULL), GRZ_OK);
    assert_true(list.count == MANY && list.most_jobs == MANY - 1);
    const grz_grid_request request = {.method = "layers",
                                      .set = &set,
                                      .form = GRZ_GRID_SHARED,
                                      .objects = &list,
                                      .resolution = 128,
                                      .join = GRZ_JOIN_FRAGMENTS};
    grz_grid_round round = {.answers = NULL};
    assert_int_equal(grz_grid_run(device, &request, &control, &round, NULL), GRZ_OK);
    assert_int_equal(round.answers[0].flags, 0);
    assert_true(round.candidate_count == 0 && round.listed_pair_count > 1000);
    for (size_t i = 0; i < round.listed_pair_count; i++) {
        const grz_listed_pair *pair = &round.listed_pairs[i];
        const uint32_t a = pair->objects[0], b = pair->objects[1];
        assert_true(a < b && b < MANY && pair->triangles[0] < objects[a].mesh->triangle_count &&
                    pair->triangles[1] < objects[b].mesh->triangle_count);
    }
    grz_object_list_finish(&list, &control);
    grz_grid_round_finish(&round, &control);
    grz_scene_destroy(scene);
    for (int i = 0; i < 3; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
    test_gl_device_close(device);
}

// Candidates that the filter pushed.
typedef struct taken {
    grz_sink sink;
    grz_candidate items[4];
    size_t count;
} taken;

static bool take(grz_sink *sink, const grz_candidate *candidates, size_t count)
{
    taken *t = (taken *)sink;
    for (size_t i = 0; i < count; i++) {
        assert_true(t->count < sizeof t->items / sizeof *t->items);
        t->items[t->count++] = candidates[i];
    }
    return true;
}

static bool never_stopped(grz_sink *sink, uint32_t job)
{
    (void)sink;
    (void)job;
    return false;
}

// Pairs of triangles of listed objects become candidates of the right job, whichever object the job names first. Two
// objects without a common job make no candidate.
static void candidates_follow_the_order_of_objects_in_a_job(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh shape = test_mesh_icosphere(1.0, 1);
    grz_mesh *mesh = test_mesh_upload(device, &shape);
    const uint32_t each = mesh->triangle_count;
    const grz_object objects[5] = {grz_object_at_origin(mesh), grz_object_at_origin(mesh), grz_object_at_origin(mesh),
                                   grz_object_at_origin(mesh), grz_object_at_origin(mesh)};
    // Of five objects, 1, 2 and 4 are in jobs.
    const grz_job jobs[2] = {{.a = 2, .b = 1, .clip = mesh->bounds}, {.a = 2, .b = 4, .clip = mesh->bounds}};
    const grz_job_set set = {.objects = objects, .object_count = 5, .jobs = jobs, .job_count = 2};
    const grz_listed_pair expected[3] = {{{0, 1}, {7, 3}, true}, {{1, 2}, {4, 5}, false}, {{0, 2}, {1, 2}, false}};
    const uint32_t numbered[3][2] = {{7, each + 3}, {each + 4, 2 * each + 5}, {1, 2 * each + 2}};
    grz_control control;
    grz_control_init(&control, grz_device_allocator(device), NULL);
    grz_object_list list;
    grz_candidate candidates[3];
    size_t count = 0;
    assert_int_equal(grz_object_list_make(&list, device, &set, &control, NULL), GRZ_OK);
    assert_true(list.count == 3 && list.numbers[0] == 1 && list.numbers[1] == 2 && list.numbers[2] == 4 &&
                list.most_jobs == 2);
    for (int i = 2; i >= 0; i--) { // so that the candidates come in the wrong order
        const grz_listed_pair pair = grz_listed_pair_of(&list, numbered[i], expected[i].proved);
        assert_true(pair.objects[0] == expected[i].objects[0] && pair.objects[1] == expected[i].objects[1]);
        assert_true(pair.triangles[0] == expected[i].triangles[0] && pair.triangles[1] == expected[i].triangles[1]);
        count += grz_listed_candidate(&list, &pair, &candidates[count]);
    }
    taken t = {.sink = {.push = take, .stopped = never_stopped, .control = &control}};
    assert_int_equal(count, 2);
    assert_int_equal(grz_push_sorted(&t.sink, candidates, count), GRZ_OK);
    assert_int_equal(t.count, 2);
    assert_true(t.items[0].job == 0 && t.items[0].triangle_a == 3 && t.items[0].triangle_b == 7 && t.items[0].proved);
    assert_true(t.items[1].job == 1 && t.items[1].triangle_a == 4 && t.items[1].triangle_b == 5 && !t.items[1].proved);
    grz_object_list_finish(&list, &control);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&shape);
    test_gl_device_close(device);
}

// The mesh is freed. A frame makes cells large. Returns the number of pairs of fragments.
static uint64_t expect_handed_to_bvh(const char *what, grz_device *device, test_mesh *mesh)
{
    const double min[3] = {0.0, 0.0, 0.0}, max[3] = {1e5, 1e5, 1e4};
    test_mesh frame = test_mesh_box(min, max);
    test_mesh_take(mesh, frame);
    grz_mesh *uploaded = test_mesh_upload(device, mesh);
    const grz_object object = grz_object_at_origin(uploaded);
    grz_control control;
    grz_grid_round round = run_round(device, &object, NULL, NULL, SIDE, &control);
    const uint64_t raw_count = round.fragment_pair_count;
    assert_int_equal(round.answers[0].flags, GRZ_JOB_WHOLE);
    grz_grid_round_finish(&round, &control);
    expect_same_mesh(what, device, uploaded);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(mesh);
    return raw_count;
}

// Jobs with so many fragments, or pairs of fragments, that they are handed to `bvh`: alone, and together with other
// jobs.
static void overflowing_jobs_are_handed_to_bvh(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh sheets = {0}, pile = {0}, late = {0};
    for (int i = 0; i < 300; i++) {
        const double z = 5e3 + i, corners[3][3] = {{0.0, 0.0, z}, {1e5, 0.0, z + 1e3}, {0.0, 1e5, z}};
        test_mesh_add_loose_triangle(&sheets, corners);
    }
    assert_int_equal(expect_handed_to_bvh("sheets", device, &sheets), 0); // no list of their fragments is walked
    add_needle(&pile, 1500, 30.1, 3130.0, 1e-3, 2.0);
    assert_true(expect_handed_to_bvh("a pile", device, &pile) > 0);
    // So many pairs that walks need several dispatches: first the last ones, then those between, then the first ones.
    add_needle(&late, 800, 30.1, 3130.0, 1e-3, 2.0);
    for (int i = 0; i < 30; i++)
        add_needle(&late, 70, 30.1, 3150.0 + 8.0 * i, 1e-3, 1.0);
    add_needle(&late, 800, 30.1, 3131.0, 1e-3, 2.0);
    assert_true(expect_handed_to_bvh("a pile in two parts", device, &late) > 0);
    // A scene of piles, several pairs in a round.
    test_mesh part = {0};
    add_needle(&part, 900, 30.1, 1.0, 1e-3, 2.0);
    add_needle(&part, 3, 30.1, 1.2, 1e-3, -2.0);
    grz_mesh *mesh = test_mesh_upload(device, &part);
    grz_scene *scenes[4];
    for (int i = 0; i < 4; i++) {
        assert_int_equal(grz_scene_create(device, &scenes[i], NULL), GRZ_OK);
        for (int j = 0; j < 4; j++) {
            grz_object object = grz_object_at_origin(mesh);
            uint32_t id;
            object.pose = grz_pose_from_translation(0.0, 0.0, 0.3e-3 * j);
            assert_int_equal(grz_scene_add(scenes[i], &object, &id, NULL), GRZ_OK);
        }
    }
    expect_same_scenes(device, scenes, 6);
    for (int i = 0; i < 4; i++)
        grz_scene_destroy(scenes[i]);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&part);
    test_gl_device_close(device);
}

int main(void)
{
    if (!test_gl_is_here())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_meshes),
        cmocka_unit_test(far_and_small),
        cmocka_unit_test(points_lie_in_fragments),
        cmocka_unit_test(neighbours_are_left_out),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(buffers_grow),
        cmocka_unit_test(too_many_pixels),
        cmocka_unit_test(many_objects_in_one_grid),
        cmocka_unit_test(candidates_follow_the_order_of_objects_in_a_job),
        cmocka_unit_test(overflowing_jobs_are_handed_to_bvh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 77;
}
#endif
