// SPDX-License-Identifier: MIT
// The ranges of depths that method `heightmap` compares: each pixel's range of an object holds every point of its
// triangles there, ranges of the other object are only those that meet it, and triangles that touch are marked. Hard
// cases: flat regions, triangles much larger than the region, doubles that floats cannot tell apart. What lies between
// two surfaces of an object is not told apart. Skipped where there is no OpenGL.
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
#include "support_voxels.h"

enum {
    SIDE = 64,
    PIXELS = SIDE * SIDE
};

// The words of all pixels, as shaders/ranges.h has them: object A, then the triangles of B that meet it.
typedef uint32_t ranges[2 * PIXELS][2];

static const double ROUNDED = 1e-8; // slices: what this test's own doubles are wrong by

// In slices. False: there is no triangle.
static bool range_at(const uint32_t words[2], double *least, double *most)
{
    *least = (GRZ_RANGE_FAR - words[0]) / GRZ_RANGE_UNITS;
    *most = (words[1] - 1.0) / GRZ_RANGE_UNITS;
    assert_true((words[0] == 0) == (words[1] == 0));
    return words[1] != 0;
}

static void run(grz_device *device, const test_grid_request *q, grz_control *control, grz_grid_round *round)
{
    *round = (grz_grid_round){.answers = NULL};
    grz_control_init(control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_grid_run(device, &q->request, control, round, NULL), GRZ_OK);
    assert_int_equal(round->answers[0].flags & GRZ_JOB_WHOLE, 0);
}

static grz_grid_frame frame_of(const test_grid_request *q)
{
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
        const grz_box box = grz_world_box(&q->objects[i].pose, &q->objects[i].mesh->bounds);
        for (int j = 0; j < 3; j++)
            size = fmax(size, box.max[j] - box.min[j]);
    }
    return grz_grid_frame_of(&q->job.clip, size, SIDE);
}

// ---- Points of object A -------------------------------------------------------------------------------------------

// A point of a triangle, in cells. False: it is outside of the grid, or so close to a pixel's side that it may belong
// to the neighbour.
static bool place_point(const grz_grid_frame *grid, double corner[3][3], const double weight[3], int pixel[2],
                        double *depth)
{
    double c[3];
    for (int k = 0; k < 3; k++) {
        const int axis = grid->axes[k];
        const double sum = weight[0] + weight[1] + weight[2];
        const double at =
            ((weight[0] * corner[0][axis] + weight[1] * corner[1][axis]) + weight[2] * corner[2][axis]) / sum;
        c[k] = (at - grid->least[k]) * grid->per[k];
        if (!(c[k] >= 0.0 && c[k] <= grid->cells[k]))
            return false;
        if (k < 2 && !(fabs(c[k] - nearbyint(c[k])) > 1e-6))
            return false;
    }
    pixel[0] = (int)floor(c[0]);
    pixel[1] = (int)floor(c[1]);
    *depth = c[2];
    return true;
}

// Some points of each triangle, its corners among them. Returns how many lie in the grid.
static uint64_t expect_points_in_ranges(random_stream *random, const grz_object *object, const grz_grid_frame *grid,
                                        const ranges words)
{
    uint64_t inside = 0;
    for (uint32_t i = 0; i < object->mesh->triangle_count; i++) {
        double corner[3][3];
        for (size_t j = 0; j < 3; j++)
            grz_world_position(&object->pose,
                               grz_mesh_position(object->mesh, object->mesh->triangles[3 * (size_t)i + j]), corner[j]);
        for (int k = 0; k < 12; k++) {
            double weight[3], depth, least, most;
            int pixel[2];
            for (int j = 0; j < 3; j++)
                weight[j] = k < 3 ? j == k : k < 6 && j == k - 3 ? 0.0 : fabs(random_signed(random)) + 1e-3;
            if (!place_point(grid, corner, weight, pixel, &depth))
                continue;
            if (!range_at(words[SIDE * pixel[1] + pixel[0]], &least, &most))
                fail_msg("triangle %u has a point in pixel %d %d, which has no range", i, pixel[0], pixel[1]);
            if (!(depth >= least - ROUNDED && depth <= most + ROUNDED))
                fail_msg("triangle %u has a point in pixel %d %d at depth %.9f, the range is %.9f to %.9f", i, pixel[0],
                         pixel[1], depth, least, most);
            inside++;
        }
    }
    return inside;
}

// ---- Object B, and what is marked ---------------------------------------------------------------------------------

