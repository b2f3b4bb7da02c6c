// SPDX-License-Identifier: MIT
// Meshes in OpenGL buffers of the caller. Every query gives the same bytes as for the same mesh in memory: in any
// layout, far from the origin, tiny, huge or flat, at any pose. An exact query reads back only the triangles that it
// needs. New positions are seen. Mistakes in buffers, positions and indices are reported. The buffers stay the
// caller's. Skipped where there is no OpenGL.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl_mesh.h"
#include "support_queries.h"
#include "support_sanitizer.h"

#ifdef GRZ_HAVE_GL
#include "image/grid/voxel_grid.h"
#include "mesh/source.h"

enum {
    FIND_ALL = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT
};

static test_answer ask(grz_device *device, const grz_mesh *a, const grz_pose *pose_a, const grz_mesh *b,
                       const grz_pose *pose_b, const char *method)
{
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_object object_a = grz_object_at_origin(a), object_b = grz_object_at_origin(b != NULL ? b : a);
    grz_error error;
    object_a.pose = *pose_a;
    object_b.pose = *pose_b;
    options.find = FIND_ALL;
    options.method = method;
    const grz_status status = b != NULL ? grz_collide(device, &object_a, &object_b, &options, result, &error)
                                        : grz_collide_self(device, &object_a, &options, result, &error);
    if (status != GRZ_OK)
        fail_msg("%s", error.message);
    const test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

// Query mesh a with mesh b, or with itself if b is NULL: once with a in memory and once with a in buffers. Expect the
// same answer. Returns the number of pairs.
static uint64_t expect_same_answers(const char *what, grz_device *device, const grz_mesh *here, const grz_mesh *gl,
                                    const grz_pose *pose_a, const grz_mesh *b, const grz_pose *pose_b)
{
    test_answer plain = ask(device, here, pose_a, b, pose_b, NULL), same = ask(device, gl, pose_a, b, pose_b, NULL);
    const uint64_t count = plain.pair_count;
    assert_true(test_answers_equal(what, &plain, &same));
    test_answer_finish(&plain);
    test_answer_finish(&same);
    return count;
}

static void collide(grz_device *device, const grz_object *a, const grz_object *b, const grz_collide_options *options,
                    grz_result *result)
{
    grz_error error;
    if (grz_collide(device, a, b, options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
}

// Compare both meshes in memory with one or both in buffers, by several methods.
static void expect_same(const char *what, test_program *p, const test_mesh *a, test_layout layout_a,
                        const grz_pose *pose_a, const test_mesh *b, test_layout layout_b, const grz_pose *pose_b)
{
    test_buffers buffers_a = test_buffers_make(a, layout_a), buffers_b = test_buffers_make(b, layout_b);
    grz_mesh *here_a = test_mesh_upload_flags(p->device, a, GRZ_MESH_INDEX_ONLY);
    grz_mesh *here_b = test_mesh_upload_flags(p->device, b, GRZ_MESH_INDEX_ONLY);
    grz_mesh *gl_a = test_buffers_mesh(p->device, &buffers_a), *gl_b = test_buffers_mesh(p->device, &buffers_b);
    const struct {
        const grz_mesh *a, *b;
        const char *method;
        uint32_t tried; // pairs of marked triangles, by shaders
    } ways[] = {{gl_a, here_b, NULL, 0},       {here_a, gl_b, "naive", 0},         {gl_a, gl_b, NULL, 0},
                {gl_a, gl_b, "slices", 0},     {gl_a, gl_b, "slices", 1 << 16},    {here_a, gl_b, "slices", 1 << 16},
                {gl_a, gl_b, "selection", 0},  {gl_a, gl_b, "selection", 1 << 16}, {here_a, gl_b, "selection", 0},
                {gl_a, gl_b, "heightmap", 0},  {gl_a, gl_b, "heightmap", 1 << 16}, {gl_a, here_b, "heightmap", 0},
                {here_a, gl_b, "heightmap", 0}};
    test_answer plain = ask(p->device, here_a, pose_a, here_b, pose_b, NULL);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        assert_int_equal(grz_grid_limit_pairs(p->device, ways[i].tried, NULL), GRZ_OK);
        test_answer answer = ask(p->device, ways[i].a, pose_a, ways[i].b, pose_b, ways[i].method);
        if (!test_answers_equal(what, &plain, &answer))
            fail_msg("%s: way %zu, layouts %d and %d", what, i, (int)layout_a, (int)layout_b);
        test_answer_finish(&answer);
    }
    test_answer_finish(&plain);
    grz_mesh_destroy(here_a);
    grz_mesh_destroy(here_b);
    grz_mesh_destroy(gl_a);
    grz_mesh_destroy(gl_b);
    test_buffers_delete(&buffers_a);
    test_buffers_delete(&buffers_b);
}

static grz_pose turned(double x, double y, double z)
{
    const double quaternion[4] = {0.1, 0.5, -0.3, 0.8}, at[3] = {x, y, z};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(at, quaternion, &pose, NULL), GRZ_OK);
    return pose;
}

static void pairs_in_every_layout(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh ball = test_mesh_icosphere(1.0, 2), torus = test_mesh_torus(1.0, 0.3, 40, 20);
    const grz_pose still = grz_pose_identity();
    test_mesh_round_to_floats(&ball);
    test_mesh_round_to_floats(&torus);
    for (int i = 0; i < LAYOUT_COUNT; i++) {
        const test_layout other = (test_layout)((i + 1) % LAYOUT_COUNT);
        test_mesh soup = test_mesh_soup(&ball), soup_of_torus = test_mesh_soup(&torus);
        const test_mesh *a = i == SOUP ? &soup : &ball, *b = other == SOUP ? &soup_of_torus : &torus;
        for (int step = 0; step < 12;
             step += TEST_SANITIZED ? 3 : 1) { // from deep inside to apart, by way of a ball inside the tube's hole
            const grz_pose pose = turned(0.25 * step, 0.01 * step, 0.02 * step);
            expect_same("ball and torus", &p, a, (test_layout)i, &still, b, other, &pose);
        }
        test_mesh_finish(&soup);
        test_mesh_finish(&soup_of_torus);
    }
    test_mesh_finish(&ball);
    test_mesh_finish(&torus);
    test_program_end(&p);
}

static void one_inside_the_other(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh large = test_mesh_icosphere(1.0, 3), small = test_mesh_cube(-0.25, -0.25, -0.25, 0.5),
              sheet = test_mesh_grid(4, 4, 0.125);
    const grz_pose still = grz_pose_identity();
    test_mesh_round_to_floats(&large);
    expect_same("cube in a ball", &p, &small, PACKED, &still, &large, NARROW, &still);
    expect_same("ball around a cube", &p, &large, INTERLEAVED, &still, &small, PACKED, &still);
    expect_same("ball around a sheet", &p, &large, PACKED, &still, &sheet, PACKED, &still);
    expect_same("open container", &p, &sheet, PACKED, &still, &small, PACKED, &still);
    // Both cubes lie on one side of the sheet, so a plane separates the boxes as they are posed; but one of them lies
    // in the sheet's world box, and the sheet is open.
    test_mesh cubes = test_mesh_cube(0.4, 0.25, 0.05, 0.015625), far = test_mesh_cube(3.0, 0.25, 0.05, 0.015625);
    const grz_pose askew = turned(0.0, 0.0, 0.0);
    test_mesh_append(&cubes, &far);
    test_mesh_round_to_floats(&cubes);
    expect_same("open, beside it", &p, &sheet, PACKED, &askew, &cubes, PACKED, &askew);
    test_mesh_finish(&cubes);
    test_mesh_finish(&far);
    test_mesh_finish(&large);
    test_mesh_finish(&small);
    test_mesh_finish(&sheet);
    test_program_end(&p);
}

// So many triangles cover so many pixels that a grid skips them: the list of the others is not complete.
static void too_many_pixels(void **state)
{
    (void)state;
    test_program p = test_program_start();
    const double min[3] = {-0.25, -0.25, 0x1p-14}, max[3] = {1.25, 1.25, 0.25}; // one sheet lies in its lower side
    test_mesh sheets = {0}, box = test_mesh_box(min, max);
    const grz_pose still = grz_pose_identity();
    for (int i = 0; i < 17500; i++) {
        const double z = 0x1p-17 * i, corners[3][3] = {{0.0, 0.0, z}, {1.0, 0.0, z}, {0.0, 1.0, z}};
        test_mesh_add_loose_triangle(&sheets, corners);
    }
    expect_same("sheets that are skipped", &p, &sheets, PACKED, &still, &box, PACKED, &still);
    test_mesh_finish(&sheets);
    test_mesh_finish(&box);
    test_program_end(&p);
}

// Sizes and positions at the limits of floats, and poses that flatten, mirror, shrink and move far away.
static void extremes(void **state)
{
    (void)state;
    static const double sizes[] = {1.0, 1e-42, 1e-38, 1e-30, 1e-3, 1e4, 1e30, 1e38};
    static const double offsets[] = {0.0, 1e3, 1e7, -1e30};
    test_program p = test_program_start();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7);
    const grz_pose still = grz_pose_identity();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += TEST_SANITIZED ? 3 : 1)
        for (size_t j = 0; j < sizeof offsets / sizeof *offsets; j++) {
            test_mesh a = test_mesh_random_triangles(&random, 60, 0.5, 0),
                      b = test_mesh_random_triangles(&random, 60, 0.5, 0);
            for (int k = 0; k < 2; k++) {
                test_mesh *mesh = k == 0 ? &a : &b;
                test_mesh_scale(mesh, sizes[i], sizes[i], j == 2 ? 0.0 : sizes[i]);
                test_mesh_move(mesh, offsets[j], 0.0, -offsets[j]);
                test_mesh_round_to_floats(mesh);
            }
            grz_pose pose = grz_pose_identity();
            expect_same("moved none", &p, &a, PACKED, &still, &b, PACKED, &still);
            pose.m[0][3] = 0.7 * sizes[i];
            expect_same("moved by its size", &p, &a, PACKED, &still, &b, PACKED, &pose);
            const grz_pose askew = turned(0.3 * sizes[i], 0.0, 0.1 * sizes[i]);
            expect_same("turned", &p, &a, PACKED, &askew, &b, PACKED, &askew);
            test_mesh_finish(&a);
            test_mesh_finish(&b);
        }
    for (int i = 0; i < (TEST_SANITIZED ? 12 : 40); i++) { // any affine map, singular ones too
        test_mesh a = test_mesh_random_triangles(&random, 80, 0.3, 0),
                  b = test_mesh_random_triangles(&random, 80, 0.3, i % 3 == 0 ? 4 : 0);
        grz_pose pose_a = grz_pose_identity(), pose_b = grz_pose_identity();
        const double scale = ldexp(1.0, (int)random_below(&random, 400) - 200);
        test_mesh_round_to_floats(&a);
        test_mesh_round_to_floats(&b);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++) {
                pose_a.m[row][column] = 0.5 * scale * random_signed(&random);
                pose_b.m[row][column] = 0.5 * scale * random_signed(&random);
            }
        if (i % 4 == 0)
            memset(pose_a.m[i % 3], 0, sizeof pose_a.m[0]);
        expect_same("any pose", &p, &a, PACKED, &pose_a, &b, INTERLEAVED, &pose_b);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    // A small triangle in a mesh so large that its size has no power of two among floats, and a pose under which large
    // numbers cancel.
    const double in_a[6][3] = {{0x1.800002p126, -0x1.7fffeep126, 0x1.6p106},
                               {0x1.80000ap126, -0x1.7ffffap126, 0x1.2p106},
                               {0x1.8p126, -0x1.7fffeep126, 0.0},
                               {0x1.dd4562p126, 0x1.dee74p126, 0x1.ddaee6p126},
                               {-0x1.def698p126, -0x1.e6061ep126, -0x1.e2701ap126},
                               {-0x1.dea52p126, -0x1.ddac82p126, -0x1.df07c4p126}};
    const double in_b[3][3] = {{0x1.4p106, 0x1.6p106, -0x1.7fffeep104},
                               {0x1.4efcaep106, 0x1.4773a8p106, -0x1.3d1a0cp105},
                               {0x1.d31658p106, 0x1.18b4b6p107, -0x1.fd8c84p105}};
    const uint32_t corners[6] = {0, 1, 2, 3, 4, 5};
    const grz_pose cancelling = {{{1.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.0, 0x1p-22, 0.0, 0.0}}};
    test_mesh huge = test_mesh_make(in_a[0], 6, corners, 2, 3), small = test_mesh_make(in_b[0], 3, corners, 1, 3);
    expect_same("huge", &p, &huge, PACKED, &cancelling, &small, PACKED, &still);
    test_mesh_finish(&huge);
    test_mesh_finish(&small);
    test_program_end(&p);
}

