// SPDX-License-Identifier: MIT
// The discrete answer of `layers`. The three ways to capture find the same sets as a second implementation on the CPU,
// the twin: triangles that cover a pixel's centre at depths no further apart than the threshold. For pairs, self and
// scenes: reported pairs touch. Pairs that pixels, layers or the threshold leave out are missed, and the answer is
// labelled so. With the option `untested` the answer may invent pairs. Exact answers of the same scene do not change.
// Wrong settings are refused. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"
#include "support_statistics.h"

#ifdef GRZ_HAVE_GL
#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"
#include "image/layers/sample.h"
#include "mesh/mesh.h"
#include "mesh/triangles.h"

enum {
    SIDE = 48
};

static grz_layers_options settings(grz_layers_capture capture, uint32_t layers, double threshold)
{
    grz_layers_options options = grz_default_layers_options();
    options.resolution = SIDE;
    options.capture = capture;
    options.layers = layers;
    options.threshold = threshold;
    return options;
}

static grz_layers_options from_above(grz_layers_options options)
{
    options.has_direction = true;
    options.direction[2] = -1.0;
    return options;
}

static grz_box region_of(const grz_object *a, const grz_object *b)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    return grz_box_intersection(&box_a, &box_b);
}

// ---- Sets -----------------------------------------------------------------------------------------------------------

