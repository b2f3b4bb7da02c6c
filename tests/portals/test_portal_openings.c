// SPDX-License-Identifier: MIT
// Openings of a BSP tree as polygons, and marked portals given to it. The slow twin: points sampled all over the pieces
// are open, lie between the portal's cells, and tell which portals a ball straddles. With the doors of a maze marked, a
// tree tells of the same doors as a level of marked portals alone. Marks that divide, that are gone round, that cut an
// opening, that walls cover.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_mazes.h"
#include "support_sanitizer.h"
#include "support_voxel_worlds.h"

#include "level/portals/data/stored_level.h"
#include "mesh/mesh.h"

typedef struct room {
    grz_mesh *mesh;
    grz_object object; // with marks
    grz_mesh *walls_mesh;
    grz_object walls;
    grz_portals *level;
    grz_portals_report report;
    grz_portals_tracker *tracker, *anywhere;
} room;

static room make_room(const test_mesh *mesh, const test_mesh *walls, const grz_pose *pose,
                      const grz_portals_options *options)
{
    room r = {.mesh = test_mesh_upload(test_device, mesh), .walls_mesh = test_mesh_upload(test_device, walls)};
    grz_error error;
    r.object = grz_object_at(r.mesh, *pose);
    r.walls = grz_object_at(r.walls_mesh, *pose);
    if (grz_portals_create_bsp(test_device, &r.object, options, &r.level, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    grz_portals_examine(r.level, &r.report);
    assert_int_equal(grz_portals_tracker_create(r.level, &r.tracker, NULL), GRZ_OK);
    assert_int_equal(grz_portals_tracker_create(r.level, &r.anywhere, NULL), GRZ_OK);
    return r;
}

static void finish_room(room *r)
{
    grz_portals_tracker_destroy(r->tracker);
    grz_portals_tracker_destroy(r->anywhere);
    grz_portals_destroy(r->level);
    grz_mesh_destroy(r->mesh);
    grz_mesh_destroy(r->walls_mesh);
}

static uint32_t cell_of(const room *r, const double p[3])
{
    grz_portals_place place;
    assert_int_equal(grz_portals_track(r->anywhere, p, p, p, &place, NULL), GRZ_OK);
    return place.cells[0];
}

static bool sees(const room *r, const double p[3], const double q[3])
{
    const grz_ray ray = grz_ray_between(p, q);
    bool any = false;
    assert_int_equal(grz_pick_any(test_device, grz_targets_of_objects(&r->walls, 1), &ray, 1, NULL, &any, NULL),
                     GRZ_OK);
    return !any;
}

// ---- The slow twin: points of the pieces --------------------------------------------------------------------------

// A point of triangle i of a piece; u and v are at least 0, and at most 1 together.
static void point_of(const grz_portals_polygon *piece, uint32_t i, double u, double v, double out[3])
{
    const double *a = piece->corners, *b = a + 3 * (size_t)(i + 1), *c = b + 3;
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]);
}

// Of a triangle of a piece, the normal of length 1. Returns its height over its longest side.
static double normal_of(const grz_portals_polygon *piece, uint32_t i, double normal[3])
{
    const double *a = piece->corners, *b = a + 3 * (size_t)(i + 1), *c = b + 3;
    double u[3], v[3], size = 0.0, sides[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        sides[0] += u[k] * u[k];
        sides[1] += v[k] * v[k];
        sides[2] += (c[k] - b[k]) * (c[k] - b[k]);
    }
    for (int k = 0; k < 3; k++) {
        normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        size += normal[k] * normal[k];
    }
    size = sqrt(size);
    for (int k = 0; k < 3 && size > 0.0; k++)
        normal[k] /= size;
    return size > 0.0 ? size / sqrt(fmax(fmax(sides[0], sides[1]), sides[2])) : 0.0;
}