// Compare member by member: the padding is undefined.
static void expect_same_reports(const grz_mesh_report *x, const grz_mesh_report *y)
{
    const size_t first = offsetof(grz_mesh_report, boundary_edges);
    assert_memory_equal(x, y, offsetof(grz_mesh_report, closed));
    assert_true(x->closed == y->closed && x->manifold == y->manifold && x->oriented == y->oriented);
    assert_memory_equal((const char *)x + first, (const char *)y + first, sizeof *x - first);
}

static void expect_same_pose_answers(const grz_pose_answer *x, const grz_pose_answer *y)
{
    assert_true(x->relation == y->relation && x->colliding == y->colliding && x->certainty == y->certainty);
    assert_true(x->containment == y->containment && x->pairs_complete == y->pairs_complete &&
                x->pair_count == y->pair_count);
    assert_memory_equal(x->kinds, y->kinds, sizeof x->kinds);
}

static void self_scenes_batches_and_the_rest(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh torus = test_mesh_torus(1.0, 0.3, 60, 30), part = test_mesh_icosphere(0.5, 3);
    test_mesh_move(&part, 0.9, 0.0, 0.0);
    test_mesh_append(&torus, &part);
    test_mesh_round_to_floats(&torus);
    test_mesh_round_to_floats(&part);
    test_buffers buffers = test_buffers_make(&torus, INTERLEAVED);
    grz_mesh *here = test_mesh_upload_flags(p.device, &torus, GRZ_MESH_INDEX_ONLY),
             *gl = test_buffers_mesh(p.device, &buffers);
    grz_mesh *other = test_mesh_upload_flags(p.device, &part, GRZ_MESH_INDEX_ONLY);
    const grz_mesh *both[2] = {here, gl};
    const grz_pose still = grz_pose_identity(), pose = turned(0.5, 0.0, 0.0);
    grz_error error;

    assert_true(expect_same_answers("self", p.device, here, gl, &pose, NULL, &pose) > 0);

    test_answer scenes[2];
    grz_pose_answer answers[2][2];
    grz_mesh_report reports[2];
    grz_location locations[2][2];
    grz_solids solids[2];
    for (int i = 0; i < 2; i++) {
        grz_scene *scene;
        uint32_t id;
        bool closed = false;
        const grz_pose poses[2] = {pose, still};
        const double points[6] = {1.0, 0.0, 0.0, 3.0, 0.0, 0.0};
        grz_result *result = test_result_create(p.device);
        grz_collide_options options = grz_default_collide_options();
        grz_object object = grz_object_at_origin(both[i]);
        assert_int_equal(grz_scene_create(p.device, &scene, NULL), GRZ_OK);
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
        object.mesh = other;
        object.pose = pose;
        assert_int_equal(grz_scene_add(scene, &object, &id, NULL), GRZ_OK);
        options.find = FIND_ALL;
        if (grz_collide_scene(p.device, scene, &options, result, &error) != GRZ_OK)
            fail_msg("%s", error.message);
        scenes[i] = test_answer_of(result);
        grz_scene_destroy(scene);
        const grz_object at_origin = grz_object_at_origin(both[i]);
        options.find = GRZ_FIND_SOLIDS;
        collide(p.device, &at_origin, &object, &options, result);
        solids[i] = grz_result_summary(result)->solids;
        object = grz_object_at_origin(both[i]);
        options.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT;
        assert_int_equal(grz_collide_poses(p.device, &object, both[i], poses, 2, &options, answers[i], NULL), GRZ_OK);
        assert_int_equal(grz_mesh_check(both[i], &reports[i], NULL), GRZ_OK);
        assert_int_equal(grz_mesh_is_closed(both[i], &closed, NULL), GRZ_OK);
        assert_true(closed);
        assert_int_equal(grz_locate_points(p.device, &object, points, 2, NULL, locations[i], NULL), GRZ_OK);
        assert_int_equal(grz_mesh_prepare(both[i], NULL, NULL), GRZ_OK);
        grz_result_destroy(result);
    }
    assert_true(scenes[0].pair_count > 0);
    assert_true(test_answers_equal("scene", &scenes[0], &scenes[1]));
    assert_int_equal(solids[0], GRZ_SOLIDS_PENETRATING);
    assert_int_equal(solids[1], GRZ_SOLIDS_PENETRATING);
    for (int i = 0; i < 2; i++)
        expect_same_pose_answers(&answers[0][i], &answers[1][i]);
    expect_same_reports(&reports[0], &reports[1]);
    assert_memory_equal(locations[0], locations[1], sizeof locations[0]);
    assert_int_equal(grz_mesh_triangle_count(gl), torus.face_count);
    for (int i = 0; i < 2; i++)
        test_answer_finish(&scenes[i]);
    grz_mesh_destroy(here);
    grz_mesh_destroy(gl);
    grz_mesh_destroy(other);
    test_buffers_delete(&buffers);
    test_mesh_finish(&torus);
    test_mesh_finish(&part);
    test_program_end(&p);
}

