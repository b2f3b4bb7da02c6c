// SPDX-License-Identifier: MIT
// Cells of a BSP tree. In worlds of cubes, what can be reached through portals is exactly what can be reached from cube
// to cube if every wall divides, and no less if few do. Steps among cells are those of the whole level, whatever the
// walls are. Mazes, thick walls with a door, walls that cover each other, pillars, pieces apart.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_mazes.h"
#include "support_movers.h"
#include "support_sanitizer.h"
#include "support_voxel_worlds.h"

static grz_status create(const test_mesh *mesh, const grz_portals_options *options, grz_portals **level,
                         grz_error *error)
{
    grz_mesh *made = test_mesh_upload(test_device, mesh);
    const grz_object object = grz_object_at_origin(made);
    const grz_status status = grz_portals_create_bsp(test_device, &object, options, level, error);
    grz_mesh_destroy(made);
    return status;
}

static grz_portals *make(const test_mesh *mesh, const grz_portals_options *options)
{
    grz_portals *level;
    grz_error error;
    if (create(mesh, options, &level, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return level;
}

static grz_portals_report report_of(const grz_portals *level)
{
    grz_portals_report report;
    grz_portals_examine(level, &report);
    return report;
}

static uint32_t cell_of(grz_portals_tracker *tracker, const double p[3])
{
    grz_portals_place place;
    assert_int_equal(grz_portals_track(tracker, p, p, p, &place, NULL), GRZ_OK);
    return place.cells[0];
}

static bool is_tracked(const grz_portals_place *place, uint32_t cell)
{
    for (uint32_t i = 0; i < place->count; i++)
        if (place->cells[i] == cell)
            return true;
    return false;
}

// ---- What can be reached ------------------------------------------------------------------------------------------

// From each cube, all others: through portals, in a box that holds everything.
static void expect_places(const test_voxels *v, const grz_portals *level, bool exactly, uint64_t number)
{
    static const double min[3] = {-8.0, -8.0, -8.0}, max[3] = {16.0, 16.0, 16.0};
    grz_portals_tracker *tracker, *anywhere;
    assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
    assert_int_equal(grz_portals_tracker_create(level, &anywhere, NULL), GRZ_OK);
    for (uint32_t i = 0; i <= TEST_VOXEL_COUNT; i++) {
        double p[3];
        grz_portals_place place;
        if (v->places[i] != i)
            continue;
        test_voxel_middle(i, p);
        assert_int_equal(grz_portals_track(tracker, p, min, max, &place, NULL), GRZ_OK);
        for (uint32_t j = 0; j <= TEST_VOXEL_COUNT; j++) {
            test_voxel_middle(j, p);
            const bool reached = is_tracked(&place, cell_of(anywhere, p)), expected = v->places[j] == i;
            if (reached != expected && (exactly || expected))
                fail_msg("world %llu: from cube %u, cube %u is %s", (unsigned long long)number, i, j,
                         reached ? "reached" : "missed");
        }
    }
    grz_portals_tracker_destroy(tracker);
    grz_portals_tracker_destroy(anywhere);
}

static void places_of_cubes_are_found(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7020);
    uint64_t closed = 0, free_walls = 0;
    (void)state;
    for (uint64_t i = 0; i < (TEST_SANITIZED ? 12 : 36); i++) {
        test_voxels v = test_voxels_make(&random, 2 + (uint32_t)(i % 12));
        grz_portals_options options = grz_default_portals_options(); // without `open_walls`: all edges are covered
        options.coverage = 0.0;
        grz_portals *level = make(&v.walls, &options);
        expect_places(&v, level, true, i);
        closed += report_of(level).closed_cells;
        assert_int_equal(report_of(level).free_walls, 0);
        grz_portals_destroy(level);
        options.coverage = i % 2 ? 0.25 : 1.0;
        options.cell_faces = i % 3 ? 256 : 8;
        level = make(&v.walls, &options);
        expect_places(&v, level, false, i);
        free_walls += report_of(level).free_walls;
        grz_portals_destroy(level);
        test_mesh_finish(&v.walls);
    }
    assert_true(closed > (TEST_SANITIZED ? 20 : 100) && free_walls > (TEST_SANITIZED ? 20 : 100));
}

// Turned, coordinates are rounded, and walls of one plane are not any more. Nothing may be missed.
static void nothing_is_missed_where_walls_are_rounded(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7021);
    (void)state;
    for (uint64_t i = 0; i < (TEST_SANITIZED ? 6 : 12); i++) {
        test_voxels v = test_voxels_make(&random, 4 + (uint32_t)(i % 8));
        grz_portals_options options = grz_default_portals_options();
        const double q[4] = {1.0, 0.1 * (double)i, 0.3, -0.2}, t[3] = {1e3, -2.0, 0.125};
        grz_mesh *mesh = test_mesh_upload(test_device, &v.walls);
        grz_object object = grz_object_at_origin(mesh);
        grz_portals *level;
        grz_portals_tracker *tracker, *anywhere;
        options.open_walls = true;
        options.coverage = 0.25 * (double)(i % 3);
        assert_int_equal(grz_pose_from_quaternion(t, q, &object.pose, NULL), GRZ_OK);
        assert_int_equal(grz_portals_create_bsp(test_device, &object, &options, &level, NULL), GRZ_OK);
        assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
        assert_int_equal(grz_portals_tracker_create(level, &anywhere, NULL), GRZ_OK);
        for (uint32_t one = 0; one <= TEST_VOXEL_COUNT; one++) {
            double p[3], there[3], min[3], max[3];
            grz_portals_place place;
            if (v.places[one] != one)
                continue;
            test_voxel_middle(one, p);
            grz_pose_apply(object.pose, p, there);
            for (int k = 0; k < 3; k++) {
                min[k] = t[k] - 20.0;
                max[k] = t[k] + 20.0;
            }
            assert_int_equal(grz_portals_track(tracker, there, min, max, &place, NULL), GRZ_OK);
            for (uint32_t j = 0; j <= TEST_VOXEL_COUNT; j++) {
                test_voxel_middle(j, p);
                grz_pose_apply(object.pose, p, there);
                assert_true(v.places[j] != one || is_tracked(&place, cell_of(anywhere, there)));
            }
        }
        grz_portals_tracker_destroy(tracker);
        grz_portals_tracker_destroy(anywhere);
        grz_portals_destroy(level);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&v.walls);
    }
}

