// SPDX-License-Identifier: MIT
// Trackers of spheres that fly through mazes: the cells of all points of the sphere that a straight line without a wall
// joins with its middle (by sampling, and points found among all cells) are among those tracked. A body that is put
// somewhere else is found out. All this also with cells of a BSP tree.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_mazes.h"

typedef struct flight {
    const test_maze *maze;
    grz_portals *level;
    grz_mesh *mesh; // walls alone
    grz_object walls;
    grz_portals_tracker *tracker, *anywhere;
    random_stream *random;
    double position[3];
    uint64_t straddled, found, teleported;
} flight;

static uint32_t cell_of(flight *f, const double p[3])
{
    // A tracker that has been elsewhere before must not matter.
    grz_portals_place place;
    assert_int_equal(grz_portals_track(f->anywhere, p, p, p, &place, NULL), GRZ_OK);
    return place.cells[0];
}

static bool sees(const flight *f, const double p[3], const double q[3])
{
    const grz_ray ray = grz_ray_between(p, q);
    grz_error error;
    bool any = false;
    if (grz_pick_any(test_device, grz_targets_of_objects(&f->walls, 1), &ray, 1, NULL, &any, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return !any;
}

static bool is_tracked(const grz_portals_place *place, uint32_t cell)
{
    for (uint32_t i = 0; i < place->count; i++)
        if (place->cells[i] == cell)
            return true;
    return false;
}

static void random_point(flight *f, double radius, double out[3])
{
    double square;
    do {
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            out[k] = random_signed(f->random);
            square += out[k] * out[k];
        }
    } while (square >= 1.0);
    for (int k = 0; k < 3; k++)
        out[k] = f->position[k] + radius * out[k];
}

static void expect_cells(flight *f, double radius, bool jumped)
{
    grz_portals_place place;
    double min[3], max[3];
    for (int k = 0; k < 3; k++) {
        min[k] = f->position[k] - 1.5 * radius;
        max[k] = f->position[k] + 1.5 * radius; // it goes on by half of its radius at most
    }
    assert_int_equal(grz_portals_track(f->tracker, f->position, min, max, &place, NULL), GRZ_OK);
    const uint32_t home = cell_of(f, f->position);
    assert_int_equal(place.cells[0], home);
    if (!jumped)
        assert_false(place.teleported);
    f->teleported += place.teleported;
    f->straddled += place.count > 1;
    for (uint32_t i = 0; i < place.count; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_int_not_equal(place.cells[i], place.cells[j]);
    for (int i = 0; i < 12; i++) {
        double q[3];
        random_point(f, radius, q);
        if (!sees(f, f->position, q))
            continue;
        const uint32_t cell = cell_of(f, q);
        f->found += cell != home;
        if (!is_tracked(&place, cell))
            fail_msg("%a %a %a: cell %u is not among the %u tracked", q[0], q[1], q[2], cell, place.count);
    }
}

static void fly(flight *f, double radius)
{
    double way[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 400; i++) {
        const bool jumps = random_below(f->random, 40) == 0 || i == 0;
        double next[3];
        for (int k = 0; k < 3; k++)
            way[k] = 0.9 * way[k] + 0.3 * radius * random_signed(f->random) * (k == 2 ? 0.3 : 1.0);
        for (int k = 0; k < 3; k++) {
            const double size = k == 0 ? 3.0 * f->maze->nx : k == 1 ? 3.0 * f->maze->ny : 2.5;
            way[k] = fmax(fmin(way[k], 0.25 * radius), -0.25 * radius);
            next[k] = jumps ? size * (0.5 + 0.5 * random_signed(f->random)) : f->position[k] + way[k];
        }
        if (!jumps && !sees(f, f->position, next)) { // no way through a wall
            for (int k = 0; k < 3; k++)
                way[k] = -way[k];
            continue;
        }
        memcpy(f->position, next, sizeof next);
        expect_cells(f, radius, jumps);
    }
}

static void fly_through_mazes(bool by_tree)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7003);
    uint64_t straddled = 0, found = 0, teleported = 0;
    for (int i = 0; i < 8; i++) {
        test_maze maze = test_maze_make(5, 4, &random, i % 2 ? 0.2 : 0.0, i / 2 % 2 ? 60 : 0);
        uint32_t *faces;
        test_mesh walls = test_maze_walls(&maze, &faces);
        flight f = {
            .maze = &maze, .level = by_tree ? test_walls_level(&walls) : test_maze_level(&maze), .random = &random};
        f.mesh = test_mesh_upload(test_device, &walls);
        f.walls = grz_object_at_origin(f.mesh);
        assert_int_equal(grz_portals_tracker_create(f.level, &f.tracker, NULL), GRZ_OK);
        assert_int_equal(grz_portals_tracker_create(f.level, &f.anywhere, NULL), GRZ_OK);
        fly(&f, 0.3 + 0.5 * i);
        straddled += f.straddled;
        found += f.found;
        teleported += f.teleported;
        grz_portals_tracker_destroy(f.tracker);
        grz_portals_tracker_destroy(f.anywhere);
        grz_portals_destroy(f.level);
        grz_mesh_destroy(f.mesh);
        test_mesh_finish(&walls);
        test_maze_finish(&maze);
        free(faces);
    }
    assert_true(straddled > 500 && found > 500);
    assert_true(teleported > 16);
}

static void no_cell_is_missed(void **state)
{
    (void)state;
    fly_through_mazes(false);
}

static void no_cell_of_a_tree_is_missed(void **state)
{
    (void)state;
    fly_through_mazes(true);
}

// A body that goes through a door is in two cells, then in the other one only.
static void through_a_door(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7004);
    test_maze maze = test_maze_make(2, 1, &random, 0.0, 0);
    grz_portals *level = test_maze_level(&maze);
    grz_portals_tracker *tracker;
    (void)state;
    assert_int_equal(maze.portal_count, 1);
    assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
    for (int i = 0; i <= 48; i++) {
        const double x = 1.5 + i / 16.0, p[3] = {x, 1.5, 1.0}, min[3] = {x - 0.5, 1.0, 0.5},
                     max[3] = {x + 0.5, 2.0, 1.5};
        grz_portals_place place;
        assert_int_equal(grz_portals_track(tracker, p, min, max, &place, NULL), GRZ_OK);
        assert_int_equal(place.teleported, i == 0);
        assert_int_equal(place.count, x >= 2.5 && x <= 3.5 ? 2 : 1);
        assert_true(place.searched <= 2 || i == 0);
    }
    // Beside the door: the wall is there, not the portal.
    const double p[3] = {2.75, 0.5, 1.0}, min[3] = {2.25, 0.25, 0.5}, max[3] = {3.25, 0.75, 1.5};
    grz_portals_place place;
    assert_int_equal(grz_portals_track(tracker, p, min, max, &place, NULL), GRZ_OK);
    assert_true(place.teleported && place.count == 1);
    grz_portals_tracker_destroy(tracker);
    grz_portals_destroy(level);
    test_maze_finish(&maze);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cell_is_missed),
        cmocka_unit_test(no_cell_of_a_tree_is_missed),
        cmocka_unit_test(through_a_door),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