static void pictures_look_the_same(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh ball = test_mesh_icosphere(1.0, 3);
    test_mesh_round_to_floats(&ball);
    test_buffers buffers = test_buffers_make(&ball, PACKED);
    grz_mesh *meshes[2] = {test_mesh_upload_flags(p.device, &ball, GRZ_MESH_INDEX_ONLY),
                           test_buffers_mesh(p.device, &buffers)};
    grz_picture_options options = grz_default_picture_options();
    options.width = options.height = 64;
    static uint8_t pixels[2][64 * 64 * 4];
    for (int i = 0; i < 2; i++) {
        const grz_object object = grz_object_at_origin(meshes[i]);
        assert_int_equal(grz_picture_draw(p.device, &object, 1, NULL, &options, pixels[i], NULL, NULL), GRZ_OK);
        grz_mesh_destroy(meshes[i]);
    }
    assert_memory_equal(pixels[0], pixels[1], sizeof pixels[0]);
    test_buffers_delete(&buffers);
    test_mesh_finish(&ball);
    test_program_end(&p);
}

// A discrete answer, drawn from the buffers. Meshes whose middle is a float give the same picture, bit for bit.
static void discrete_answers_are_drawn_from_the_buffers(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh ball = test_mesh_icosphere(1.0, 3), cube = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
    test_mesh_round_to_floats(&ball);
    for (int how = 0; how < LAYOUT_COUNT; how++)
        for (int options_kind = 0; options_kind < 3; options_kind++) {
            test_mesh soup = test_mesh_soup(&ball);
            test_buffers buffers = test_buffers_make(how == SOUP ? &soup : &ball, (test_layout)how);
            grz_mesh *meshes[2] = {test_mesh_upload_flags(p.device, how == SOUP ? &soup : &ball, GRZ_MESH_INDEX_ONLY),
                                   test_buffers_mesh(p.device, &buffers)};
            grz_mesh *other = test_mesh_upload(p.device, &cube);
            grz_slices_options slices = grz_default_slices_options(GRZ_SLICES_BALANCED);
            grz_collide_options options = grz_default_collide_options();
            grz_result *result = test_result_create(p.device);
            grz_collision_box volumes[2];
            slices.offset = options_kind == 1 ? 0.01 : 0.0;
            slices.oriented = options_kind == 2;
            slices.confirm = true;
            options.answer = GRZ_ANSWER_DISCRETE;
            options.method = "slices";
            options.method_options = &(grz_method_options){.method = "slices", .options = &slices};
            for (int i = 0; i < 2; i++) {
                grz_object a = grz_object_at_origin(meshes[i]), b = grz_object_at_origin(other);
                uint64_t count;
                b.pose = turned(1.1, 0.2, 0.0);
                collide(p.device, &a, &b, &options, result);
                assert_true(grz_result_summary(result)->colliding);
                assert_false(grz_result_summary(result)->may_invent);
                const grz_collision_box *found = grz_result_collision_boxes(result, &count);
                assert_int_equal(count, 1);
                volumes[i] = *found;
                grz_pose steps[3] = {turned(3.0, 0.0, 0.0), turned(2.5, 0.0, 0.0), turned(1.0, 0.0, 0.0)};
                const grz_pose still[3] = {grz_pose_identity(), grz_pose_identity(), grz_pose_identity()};
                grz_slices_path_answer path;
                assert_int_equal(grz_slices_path(p.device, meshes[i], still, other, steps, 3, &slices, &path, NULL),
                                 GRZ_OK);
                assert_int_equal(path.first, 2);
            }
            assert_memory_equal(&volumes[0], &volumes[1], sizeof volumes[0]);
            assert_true(grz_mesh_slot_has_state(meshes[1], &grz_mesh_copy_slot_type) ==
                        (options_kind > 0)); // read back only then
            grz_result_destroy(result);
            for (int i = 0; i < 2; i++)
                grz_mesh_destroy(meshes[i]);
            grz_mesh_destroy(other);
            test_buffers_delete(&buffers);
            test_mesh_finish(&soup);
        }
    test_mesh_finish(&ball);
    test_mesh_finish(&cube);
    test_program_end(&p);
}

