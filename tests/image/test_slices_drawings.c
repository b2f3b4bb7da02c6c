// SPDX-License-Identifier: MIT
// What the discrete answer of method `slices` draws after its first picture: more pixels in the last one; nothing, if a
// large volume counts as a collision; offset surfaces made for each volume. Skipped where there is no OpenGL.
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
#include "support_slices.h"

#ifdef GRZ_HAVE_GL

static bool ask(test_slices_stage *s)
{
    grz_error error;
    if (test_slices_ask(s, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return grz_result_summary(s->result)->colliding;
}

static uint64_t number(const test_slices_stage *s, const char *name)
{
    uint64_t value;
    assert_true(grz_result_statistic(s->result, name, &value));
    return value;
}

// Two balls whose boxes overlap and which are apart by 0.008, seen along the line between their middles: the gap lies
// in the depth of the picture.
static test_slices_stage open_balls(void)
{
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 4), test_mesh_icosphere(1.0, 4));
    s.objects[1].pose = grz_pose_from_translation(1.42, 1.42, 0.0);
    s.options.has_direction = true;
    s.options.direction[0] = s.options.direction[1] = 1.0;
    s.options.slices = 15; // an odd number: the gap lies in a slice, not between two
    return s;
}

// A block with a tower in a corner, and above the block, in the same slice of the first picture, a lid with a thorn
// that sticks in it, between the middles of 4 × 4 pixels.
static test_slices_stage open_lid(void)
{
    test_mesh lid = test_mesh_box((double[3]){0.0, 0.0, 1.01}, (double[3]){0.85, 0.85, 1.5}),
              block = test_mesh_cube(0.0, 0.0, 0.0, 1.0), thorn = {0};
    const uint32_t first = test_mesh_add_vertex(&thorn, 0.2125, 0.2125, 0.95);
    for (int i = 0; i < 4; i++) // widest at the lid, and 0.1 wide there
        test_mesh_add_vertex(&thorn, i == 0 || i == 3 ? 0.1625 : 0.2625, i < 2 ? 0.1625 : 0.2625, 1.01);
    for (uint32_t i = 0; i < 4; i++)
        test_mesh_add_triangle(&thorn, first, 1 + (i + 1) % 4, 1 + i);
    test_mesh_take(&lid, thorn);
    test_mesh_take(&block, test_mesh_box((double[3]){0.9, 0.9, 1.0}, (double[3]){1.0, 1.0, 1.5}));
    test_slices_stage s = test_slices_open(block, lid);
    s.options.has_direction = true;
    s.options.direction[2] = 1.0;
    return s;
}

// The lid shares a slice with the block, so something is found. Refined, they no longer do, and 4 × 4 pixels do not
// show the thorn; more pixels do.
static void more_pixels_in_the_last_drawing(void **state)
{
    (void)state;
    test_slices_stage s = open_lid();
    s.options.resolution = 4;
    s.options.refinements = 0;
    assert_true(ask(&s));
    s.options.refinements = 1;
    s.options.last_slices = 8;
    assert_false(ask(&s));
    assert_int_equal(number(&s, "resolution"), 4);
    for (int analysis = 0; analysis < 2; analysis++) {
        s.options.analysis = (grz_slices_analysis)analysis;
        s.options.last_resolution = 500; // not whole tiles
        assert_true(ask(&s));
        assert_int_equal(number(&s, "resolution"), 500);
        assert_int_equal(number(&s, "drawings"), 2);
    }
    s.options.refinements = 0; // then no drawing refines
    assert_true(ask(&s));
    assert_int_equal(number(&s, "resolution"), 4);
    test_slices_close(&s);
}

// What is drawn last is checked before anything is drawn.
static void last_pictures_that_are_too_large_are_refused(void **state)
{
    (void)state;
    test_slices_stage s = open_balls();
    grz_error error = {0};
    s.objects[1].pose = grz_pose_from_translation(50.0, 0.0, 0.0);
    s.options.last_resolution = 1u << 24;
    assert_int_equal(test_slices_ask(&s, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "a resolution of 16777216"));
    s.options.last_resolution = 8192;
    s.options.last_slices = 512;
    assert_int_equal(test_slices_ask(&s, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "8192 x 8192 pixels of 512 slices"));
    s.options.refinements = 0;
    assert_false(ask(&s));
    test_slices_close(&s);
}