// Returns how many pixels have triangles of both.
static uint64_t expect_ranges_that_meet(const ranges words)
{
    uint64_t both = 0;
    for (int i = 0; i < PIXELS; i++) {
        double a[2], b[2];
        const bool has_a = range_at(words[i], &a[0], &a[1]), has_b = range_at(words[PIXELS + i], &b[0], &b[1]);
        if (!has_b)
            continue;
        if (!has_a || a[0] > b[1] || b[0] > a[1])
            fail_msg("pixel %d %d has triangles of B that do not meet A", i % SIDE, i / SIDE);
        both++;
    }
    return both;
}

// Returns how many pairs touch.
static uint64_t expect_touching_marked(grz_device *device, const grz_object *a, const grz_object *b,
                                       const grz_grid_answer *answer)
{
    const grz_object *objects[2] = {a, b};
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    uint64_t count;
    options.find = GRZ_FIND_PAIRS;
    options.method = "naive";
    assert_int_equal(grz_collide(device, a, b, &options, result, NULL), GRZ_OK);
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (int k = 0; k < 2 && count > 0; k++) {
        const uint32_t triangles = objects[k]->mesh->triangle_count;
        bool *marked = calloc(triangles, sizeof *marked);
        assert_true(marked != NULL && grz_mesh_face_count(objects[k]->mesh) == triangles);
        if (answer->marked[0] == 0 || answer->marked[1] == 0)
            fail_msg("%llu pairs touch, but %u and %u triangles are marked", (unsigned long long)count,
                     answer->marked[0], answer->marked[1]);
        for (uint32_t i = 0; i < answer->marked[k]; i++)
            marked[answer->lists[k][i]] = true;
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t triangle = k == 0 ? pairs[i].face_a : pairs[i].face_b;
            if (!marked[triangle])
                fail_msg("triangle %u of %c touches and is not marked", triangle, "AB"[k]);
        }
        free(marked);
    }
    grz_result_destroy(result);
    return count;
}

// ---- Random shapes ------------------------------------------------------------------------------------------------

// Totals over all jobs of a test.
typedef struct tally {
    uint64_t points, both, marked, pairs;
} tally;

static void expect_sound_ranges(grz_device *device, random_stream *random, const grz_object *a, const grz_object *b,
                                tally *sum)
{
    static ranges words;
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    test_grid_request q;
    grz_grid_round round;
    grz_control control;
    if (!grz_boxes_overlap(&box_a, &box_b))
        return;
    test_grid_request_init(&q, "heightmap", a, b, SIDE, GRZ_JOIN_NONE);
    q.request.cells = GRZ_CELLS_RANGES;
    run(device, &q, &control, &round);
    assert_int_equal(grz_grid_read_cells(device, SIDE, GRZ_CELLS_RANGES, words[0], NULL), GRZ_OK);
    const grz_grid_frame grid = frame_of(&q);
    sum->points += expect_points_in_ranges(random, a, &grid, (const uint32_t(*)[2])words);
    sum->both += expect_ranges_that_meet((const uint32_t(*)[2])words);
    sum->pairs += expect_touching_marked(device, a, b, &round.answers[0]);
    sum->marked += round.answers[0].marked[0] + round.answers[0].marked[1];
    grz_grid_round_finish(&round, &control);
}

static void points_lie_in_ranges_and_what_touches_is_marked(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 41);
    tally sum = {0};
    for (int i = 0; i < 120; i++) {
        test_two_objects two = test_two_objects_make(device, &random, i);
        expect_sound_ranges(device, &random, &two.objects[0], &two.objects[1], &sum);
        expect_sound_ranges(device, &random, &two.objects[1], &two.objects[0], &sum);
        test_two_objects_finish(&two);
    }
    print_message("  %d points, %d pixels with both, %d marked triangles, %d pairs touch\n", (int)sum.points,
                  (int)sum.both, (int)sum.marked, (int)sum.pairs);
    assert_true(sum.points > 100000 && sum.both > 50000 && sum.marked > 10000 && sum.pairs > 3000);
    test_gl_device_close(device);
}

// Triangles in planes of constant depth, without any thickness that could hide what is rounded: the two meshes have
// other middles and scales, so the same depth is another float in each.
static void sheets_in_one_plane_are_marked(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 42);
    tally sum = {0};
    for (int i = 0; i < 24; i++) {
        test_mesh meshes[2] = {{0}, {0}};
        grz_object objects[2];
        for (int j = 0; j < 400; j++) {
            const double x = 4.0 * random_signed(&random), y = 4.0 * random_signed(&random), z = random_signed(&random);
            for (int k = 0; k < 2; k++) {
                const double corners[3][3] = {{x, y, z}, {x + 0.01, y, z}, {x, y + 0.01, z}};
                test_mesh_add_loose_triangle(&meshes[k], corners);
            }
        }
        const double far[3][3] = {{5.0, 5.0, 7.7}, {5.1, 5.0, 7.7}, {5.0, 5.1, 7.7}};
        test_mesh_add_loose_triangle(&meshes[1], far); // moves the middle
        for (int k = 0; k < 2; k++)
            objects[k] = grz_object_at_origin(test_mesh_upload(device, &meshes[k]));
        expect_sound_ranges(device, &random, &objects[0], &objects[1], &sum);
        expect_sound_ranges(device, &random, &objects[1], &objects[0], &sum);
        for (int k = 0; k < 2; k++) {
            grz_mesh_destroy((grz_mesh *)objects[k].mesh);
            test_mesh_finish(&meshes[k]);
        }
    }
    assert_true(sum.pairs >= 48 * 400);
    test_gl_device_close(device);
}