// Large meshes that touch at one place: what is read back must fit into a memory limit far below the meshes' size.
static void only_triangles_that_can_touch_are_read_back(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh grid = test_mesh_grid(500, 500, 0.0078125), needle = test_mesh_cube(1.0, 1.0, -0.03125, 0.0625);
    test_buffers buffers = test_buffers_make(&grid, PACKED), small = test_buffers_make(&needle, PACKED);
    grz_mesh *gl = test_buffers_mesh(p.device, &buffers), *other = test_buffers_mesh(p.device, &small);
    const grz_object a = grz_object_at_origin(gl), b = grz_object_at_origin(other);
    grz_result *result = test_result_create(p.device);
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.find = FIND_ALL;
    options.limits.memory_limit = 1 << 20;
    collide(p.device, &a, &b, &options, result);
    assert_true(grz_result_summary(result)->pair_count > 16);
    assert_false(grz_mesh_slot_has_state(gl, &grz_mesh_copy_slot_type));
    // The same by the voxel grid.
    options.method = "slices";
    collide(p.device, &a, &b, &options, result);
    assert_true(grz_result_summary(result)->pair_count > 16);
    assert_false(grz_mesh_slot_has_state(gl, &grz_mesh_copy_slot_type));
    assert_false(grz_mesh_slot_has_state(other, &grz_mesh_copy_slot_type));
    // The same by leaf boxes: the first query reads all back to find the leaves, the next ones read little.
    options.method = "selection";
    options.limits.memory_limit = 0;
    collide(p.device, &a, &b, &options, result);
    const uint64_t selected = grz_result_summary(result)->pair_count;
    assert_true(selected > 16);
    options.limits.memory_limit = 1 << 20;
    assert_int_equal(grz_mesh_gl_changed(gl, &error), GRZ_OK);
    collide(p.device, &a, &b, &options, result);
    assert_int_equal(grz_result_summary(result)->pair_count, selected);
    assert_false(grz_mesh_slot_has_state(gl, &grz_mesh_copy_slot_type));
    options.method = NULL;
    // All of it within the other's box: more triangles than there is room for at first.
    const double least[3] = {-1.0, -1.0, -0.5}, most[3] = {5.0, 5.0, 0.0};
    test_mesh slab = test_mesh_box(least, most);
    grz_mesh *flat = test_mesh_upload(p.device, &slab);
    const grz_object c = grz_object_at_origin(flat);
    options.limits.memory_limit = 0;
    collide(p.device, &a, &c, &options, result);
    assert_true(grz_result_summary(result)->pair_count >= 500000);
    assert_false(grz_mesh_slot_has_state(gl, &grz_mesh_copy_slot_type));
    // And with a memory limit that is too small for all triangles.
    options.limits.memory_limit = 1 << 20;
    assert_int_equal(grz_collide(p.device, &a, &c, &options, result, &error), GRZ_ERROR_MEMORY);
    grz_result_destroy(result);
    grz_mesh_destroy(gl);
    grz_mesh_destroy(other);
    grz_mesh_destroy(flat);
    test_buffers_delete(&buffers);
    test_buffers_delete(&small);
    test_mesh_finish(&grid);
    test_mesh_finish(&needle);
    test_mesh_finish(&slab);
    test_program_end(&p);
}

