// SPDX-License-Identifier: MIT
// Levels that are refused, with the face at fault; useless portals and screens; objects that are put in, moved and
// taken out; memory that runs out; arguments that are wrong; trackers on several threads.
// ctest: concurrent threads_share_a_level
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_arrays.h"
#include "support_mazes.h"
#include "support_moved.h"

// ---- Refusals -----------------------------------------------------------------------------------------------------

static grz_status create(const test_mesh *mesh, const uint32_t *portals, uint32_t count, bool open_walls,
                         grz_portals **level, grz_error *error)
{
    grz_mesh *made = test_mesh_upload(test_device, mesh);
    const grz_object object = grz_object_at_origin(made);
    grz_portals_options options = grz_default_portals_options();
    options.open_walls = open_walls;
    const grz_status status = grz_portals_create(test_device, &object, portals, count, &options, level, error);
    grz_mesh_destroy(made);
    return status;
}

static void expect_refusal(const test_mesh *mesh, const uint32_t *portals, uint32_t count, grz_status status,
                           uint64_t element, const char *text)
{
    grz_portals *level;
    grz_error error = {.code = GRZ_OK};
    const grz_status got = create(mesh, portals, count, false, &level, &error);
    if (got != status || level != NULL || error.code != status || error.element != element ||
        strstr(error.message, text) == NULL)
        fail_msg("status %d, element %llu: %s", got, (unsigned long long)error.element, error.message);
}

static void bad_levels_are_refused(void **state)
{
    test_mesh cube = test_mesh_cube_quads(0.0, 0.0, 0.0, 2.0), other = test_mesh_cube_quads(1.0, 1.0, 1.0, 2.0);
    const uint32_t seventh[] = {6}, twice[] = {2, 2}, bottom[] = {0};
    (void)state;
    expect_refusal(&cube, seventh, 1, GRZ_ERROR_ARGUMENT, 6, "portal 0 is face 6, but there are 6");
    expect_refusal(&cube, twice, 2, GRZ_ERROR_ARGUMENT, 2, "face 2 is listed twice");
    test_mesh crossing = test_mesh_copy(&cube);
    test_mesh_append(&crossing, &other);
    expect_refusal(&crossing, NULL, 0, GRZ_ERROR_MESH, 1, "faces 1 and 8 meet outside of a whole common edge");
    test_mesh_finish(&crossing);
    test_mesh open = test_mesh_make(cube.positions, 8, cube.indices, 5, 4); // a side is missing
    expect_refusal(&open, NULL, 0, GRZ_ERROR_MESH, 0,
                   "a cell leaks at face 0: no other face has its edge from (0, 0, 0)");
    grz_portals *level;
    assert_int_equal(create(&open, NULL, 0, true, &level, NULL), GRZ_OK);
    grz_portals_report report;
    grz_portals_examine(level, &report);
    assert_int_equal(report.cells, 1);
    assert_int_equal(report.free_walls, 5);
    grz_portals_destroy(level);
    grz_error error;
    assert_int_equal(create(&open, bottom, 1, true, &level, &error), GRZ_ERROR_MESH); // a portal must not end free
    assert_non_null(strstr(error.message, "leaks at portal 0"));
    test_mesh_finish(&open);
    test_mesh flat = test_mesh_copy(&cube);
    const double sliver[3][3] = {{5.0, 5.0, 5.0}, {6.0, 6.0, 6.0}, {7.0, 7.0, 7.0}};
    test_mesh_add_loose_triangle(&flat, sliver);
    expect_refusal(&flat, NULL, 0, GRZ_ERROR_MESH, 6, "face 6 has no area");
    test_mesh_finish(&flat);
    test_mesh doubled = test_mesh_copy(&cube);
    test_mesh_append(&doubled, &cube);
    expect_refusal(&doubled, NULL, 0, GRZ_ERROR_MESH, 0, "meet outside of a whole common edge");
    test_mesh_finish(&doubled);
    test_mesh_finish(&cube);
    test_mesh_finish(&other);
}

// ---- By a BSP tree ------------------------------------------------------------------------------------------------