// The least distance of a point to points sampled over a portal, and how far apart those are at most.
static double sampled_distance(const room *r, uint32_t portal, const double p[3], double *step)
{
    enum {
        STEPS = 24
    };
    double least = HUGE_VAL;
    grz_portals_polygon piece;
    *step = 0.0;
    for (uint32_t number = 0; grz_portals_polygon_at(r->level, portal, number, &piece); number++)
        for (uint32_t i = 0; i + 2 < piece.count; i++) {
            double longest = 0.0;
            for (uint32_t j = 0; j < 3; j++) {
                const double *a = piece.corners + (j == 0 ? 0 : 3 * (size_t)(i + j)),
                             *b = piece.corners + (j == 2 ? 0 : 3 * (size_t)(i + j + 1));
                longest = fmax(longest, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
            }
            *step = fmax(*step, longest / STEPS);
            for (int u = 0; u <= STEPS; u++)
                for (int v = 0; u + v <= STEPS; v++) {
                    double q[3];
                    point_of(&piece, i, (double)u / STEPS, (double)v / STEPS, q);
                    least = fmin(least, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
                }
        }
    return least;
}

// Random points of all pieces: no wall is there, and they lie between the portal's cells; with a face, the first cell
// is where its normal points. Pieces that rounding left may be too narrow to look at.
static uint64_t expect_open(room *r, random_stream *random)
{
    uint64_t looked_at = 0;
    for (uint32_t index = 0; index < r->report.portals; index++) {
        grz_portals_polygon piece;
        grz_portal portal;
        assert_true(grz_portals_portal_at(r->level, index, &portal));
        assert_true(grz_portals_polygon_at(r->level, index, 0, &piece));
        for (uint32_t number = 0; grz_portals_polygon_at(r->level, index, number, &piece); number++)
            for (uint32_t i = 0; i + 2 < piece.count; i++) {
                double normal[3], p[2][3], u = 0.5 + 0.4 * random_signed(random), v = 0.1 + 0.8 * (1.0 - u);
                assert_true(piece.off >= 0.0 && piece.off < 1e-10);
                if (normal_of(&piece, i, normal) < 1e-3)
                    continue;
                v = fmin(v, 0.95 - u);
                for (int side = 0; side < 2; side++) {
                    point_of(&piece, i, u, v, p[side]);
                    for (int k = 0; k < 3; k++) {
                        assert_true(p[side][k] >= portal.min[k] - 1e-9 && p[side][k] <= portal.max[k] + 1e-9);
                        p[side][k] += (side ? -1e-7 : 1e-7) * normal[k];
                    }
                }
                assert_true(sees(r, p[0], p[1]));
                const uint32_t front = cell_of(r, p[0]), back = cell_of(r, p[1]);
                if (!((front == portal.cells[0] && back == portal.cells[1]) ||
                      (front == portal.cells[1] && back == portal.cells[0])))
                    fail_msg("%g %g %g: cells %u and %u, not %u and %u", p[0][0], p[0][1], p[0][2], front, back,
                             portal.cells[0], portal.cells[1]);
                looked_at++;
            }
    }
    return looked_at;
}

// Balls: a portal of the tracked cells is listed if a sampled point of it is in the ball, and not if all are far away.
static void expect_straddled(room *r, const double p[3], double radius, uint64_t *listed)
{
    const double none[3] = {0.0, 0.0, 0.0};
    const grz_shape ball = grz_shape_sphere(none, radius);
    double min[3], max[3];
    grz_portals_place place;
    grz_portals_straddle straddle;
    uint32_t at = 0;
    for (int k = 0; k < 3; k++) {
        min[k] = p[k] - radius;
        max[k] = p[k] + radius;
    }
    assert_int_equal(grz_portals_track(r->tracker, p, min, max, &place, NULL), GRZ_OK);
    assert_int_equal(grz_portals_straddled(r->tracker, &ball, p, &straddle, NULL), GRZ_OK);
    assert_int_equal(straddle.undecided, 0);
    for (uint32_t i = 0; i < r->report.portals; i++) {
        grz_portal portal;
        double step;
        bool tracked = false;
        assert_true(grz_portals_portal_at(r->level, i, &portal));
        for (uint32_t j = 0; j < place.count; j++)
            tracked = tracked || place.cells[j] == portal.cells[0] || place.cells[j] == portal.cells[1];
        const double distance = sampled_distance(r, i, p, &step);
        const bool is_listed = at < straddle.count && straddle.portals[at] == i;
        assert_true(!is_listed || (tracked && distance <= radius + step));
        assert_true(is_listed || !tracked || distance > radius * (1.0 - 1e-9));
        at += is_listed;
    }
    assert_int_equal(at, straddle.count);
    *listed += at;
}

// A straight way in the ball to another cell goes through a portal of the first one that the ball straddles.
static bool expect_way(room *r, const double p[3], const double q[3], double radius)
{
    const double none[3] = {0.0, 0.0, 0.0};
    const grz_shape ball = grz_shape_sphere(none, radius);
    double min[3], max[3];
    grz_portals_place place;
    grz_portals_straddle straddle;
    const uint32_t home = cell_of(r, p);
    if (cell_of(r, q) == home || !sees(r, p, q))
        return false;
    for (int k = 0; k < 3; k++) {
        min[k] = p[k] - radius;
        max[k] = p[k] + radius;
    }
    assert_int_equal(grz_portals_track(r->tracker, p, min, max, &place, NULL), GRZ_OK);
    assert_int_equal(grz_portals_straddled(r->tracker, &ball, p, &straddle, NULL), GRZ_OK);
    for (uint32_t i = 0; i < straddle.count; i++) {
        grz_portal portal;
        assert_true(grz_portals_portal_at(r->level, straddle.portals[i], &portal));
        if (portal.cells[0] == home || portal.cells[1] == home)
            return true;
    }
    fail_msg("no portal on the way from %a %a %a to %a %a %a", p[0], p[1], p[2], q[0], q[1], q[2]);
    return false;
}

static void look_at(room *r, random_stream *random, double scale, uint64_t *listed, uint64_t *ways)
{
    for (int i = 0; i < (TEST_SANITIZED ? 40 : 150); i++) {
        double p[3], q[3], size = 0.0;
        const double radius = scale * (0.2 + 0.15 * (i % 4));
        for (int k = 0; k < 3; k++) {
            const grz_box *box = &r->level->box;
            p[k] = box->min[k] + (0.5 + 0.5 * random_signed(random)) * (box->max[k] - box->min[k]);
            q[k] = random_signed(random);
            size += q[k] * q[k];
        }
        for (int k = 0; k < 3; k++)
            q[k] = p[k] + 0.99 * radius * q[k] / sqrt(size);
        if (i % 3 == 0)
            expect_straddled(r, p, radius, listed);
        *ways += expect_way(r, p, q, radius);
    }
}

// As it is; turned without rounding, and five times as large; turned, where planes of walls that were one lie side by
// side, with cells between them.
static void openings_are_polygons(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7030);
    const double turns[2][4] = {{0.0, 0.0, 0.0, 1.0}, {0.3, 0.1, 0.2, 1.0}}, t[3] = {3.0, 1.0, 0.0};
    const grz_pose larger = {{{3.0, -4.0, 0.0, 1.0}, {4.0, 3.0, 0.0, 2.0}, {0.0, 0.0, 5.0, 3.0}}};
    uint64_t pieces = 0, listed = 0, ways = 0;
    (void)state;
    for (int i = 0; i < 12; i++) {
        const int turn = i % 3;
        grz_portals_options options = grz_default_portals_options();
        grz_pose pose = larger;
        test_mesh walls;
        if (i % 2 == 0) {
            test_maze maze = test_maze_make(3, 2, &random, i % 4 == 0 ? 0.0 : 0.2, i % 3 == 0 ? 60 : 0);
            uint32_t *faces;
            walls = test_maze_walls(&maze, &faces);
            test_maze_finish(&maze);
            free(faces);
        } else
            walls = test_voxels_make(&random, 3 + (uint32_t)i % 6).walls;
        if (turn != 1)
            assert_int_equal(grz_pose_from_quaternion(t, turns[turn / 2], &pose, NULL), GRZ_OK);
        options.open_walls = true;
        options.flatness = 0.0; // what is open is open
        room r = make_room(&walls, &walls, &pose, &options);
        pieces += turn < 2 ? expect_open(&r, &random) : 0;
        look_at(&r, &random, turn == 1 ? 5.0 : 1.0, &listed, &ways);
        finish_room(&r);
        test_mesh_finish(&walls);
    }
    print_message("%llu triangles of pieces, %llu listed, %llu ways\n", (unsigned long long)pieces,
                  (unsigned long long)listed, (unsigned long long)ways);
    assert_true(pieces > 500 && listed > (TEST_SANITIZED ? 20 : 100) && ways > (TEST_SANITIZED ? 20 : 100));
}

// ---- Marks --------------------------------------------------------------------------------------------------------

static bool is_listed(const grz_portals *level, const grz_portals_straddle *straddle, uint32_t face)
{
    for (uint32_t i = 0; i < straddle->count; i++) {
        grz_portal portal;
        assert_true(grz_portals_portal_at(level, straddle->portals[i], &portal));
        if (portal.face == face)
            return true;
    }
    return false;
}

static grz_portals_straddle straddled_at(grz_portals_tracker *tracker, const double p[3], double radius)
{
    const double none[3] = {0.0, 0.0, 0.0}, min[3] = {p[0] - radius, p[1] - radius, p[2] - radius},
                 max[3] = {p[0] + radius, p[1] + radius, p[2] + radius};
    const grz_shape ball = grz_shape_sphere(none, radius);
    grz_portals_place place;
    grz_portals_straddle straddle;
    assert_int_equal(grz_portals_track(tracker, p, min, max, &place, NULL), GRZ_OK);
    assert_int_equal(grz_portals_straddled(tracker, &ball, p, &straddle, NULL), GRZ_OK);
    return straddle;
}

// Marked doors have their cells in the order of their normals, and no two are alike.
static void expect_fronts(const room *r)
{
    for (uint32_t i = 0; i < r->report.portals; i++) {
        grz_portal portal, last;
        grz_portals_polygon piece;
        const double *c[3];
        assert_true(grz_portals_portal_at(r->level, i, &portal) && grz_portals_polygon_at(r->level, i, 0, &piece));
        if (portal.face == UINT32_MAX)
            continue;
        assert_true(i == 0 || (grz_portals_portal_at(r->level, i - 1, &last) &&
                               (last.face < portal.face || (last.face == portal.face &&
                                                            memcmp(last.cells, portal.cells, sizeof last.cells) < 0))));
        double p[3], world[3][3];
        const uint32_t *corners = r->mesh->triangles;
        for (uint32_t t = 0; t < r->mesh->triangle_count; t++, corners += 3)
            if (grz_mesh_triangle_face(r->mesh, t) == portal.face)
                break;
        for (int j = 0; j < 3; j++) {
            c[j] = grz_mesh_position(r->mesh, corners[j]);
            grz_pose_apply(r->object.pose, c[j], world[j]);
        }
        const double flat[9] = {world[0][0], world[0][1], world[0][2], world[1][0], world[1][1],
                                world[1][2], world[2][0], world[2][1], world[2][2]};
        const grz_portals_polygon face = {.corners = flat, .count = 3};
        double normal[3];
        (void)normal_of(&face, 0, normal);
        point_of(&piece, 0, 0.3, 0.3, p);
        for (int k = 0; k < 3; k++)
            p[k] += 1e-6 * normal[k];
        assert_int_equal(cell_of(r, p), portal.cells[0]);
    }
}

// Movers walk through marks as if they were not there.
static void expect_steps(const room *r, const uint32_t *faces, const double p[3], random_stream *random)
{
    const double none[3] = {0.0, 0.0, 0.0};
    const grz_shape ball = grz_shape_sphere(none, 0.3);
    const grz_mover_options options = grz_default_mover_options();
    double displacement[3];
    grz_mover_answer in_cells, in_all;
    for (int k = 0; k < 3; k++)
        displacement[k] = random_signed(random);
    assert_int_equal(grz_portals_step(r->tracker, &ball, p, displacement, &options, &in_cells, NULL, NULL), GRZ_OK);
    assert_int_equal(grz_mover_step(test_device, &r->walls, 1, &ball, p, displacement, &options, &in_all, NULL),
                     GRZ_OK);
    for (uint32_t i = 0; i < in_all.contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++)
        in_all.contacts[i].face = faces[in_all.contacts[i].face];
    if (in_all.floor.stands)
        in_all.floor.face = faces[in_all.floor.face];
    assert_true(test_steps_are_same(&in_cells, &in_all));
}

// The law: doors that are marked are the doors, with or without a tree.
static void doors_of_a_maze_are_marked(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7031);
    uint64_t listed = 0;
    (void)state;
    for (int i = 0; i < 8; i++) {
        test_maze maze = test_maze_make(4, 3, &random, 0.0, 0);
        const double q[4] = {0.0, 0.0, 0.1 + 0.07 * i, 1.0}, t[3] = {10.0 * i, 0.3, 0.0};
        grz_pose pose = grz_pose_identity();
        uint32_t *faces;
        test_mesh walls = test_maze_walls(&maze, &faces);
        grz_portals_options options = grz_default_portals_options();
        if (i % 2)
            assert_int_equal(grz_pose_from_quaternion(t, q, &pose, NULL), GRZ_OK);
        options.open_walls = true;
        options.marks = maze.portals;
        options.mark_count = maze.portal_count;
        room r = make_room(&maze.mesh, &walls, &pose, &options);
        grz_portals *level;
        grz_portals_tracker *tracker;
        assert_int_equal(
            grz_portals_create(test_device, &r.object, maze.portals, maze.portal_count, NULL, &level, NULL), GRZ_OK);
        assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
        grz_portals_report report;
        grz_portals_examine(level, &report);
        assert_true(r.report.walls == report.walls && r.report.useless_portals == 0);
        if (i % 2 == 0)
            assert_true(r.report.cells == report.cells && r.report.portals == report.portals);
        expect_fronts(&r);
        for (int j = 0; j < 200; j++) {
            const double local[3] = {6.0 + 6.0 * random_signed(&random), 4.5 + 4.5 * random_signed(&random),
                                     1.5 + 1.5 * random_signed(&random)},
                         radius = 0.2 + 0.2 * (j % 5);
            double p[3];
            grz_pose_apply(pose, local, p);
            const grz_portals_straddle by_marks = straddled_at(tracker, p, radius),
                                       by_tree = straddled_at(r.tracker, p, radius);
            assert_true(by_marks.undecided == 0 && by_tree.undecided == 0);
            for (uint32_t d = 0; d < maze.portal_count; d++)
                assert_int_equal(is_listed(level, &by_marks, maze.portals[d]),
                                 is_listed(r.level, &by_tree, maze.portals[d]));
            listed += by_marks.count;
            expect_steps(&r, faces, p, &random);
        }
        grz_portals_tracker_destroy(tracker);
        grz_portals_destroy(level);
        finish_room(&r);
        test_mesh_finish(&walls);
        test_maze_finish(&maze);
        free(faces);
    }
    assert_true(listed > 300);
}