// A soup that is welded at creation: neighbours share corners, and still do after they have moved.
static void vertices_at_one_place_can_be_one_corner(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    test_mesh_round_to_floats(&ball);
    test_mesh soup = test_mesh_soup(&ball);
    test_buffers buffers = test_buffers_make(&soup, SOUP);
    const grz_pose still = grz_pose_identity(), pose = turned(1.0, 0.0, 0.0);
    grz_mesh *loose = test_buffers_mesh(p.device, &buffers);
    test_answer many = ask(p.device, loose, &still, NULL, &still, NULL);
    assert_true(many.pair_count > 0); // by their indices neighbours share nothing, so they touch
    test_answer_finish(&many);
    buffers.description.flags = 0;
    grz_mesh *welded = test_buffers_mesh(p.device, &buffers), *here = test_mesh_upload(p.device, &soup);
    for (int moved = 0; moved < 2; moved++) {
        test_answer none = ask(p.device, welded, &still, NULL, &still, NULL);
        assert_int_equal(none.pair_count, 0);
        test_answer_finish(&none);
        test_answer plain = ask(p.device, here, &still, loose, &pose, NULL),
                    same = ask(p.device, welded, &still, loose, &pose, NULL);
        assert_true(plain.curve_count > 0 && test_answers_equal("welded", &plain, &same));
        test_answer_finish(&plain);
        test_answer_finish(&same);
        for (uint64_t i = 0; i < soup.vertex_count; i++)
            soup.positions[3 * i + 2] *= 0.5;
        test_buffers_write_positions(&buffers, &soup);
        assert_int_equal(grz_mesh_gl_changed(welded, NULL), GRZ_OK);
        assert_int_equal(grz_mesh_gl_changed(loose, NULL), GRZ_OK);
        assert_int_equal(grz_mesh_set_positions(here, soup.positions, NULL), GRZ_OK);
    }
    grz_mesh_destroy(loose);
    grz_mesh_destroy(welded);
    grz_mesh_destroy(here);
    test_buffers_delete(&buffers);
    test_mesh_finish(&ball);
    test_mesh_finish(&soup);
    test_program_end(&p);
}

