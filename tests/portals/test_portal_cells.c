// SPDX-License-Identifier: MIT
// Cells are what they must be: the rooms of mazes; spaces in spaces; and for random points, what a straight line from
// one to the other says that goes through faces. The line's crossings are found here in doubles, over all triangles.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_arrays.h"
#include "support_mazes.h"

static uint32_t cell_of(const grz_portals *level, const double p[3])
{
    grz_portals_tracker *tracker;
    grz_portals_place place;
    grz_error error;
    assert_int_equal(grz_portals_tracker_create(level, &tracker, &error), GRZ_OK);
    assert_int_equal(grz_portals_track(tracker, p, p, p, &place, &error), GRZ_OK);
    assert_true(place.teleported);
    const uint32_t cell = place.cells[0];
    grz_portals_tracker_destroy(tracker);
    return cell;
}

// ---- Mazes --------------------------------------------------------------------------------------------------------

static void expect_rooms(const test_maze *maze, const grz_portals *level)
{
    const uint32_t rooms = maze->nx * maze->ny;
    grz_portals_report report;
    uint32_t cells[256], count = 0;
    grz_portals_examine(level, &report);
    for (uint32_t i = 0; i < rooms; i++) {
        double middle[3];
        test_maze_middle(i % maze->nx, i / maze->nx, middle);
        cells[i] = cell_of(level, middle);
        assert_int_not_equal(cells[i], GRZ_PORTALS_OUTSIDE);
        count += maze->groups[i] == i;
        for (uint32_t j = 0; j < i; j++)
            if ((cells[i] == cells[j]) != (maze->groups[i] == maze->groups[j]))
                fail_msg("rooms %u and %u are in cells %u and %u, groups %u and %u", i, j, cells[i], cells[j],
                         maze->groups[i], maze->groups[j]);
    }
    assert_int_equal(report.cells, count + 1);
    assert_int_equal(report.portals, maze->portal_count);
    for (uint32_t i = 0; i < report.portals; i++) {
        grz_portal portal;
        assert_true(grz_portals_portal_at(level, i, &portal));
        if (!maze->open_walls)
            assert_int_not_equal(portal.cells[0], portal.cells[1]);
        assert_int_not_equal(portal.cells[0], GRZ_PORTALS_OUTSIDE);
        assert_int_not_equal(portal.cells[1], GRZ_PORTALS_OUTSIDE);
    }
    const double above[3] = {1.5, 1.5, 5.0};
    assert_int_equal(cell_of(level, above), GRZ_PORTALS_OUTSIDE);
}

static void rooms_are_cells(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7001);
    (void)state;
    for (int i = 0; i < 24; i++) {
        const uint32_t nx = 1 + random_below(&random, 6), ny = 1 + random_below(&random, 6);
        test_maze maze = test_maze_make(nx, ny, &random, i % 2 ? 0.15 : 0.0, i / 2 % 2 ? 80 : 0);
        grz_portals *level = test_maze_level(&maze);
        expect_rooms(&maze, level);
        grz_portals_destroy(level);
        test_maze_finish(&maze);
    }
}

// ---- Spaces in spaces ---------------------------------------------------------------------------------------------