// A rectangle across x from (y0, z0) to (y1, z1), facing larger x. Returns its face.
static uint32_t add_across(test_mesh *mesh, double x, double y0, double y1, double z0, double z1)
{
    const uint32_t c[4] = {test_mesh_add_vertex(mesh, x, y0, z0), test_mesh_add_vertex(mesh, x, y1, z0),
                           test_mesh_add_vertex(mesh, x, y1, z1), test_mesh_add_vertex(mesh, x, y0, z1)};
    test_mesh_add_face(mesh, c, 4);
    return (uint32_t)(mesh->face_count - 1);
}

static void add_box(test_mesh *mesh, double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double min[3] = {x0, y0, z0}, max[3] = {x1, y1, z1};
    test_mesh_take(mesh, test_mesh_box(min, max));
}

// The portals at a place, by their faces: the mark's, and ones without a face.
static void expect_at(room *r, double x, double y, double z, uint32_t mark, uint32_t marked, uint32_t others)
{
    const double p[3] = {x, y, z};
    const grz_portals_straddle straddle = straddled_at(r->tracker, p, 0.125);
    uint32_t counts[2] = {0, 0};
    for (uint32_t i = 0; i < straddle.count; i++) {
        grz_portal portal;
        assert_true(grz_portals_portal_at(r->level, straddle.portals[i], &portal));
        assert_true(portal.face == mark || portal.face == UINT32_MAX);
        counts[portal.face != mark]++;
    }
    if (counts[0] != marked || counts[1] != others)
        fail_msg("%g %g %g: %u and %u instead of %u and %u", x, y, z, counts[0], counts[1], marked, others);
}

