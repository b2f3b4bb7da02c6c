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
    grz_mesh **doors; // of each marked portal: its face alone; NULL: the level is a tree's
    double position[3];
    uint64_t straddled, found, teleported, in_doors;
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

static grz_mesh **make_doors(const test_maze *maze)
{
    grz_mesh **doors = calloc(maze->portal_count + 1, sizeof(grz_mesh *));
    for (uint32_t i = 0; i < maze->portal_count; i++) {
        const test_mesh *all = &maze->mesh;
        uint64_t first = 0;
        for (uint32_t face = 0; face < maze->portals[i]; face++)
            first += all->corner_counts[face];
        const test_mesh door = {.positions = all->positions,
                                .vertex_count = all->vertex_count,
                                .indices = all->indices + first,
                                .corner_counts = all->corner_counts + maze->portals[i],
                                .index_count = all->corner_counts[maze->portals[i]],
                                .face_count = 1};
        doors[i] = test_mesh_upload(test_device, &door);
    }
    return doors;
}

static void finish_doors(grz_mesh **doors, uint32_t count)
{
    for (uint32_t i = 0; i < count && doors != NULL; i++)
        grz_mesh_destroy(doors[i]);
    free(doors);
}

// The portals of a sphere, or of a capsule, are those of the tracked cells that it touches, by the query about shapes
// and meshes.
static void expect_doors(flight *f, const grz_portals_place *place, double radius)
{
    const double none[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 0.25 * radius}, down[3] = {0.0, 0.0, -0.25 * radius};
    const grz_shape shapes[] = {grz_shape_sphere(none, radius), grz_shape_capsule(down, up, 0.5 * radius)};
    for (int s = 0; s < 2; s++) {
        grz_portals_straddle straddle;
        assert_int_equal(grz_portals_straddled(f->tracker, &shapes[s], f->position, &straddle, NULL), GRZ_OK);
        assert_int_equal(straddle.undecided, 0);
        grz_shape shape = shapes[s];
        for (int k = 0; k < 3; k++)
            shape.pose.m[k][3] = f->position[k];
        uint32_t at = 0;
        for (uint32_t i = 0; i < f->maze->portal_count; i++) {
            grz_portal portal;
            assert_true(grz_portals_portal_at(f->level, i, &portal));
            const grz_object door = grz_object_at_origin(f->doors[i]);
            grz_shape_object_answer answer;
            grz_error error;
            if (grz_shape_compare_object(test_device, &shape, &door, NULL, &answer, &error) != GRZ_OK)
                fail_msg("%s", error.message);
            const bool listed = at < straddle.count && straddle.portals[at] == i;
            const bool tracked = is_tracked(place, portal.cells[0]) || is_tracked(place, portal.cells[1]);
            assert_int_equal(listed, tracked && answer.relation >= GRZ_SHAPES_TOUCHING);
            at += listed;
        }
        assert_int_equal(at, straddle.count);
        f->in_doors += at;
    }
}