// ---- What is told apart -------------------------------------------------------------------------------------------

// Square sheets over the middle of the grid, of two triangles each, at some heights from 0 to 6; and two posts in
// corners of the grid, where the other object has nothing, so that the grid reaches from 0 to 6.
static test_mesh sheets_at(const double *heights, int count, bool second)
{
    const double corners[2][2] = {{0.0, second ? 8.0 : 0.0}, {8.0, second ? 0.0 : 8.0}};
    test_mesh mesh = {0};
    for (int i = 0; i < 2; i++) {
        const double x = corners[i][0], y = corners[i][1];
        const double post[3][3] = {{x, y, 0.0}, {x, y, 6.0}, {x < 4.0 ? x + 0.05 : x - 0.05, y, 6.0}};
        test_mesh_add_loose_triangle(&mesh, post);
    }
    for (int i = 0; i < count; i++) {
        test_mesh sheet = test_mesh_grid(1, 1, 4.0);
        test_mesh_move(&sheet, 2.0, 2.0, heights[i]);
        test_mesh_take(&mesh, sheet);
    }
    return mesh;
}

static void expect_marked(size_t number, grz_device *device, const grz_object objects[2], grz_grid_cells cells,
                          const uint32_t expected[2])
{
    test_grid_request q;
    grz_grid_round round;
    grz_control control;
    test_grid_request_init(&q, "heightmap", &objects[0], &objects[1], SIDE, GRZ_JOIN_NONE);
    q.request.cells = cells;
    run(device, &q, &control, &round);
    for (int k = 0; k < 2; k++)
        if (round.answers[0].marked[k] != expected[k])
            fail_msg("case %zu, cells %d: %u triangles of %c are marked, not %u", number, (int)cells,
                     round.answers[0].marked[k], "AB"[k], expected[k]);
    grz_grid_round_finish(&round, &control);
}

// Triangles of B count if they lie between the surfaces of A, and those of A only if they lie between the triangles of
// B that count. So ranges mark triangles that share no cell, but an object between two sheets makes no pair.
static void only_what_lies_between_is_marked(void **state)
{
    (void)state;
    static const struct {
        double a[3], b[3];
        int count_a, count_b;
        uint32_t marked[2];
    } cases[] = {
        {{1.0}, {4.0}, 1, 1, {0, 0}},
        {{1.0, 2.0}, {4.0, 5.0}, 2, 2, {0, 0}},
        {{1.0, 5.0}, {3.0}, 2, 1, {0, 2}}, // B is between
        {{3.0}, {1.0, 5.0}, 1, 2, {0, 0}}, // A is
        {{1.0, 3.0}, {2.0, 4.0}, 2, 2, {0, 2}},
        {{1.0, 3.0, 5.0}, {2.0, 4.0}, 3, 2, {2, 4}},
        {{1.0, 2.0, 5.0}, {3.0, 4.0}, 3, 2, {0, 4}},
        {{1.0, 2.0, 5.0}, {2.0}, 3, 1, {2, 2}}, // these touch
    };
    static const uint32_t none[2] = {0, 0};
    grz_device *device = test_gl_device_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_mesh meshes[2] = {sheets_at(cases[i].a, cases[i].count_a, false),
                               sheets_at(cases[i].b, cases[i].count_b, true)};
        grz_object objects[2];
        for (int k = 0; k < 2; k++)
            objects[k] = grz_object_at_origin(test_mesh_upload(device, &meshes[k]));
        const bool touch = i + 1 == sizeof cases / sizeof *cases;
        expect_marked(i, device, objects, GRZ_CELLS_RANGES, cases[i].marked);
        expect_marked(i, device, objects, GRZ_CELLS_SLICES, touch ? cases[i].marked : none);
        for (int k = 0; k < 2; k++) {
            grz_mesh_destroy((grz_mesh *)objects[k].mesh);
            test_mesh_finish(&meshes[k]);
        }
    }
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_lie_in_ranges_and_what_touches_is_marked),
        cmocka_unit_test(sheets_in_one_plane_are_marked),
        cmocka_unit_test(only_what_lies_between_is_marked),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