// The mark comes first, before the walls.
static room make_marked(const test_mesh *walls, double x, const double rectangle[4], uint32_t *mark)
{
    test_mesh mesh = {.face_count = 0};
    grz_portals_options options = grz_default_portals_options();
    const grz_pose pose = grz_pose_identity();
    *mark = add_across(&mesh, x, rectangle[0], rectangle[1], rectangle[2], rectangle[3]);
    test_mesh_append(&mesh, walls);
    options.open_walls = true;
    options.flatness = 0.0; // else gaps that walls nearly cover would hide mistakes
    options.marks = mark;
    options.mark_count = 1;
    room r = make_room(&mesh, walls, &pose, &options);
    test_mesh_finish(&mesh);
    return r;
}

// In one room, 8 × 4 × 3: across all of it, across the lower half, and a small one that hangs in it.
static void marks_in_a_room(void **state)
{
    test_mesh mesh = {.face_count = 0};
    uint32_t mark;
    (void)state;
    add_box(&mesh, 0.0, 0.0, 0.0, 8.0, 4.0, 3.0);
    room r = make_marked(&mesh, 4.0, (const double[4]){0.0, 4.0, 0.0, 3.0}, &mark);
    assert_true(r.report.cells == 3 && r.report.portals == 1 && r.report.useless_portals == 0);
    assert_true(r.report.walls == 12 && r.report.free_walls == 0);
    expect_at(&r, 4.0, 2.0, 1.0, mark, 1, 0);
    expect_at(&r, 3.75, 2.0, 1.0, mark, 0, 0);
    expect_fronts(&r);
    finish_room(&r);
    r = make_marked(&mesh, 4.0, (const double[4]){0.0, 4.0, 0.0, 1.5}, &mark);
    assert_true(r.report.cells == 3 && r.report.portals == 2 && r.report.useless_portals == 0);
    expect_at(&r, 4.0, 2.0, 1.0, mark, 1, 0);
    expect_at(&r, 4.0, 2.0, 2.0, mark, 0, 1);
    expect_at(&r, 4.0, 2.0, 1.5, mark, 1, 1);
    expect_fronts(&r);
    finish_room(&r);
    r = make_marked(&mesh, 4.0, (const double[4]){1.0, 2.0, 1.0, 2.0}, &mark);
    assert_true(r.report.cells == 2 && r.report.portals == 1 && r.report.useless_portals == 1);
    assert_int_equal(r.report.first_useless_portal, mark);
    expect_at(&r, 4.0, 1.5, 1.5, mark, 1, 0);
    expect_at(&r, 4.0, 2.5, 1.5, mark, 0, 0);
    finish_room(&r);
    test_mesh_finish(&mesh);
}