static grz_portals *level_of(const test_mesh *mesh, const uint32_t *portals, uint32_t count)
{
    grz_mesh *made = test_mesh_upload(test_device, mesh);
    const grz_object object = grz_object_at_origin(made);
    grz_portals *level;
    grz_error error;
    if (grz_portals_create(test_device, &object, portals, count, NULL, &level, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    grz_mesh_destroy(made);
    return level;
}

// A room, in it two pillars; one is hollow, and has a block in its inside.
static void expect_pillars(bool backwards)
{
    static const double cubes[5][4] = {{0.0, 0.0, 0.0, 16.0},
                                       {2.0, 2.0, 2.0, 3.0},
                                       {9.0, 9.0, 9.0, 4.0},
                                       {10.0, 10.0, 10.0, 2.0},
                                       {30.0, 0.0, 0.0, 1.0}};
    test_mesh mesh = {.face_count = 0};
    const double in_room[3] = {0.5, 0.5, 0.5}, beyond[3] = {15.5, 15.5, 15.5}, between[3] = {7.0, 2.0, 2.0},
                 in_first[3] = {3.0, 3.0, 3.0}, in_second[3] = {9.25, 9.5, 9.75}, in_block[3] = {11.0, 11.0, 11.0},
                 in_far[3] = {30.5, 0.25, 0.25};
    for (int i = 0; i < 5; i++) {
        const double *cube = cubes[backwards ? 4 - i : i];
        test_mesh_take(&mesh, test_mesh_cube(cube[0], cube[1], cube[2], cube[3]));
    }
    grz_portals *level = level_of(&mesh, NULL, 0);
    grz_portals_report report;
    grz_portals_examine(level, &report);
    assert_int_equal(report.cells, 6);
    assert_int_equal(report.closed_cells, 6);
    const uint32_t room = cell_of(level, in_room);
    assert_int_equal(cell_of(level, beyond), room);
    assert_int_equal(cell_of(level, between), room);
    const uint32_t others[] = {cell_of(level, in_first), cell_of(level, in_second), cell_of(level, in_block),
                               cell_of(level, in_far),   GRZ_PORTALS_OUTSIDE,       room};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(others[i], others[j]);
    grz_portals_cell cell;
    assert_true(grz_portals_cell_at(level, room, &cell));
    assert_int_equal(grz_mesh_face_count(cell.walls), 36);
    grz_portals_destroy(level);
    test_mesh_finish(&mesh);
}

static void pillars_stand_in_rooms(void **state)
{
    (void)state;
    expect_pillars(false);
    expect_pillars(true);
}

// Far from the origin doubles do not tell which way a small box is turned.
static void far_boxes(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        const double far = 98765432101235.0 + 1234567.0 * i, size = i % 2 ? 4.0 : 8.0;
        test_mesh mesh = test_mesh_cube(-4.0, 0.0, 0.0, 1.0); // sums of volumes begin here
        test_mesh_take(&mesh, test_mesh_cube(far, 3.0 * far, -2.0 * far, size));
        test_mesh_take(&mesh, test_mesh_cube(far + 1.0, 3.0 * far + 1.0, -2.0 * far + 1.0, 2.0));
        if (i % 3 == 0)
            test_mesh_reverse(&mesh);
        const uint32_t window[] = {12};
        grz_portals *level = level_of(&mesh, window, 1);
        grz_portal portal;
        grz_portals_report report;
        grz_portals_examine(level, &report);
        assert_int_equal(report.cells, 4);
        const double inner[3] = {far + 2.0, 3.0 * far + 2.0, -2.0 * far + 2.0},
                     outer[3] = {far + 0.5, 3.0 * far + 0.5, -2.0 * far + 0.5};
        const uint32_t a = cell_of(level, inner), b = cell_of(level, outer);
        assert_true(a != b && a != GRZ_PORTALS_OUTSIDE && b != GRZ_PORTALS_OUTSIDE);
        assert_true(grz_portals_portal_at(level, 0, &portal));
        assert_int_equal(portal.cells[i % 3 == 0], GRZ_PORTALS_OUTSIDE);
        assert_int_equal(portal.cells[i % 3 != 0], b);
        grz_portals_destroy(level);
        test_mesh_finish(&mesh);
    }
}

// ---- Lines --------------------------------------------------------------------------------------------------------

typedef struct crossing {
    double t;
    uint32_t face;
    bool from_front;
} crossing;

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// 1: crosses; 0: misses; -1: too near to an edge to say.
static int cross(const double p[3], const double q[3], const double c[3][3], crossing *out)
{
    double v[3][3], way[3], signs[3];
    subtract(q, p, way);
    for (int i = 0; i < 3; i++)
        subtract(c[i], p, v[i]);
    for (int i = 0; i < 3; i++)
        signs[i] = determinant(way, v[i], v[(i + 1) % 3]);
    int positive = 0;
    for (int i = 0; i < 3; i++)
        positive += signs[i] > 0.0;
    bool near = false;
    for (int i = 0; i < 3; i++)
        near = near || fabs(signs[i]) < 1e-9;
    if (near)
        return -1;
    if (positive != 0 && positive != 3)
        return 0;
    double e[3], f[3], from_p[3];
    subtract(c[1], c[0], e);
    subtract(c[2], c[0], f);
    subtract(p, c[0], from_p);
    const double at_p = determinant(e, f, from_p), along = determinant(e, f, way);
    out->t = -at_p / along;
    out->from_front = at_p > 0.0;
    return out->t > 0.0 && out->t < 1.0 ? 1 : 0;
}

static int compare(const void *x, const void *y)
{
    const crossing *a = x, *b = y;
    return (a->t > b->t) - (a->t < b->t);
}

// The crossings of a line with triangles; -1: too near to an edge.
static int cross_all(const test_mesh *mesh, const double p[3], const double q[3], crossing *found, int most)
{
    int count = 0;
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        double c[3][3];
        for (int j = 0; j < 3; j++)
            memcpy(c[j], mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)i + (size_t)j], sizeof c[j]);
        const int how = cross(p, q, (const double(*)[3])c, &found[count]);
        if (how < 0 || count == most - 1)
            return -1;
        found[count].face = i;
        count += how;
    }
    qsort(found, (size_t)count, sizeof *found, compare);
    return count;
}