// ---- Steps --------------------------------------------------------------------------------------------------------

enum {
    THINGS = 5
};

typedef struct journey {
    grz_portals *level;
    grz_portals_tracker *tracker;
    grz_object objects[1 + THINGS];
    grz_mover_options options;
    uint64_t steps, whole, inside, contacts, cells;
} journey;

static void step(journey *j, const grz_shape *shape, double position[3], const double displacement[3], uint64_t number)
{
    grz_mover_answer in_cells, in_all;
    grz_portals_place place;
    grz_error error;
    if (grz_portals_step(j->tracker, shape, position, displacement, &j->options, &in_cells, &place, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    if (grz_mover_step(test_device, j->objects, 1 + THINGS, shape, position, displacement, &j->options, &in_all,
                       &error) != GRZ_OK)
        fail_msg("%s", error.message);
    if (!test_steps_are_same(&in_cells, &in_all))
        fail_msg("level %llu: at %a %a %a, displacement %a %a %a, outcomes %d and %d, %u and %u contacts",
                 (unsigned long long)number, position[0], position[1], position[2], displacement[0], displacement[1],
                 displacement[2], in_cells.outcome, in_all.outcome, in_cells.contact_count, in_all.contact_count);
    j->steps++;
    j->whole += place.whole_level;
    j->inside += in_all.started_inside;
    j->contacts += in_all.contact_count;
    j->cells += place.count;
    memcpy(position, in_cells.position, 3 * sizeof *position);
    j->options.floor = in_cells.floor;
}

static void travel(journey *j, test_mesh *walls, const grz_portals_options *options, uint64_t number,
                   random_stream *random)
{
    test_mesh cube = test_mesh_cube(-0.125, -0.125, -0.125, 0.25);
    grz_mesh *mesh = test_mesh_upload(test_device, walls), *thing = test_mesh_upload(test_device, &cube);
    double position[3] = {0.0, 0.0, 0.0}, displacement[3] = {0.0, 0.0, 0.0};
    j->objects[0] = grz_object_at_origin(mesh);
    j->level = make(walls, options);
    assert_int_equal(grz_portals_tracker_create(j->level, &j->tracker, NULL), GRZ_OK);
    for (uint32_t i = 0; i < THINGS; i++) {
        uint32_t at;
        const double p[3] = {2.0 + 3.0 * random_signed(random), 2.0 + 3.0 * random_signed(random),
                             2.0 + 3.0 * random_signed(random)};
        j->objects[1 + i] = grz_object_at(thing, grz_pose_from_translation(p[0], p[1], p[2]));
        assert_int_equal(grz_portals_add(j->level, &j->objects[1 + i], &at, NULL), GRZ_OK);
    }
    const grz_shape shape = test_shape((int)(number % TEST_SHAPES), number % 4 == 3 ? 0.9 : 0.3);
    j->options = grz_default_mover_options();
    j->options.walk = number % 3 == 1;
    j->options.step_up = j->options.step_down = j->options.walk ? 0.25 : 0.0;
    for (int i = 0; i < 60; i++) {
        if (i % 12 == 0) // somewhere else
            for (int k = 0; k < 3; k++)
                position[k] = i < 36 ? random_below(random, TEST_VOXELS + 2) - 0.5 : 2.0 + 3.0 * random_signed(random);
        if (i % 4 == 0)
            for (int k = 0; k < 3; k++)
                displacement[k] = (i % 8 == 0 ? 1.0 : 0.125) * random_signed(random);
        step(j, &shape, position, displacement, number);
    }
    grz_portals_tracker_destroy(j->tracker);
    grz_portals_destroy(j->level);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(thing);
    test_mesh_finish(&cube);
}

// Cubes, and triangles that cross each other, cover each other and have no area.
static void steps_are_those_of_the_whole_level(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7022);
    journey j = {.steps = 0};
    (void)state;
    for (uint64_t i = 0; i < (TEST_SANITIZED ? 16 : 48); i++) {
        grz_portals_options options = grz_default_portals_options();
        test_mesh walls;
        if (i % 4 < 3) {
            test_voxels v = test_voxels_make(&random, 2 + (uint32_t)(i % 7));
            walls = v.walls;
        } else {
            walls = test_mesh_random_triangles(&random, 12, 0.0, 3);
            test_mesh_move(&walls, 2.0, 2.0, 2.0);
        }
        options.open_walls = true;
        options.coverage = i % 5 == 0 ? 0.0 : i % 5 == 1 ? 0.75 : 0.25;
        options.cell_faces = i % 7 == 0 ? 8 : 256;
        travel(&j, &walls, &options, i, &random);
        test_mesh_finish(&walls);
    }
    print_message("%llu steps, %llu inside, %llu by the whole level, %llu contacts, %llu cells\n",
                  (unsigned long long)j.steps, (unsigned long long)j.inside, (unsigned long long)j.whole,
                  (unsigned long long)j.contacts, (unsigned long long)j.cells);
    assert_true(j.whole <= j.steps / 2 && j.contacts > j.steps / 8 && j.cells > j.steps);
}

// ---- Levels that are known ----------------------------------------------------------------------------------------

static void expect_portal(const grz_portals *level, const double min[3], const double max[3])
{
    const grz_portals_report report = report_of(level);
    for (uint32_t i = 0; i < report.portals; i++) {
        grz_portal portal;
        assert_true(grz_portals_portal_at(level, i, &portal));
        assert_int_equal(portal.face, UINT32_MAX);
        if (memcmp(portal.min, min, sizeof portal.min) == 0 && memcmp(portal.max, max, sizeof portal.max) == 0)
            return;
    }
    fail_msg("no portal from %g %g %g to %g %g %g", min[0], min[1], min[2], max[0], max[1], max[2]);
}

// Rooms are cells, and doors are portals.
static void rooms_of_a_maze_are_cells(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7023);
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        test_maze maze = test_maze_make(2 + i, 3, &random, 0.0, 0);
        uint32_t *faces;
        test_mesh walls = test_maze_walls(&maze, &faces);
        grz_portals *level = test_walls_level(&walls);
        const grz_portals_report report = report_of(level);
        assert_int_equal(report.cells, 1 + maze.nx * maze.ny);
        assert_int_equal(report.portals, maze.portal_count);
        assert_int_equal(report.closed_cells, 1); // the outside
        assert_int_equal(report.walls, walls.face_count);
        assert_true(report.free_walls == 0 && report.useless_portals == 0);
        const uint32_t *corners = maze.mesh.indices;
        for (uint64_t f = 0, door = 0; f < maze.mesh.face_count; corners += maze.mesh.corner_counts[f], f++) {
            if (door == maze.portal_count || maze.portals[door] != f)
                continue;
            double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
            for (uint32_t c = 0; c < maze.mesh.corner_counts[f]; c++)
                for (int k = 0; k < 3; k++) {
                    min[k] = fmin(min[k], maze.mesh.positions[3 * (size_t)corners[c] + (size_t)k]);
                    max[k] = fmax(max[k], maze.mesh.positions[3 * (size_t)corners[c] + (size_t)k]);
                }
            expect_portal(level, min, max);
            door++;
        }
        grz_portals_destroy(level);
        test_mesh_finish(&walls);
        test_maze_finish(&maze);
        free(faces);
    }
}