// A wall that divides nothing cuts a mark in two; both parts are between the same cells.
static void a_mark_that_is_cut_is_one(void **state)
{
    test_mesh mesh = {.face_count = 0};
    uint32_t mark;
    grz_portals_polygon piece;
    (void)state;
    add_box(&mesh, 0.0, 0.0, 0.0, 8.0, 4.0, 3.0);
    const uint32_t c[4] = {test_mesh_add_vertex(&mesh, 3.0, 2.0, 0.0), test_mesh_add_vertex(&mesh, 5.0, 2.0, 0.0),
                           test_mesh_add_vertex(&mesh, 5.0, 2.0, 3.0), test_mesh_add_vertex(&mesh, 3.0, 2.0, 3.0)};
    test_mesh_add_face(&mesh, c, 4);
    room r = make_marked(&mesh, 4.0, (const double[4]){0.0, 4.0, 0.0, 3.0}, &mark);
    assert_true(r.report.cells == 3 && r.report.portals == 1 && r.report.useless_portals == 0);
    assert_true(grz_portals_polygon_at(r.level, 0, 1, &piece));
    expect_at(&r, 4.0, 1.0, 1.0, mark, 1, 0);
    expect_at(&r, 4.0, 3.0, 1.0, mark, 1, 0);
    finish_room(&r);
    test_mesh_finish(&mesh);
}