// The caller writes new positions into its buffer, here by a copy on the GPU.
static void new_positions_are_seen(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh ball = test_mesh_icosphere(1.0, 3), cube = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
    test_mesh_round_to_floats(&ball);
    test_buffers buffers = test_buffers_make(&ball, INTERLEAVED);
    grz_mesh *gl = test_buffers_mesh(p.device, &buffers),
             *here = test_mesh_upload_flags(p.device, &ball, GRZ_MESH_INDEX_ONLY);
    grz_mesh *other = test_mesh_upload(p.device, &cube);
    test_buffers cube_buffers = test_buffers_make(&cube, PACKED);
    grz_mesh *gl_other = test_buffers_mesh(p.device, &cube_buffers);
    random_stream random = random_stream_of_block(PAIR_RANDOM, 3);
    const grz_pose still = grz_pose_identity();
    grz_error error;
    for (int step = 0; step < 8; step++) {
        for (uint64_t i = 0; i < 3 * ball.vertex_count; i++)
            ball.positions[i] = (double)(float)(ball.positions[i] * (1.0 + 0.05 * random_signed(&random)));
        size_t size;
        float *bytes = test_buffers_positions(&ball, 2, 5, &size);
        GLuint staging = test_buffer_make(bytes, size);
        glCopyNamedBufferSubData(staging, buffers.description.position_buffer, 0, 0, (GLsizeiptr)size);
        glFinish();
        glDeleteBuffers(1, &staging);
        free(bytes);
        assert_int_equal(grz_mesh_set_positions(here, ball.positions, NULL), GRZ_OK);
        assert_int_equal(grz_mesh_gl_changed(gl, &error), GRZ_OK);
        const grz_pose pose = turned(0.2 * step, 0.0, 0.0);
        expect_same_answers("deformed", p.device, here, gl, &still, other, &pose);
        expect_same_answers("deformed self", p.device, here, gl, &still, NULL, &still);
        // Leaf boxes are fitted where the positions are.
        test_answer plain = ask(p.device, here, &still, other, &pose, "bvh"),
                    fitted = ask(p.device, gl, &still, gl_other, &pose, "selection");
        assert_true(test_answers_equal("deformed, by leaf boxes", &plain, &fitted));
        test_answer_finish(&plain);
        test_answer_finish(&fitted);
    }
    // A NaN is refused with the number of its vertex, and the mesh cannot be used until it is replaced.
    const float bad = NAN, good = 0.0f;
    const GLintptr at = (GLintptr)(8 + 20 * 17 + 4);
    grz_result *result = test_result_create(p.device);
    const grz_object a = grz_object_at_origin(gl), b = grz_object_at_origin(other);
    glNamedBufferSubData(buffers.description.position_buffer, at, sizeof bad, &bad);
    glFinish();
    assert_int_equal(grz_mesh_gl_changed(gl, &error), GRZ_ERROR_MESH);
    assert_int_equal(error.element, 17);
    assert_string_equal(error.message, "vertex 17: y is NaN");
    assert_int_equal(grz_collide(p.device, &a, &b, NULL, result, &error), GRZ_ERROR_MESH);
    assert_non_null(strstr(error.message, "grz_mesh_gl_changed"));
    grz_object far = b; // apart from where the mesh was
    far.pose = grz_pose_from_translation(100.0, 0.0, 0.0);
    assert_int_equal(grz_collide(p.device, &a, &far, NULL, result, &error), GRZ_ERROR_MESH);
    assert_int_equal(grz_collide_self(p.device, &a, NULL, result, &error), GRZ_ERROR_MESH); // not the copy from before
    glNamedBufferSubData(buffers.description.position_buffer, at, sizeof good, &good);
    glFinish();
    assert_int_equal(grz_mesh_gl_changed(gl, &error), GRZ_OK);
    assert_int_equal(grz_collide(p.device, &a, &b, NULL, result, &error), GRZ_OK);
    grz_result_destroy(result);
    grz_mesh_destroy(gl);
    grz_mesh_destroy(here);
    grz_mesh_destroy(other);
    grz_mesh_destroy(gl_other);
    test_buffers_delete(&buffers);
    test_buffers_delete(&cube_buffers);
    test_mesh_finish(&ball);
    test_mesh_finish(&cube);
    test_program_end(&p);
}