// Cells on a line change only at faces; the cell at a face is the same from everywhere, and portals say which it is.
static void lines_agree(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7002);
    uint64_t lines = 0, portals_met = 0;
    (void)state;
    for (int i = 0; i < 10; i++) {
        test_maze maze = test_maze_make(4, 3, &random, 0.25, i % 2 ? 100 : 0);
        grz_portals *level = test_maze_level(&maze);
        uint32_t *sides = allocate_zeroed(2 * maze.mesh.face_count, sizeof *sides); // cell + 1, once it is known
        grz_portals_report report;
        grz_portals_examine(level, &report);
        for (uint32_t j = 0; j < report.portals; j++) {
            grz_portal portal;
            assert_true(grz_portals_portal_at(level, j, &portal));
            for (int k = 0; k < 2; k++)
                sides[2 * portal.face + (uint32_t)k] = portal.cells[k] + 1;
        }
        for (int j = 0; j < 300; j++) {
            double p[3], q[3];
            crossing found[64] = {{.t = 0.0}};
            for (int k = 0; k < 3; k++) {
                p[k] = (k == 2 ? 1.5 : 6.0) + (k == 2 ? 2.0 : 7.0) * random_signed(&random);
                q[k] = (k == 2 ? 1.5 : 6.0) + (k == 2 ? 2.0 : 7.0) * random_signed(&random);
            }
            const int count = cross_all(&maze.mesh, p, q, found, 64);
            if (count < 0)
                continue;
            lines++;
            uint32_t cell = cell_of(level, p) + 1;
            for (int n = 0; n < count; n++) {
                uint32_t *here = &sides[2 * found[n].face + !found[n].from_front],
                         *there = &sides[2 * found[n].face + found[n].from_front];
                portals_met += *here != 0 && *there != 0;
                *here = *here == 0 ? cell : *here;
                assert_int_equal(*here, cell);
                // Where it goes on is only known from the point between this face and the next.
                const double t = 0.5 * (found[n].t + (n + 1 < count ? found[n + 1].t : 1.0));
                double between[3];
                for (int k = 0; k < 3; k++)
                    between[k] = p[k] + t * (q[k] - p[k]);
                cell = cell_of(level, between) + 1;
                *there = *there == 0 ? cell : *there;
                assert_int_equal(*there, cell);
            }
            assert_int_equal(cell_of(level, q) + 1, cell);
        }
        free(sides);
        grz_portals_destroy(level);
        test_maze_finish(&maze);
    }
    assert_true(lines > 2000 && portals_met > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms_are_cells),
        cmocka_unit_test(pillars_stand_in_rooms),
        cmocka_unit_test(far_boxes),
        cmocka_unit_test(lines_agree),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