// In a doorway of a thick wall: within it, in half of its opening; and where the wall is.
static void marks_in_a_doorway(void **state)
{
    test_mesh mesh = {.face_count = 0};
    uint32_t mark;
    (void)state;
    add_box(&mesh, 0.0, 0.0, 0.0, 11.0, 6.0, 3.0);
    add_box(&mesh, 5.0, 0.0, 0.0, 6.0, 2.0, 3.0);
    add_box(&mesh, 5.0, 4.0, 0.0, 6.0, 6.0, 3.0);
    add_box(&mesh, 5.0, 2.0, 2.0, 6.0, 4.0, 3.0);
    room r = make_marked(&mesh, 5.5, (const double[4]){2.0, 4.0, 0.0, 2.0}, &mark);
    assert_true(r.report.cells == 8 && r.report.portals == 3); // the doorway is two cells
    expect_at(&r, 5.5, 3.0, 1.0, mark, 1, 0);
    expect_at(&r, 5.0, 3.0, 1.0, mark, 0, 1);
    expect_fronts(&r);
    finish_room(&r);
    r = make_marked(&mesh, 5.0, (const double[4]){2.0, 3.0, 0.0, 2.0}, &mark);
    assert_true(r.report.cells == 7 && r.report.portals == 3);
    expect_at(&r, 5.0, 2.5, 1.0, mark, 1, 0);
    expect_at(&r, 5.0, 3.5, 1.0, mark, 0, 1);
    expect_at(&r, 6.0, 3.0, 1.0, mark, 0, 1);
    expect_fronts(&r);
    finish_room(&r);
    r = make_marked(&mesh, 5.0, (const double[4]){0.0, 2.0, 0.0, 3.0}, &mark);
    assert_true(r.report.cells == 7 && r.report.portals == 2); // a wall is there
    expect_at(&r, 5.0, 1.0, 1.0, mark, 0, 0);
    expect_at(&r, 5.0, 3.0, 1.0, mark, 0, 1);
    finish_room(&r);
    test_mesh_finish(&mesh);
}