// Turned about z, walls are nearly flat only. No room is reached through a wall, above the doors' height. With
// `flatness` 0 some are: that is what it is for.
static void walls_that_are_rounded_are_tight(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7024);
    uint32_t leaks[2] = {0, 0};
    (void)state;
    for (int i = 0; i < 6; i++) {
        test_maze maze = test_maze_make(3, 3, &random, 0.0, 0);
        uint32_t *faces;
        test_mesh walls = test_maze_walls(&maze, &faces);
        grz_mesh *mesh = test_mesh_upload(test_device, &walls);
        grz_object object = grz_object_at_origin(mesh);
        const double q[4] = {0.0, 0.0, 0.1 + 0.07 * i, 1.0}, t[3] = {10.0 * i, 0.3, 0.0};
        assert_int_equal(grz_pose_from_quaternion(t, q, &object.pose, NULL), GRZ_OK);
        for (int exact = 0; exact < 2; exact++) {
            grz_portals_options options = grz_default_portals_options();
            grz_portals *level;
            grz_portals_tracker *tracker;
            options.open_walls = true;
            options.flatness = exact ? 0.0 : options.flatness;
            assert_int_equal(grz_portals_create_bsp(test_device, &object, &options, &level, NULL), GRZ_OK);
            const grz_portals_report report = report_of(level);
            assert_true(exact ? report.slack == 0.0 : report.slack > 0.0 && report.slack <= report.margin / 64.0);
            assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
            for (uint32_t room = 0; room < 9; room++) {
                double middle[3], there[3], min[3], max[3];
                grz_portals_place place;
                test_maze_middle(room % 3, room / 3, middle);
                middle[2] = 2.5;
                grz_pose_apply(object.pose, middle, there);
                for (int k = 0; k < 3; k++) {
                    min[k] = there[k] - (k < 2 ? 20.0 : 0.25);
                    max[k] = there[k] + (k < 2 ? 20.0 : 0.25);
                }
                assert_int_equal(grz_portals_track(tracker, there, min, max, &place, NULL), GRZ_OK);
                leaks[exact] += place.count - 1;
            }
            grz_portals_tracker_destroy(tracker);
            grz_portals_destroy(level);
        }
        grz_mesh_destroy(mesh);
        test_mesh_finish(&walls);
        test_maze_finish(&maze);
        free(faces);
    }
    assert_int_equal(leaks[0], 0);
    assert_true(leaks[1] > 100);
}