static int compare_sets(const void *x, const void *y)
{
    const uint32_t *a = ((const grz_layers_set *)x)->triangles, *b = ((const grz_layers_set *)y)->triangles;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

// Of two objects, sorted. Each is there once.
static grz_layers_sets sets_of(grz_device *device, const grz_object *const objects[2],
                               const grz_layers_options *options, grz_control *control)
{
    const grz_layers_request request = {.objects = objects,
                                        .count = 2,
                                        .region = region_of(objects[0], objects[1]),
                                        .options = options,
                                        .reduce = true};
    grz_layers_sets sets = {.items = NULL};
    grz_error error;
    grz_control_init(control, grz_device_allocator(device), NULL);
    if (grz_layers_sample(device, &request, control, &sets, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    if (sets.count > 0)
        qsort(sets.items, sets.count, sizeof *sets.items, compare_sets);
    for (size_t i = 1; i < sets.count; i++)
        assert_true(compare_sets(&sets.items[i - 1], &sets.items[i]) != 0);
    return sets;
}

// How far inside a triangle the centre of a pixel is, in pixels; `depth` receives the triangle's depth there, 0 to 1.
static double inside_by(const double corners[3][3], double x, double y, double *depth)
{
    const double area = (corners[1][0] - corners[0][0]) * (corners[2][1] - corners[0][1]) -
                        (corners[2][0] - corners[0][0]) * (corners[1][1] - corners[0][1]);
    double least = HUGE_VAL;
    *depth = 0.0;
    for (int i = 0; i < 3; i++) {
        const double *p = corners[(i + 1) % 3], *q = corners[(i + 2) % 3];
        const double part = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        *depth += part / area * corners[i][2];
        least = fmin(least, part / (area > 0.0 ? 1.0 : -1.0) / hypot(q[0] - p[0], q[1] - p[1]));
    }
    return least;
}

typedef struct twin {
    double (*corners[2])[3][3]; // pixels, and depth from 0 to 1
    uint32_t counts[2];
} twin;

static twin twin_of(const grz_object *const objects[2], const grz_view *view)
{
    twin t;
    for (int k = 0; k < 2; k++) {
        t.counts[k] = objects[k]->mesh->triangle_count;
        t.corners[k] = calloc(t.counts[k], sizeof *t.corners[k]);
        assert_non_null(t.corners[k]);
        for (uint32_t i = 0; i < t.counts[k]; i++) {
            double world[3][3];
            grz_world_corners(objects[k]->mesh, &objects[k]->pose, i, world);
            for (int c = 0; c < 3; c++)
                for (int j = 0; j < 3; j++) {
                    double at = 0.0;
                    for (int axis = 0; axis < 3; axis++)
                        at += view->axes[j][axis] * (world[c][axis] - view->centre[axis]);
                    t.corners[k][i][c][j] = (at / view->half[j] + 1.0) / 2.0 * (j < 2 ? SIDE : 1.0);
                }
        }
    }
    return t;
}

// Whether two triangles cover the centre of some pixel close to each other: 1 certainly, -1 certainly not, 0 too close
// to decide.
static int twin_says(const twin *t, uint32_t a, uint32_t b, double threshold)
{
    const double(*p)[3] = (const double(*)[3])t->corners[0][a], (*q)[3] = (const double(*)[3])t->corners[1][b];
    int least[2], last[2], answer = -1;
    for (int j = 0; j < 2; j++) {
        const double low = fmax(fmin(p[0][j], fmin(p[1][j], p[2][j])), fmin(q[0][j], fmin(q[1][j], q[2][j])));
        const double high = fmin(fmax(p[0][j], fmax(p[1][j], p[2][j])), fmax(q[0][j], fmax(q[1][j], q[2][j])));
        least[j] = (int)fmax(0.0, floor(low) - 1.0);
        last[j] = (int)fmin(SIDE - 1.0, floor(high) + 1.0);
    }
    for (int y = least[1]; y <= last[1] && answer < 1; y++)
        for (int x = least[0]; x <= last[0] && answer < 1; x++) {
            double depths[2];
            const double inside =
                fmin(inside_by(p, x + 0.5, y + 0.5, &depths[0]), inside_by(q, x + 0.5, y + 0.5, &depths[1]));
            const double apart = fabs(depths[0] - depths[1]),
                         out = fmin(fmin(depths[0], depths[1]), 1.0 - fmax(depths[0], depths[1]));
            if (inside > 0.01 && apart < threshold - 1e-4 && out > 1e-4)
                answer = 1;
            else if (inside > -0.01 && apart < threshold + 1e-4 && out > -1e-4)
                answer = 0;
        }
    return answer;
}

static void sets_are_those_of_the_twin(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    uint64_t met = 0, open_ones = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        random_stream random = random_stream_of_block(PAIR_RANDOM, 300 + seed);
        test_mesh shapes[2] = {test_mesh_icosphere(1, 2), test_mesh_torus(0.9, 0.3, 20, 12)};
        if (seed % 2 == 1)
            shapes[0] = (test_mesh_finish(&shapes[0]), test_mesh_random_triangles(&random, 150, 0.6, 0));
        grz_mesh *meshes[2];
        grz_object objects[2];
        for (int k = 0; k < 2; k++) {
            double at[3], quaternion[4];
            meshes[k] = test_mesh_upload(device, &shapes[k]);
            objects[k] = grz_object_at_origin(meshes[k]);
            for (int j = 0; j < 4; j++)
                quaternion[j] = random_signed(&random) + 0.01;
            for (int j = 0; j < 3; j++)
                at[j] = 0.6 * random_signed(&random);
            assert_int_equal(grz_pose_from_quaternion(at, quaternion, &objects[k].pose, NULL), GRZ_OK);
        }
        const grz_object *both[2] = {&objects[0], &objects[1]};
        const double threshold = 0.01 * (1 + seed % 5);
        const grz_layers_options ways[3] = {settings(GRZ_LAYERS_LISTS, 1, threshold),
                                            settings(GRZ_LAYERS_FIXED, 64, threshold),
                                            settings(GRZ_LAYERS_PEELED, 64, threshold)};
        grz_control controls[3];
        grz_layers_sets sets[3];
        for (int i = 0; i < 3; i++)
            sets[i] = sets_of(device, both, &ways[i], &controls[i]);
        assert_true(sets[0].captured > 500 && sets[1].left_out == 0);
        for (int i = 1; i < 3; i++) {
            assert_int_equal(sets[i].count, sets[0].count);
            for (size_t j = 0; j < sets[0].count; j++)
                assert_int_equal(compare_sets(&sets[0].items[j], &sets[i].items[j]), 0);
        }
        twin t = twin_of(both, &sets[0].view);
        size_t next = 0;
        for (uint32_t a = 0; a < t.counts[0]; a++)
            for (uint32_t b = 0; b < t.counts[1]; b++) {
                const grz_layers_set set = {.triangles = {a, t.counts[0] + b}};
                const bool found = next < sets[0].count && compare_sets(&sets[0].items[next], &set) == 0;
                const int says = twin_says(&t, a, b, threshold);
                if ((found && says < 0) || (!found && says > 0))
                    fail_msg("seed %u: triangles %u and %u are %s set", seed, a, b, found ? "a" : "no");
                next += found;
                met += says > 0;
                open_ones += says == 0;
            }
        assert_int_equal(next, sets[0].count);
        for (int i = 0; i < 3; i++)
            grz_layers_sets_finish(&sets[i], &controls[i]);
        for (int k = 0; k < 2; k++) {
            free(t.corners[k]);
            grz_mesh_destroy(meshes[k]);
            test_mesh_finish(&shapes[k]);
        }
    }
    print_message("  %llu sets, %llu too close to call\n", (unsigned long long)met, (unsigned long long)open_ones);
    assert_true(met > 1000 && open_ones < met / 2);
    test_gl_device_close(device);
}

// ---- Answers --------------------------------------------------------------------------------------------------------

static grz_status ask(grz_device *device, const grz_object *a, const grz_object *b, const grz_layers_options *options,
                      grz_answer answer, grz_result *result, grz_error *error)
{
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.answer = answer;
    collide_options.method = "layers";
    collide_options.method_options =
        options != NULL ? &(grz_method_options){.method = "layers", .options = options} : NULL;
    collide_options.find = GRZ_FIND_CONTACTS | GRZ_FIND_CONTAINMENT;
    return b != NULL ? grz_collide(device, a, b, &collide_options, result, error)
                     : grz_collide_self(device, a, &collide_options, result, error);
}

static bool is_listed(const grz_pair *pairs, uint64_t count, grz_pair pair)
{
    for (uint64_t i = 0; i < count; i++)
        if (pairs[i].face_a == pair.face_a && pairs[i].face_b == pair.face_b)
            return pairs[i].kind == pair.kind;
    return false;
}

// Expect that all reported pairs touch, and that some of the touching ones are reported. `b` NULL: a with itself.
static void expect_some(grz_device *device, const grz_object *a, const grz_object *b, const grz_layers_options *options)
{
    grz_result *exact = test_result_create(device), *discrete = test_result_create(device);
    uint64_t all, count;
    assert_int_equal(ask(device, a, b, NULL, GRZ_ANSWER_EXACT, exact, NULL), GRZ_OK);
    assert_int_equal(ask(device, a, b, options, GRZ_ANSWER_DISCRETE, discrete, NULL), GRZ_OK);
    const grz_summary *summary = grz_result_summary(discrete);
    const grz_pair *pairs = grz_result_pairs(discrete, &count), *true_pairs = grz_result_pairs(exact, &all);
    assert_true(summary->certainty == GRZ_DISCRETE && summary->may_miss && !summary->may_invent &&
                !summary->pairs_complete);
    test_statistics statistics;
    assert_true(test_statistics_read(discrete, "layers", &statistics));
    assert_false(test_statistics_read(discrete, "slices", NULL));
    assert_true(statistics.resolution == options->resolution && statistics.sets > 0 && summary->colliding &&
                summary->has_region);
    print_message("  %llu of %llu pairs\n", (unsigned long long)count, (unsigned long long)all);
    assert_true(count > 0 && count <= all);
    for (uint64_t i = 0; i < count; i++)
        assert_true(is_listed(true_pairs, all, pairs[i]));
    grz_result_destroy(exact);
    grz_result_destroy(discrete);
}

static void reported_pairs_touch(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh ball = test_mesh_icosphere(1, 3), ring = test_mesh_torus(0.9, 0.3, 40, 24), both = test_mesh_copy(&ball);
    test_mesh_take(&both, test_mesh_copy(&ring));
    grz_mesh *meshes[3] = {test_mesh_upload(device, &ball), test_mesh_upload(device, &ring),
                           test_mesh_upload(device, &both)};
    const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]),
                     c = grz_object_at_origin(meshes[2]);
    for (int capture = GRZ_LAYERS_FIXED; capture <= GRZ_LAYERS_PEELED; capture++) {
        const grz_layers_options options = settings((grz_layers_capture)capture, 8, 0.05);
        expect_some(device, &a, &b, &options);
        expect_some(device, &b, &a, &options);
        expect_some(device, &c, NULL, &options);
    }
    for (int i = 0; i < 3; i++)
        grz_mesh_destroy(meshes[i]);
    test_mesh_finish(&ball);
    test_mesh_finish(&ring);
    test_mesh_finish(&both);
    test_gl_device_close(device);
}