// A large volume ends the query: right for balls that overlap, invented for balls that are close, unless confirmed.
static void a_large_volume_counts_as_a_collision(void **state)
{
    (void)state;
    test_slices_stage s = open_balls();
    s.options.resolution = 16;
    s.options.refinements = 4;
    assert_false(ask(&s));
    assert_true(number(&s, "drawings") > 1 && number(&s, "assumed") == 0);
    s.options.large_share = 1e-6; // any volume is large
    assert_true(ask(&s));
    assert_true(grz_result_summary(s.result)->may_invent);
    assert_true(number(&s, "drawings") == 1 && number(&s, "assumed") == 1);
    s.options.confirm = true;
    assert_false(ask(&s));
    assert_int_equal(number(&s, "assumed"), 1);
    s.options.confirm = false;
    s.options.large_share = 17.0; // more than there are slices: none is so large
    assert_false(ask(&s));
    assert_int_equal(number(&s, "assumed"), 0);
    s.objects[1].pose = grz_pose_from_translation(1.0, 1.0, 0.0); // deep in each other
    s.options.large_share = 0.1;
    assert_true(ask(&s));
    assert_true(number(&s, "drawings") == 1 && number(&s, "assumed") == 1);
    s.options.refinements = 0; // nothing would follow: nothing is assumed
    assert_true(ask(&s));
    assert_int_equal(number(&s, "assumed"), 0);
    test_slices_close(&s);
}

// A needle thinner than a pixel is missed; moved outwards by a cell it is wide enough, whatever the unit of length and
// whether the pose scales or the mesh is larger.
static void surfaces_are_moved_by_cells(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double unit = i == 1 ? 1024.0 : 1.0;
        test_mesh needle = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
        for (uint64_t v = 0; v < needle.vertex_count; v++) {
            double *at = needle.positions + 3 * v;
            at[0] = unit * (0.253 + 1e-4 * at[0]);
            at[1] = unit * (0.253 + 1e-4 * at[1]);
            at[2] *= 0.75 * unit;
        }
        test_slices_stage s = test_slices_open(test_mesh_cube(0.0, 0.0, 0.25 * unit, unit), needle);
        for (int k = 0; k < 2 && i == 2; k++)
            for (int j = 0; j < 3; j++)
                s.objects[k].pose.m[j][j] = 512.0;
        s.options.has_direction = true;
        s.options.direction[0] = 0.6, s.options.direction[1] = 0.3, s.options.direction[2] = 1.0;
        s.options.resolution = 16;
        s.options.refinements = 0;
        assert_false(ask(&s));
        s.options.cell_offset = 1.0;
        assert_true(ask(&s));
        test_slices_close(&s);
    }
}

// Two sheets that cross, both moved to one side: their offset surfaces meet beside the line where they do themselves.
// Volumes are made larger by the offset, so the line stays in them.
static void what_was_moved_stays_in_the_volume(void **state)
{
    (void)state;
    test_mesh flat = {0}, upright = {0};
    for (int i = 0; i < 4; i++) {
        const double u = i == 0 || i == 3 ? -1.0 : 1.0, v = i < 2 ? -1.0 : 1.0;
        test_mesh_add_vertex(&flat, u, v, 0.0);
        test_mesh_add_vertex(&upright, 0.0, v, u);
    }
    for (uint32_t i = 0; i < 2; i++) {
        test_mesh_add_triangle(&flat, 0, 1 + i, 2 + i);
        test_mesh_add_triangle(&upright, 0, 1 + i, 2 + i);
    }
    test_slices_stage s = test_slices_open(flat, upright);
    const double still[3] = {0.0, 0.0, 0.0}, turned[4] = {0.1, 0.3, 0.2, 1.0};
    for (int k = 0; k < 2; k++)
        assert_int_equal(grz_pose_from_quaternion(still, turned, &s.objects[k].pose, NULL), GRZ_OK);
    s.options.resolution = 32;
    s.options.slices = 32;
    s.options.cell_offset = 3.0;
    for (uint32_t i = 0; i < 5; i++) {
        s.options.refinements = i;
        assert_true(ask(&s));
    }
    test_slices_close(&s);
}