// Of openings that a tree found, a sphere is in none whose box is farther away than its radius.
static void expect_openings(flight *f, double radius)
{
    const double none[3] = {0.0, 0.0, 0.0};
    const grz_shape ball = grz_shape_sphere(none, radius);
    grz_portals_straddle straddle;
    assert_int_equal(grz_portals_straddled(f->tracker, &ball, f->position, &straddle, NULL), GRZ_OK);
    for (uint32_t i = 0; i < straddle.count; i++) {
        grz_portal portal;
        double square = 0.0;
        assert_true(grz_portals_portal_at(f->level, straddle.portals[i], &portal));
        assert_true(i == 0 || straddle.portals[i] > straddle.portals[i - 1]);
        for (int k = 0; k < 3; k++) {
            const double away = fmax(0.0, fmax(portal.min[k] - f->position[k], f->position[k] - portal.max[k]));
            square += away * away;
        }
        assert_true(square <= radius * radius * (1.0 + 1e-12));
    }
    f->in_doors += straddle.count;
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
    if (f->doors != NULL)
        expect_doors(f, &place, radius);
    else
        expect_openings(f, radius);
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
    uint64_t straddled = 0, found = 0, teleported = 0, in_doors = 0;
    for (int i = 0; i < 8; i++) {
        test_maze maze = test_maze_make(5, 4, &random, i % 2 ? 0.2 : 0.0, i / 2 % 2 ? 60 : 0);
        uint32_t *faces;
        test_mesh walls = test_maze_walls(&maze, &faces);
        flight f = {
            .maze = &maze, .level = by_tree ? test_walls_level(&walls) : test_maze_level(&maze), .random = &random};
        f.doors = by_tree ? NULL : make_doors(&maze);
        f.mesh = test_mesh_upload(test_device, &walls);
        f.walls = grz_object_at_origin(f.mesh);
        assert_int_equal(grz_portals_tracker_create(f.level, &f.tracker, NULL), GRZ_OK);
        assert_int_equal(grz_portals_tracker_create(f.level, &f.anywhere, NULL), GRZ_OK);
        fly(&f, 0.3 + 0.5 * i);
        straddled += f.straddled;
        found += f.found;
        teleported += f.teleported;
        in_doors += f.in_doors;
        finish_doors(f.doors, maze.portal_count);
        grz_portals_tracker_destroy(f.tracker);
        grz_portals_tracker_destroy(f.anywhere);
        grz_portals_destroy(f.level);
        grz_mesh_destroy(f.mesh);
        test_mesh_finish(&walls);
        test_maze_finish(&maze);
        free(faces);
    }
    assert_true(straddled > 500 && found > 500);
    assert_true(teleported > 16 && in_doors > 500);
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

// A cube that a door cuts along its diagonal: the door's box is the whole cube.
static void a_door_aslant(void **state)
{
    static const double corners[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 0, 0, 2, 2, 0, 2, 2, 2, 2, 0, 2, 2};
    static const uint32_t triangles[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6,
                                         1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7, 0, 2, 6, 0, 6, 4};
    const uint32_t doors[] = {12, 13};
    const double origin[3] = {0.0, 0.0, 0.0};
    (void)state;
    test_mesh mesh = test_mesh_make(corners, 8, triangles, 14, 3);
    grz_mesh *made = test_mesh_upload(test_device, &mesh);
    const grz_object object = grz_object_at_origin(made);
    grz_portals *level;
    grz_portals_tracker *tracker;
    grz_error error;
    if (grz_portals_create(test_device, &object, doors, 2, NULL, &level, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
    const struct {
        double x, y, radius;
        uint32_t cells, doors;
    } places[] = {
        {1.5, 0.25, 0.2, 1, 0},   // its box is in the door's, and beside the door
        {1.3125, 1.0, 0.2, 2, 0}, // its box meets the door, the ball does not
        {1.25, 1.0, 0.2, 2, 1},   // the lower half of the door
        {1.0, 1.0, 0.2, 2, 2},    // both: at the height of their common side
        {0.25, 1.5, 0.2, 1, 0},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const double r = places[i].radius, p[3] = {places[i].x, places[i].y, 1.0};
        const double min[3] = {p[0] - r, p[1] - r, p[2] - r}, max[3] = {p[0] + r, p[1] + r, p[2] + r};
        const grz_shape ball = grz_shape_sphere(origin, r);
        grz_portals_place place;
        grz_portals_straddle straddle;
        assert_int_equal(grz_portals_track(tracker, p, min, max, &place, NULL), GRZ_OK);
        assert_int_equal(place.count, places[i].cells);
        assert_int_equal(grz_portals_straddled(tracker, &ball, p, &straddle, NULL), GRZ_OK);
        assert_int_equal(straddle.count, places[i].doors);
        for (uint32_t k = 0; k < straddle.count; k++)
            assert_int_equal(straddle.portals[k], k);
        assert_int_equal(straddle.undecided, 0);
    }
    grz_portals_straddle straddle;
    const grz_shape ray = grz_shape_ray(origin, corners + 3), ball = grz_shape_sphere(origin, 1.0);
    assert_int_equal(grz_portals_straddled(tracker, &ray, origin, &straddle, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_straddled(NULL, &ball, origin, &straddle, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_straddled(tracker, NULL, origin, &straddle, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_straddled(tracker, &ball, NULL, &straddle, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_portals_straddled(tracker, &ball, origin, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "portals: the straddle is NULL");
    grz_portals_tracker_destroy(tracker);
    grz_portals_destroy(level);
    grz_mesh_destroy(made);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cell_is_missed),
        cmocka_unit_test(no_cell_of_a_tree_is_missed),
        cmocka_unit_test(through_a_door),
        cmocka_unit_test(a_door_aslant),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