static void add_box(test_mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double min[3] = {x0, y0, z0}, max[3] = {x1, y1, z1};
    test_mesh_take(mesh, test_mesh_box(min, max));
}

// Two rooms and a thick wall of three blocks between them, whose faces lie in floor, ceiling and each other's planes:
// grz_portals_create() refuses such a level.
static void a_thick_wall_has_a_door(void **state)
{
    const double in_room[3] = {2.0, 3.0, 1.0}, in_door[3] = {5.5, 3.0, 1.0}, in_wall[3] = {5.5, 1.0, 1.0},
                 outside[3] = {-1.0, 3.0, 1.0}, other[3] = {9.0, 5.0, 2.5}, min[3] = {1.0, 0.5, 0.5},
                 max[3] = {10.0, 5.5, 2.75};
    test_mesh mesh = {.face_count = 0};
    grz_portals_tracker *tracker;
    grz_portals_place place;
    (void)state;
    add_box(&mesh, 0.0, 0.0, 0.0, 11.0, 6.0, 3.0);
    add_box(&mesh, 5.0, 0.0, 0.0, 6.0, 2.0, 3.0);
    add_box(&mesh, 5.0, 4.0, 0.0, 6.0, 6.0, 3.0);
    add_box(&mesh, 5.0, 2.0, 2.0, 6.0, 4.0, 3.0);
    grz_portals *level = make(&mesh, NULL);
    const grz_portals_report report = report_of(level);
    assert_int_equal(report.cells, 7);        // outside, two rooms, the door, three blocks
    assert_int_equal(report.closed_cells, 4); // outside and blocks
    assert_int_equal(report.portals, 2);
    expect_portal(level, (const double[3]){5.0, 2.0, 0.0}, (const double[3]){5.0, 4.0, 2.0});
    expect_portal(level, (const double[3]){6.0, 2.0, 0.0}, (const double[3]){6.0, 4.0, 2.0});
    assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
    const uint32_t room = cell_of(tracker, in_room), door = cell_of(tracker, in_door), far = cell_of(tracker, other),
                   block = cell_of(tracker, in_wall);
    assert_int_equal(cell_of(tracker, outside), GRZ_PORTALS_OUTSIDE);
    assert_int_equal(grz_portals_track(tracker, in_room, min, max, &place, NULL), GRZ_OK);
    assert_true(place.count == 3 && is_tracked(&place, room) && is_tracked(&place, door) && is_tracked(&place, far));
    assert_false(is_tracked(&place, block));
    grz_portals_tracker_destroy(tracker);
    grz_portals_destroy(level);
    test_mesh_finish(&mesh);
}