static grz_status create_tree(const test_mesh *mesh, const grz_portals_options *options, grz_portals **level,
                              grz_error *error)
{
    grz_mesh *made = test_mesh_upload(test_device, mesh);
    const grz_object object = grz_object_at_origin(made);
    const grz_status status = grz_portals_create_bsp(test_device, &object, options, level, error);
    grz_mesh_destroy(made);
    return status;
}

static void expect_tree_refusal(const test_mesh *mesh, const grz_portals_options *options, grz_status status,
                                uint64_t element, const char *text)
{
    grz_portals *level;
    grz_error error = {.code = GRZ_OK};
    const grz_status got = create_tree(mesh, options, &level, &error);
    if (got != status || level != NULL || error.code != status || error.element != element ||
        strstr(error.message, text) == NULL)
        fail_msg("status %d, element %llu: %s", got, (unsigned long long)error.element, error.message);
}

static void bad_trees_are_refused(void **state)
{
    const int cancel = 1;
    grz_portals *level;
    grz_error error;
    grz_portals_options o = grz_default_portals_options();
    test_mesh cube = test_mesh_cube_quads(0.0, 0.0, 0.0, 2.0), soup = {.face_count = 0};
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7010);
    (void)state;
    test_mesh open = test_mesh_make(cube.positions, 8, cube.indices, 5, 4); // a side is missing
    expect_tree_refusal(&open, NULL, GRZ_ERROR_MESH, 0, "the walls are open at face 0, at its edge from (0, 0, 0)");
    o.open_walls = true;
    assert_int_equal(create_tree(&open, &o, &level, NULL), GRZ_OK);
    grz_portals_destroy(level);
    o.coverage = (double)NAN;
    expect_tree_refusal(&cube, &o, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "options.coverage is");
    o.coverage = 1.5;
    expect_tree_refusal(&cube, &o, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "options.coverage is 1.5, must be 0 to 1");
    o.coverage = 0.0;
    o.flatness = 0.25;
    expect_tree_refusal(&cube, &o, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "options.flatness is 0.25, must be 0 to 1/8");
    o.flatness = 0.0;
    o.max_cells = 1;
    expect_tree_refusal(&cube, &o, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "options.max_cells is 1, must be at least 2");
    o.max_cells = 50;
    test_mesh_take(&soup, test_mesh_random_triangles(&random, 30, 0.0, 8));
    expect_tree_refusal(&soup, &o, GRZ_ERROR_LIMIT, GRZ_NO_ELEMENT, "has more than 50 cells");
    o.limits.cancel = &cancel;
    expect_tree_refusal(&soup, &o, GRZ_ERROR_CANCELLED, GRZ_NO_ELEMENT, "cancelled");
    o.limits.cancel = NULL;
    o.limits.deadline = 1e-9;
    expect_tree_refusal(&soup, &o, GRZ_ERROR_DEADLINE, GRZ_NO_ELEMENT, "deadline");
    o.limits.deadline = 0.0;
    o.limits.memory_limit = 20000;
    expect_tree_refusal(&soup, &o, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "limit of 20000 bytes");
    test_mesh_scale(&cube, 0x1p101, 1.0, 1.0);
    expect_tree_refusal(&cube, NULL, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "coordinates above 2^100");
    assert_int_equal(grz_portals_create_bsp(NULL, NULL, NULL, &level, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_create_bsp(test_device, NULL, NULL, &level, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_create_bsp(test_device, NULL, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    test_mesh_finish(&open);
    test_mesh_finish(&soup);
    test_mesh_finish(&cube);
}

// A side of a box in two halves: corners in the middle of its neighbours' edges are no leak, but a missing half is.
static void corners_within_edges_are_no_leak(void **state)
{
    test_mesh mesh = test_mesh_cube_quads(0.0, 0.0, 0.0, 2.0);
    const double halves[2][3] = {{0.0, 0.0, 2.0}, {0.0, 1.0, 2.0}};
    grz_portals *level;
    (void)state;
    // Faces are bottom, top, sides: all but the top, which is face 0 after the swap.
    test_mesh walls = {.face_count = 0};
    for (uint64_t i = 0; i < mesh.vertex_count; i++)
        test_mesh_add_vertex(&walls, mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]);
    for (uint32_t f = 0; f < 6; f++)
        if (f != 1)
            test_mesh_add_face(&walls, mesh.indices + 4 * (size_t)f, 4);
    for (int i = 0; i < 2; i++) {
        const double *p = halves[i];
        if (i == 1)
            expect_tree_refusal(&walls, NULL, GRZ_ERROR_MESH, 2, "the walls are open at face 2");
        const uint32_t corners[4] = {
            test_mesh_add_vertex(&walls, 0.0, p[1], 2.0), test_mesh_add_vertex(&walls, 2.0, p[1], 2.0),
            test_mesh_add_vertex(&walls, 2.0, p[1] + 1.0, 2.0), test_mesh_add_vertex(&walls, 0.0, p[1] + 1.0, 2.0)};
        test_mesh_add_face(&walls, corners, 4);
    }
    const double sliver[3][3] = {{0.5, 0.5, 0.5}, {1.0, 1.0, 1.0}, {1.5, 1.5, 1.5}};
    test_mesh_add_loose_triangle(&walls, sliver); // has no area, and is no leak
    assert_int_equal(create_tree(&walls, NULL, &level, NULL), GRZ_OK);
    grz_portals_report report;
    grz_portals_examine(level, &report);
    assert_true(report.cells == 2 && report.portals == 0);
    grz_portals_cell cell;
    assert_true(grz_portals_cell_at(level, 1, &cell));
    assert_int_equal(grz_mesh_face_count(cell.walls), 7 * 2 + 1);
    grz_portals_destroy(level);
    test_mesh_finish(&walls);
    test_mesh_finish(&mesh);
}

// A screen across a room that ends in the room; its middle is a portal, which can be gone round.
static void useless_portals_are_told(void **state)
{
    test_mesh mesh = test_mesh_cube(-4.0, -4.0, -4.0, 8.0), screen = test_mesh_grid_quads(3, 3, 1.0);
    const uint32_t portal[] = {12 + 4};
    grz_portals *level;
    grz_error error;
    (void)state;
    test_mesh_take(&mesh, screen);
    assert_int_equal(create(&mesh, portal, 1, false, &level, &error), GRZ_ERROR_MESH);
    assert_int_equal(create(&mesh, portal, 1, true, &level, &error), GRZ_OK);
    grz_portals_report report;
    grz_portals_examine(level, &report);
    assert_int_equal(report.cells, 2);
    assert_int_equal(report.useless_portals, 1);
    assert_int_equal(report.first_useless_portal, 16);
    assert_int_equal(report.free_walls, 8);
    assert_int_equal(report.walls, 20);
    grz_portals_destroy(level);
    test_mesh_finish(&mesh);
}

static void wrong_arguments_are_refused(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7006);
    test_maze maze = test_maze_make(2, 2, &random, 0.0, 0);
    grz_portals *level = test_maze_level(&maze), *none;
    grz_portals_tracker *tracker;
    grz_portals_cell cell;
    grz_portal portal;
    grz_portals_place place;
    grz_mover_answer answer;
    grz_mover_options options = grz_default_mover_options();
    grz_mesh *mesh = test_mesh_upload(test_device, &maze.mesh);
    grz_object object = grz_object_at_origin(mesh);
    grz_portals_options o = grz_default_portals_options();
    const grz_shape ball = test_sphere(0.25), thick = test_sphere(-1.0);
    const double p[3] = {1.5, 1.5, 1.5}, below[3] = {1.0, 1.0, 1.0}, bad[3] = {0.0, (double)NAN, 0.0},
                 still[3] = {0.0, 0.0, 0.0};
    grz_error error;
    uint32_t number;
    (void)state;
    o.margin = -1.0;
    assert_int_equal(grz_portals_create(test_device, &object, NULL, 0, &o, &none, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "options.margin is -1"));
    o = grz_default_portals_options();
    o.limits.deadline = (double)NAN;
    assert_int_equal(grz_portals_create(test_device, &object, NULL, 0, &o, &none, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_create(NULL, &object, NULL, 0, NULL, &none, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_create(test_device, NULL, NULL, 0, NULL, &none, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_create(test_device, &object, NULL, 1, NULL, &none, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_create(test_device, &object, NULL, 0, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    object.pose.m[0][0] = (double)NAN;
    assert_int_equal(grz_portals_create(test_device, &object, NULL, 0, NULL, &none, &error), GRZ_ERROR_POSE);
    assert_int_equal(grz_portals_add(level, &object, &number, &error), GRZ_ERROR_POSE);
    object = grz_object_at(mesh, grz_pose_from_translation(0x1p120, 0.0, 0.0));
    assert_int_equal(grz_portals_create(test_device, &object, NULL, 0, NULL, &none, &error), GRZ_ERROR_UNSUPPORTED);
    assert_int_equal(grz_portals_add(level, &object, &number, &error), GRZ_ERROR_UNSUPPORTED);
    assert_false(grz_portals_cell_at(level, 5, &cell));
    assert_false(grz_portals_portal_at(level, maze.portal_count, &portal));
    assert_int_equal(grz_portals_move(level, 0, &object.pose, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_remove(level, 0, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_tracker_create(NULL, &tracker, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_tracker_create(level, &tracker, &error), GRZ_OK);
    assert_int_equal(grz_portals_track(tracker, bad, p, p, &place, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_track(tracker, p, p, below, &place, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "min x is 1.5, above max x, 1"));
    assert_int_equal(grz_portals_track(NULL, p, p, p, &place, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_step(tracker, &thick, p, still, NULL, &answer, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_step(tracker, &ball, bad, still, NULL, &answer, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_step(tracker, &ball, p, still, NULL, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    options.earlier_poses = &object.pose;
    assert_int_equal(grz_portals_step(tracker, &ball, p, still, &options, &answer, NULL, &error), GRZ_ERROR_ARGUMENT);
    options.earlier_poses = NULL;
    options.walk = options.floor.stands = true;
    options.floor.object = 1;
    assert_int_equal(grz_portals_step(tracker, &ball, p, still, &options, &answer, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "there is no object 0"));
    options.floor.object = 0; // the walls, though the tracker has been nowhere yet
    assert_int_equal(grz_portals_step(tracker, &ball, p, still, &options, &answer, &place, &error), GRZ_OK);
    assert_true(place.teleported && place.count == 1 && !place.whole_level);
    const volatile int cancel = 1;
    options.limits.cancel = &cancel;
    assert_int_equal(grz_portals_step(tracker, &ball, p, still, &options, &answer, &place, &error),
                     GRZ_ERROR_CANCELLED);
    options.limits.cancel = NULL;
    assert_int_equal(grz_portals_step(tracker, &ball, p, still, &options, &answer, &place, &error), GRZ_OK);
    assert_false(place.teleported); // a step that has failed is forgotten
    options.skin = 0.25;            // too thick for the margin
    assert_int_equal(grz_portals_step(tracker, &ball, p, still, &options, &answer, &place, &error), GRZ_OK);
    assert_true(place.whole_level);
    grz_portals_tracker_destroy(tracker);
    grz_portals_tracker_destroy(NULL);
    grz_portals_destroy(level);
    grz_portals_destroy(NULL);
    grz_mesh_destroy(mesh);
    test_maze_finish(&maze);
}

// ---- Objects ------------------------------------------------------------------------------------------------------

static bool is_in(const grz_portals *level, uint32_t number, uint32_t cell)
{
    grz_portals_cell c;
    assert_true(grz_portals_cell_at(level, cell, &c));
    for (uint32_t i = 0; i < c.content_count; i++) {
        assert_true(i == 0 || c.contents[i] > c.contents[i - 1]);
        if (c.contents[i] == number)
            return true;
    }
    return false;
}

static uint32_t cell_of(grz_portals_tracker *tracker, const double p[3])
{
    grz_portals_place place;
    assert_int_equal(grz_portals_track(tracker, p, p, p, &place, NULL), GRZ_OK);
    return place.cells[0];
}

// All corners of an object, and points inside it, are in cells that have the object; before and after it moves.
static void put_objects(bool by_tree)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7007);
    test_maze maze = test_maze_make(4, 4, &random, by_tree ? 0.0 : 0.1, 0);
    uint32_t *faces;
    test_mesh walls = test_maze_walls(&maze, &faces);
    grz_portals *level = by_tree ? test_walls_level(&walls) : test_maze_level(&maze);
    grz_portals_tracker *tracker;
    test_mesh block = test_mesh_box((double[3]){-0.7, -0.4, -0.3}, (double[3]){0.7, 0.4, 0.3});
    grz_mesh *mesh = test_mesh_upload(test_device, &block);
    grz_object objects[8] = {{.mesh = NULL}};
    assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
    for (int round = 0; round < 60; round++) {
        const uint32_t i = (uint32_t)round % 8;
        const double at[3] = {6.0 + 7.0 * random_signed(&random), 6.0 + 7.0 * random_signed(&random),
                              1.5 + 2.5 * random_signed(&random)},
                     q[4] = {random_signed(&random), random_signed(&random), random_signed(&random), 1.0};
        grz_pose before = round >= 8 ? objects[i].pose : grz_pose_identity();
        uint32_t number = i;
        if (round < 8) {
            objects[i] = grz_object_at_origin(mesh);
            assert_int_equal(grz_pose_from_quaternion(at, q, &objects[i].pose, NULL), GRZ_OK);
            before = objects[i].pose;
            assert_int_equal(grz_portals_add(level, &objects[i], &number, NULL), GRZ_OK);
            assert_int_equal(number, i);
        } else if (round % 11 == 0) {
            assert_int_equal(grz_portals_remove(level, i, NULL), GRZ_OK);
            grz_portals_report report;
            grz_portals_examine(level, &report);
            for (uint32_t c = 0; c < report.cells; c++)
                assert_false(is_in(level, i, c));
            assert_int_equal(grz_portals_add(level, &objects[i], &number, NULL), GRZ_OK);
            assert_int_equal(number, i);
        } else {
            if (round % 3 == 0)
                assert_int_equal(grz_portals_rest(level, NULL), GRZ_OK);
            assert_int_equal(grz_pose_from_quaternion(at, q, &objects[i].pose, NULL), GRZ_OK);
            assert_int_equal(grz_portals_move(level, i, &objects[i].pose, NULL), GRZ_OK);
        }
        for (int n = 0; n < 40; n++) {
            double p[3], there[3];
            const double sizes[3] = {0.7, 0.4, 0.3};
            for (int k = 0; k < 3; k++)
                p[k] = sizes[k] * (n < 8 ? ((n >> k & 1) != 0 ? 1.0 : -1.0) : random_signed(&random));
            grz_pose_apply(n % 2 ? objects[i].pose : before, p, there);
            assert_true(is_in(level, number, cell_of(tracker, there)));
        }
    }
    grz_portals_tracker_destroy(tracker);
    grz_portals_destroy(level);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&block);
    test_mesh_finish(&walls);
    test_maze_finish(&maze);
    free(faces);
}

static void objects_are_in_all_their_cells(void **state)
{
    (void)state;
    put_objects(false);
}

static void objects_are_in_all_cells_of_a_tree(void **state)
{
    (void)state;
    put_objects(true);
}

// ---- Memory and threads -------------------------------------------------------------------------------------------

static bool use_level(grz_device *device, const test_maze *maze, bool by_tree)
{
    test_mesh block = test_mesh_cube(1.0, 1.0, 0.25, 0.5);
    grz_mesh *mesh = NULL, *thing = NULL;
    grz_portals *level = NULL;
    grz_portals_tracker *tracker = NULL;
    const grz_shape ball = test_sphere(0.25);
    const double p[3] = {2.0, 2.0, 1.5}, displacement[3] = {4.0, 0.25, -1.0};
    grz_mover_answer answer;
    grz_error error;
    uint32_t number;
    grz_mesh_description d = describe_mesh(maze->mesh.positions, maze->mesh.vertex_count, maze->mesh.indices,
                                           maze->mesh.face_count, 4),
                         e = describe_mesh(block.positions, block.vertex_count, block.indices, block.face_count, 3);
    bool done =
        grz_mesh_create(device, &d, &mesh, &error) == GRZ_OK && grz_mesh_create(device, &e, &thing, &error) == GRZ_OK;
    const grz_object object = grz_object_at_origin(mesh), in_it = grz_object_at_origin(thing);
    const grz_pose there = grz_pose_from_translation(0.25, 0.0, 0.0);
    grz_portals_options options = grz_default_portals_options();
    options.open_walls = by_tree; // walls end on the floor
    options.marks = maze->portals;
    options.mark_count = maze->portal_count;
    done = done &&
           (by_tree ? grz_portals_create_bsp(device, &object, &options, &level, &error)
                    : grz_portals_create(device, &object, maze->portals, maze->portal_count, NULL, &level, &error)) ==
               GRZ_OK &&
           grz_portals_add(level, &in_it, &number, &error) == GRZ_OK &&
           grz_portals_move(level, number, &there, &error) == GRZ_OK && grz_portals_rest(level, &error) == GRZ_OK &&
           grz_portals_tracker_create(level, &tracker, &error) == GRZ_OK &&
           grz_portals_step(tracker, &ball, p, displacement, NULL, &answer, NULL, &error) == GRZ_OK;
    assert_true(done || error.code == GRZ_ERROR_MEMORY);
    grz_portals_tracker_destroy(tracker);
    grz_portals_destroy(level);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(thing);
    test_mesh_finish(&block);
    return done;
}

static void run_out_of_memory(bool by_tree)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7008);
    test_maze maze = test_maze_make(2, 1, &random, 0.0, 0);
    counting_allocator counter = {.fail_at = 0};
    long fail_at = 1;
    for (bool done = false; !done; fail_at++) {
        counter = (counting_allocator){.fail_at = 0};
        grz_device *device = counting_device_open(&counter);
        counter.fail_at = counter.calls + fail_at;
        done = use_level(device, &maze, by_tree);
        counter.fail_at = 0;
        grz_device_close(device);
        assert_int_equal(counter.live, 0);
    }
    assert_true(fail_at > 50);
    test_maze_finish(&maze);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    run_out_of_memory(false);
}

static void memory_may_run_out_for_a_tree(void **state)
{
    (void)state;
    run_out_of_memory(true);
}

typedef struct walker {
    const grz_portals *level;
    uint32_t first;
    double end[3];
} walker;

static void *walk(void *context)
{
    walker *w = context;
    grz_portals_tracker *tracker;
    const grz_shape ball = test_sphere(0.25);
    double p[3] = {1.5, 1.5, 1.5};
    grz_mover_answer answer;
    if (grz_portals_tracker_create(w->level, &tracker, NULL) != GRZ_OK)
        return NULL;
    for (uint32_t i = 0; i < 200; i++) {
        const double angle = 0.1 * (w->first + i), displacement[3] = {0.4 * cos(angle), 0.4 * sin(angle), 0.0};
        if (grz_portals_step(tracker, &ball, p, displacement, NULL, &answer, NULL, NULL) != GRZ_OK)
            break;
        memcpy(p, answer.position, sizeof p);
    }
    memcpy(w->end, p, sizeof p);
    grz_portals_tracker_destroy(tracker);
    return w;
}

static void threads_share_a_level(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7009);
    test_maze maze = test_maze_make(3, 3, &random, 0.0, 0);
    grz_portals *level = test_maze_level(&maze);
    walker walkers[4], alone[4];
    pthread_t threads[4];
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        walkers[i] = alone[i] = (walker){.level = level, .first = 16 * i};
        assert_int_equal(pthread_create(&threads[i], NULL, walk, &walkers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_non_null(walk(&alone[i]));
        assert_memory_equal(walkers[i].end, alone[i].end, sizeof alone[i].end);
    }
    grz_portals_destroy(level);
    test_maze_finish(&maze);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_levels_are_refused),
        cmocka_unit_test(useless_portals_are_told),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(objects_are_in_all_their_cells),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(threads_share_a_level),
        cmocka_unit_test(bad_trees_are_refused),
        cmocka_unit_test(corners_within_edges_are_no_leak),
        cmocka_unit_test(memory_may_run_out_for_a_tree),
        cmocka_unit_test(objects_are_in_all_cells_of_a_tree),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