// Yes or no, of two meshes.
static bool says_yes(grz_device *device, const test_mesh *a, const test_mesh *b, const grz_layers_options *options,
                     grz_answer answer)
{
    grz_mesh *mesh_a = test_mesh_upload(device, a), *mesh_b = test_mesh_upload(device, b);
    const grz_object object_a = grz_object_at_origin(mesh_a), object_b = grz_object_at_origin(mesh_b);
    grz_result *result = test_result_create(device);
    grz_error error;
    uint64_t count;
    if (ask(device, &object_a, &object_b, options, answer, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_summary *summary = grz_result_summary(result);
    const bool yes = summary->colliding;
    grz_result_pairs(result, &count);
    if (answer == GRZ_ANSWER_DISCRETE) {
        assert_true(summary->certainty == GRZ_DISCRETE && summary->may_miss &&
                    summary->may_invent == options->untested);
        assert_true(yes || summary->containment == GRZ_CONTAINMENT_UNDECIDABLE);
        assert_true(!options->untested || count == 0);
    }
    grz_result_destroy(result);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    return yes;
}

// A sheet from -1 to 1 along both sides.
static test_mesh sheet_at(double z, double slope)
{
    const double p[4][3] = {{-1, -1, z - slope}, {1, -1, z + slope}, {1, 1, z + slope}, {-1, 1, z - slope}};
    const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    return test_mesh_make(&p[0][0], 4, corners, 2, 3);
}

static void missed_and_invented_pairs(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    const grz_layers_options usual = from_above(settings(GRZ_LAYERS_LISTS, 8, 1.0 / 32.0));
    grz_layers_options other = usual;
    // A needle that goes through a sheet between the centres of pixels.
    test_mesh sheet = sheet_at(0.0, 0.3), needle = {0}, frame = sheet_at(0.5, 0.0);
    const double thin[3][3] = {{0.001, 0.001, -1}, {0.0011, 0.001, 1}, {0.001, 0.0011, 1}};
    test_mesh_add_loose_triangle(&needle, thin);
    test_mesh_take(&needle, test_mesh_copy(&frame)); // so that the region is wide
    test_mesh_move(&frame, 0, 0, 10);
    assert_true(says_yes(device, &sheet, &needle, NULL, GRZ_ANSWER_EXACT));
    assert_false(says_yes(device, &sheet, &needle, &usual, GRZ_ANSWER_DISCRETE));
    // A sheet seen edge-on.
    test_mesh wall = {0};
    const double upright[2][3][3] = {{{-1, 0.01, -0.5}, {1, 0.01, -0.5}, {1, 0.01, 0.5}},
                                     {{-1, 0.01, -0.5}, {1, 0.01, 0.5}, {-1, 0.01, 0.5}}};
    test_mesh_add_loose_triangle(&wall, upright[0]);
    test_mesh_add_loose_triangle(&wall, upright[1]);
    test_mesh_take(&wall, sheet_at(2.0, 0.0));
    assert_true(says_yes(device, &sheet, &wall, NULL, GRZ_ANSWER_EXACT));
    assert_false(says_yes(device, &sheet, &wall, &usual, GRZ_ANSWER_DISCRETE));
    // Two sheets that cross between pixel centres: found if the threshold is at least their distance at the nearest
    // centre.
    test_mesh steep = sheet_at(0.003, -0.3);
    assert_true(says_yes(device, &sheet, &steep, &usual, GRZ_ANSWER_DISCRETE));
    other.threshold = 0.0;
    assert_false(says_yes(device, &sheet, &steep, &other, GRZ_ANSWER_DISCRETE));
    // One layer holds only one of the two surfaces; two layers hold both.
    for (int way = 0; way < 2; way++) {
        other = from_above(settings(way == 0 ? GRZ_LAYERS_FIXED : GRZ_LAYERS_PEELED, 1, 1.0 / 32.0));
        assert_false(says_yes(device, &sheet, &steep, &other, GRZ_ANSWER_DISCRETE));
        other.layers = 2;
        assert_true(says_yes(device, &sheet, &steep, &other, GRZ_ANSWER_DISCRETE));
    }
    // Sheets that are close, and do not touch.
    test_mesh above = sheet_at(0.005, 0.3);
    other = usual;
    assert_false(says_yes(device, &sheet, &above, &usual, GRZ_ANSWER_DISCRETE));
    other.untested = true;
    assert_true(says_yes(device, &sheet, &above, &other, GRZ_ANSWER_DISCRETE));
    other.threshold = 0.001;
    assert_false(says_yes(device, &sheet, &above, &other, GRZ_ANSWER_DISCRETE));
    test_mesh *const meshes[6] = {&sheet, &needle, &frame, &wall, &steep, &above};
    for (int i = 0; i < 6; i++)
        test_mesh_finish(meshes[i]);
    test_gl_device_close(device);
}

// ---- Scenes ---------------------------------------------------------------------------------------------------------

enum {
    BALLS = 60
};

static bool scene_pair_is_listed(const grz_scene_pair *pairs, uint64_t count, const grz_scene_pair *pair)
{
    for (uint64_t i = 0; i < count; i++)
        if (pairs[i].a == pair->a && pairs[i].b == pair->b)
            return pairs[i].relation == GRZ_COLLIDING && pair->pair_count <= pairs[i].pair_count;
    return false;
}

static grz_result *ask_scene(grz_device *device, grz_scene *scene, grz_answer answer, uint32_t resolution)
{
    grz_collide_options options = grz_default_collide_options();
    grz_layers_options layers = settings(GRZ_LAYERS_LISTS, 8, 1.0 / 64.0);
    grz_result *result = test_result_create(device);
    grz_error error;
    layers.resolution = resolution;
    options.answer = answer;
    options.method_options = &(grz_method_options){.method = "layers", .options = &layers};
    if (grz_collide_scene(device, scene, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return result;
}

// The same pairs of objects and faces.
static void expect_equal(const grz_result *x, const grz_result *y)
{
    uint64_t counts[2];
    test_answer answers[2] = {test_answer_of(x), test_answer_of(y)};
    const grz_scene_pair *p = grz_result_scene_pairs(x, &counts[0]), *q = grz_result_scene_pairs(y, &counts[1]);
    assert_true(counts[0] == counts[1] && test_answers_equal("scene", &answers[0], &answers[1]));
    for (uint64_t i = 0; i < counts[0]; i++)
        assert_true(p[i].a == q[i].a && p[i].b == q[i].b && p[i].pair_count == q[i].pair_count);
    test_answer_finish(&answers[0]);
    test_answer_finish(&answers[1]);
}

static void many_objects_at_once(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 400);
    test_mesh ball = test_mesh_icosphere(0.5, 2);
    grz_mesh *mesh = test_mesh_upload(device, &ball);
    grz_scene *scene;
    uint32_t id;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    for (int i = 0; i < BALLS; i++) {
        grz_object object = grz_object_at_origin(mesh);
        for (int j = 0; j < 3; j++)
            object.pose.m[j][3] = 2.0 * random_signed(&random);
        object.group = i % 3 == 0 ? 2 : 1; // those of group 2 do not meet each other
        object.mask = i % 3 == 0 ? 1 : 3;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
    }
    grz_result *answers[4];
    uint64_t counts[2];
    for (int i = 0; i < 4; i++)
        answers[i] = ask_scene(device, scene, i % 2 == 0 ? GRZ_ANSWER_DISCRETE : GRZ_ANSWER_EXACT, 256);
    const grz_scene_pair *found = grz_result_scene_pairs(answers[0], &counts[0]);
    const grz_scene_pair *all = grz_result_scene_pairs(answers[1], &counts[1]);
    const grz_summary *discrete = grz_result_summary(answers[0]), *exact = grz_result_summary(answers[1]);
    print_message("  %llu of %llu pairs of objects touch, at %llu of %llu pairs of faces\n",
                  (unsigned long long)counts[0], (unsigned long long)counts[1],
                  (unsigned long long)discrete->pair_count, (unsigned long long)exact->pair_count);
    assert_true(discrete->certainty == GRZ_DISCRETE && exact->certainty == GRZ_EXACT);
    assert_true(2 * counts[0] > counts[1] && discrete->pair_count > 0);
    for (uint64_t i = 0; i < counts[0]; i++)
        assert_true(scene_pair_is_listed(all, counts[1], &found[i]));
    expect_equal(answers[0], answers[2]);
    expect_equal(answers[1], answers[3]); // the samples of the query before are not used
    for (int i = 0; i < 4; i++)
        grz_result_destroy(answers[i]);
    grz_scene_destroy(scene);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    test_gl_device_close(device);
}

// ---- Wrong settings -------------------------------------------------------------------------------------------------

static void wrong_settings(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh cube = test_mesh_cube(0, 0, 0, 1), other_cube = test_mesh_cube(0.5, 0.5, 0.5, 1),
              far_cube = test_mesh_cube(9, 9, 9, 1);
    grz_mesh *meshes[3] = {test_mesh_upload(device, &cube), test_mesh_upload(device, &other_cube),
                           test_mesh_upload(device, &far_cube)};
    const grz_object a = grz_object_at_origin(meshes[0]), b = grz_object_at_origin(meshes[1]),
                     c = grz_object_at_origin(meshes[2]);
    grz_result *result = test_result_create(device);
    grz_error error;
    grz_layers_options wrong[11];
    static const char *const texts[11] = {"threshold of -0.1", "threshold of nan", "threshold of inf",
                                          "0 layers",          "257 layers",       "resolution of 0",
                                          "options.capture",   "options.size",     "resolution of 100000",
                                          "MiB of fragments",  "options.direction"};
    for (int i = 0; i < 11; i++)
        wrong[i] = settings(GRZ_LAYERS_FIXED, 8, 0.1);
    wrong[0].threshold = -0.1;
    wrong[1].threshold = nan("");
    wrong[2].threshold = HUGE_VAL;
    wrong[3].layers = 0;
    wrong[4].layers = GRZ_LAYERS_MAX + 1;
    wrong[5].resolution = 0;
    wrong[6].capture = (grz_layers_capture)3;
    wrong[7].size = 1;
    wrong[8].resolution = 100000;
    wrong[9].resolution = 1024;
    wrong[9].layers = 256;
    wrong[10].has_direction = true;
    for (int i = 0; i < 11; i++) {
        const grz_status status = ask(device, &a, &b, &wrong[i], GRZ_ANSWER_DISCRETE, result, &error);
        assert_true(status == (i == 9 ? GRZ_ERROR_UNSUPPORTED : GRZ_ERROR_ARGUMENT));
        if (strstr(error.message, texts[i]) == NULL)
            fail_msg("\"%s\" has no \"%s\"", error.message, texts[i]);
        if (i < 8 || i == 10) // even where nothing is drawn
            assert_int_equal(ask(device, &a, &c, &wrong[i], GRZ_ANSWER_DISCRETE, result, &error), GRZ_ERROR_ARGUMENT);
    }
    // Batches have no discrete answer.
    grz_collide_options options = grz_default_collide_options();
    grz_pose_answer answer;
    options.method = "layers";
    options.answer = GRZ_ANSWER_DISCRETE;
    assert_int_equal(grz_collide_poses(device, &a, meshes[1], &b.pose, 1, &options, &answer, &error),
                     GRZ_ERROR_UNSUPPORTED);
    grz_result_destroy(result);
    for (int i = 0; i < 3; i++)
        grz_mesh_destroy(meshes[i]);
    test_mesh_finish(&cube);
    test_mesh_finish(&other_cube);
    test_mesh_finish(&far_cube);
    test_gl_device_close(device);
}

int main(void)
{
    if (!test_gl_is_here())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_those_of_the_twin),
        cmocka_unit_test(reported_pairs_touch),
        cmocka_unit_test(missed_and_invented_pairs),
        cmocka_unit_test(many_objects_at_once),
        cmocka_unit_test(wrong_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 77;
}
#endif