// A wall in x = 4 with a hole from y0 to y1, up to z = 2, in a room that is 4 wide and 3 high.
static void add_holed_wall(test_mesh *mesh, double y0, double y1)
{
    const double parts[3][4] = {{0.0, y0, 0.0, 3.0}, {y1, 4.0, 0.0, 3.0}, {y0, y1, 2.0, 3.0}};
    for (int i = 0; i < 3; i++) {
        const double *q = parts[i];
        const double one[3][3] = {{4.0, q[0], q[2]}, {4.0, q[1], q[2]}, {4.0, q[1], q[3]}},
                     two[3][3] = {{4.0, q[0], q[2]}, {4.0, q[1], q[3]}, {4.0, q[0], q[3]}};
        test_mesh_add_loose_triangle(mesh, one);
        test_mesh_add_loose_triangle(mesh, two);
    }
}

// Two walls in one plane, each with a hole: what is open is what both leave open.
static void walls_cover_each_other(void **state)
{
    test_mesh mesh = {.face_count = 0};
    grz_portals_options options = grz_default_portals_options();
    (void)state;
    add_box(&mesh, 0.0, 0.0, 0.0, 8.0, 4.0, 3.0);
    add_holed_wall(&mesh, 1.0, 2.0);
    add_holed_wall(&mesh, 1.5, 2.75);
    options.open_walls = true;
    grz_portals *level = make(&mesh, &options);
    assert_int_equal(report_of(level).cells, 3);
    assert_int_equal(report_of(level).portals, 1);
    expect_portal(level, (const double[3]){4.0, 1.5, 0.0}, (const double[3]){4.0, 2.0, 2.0});
    grz_portals_destroy(level);
    test_mesh_finish(&mesh);
    mesh = (test_mesh){.face_count = 0}; // boxes side by side, sealed
    add_box(&mesh, 0.0, 0.0, 0.0, 4.0, 4.0, 3.0);
    add_box(&mesh, 4.0, 0.0, 0.0, 8.0, 4.0, 3.0);
    level = make(&mesh, NULL);
    assert_true(report_of(level).cells == 3 && report_of(level).portals == 0 && report_of(level).closed_cells == 3);
    grz_portals_destroy(level);
    test_mesh_finish(&mesh);
}