// Poses that scale by a power of two, and the distances with them, change no answer.
static void offsets_do_not_depend_on_a_scale(void **state)
{
    (void)state;
    test_slices_stage s = open_balls();
    int hits = 0, apart = 0;
    s.options.refinements = 0;
    s.options.cell_offset = 0.5;
    for (int i = 0; i < 16; i++) {
        bool said[2];
        for (int k = 0; k < 2; k++) {
            const double unit = k == 0 ? 1.0 : 512.0, step = unit * (1.4 + 0.015 * i);
            s.objects[1].pose = grz_pose_from_translation(step, step, 0.0);
            for (int j = 0; j < 3; j++)
                s.objects[0].pose.m[j][j] = s.objects[1].pose.m[j][j] = unit;
            said[k] = ask(&s);
        }
        assert_int_equal(said[0], said[1]);
        hits += said[0];
        apart += !said[0];
    }
    assert_true(hits > 2 && apart > 2);
    test_slices_close(&s);
}

// Offset surfaces of close balls meet in the first picture. A distance that is made for each volume shrinks with it,
// and the gap shows; one that stays does not.
static void offsets_shrink_with_the_volume(void **state)
{
    (void)state;
    test_slices_stage s = open_balls();
    s.objects[1].pose = grz_pose_from_translation(1.435, 1.435, 0.0); // apart by 0.03
    s.options.cell_offset = 1.0;
    s.options.refinements = 0;
    assert_true(ask(&s));
    s.options.refinements = 5;
    assert_false(ask(&s));
    s.options.cell_offset = 0.0;
    s.options.offset = 0.02; // 0.07 of a diagonal of 3.46
    s.options.refinements = 1;
    assert_true(ask(&s));
    s.options.offset = 0.0;
    s.options.cell_offset = 1.0;
    s.objects[1].pose = grz_pose_from_translation(1.4, 1.4, 0.0); // they overlap by 0.02
    assert_true(ask(&s));
    test_slices_close(&s);
}

// Paths are drawn with offset surfaces, too.
static void paths_have_offsets_by_cells(void **state)
{
    (void)state;
    test_slices_stage s = open_balls();
    const grz_pose a[2] = {grz_pose_identity(), grz_pose_identity()},
                   b[2] = {grz_pose_from_translation(5.0, 1.42, 0.0), grz_pose_from_translation(1.46, 1.46, 0.0)};
    grz_slices_path_answer answer;
    s.options.refinements = 0;
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], b, 2, &s.options, &answer, NULL), GRZ_OK);
    assert_int_equal(answer.first, 2);
    s.options.cell_offset = 2.0;
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], b, 2, &s.options, &answer, NULL), GRZ_OK);
    assert_int_equal(answer.first, 1);
    test_slices_close(&s);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    test_slices_stage s = open_balls();
    const grz_slices_options good = s.options;
    for (int i = 0; i < 5; i++) {
        grz_error error = {0};
        s.options = good;
        s.options.cell_offset = i == 0 ? -1.0 : i == 1 ? 16.5 : i == 2 ? (double)NAN : 0.0;
        s.options.large_share = i == 3 ? -0.5 : i == 4 ? (double)NAN : 0.0;
        assert_int_equal(test_slices_ask(&s, &error), GRZ_ERROR_ARGUMENT);
        assert_memory_equal(error.message, "slices: ", 8);
    }
    test_slices_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_pixels_in_the_last_drawing),
        cmocka_unit_test(last_pictures_that_are_too_large_are_refused),
        cmocka_unit_test(a_large_volume_counts_as_a_collision),
        cmocka_unit_test(surfaces_are_moved_by_cells),
        cmocka_unit_test(what_was_moved_stays_in_the_volume),
        cmocka_unit_test(offsets_do_not_depend_on_a_scale),
        cmocka_unit_test(offsets_shrink_with_the_volume),
        cmocka_unit_test(paths_have_offsets_by_cells),
        cmocka_unit_test(wrong_numbers_are_refused),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