static grz_status create(const test_mesh *mesh, const uint32_t *marks, uint64_t count, grz_error *error)
{
    grz_mesh *made = test_mesh_upload(test_device, mesh);
    const grz_object object = grz_object_at_origin(made);
    grz_portals_options options = grz_default_portals_options();
    grz_portals *level;
    options.marks = marks;
    options.mark_count = count;
    const grz_status status = grz_portals_create_bsp(test_device, &object, &options, &level, error);
    grz_portals_destroy(level);
    grz_mesh_destroy(made);
    return status;
}

// Walls may end free along a mark that fills their hole, and only there.
static void marks_fill_holes(void **state)
{
    test_mesh mesh = {.face_count = 0};
    grz_error error;
    (void)state;
    add_box(&mesh, 0.0, 0.0, 0.0, 8.0, 4.0, 3.0);
    mesh.face_count -= 2; // a side is missing
    mesh.index_count -= 6;
    const double *c[3];
    uint64_t at = mesh.index_count;
    for (int j = 0; j < 3; j++)
        c[j] = mesh.positions + 3 * (size_t)mesh.indices[at + (uint64_t)j];
    const int axis = c[0][0] == c[1][0] && c[0][0] == c[2][0] ? 0 : -1;
    assert_int_equal(axis, 0); // it is one across x
    const double x = c[0][0];
    assert_int_equal(create(&mesh, NULL, 0, &error), GRZ_ERROR_MESH);
    const uint32_t part = add_across(&mesh, x, 0.0, 4.0, 0.0, 2.0);
    assert_int_equal(create(&mesh, &part, 1, &error), GRZ_ERROR_MESH);
    const uint32_t rest = add_across(&mesh, x, 0.0, 4.0, 2.0, 3.0);
    const uint32_t both[] = {rest, part}, twice[] = {part, part}, wrong[] = {rest + 1};
    if (create(&mesh, both, 2, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(create(&mesh, twice, 2, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(error.element, part);
    assert_int_equal(create(&mesh, wrong, 1, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(create(&mesh, NULL, 1, &error), GRZ_ERROR_ARGUMENT);
    const uint32_t more[] = {rest, part, add_across(&mesh, 4.0, 1.0, 2.0, 1.0, 2.0)}; // no wall ends there
    assert_int_equal(create(&mesh, more, 3, &error), GRZ_OK);
    test_mesh_finish(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openings_are_polygons), cmocka_unit_test(doors_of_a_maze_are_marked),
        cmocka_unit_test(marks_in_a_room),       cmocka_unit_test(a_mark_that_is_cut_is_one),
        cmocka_unit_test(marks_in_a_doorway),    cmocka_unit_test(marks_fill_holes),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