static void expect_refusal(test_program *p, const grz_gl_mesh_description *d, grz_status expected, uint64_t element,
                           const char *text)
{
    grz_mesh *mesh;
    grz_error error = {.message = ""};
    const grz_status status = grz_mesh_create_gl(p->device, d, &mesh, &error);
    if (status != expected || error.element != element || strstr(error.message, text) == NULL)
        fail_msg("status %d, element %llu: \"%s\", expected \"%s\"", (int)status, (unsigned long long)error.element,
                 error.message, text);
    assert_null(mesh);
}

static void bad_descriptions_and_buffers(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    test_buffers buffers = test_buffers_make(&cube, PACKED), narrow = test_buffers_make(&cube, NARROW);
    const grz_gl_mesh_description good = buffers.description;
    grz_gl_mesh_description d = good;
    d.size = 3;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "start from grz_default_gl_mesh_description()");
    d = good;
    d.vertex_count = 0;
    expect_refusal(&p, &d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "no vertices");
    d = good;
    d.triangle_count = 0;
    expect_refusal(&p, &d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "no faces");
    d = good;
    d.vertex_count = UINT64_C(1) << 40;
    expect_refusal(&p, &d, GRZ_ERROR_MESH, GRZ_NO_ELEMENT, "the most is 2^32 - 1");
    d = good;
    d.vertex_count = UINT32_MAX;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                   "has 96 bytes, positions need 51539607540 from byte 0 on");
    d = good;
    d.position_offset = UINT64_MAX - 3;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "positions need 96 from byte 18446744073709551612 on");
    d = good;
    d.position_offset = 2;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "multiples of 4");
    d = good;
    d.position_stride = 8;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "the stride 12 or more");
    d = good;
    d.position_stride = 16;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "has 96 bytes, positions need 124 from byte 0 on");
    d = good;
    d.index_size = 1;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "an index_size of 1");
    d = good;
    d.index_offset = 2;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "no multiple of the index_size");
    d = good;
    d.triangle_count++;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "indices need 156 from byte 0 on");
    d = good;
    d.flags = 1u << 20;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "unknown flags");
    d = good;
    d.vertex_count = 5; // faces use the others
    expect_refusal(&p, &d, GRZ_ERROR_MESH, 2, "face 2: corner 1 is vertex 5, but there are only 5 vertices");
    d = narrow.description;
    d.vertex_count = 5;
    expect_refusal(&p, &d, GRZ_ERROR_MESH, 2, "face 2: corner 1 is vertex 5, but there are only 5 vertices");
    d = good;
    d.index_buffer = 0;
    expect_refusal(&p, &d, GRZ_ERROR_MESH, 2, "face 2: corner 2 is vertex 8, but there are only 8 vertices");
    d = good;
    d.position_buffer = 0;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "0, for positions, is no buffer");
    d = good;
    d.index_buffer = 4711;
    expect_refusal(&p, &d, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "4711, for indices, is no buffer that the device sees");
    const float infinite = INFINITY;
    glNamedBufferSubData(good.position_buffer, 36, sizeof infinite, &infinite);
    glFinish();
    expect_refusal(&p, &good, GRZ_ERROR_MESH, 3, "vertex 3: x is infinite");
    // Without OpenGL, and with NULL.
    grz_mesh *mesh;
    grz_error error;
    grz_device *cpu;
    grz_device_options options = grz_default_device_options();
    options.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&options, &cpu, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_create_gl(cpu, &good, &mesh, &error), GRZ_ERROR_UNSUPPORTED);
    assert_int_equal(grz_mesh_create_gl(NULL, &good, &mesh, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_create_gl(p.device, NULL, &mesh, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_create_gl(p.device, &good, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mesh_gl_changed(NULL, &error), GRZ_ERROR_ARGUMENT);
    mesh = test_mesh_upload(cpu, &cube);
    assert_int_equal(grz_mesh_gl_changed(mesh, &error), GRZ_ERROR_ARGUMENT);
    grz_mesh_destroy(mesh);
    grz_device_close(cpu);
    test_buffers_delete(&buffers);
    test_buffers_delete(&narrow);
    test_mesh_finish(&cube);
    test_program_end(&p);
}

// The caller maps, replaces and deletes its buffers later.
static void buffers_that_are_mapped_replaced_or_deleted(void **state)
{
    (void)state;
    test_program p = test_program_start();
    test_mesh cube = test_mesh_cube(0.0, 0.0, 0.0, 1.0);
    test_buffers buffers = test_buffers_make(&cube, PACKED);
    grz_mesh *gl = test_buffers_mesh(p.device, &buffers), *other = test_mesh_upload(p.device, &cube);
    const grz_object a = grz_object_at_origin(gl), b = grz_object_at_origin(other);
    grz_result *result = test_result_create(p.device);
    grz_collide_options discrete = grz_default_collide_options();
    grz_error error;
    discrete.answer = GRZ_ANSWER_DISCRETE;
    assert_int_equal(grz_mesh_set_positions(gl, cube.positions, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "grz_mesh_gl_changed()"));
    assert_int_equal(grz_collide(p.device, &a, &b, &discrete, result, NULL), GRZ_OK);
    // Mapped.
    void *mapped = glMapNamedBuffer(buffers.description.position_buffer, GL_WRITE_ONLY);
    assert_non_null(mapped);
    assert_int_equal(grz_collide(p.device, &a, &b, NULL, result, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "is mapped"));
    assert_int_equal(grz_collide(p.device, &a, &b, &discrete, result, &error), GRZ_ERROR_ARGUMENT);
    glUnmapNamedBuffer(buffers.description.position_buffer);
    glFinish();
    assert_int_equal(grz_collide(p.device, &a, &b, NULL, result, &error), GRZ_OK);
    // New storage under the same name: larger, with other positions, then smaller.
    test_mesh moved = test_mesh_cube(5.0, 0.0, 0.0, 1.0);
    size_t size;
    float *bytes = test_buffers_positions(&moved, 0, 3, &size), room[60] = {0.0f};
    memcpy(room, bytes, size);
    free(bytes);
    glNamedBufferData(buffers.description.position_buffer, sizeof room, room, GL_STATIC_DRAW);
    glFinish();
    assert_int_equal(grz_mesh_gl_changed(gl, &error), GRZ_OK);
    assert_int_equal(grz_collide(p.device, &a, &b, NULL, result, &error), GRZ_OK);
    assert_false(grz_result_summary(result)->colliding);
    assert_int_equal(grz_collide(p.device, &a, &b, &discrete, result, NULL), GRZ_OK);
    assert_false(grz_result_summary(result)->colliding);
    glNamedBufferData(buffers.description.position_buffer, 24, room, GL_STATIC_DRAW);
    glFinish();
    assert_int_equal(grz_mesh_gl_changed(gl, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "has 24 bytes, positions need 96"));
    // Deleted.
    glDeleteBuffers(1, &buffers.description.position_buffer);
    glFinish();
    assert_int_equal(grz_mesh_gl_changed(gl, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "was it deleted"));
    grz_result_destroy(result);
    grz_mesh_destroy(gl);
    grz_mesh_destroy(other);
    glDeleteBuffers(1, &buffers.description.index_buffer);
    test_mesh_finish(&cube);
    test_mesh_finish(&moved);
    test_program_end(&p);
}

// In the caller's context, whose state must not change.
static void in_the_callers_context(void **state)
{
    (void)state;
    grz_context context;
    grz_device *device;
    grz_device_options options = grz_default_device_options();
    test_mesh ball = test_mesh_icosphere(1.0, 2);
    GLint bound;
    assert_int_equal(grz_context_open(0, false, &context, NULL), GRZ_OK);
    assert_true(grz_context_make_current(&context));
    options.kind = GRZ_DEVICE_GL_CURRENT;
    assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
    test_mesh_round_to_floats(&ball);
    test_buffers buffers = test_buffers_make(&ball, PACKED);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, buffers.description.index_buffer, 0, 64);
    grz_mesh *gl = test_buffers_mesh(device, &buffers),
             *here = test_mesh_upload_flags(device, &ball, GRZ_MESH_INDEX_ONLY);
    const grz_pose still = grz_pose_identity(), pose = turned(1.0, 0.0, 0.0);
    test_answer plain = ask(device, here, &still, here, &pose, NULL), same = ask(device, gl, &still, gl, &pose, NULL);
    assert_true(plain.pair_count > 0 && test_answers_equal("caller's context", &plain, &same));
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 1, &bound);
    assert_int_equal(bound, buffers.description.index_buffer);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    test_answer_finish(&plain);
    test_answer_finish(&same);
    grz_mesh_destroy(gl);
    grz_mesh_destroy(here);
    test_buffers_delete(&buffers);
    test_gl_device_close(device);
    const grz_current nothing = {.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .api = EGL_OPENGL_ES_API};
    grz_current_restore(&nothing, &context);
    grz_context_close(&context);
    test_mesh_finish(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_in_every_layout),
        cmocka_unit_test(one_inside_the_other),
        cmocka_unit_test(extremes),
        cmocka_unit_test(too_many_pixels),
        cmocka_unit_test(self_scenes_batches_and_the_rest),
        cmocka_unit_test(pictures_look_the_same),
        cmocka_unit_test(discrete_answers_are_drawn_from_the_buffers),
        cmocka_unit_test(only_triangles_that_can_touch_are_read_back),
        cmocka_unit_test(vertices_at_one_place_can_be_one_corner),
        cmocka_unit_test(new_positions_are_seen),
        cmocka_unit_test(bad_descriptions_and_buffers),
        cmocka_unit_test(buffers_that_are_mapped_replaced_or_deleted),
        cmocka_unit_test(in_the_callers_context),
    };
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
#else
int main(void)
{
    test_gl_is_here();
    return TEST_SKIPPED;
}
#endif