// Pillars and a crate do not cut a room; what is far apart is joined through the outside only.
static void pillars_and_pieces(void **state)
{
    test_mesh mesh = {.face_count = 0};
    grz_portals_tracker *tracker;
    grz_portals_place place;
    (void)state;
    add_box(&mesh, 0.0, 0.0, 0.0, 8.0, 8.0, 3.0);
    add_box(&mesh, 2.0, 2.0, 0.0, 2.5, 2.5, 3.0);
    add_box(&mesh, 5.0, 5.0, 0.0, 5.5, 5.5, 3.0);
    add_box(&mesh, 6.0, 1.0, 0.25, 7.0, 2.0, 1.0);
    grz_portals *level = make(&mesh, NULL);
    assert_true(report_of(level).cells == 2 && report_of(level).portals == 0);
    assert_int_equal(report_of(level).free_walls, 28); // but for the pillars' ends, in floor and ceiling
    grz_portals_cell outside;
    assert_true(grz_portals_cell_at(level, GRZ_PORTALS_OUTSIDE, &outside));
    for (uint64_t i = 0; i < grz_mesh_face_count(outside.walls); i++)
        assert_true(outside.wall_faces[i] < 36); // not of the crate
    grz_portals_destroy(level);
    add_box(&mesh, 20.0, 0.0, 0.0, 28.0, 8.0, 3.0);
    level = make(&mesh, NULL);
    const double here[3] = {1.0, 1.0, 1.0}, there[3] = {21.0, 1.0, 1.0}, between[3] = {12.0, 4.0, 1.5},
                 min[3] = {0.5, 0.5, 0.5}, max[3] = {27.0, 7.0, 2.5};
    assert_int_equal(report_of(level).cells, 4);
    assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
    const uint32_t room = cell_of(tracker, here), other = cell_of(tracker, there), gap = cell_of(tracker, between);
    assert_true(room != other && room != gap && other != gap && gap != GRZ_PORTALS_OUTSIDE);
    assert_int_equal(grz_portals_track(tracker, between, min, max, &place, NULL), GRZ_OK);
    assert_int_equal(place.count, 1);
    const double beyond[3] = {12.0, 9.0, 1.5};
    assert_int_equal(grz_portals_track(tracker, beyond, min, max, &place, NULL), GRZ_OK);
    assert_true(place.count == 2 && place.cells[0] == GRZ_PORTALS_OUTSIDE && place.cells[1] == gap);
    grz_portals_tracker_destroy(tracker);
    grz_portals_destroy(level);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_cubes_are_found),
        cmocka_unit_test(nothing_is_missed_where_walls_are_rounded),
        cmocka_unit_test(rooms_of_a_maze_are_cells),
        cmocka_unit_test(a_thick_wall_has_a_door),
        cmocka_unit_test(walls_cover_each_other),
        cmocka_unit_test(pillars_and_pieces),
        cmocka_unit_test(steps_are_those_of_the_whole_level),
        cmocka_unit_test(walls_that_are_rounded_are_tight),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
