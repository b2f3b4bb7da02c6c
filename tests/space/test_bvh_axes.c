// SPDX-License-Identifier: MIT
// Trees along axes of their own. A sheet or a bundle of needles that lies askew in its own coordinates costs about what
// the same one costs if its pose turns it, in counted work, not in time, and the work grows with the number of
// triangles. Turned boxes hold their triangles. Ordinary meshes keep their axes. test_bvh.c compares answers with
// `naive`, also for turned trees.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h>

#include "mesh/mesh.h"
#include "space/bvh/bvh.h"
#include "support_control.h"
#include "support_meshes.h"

static grz_device *device;
static grz_result *result;

static int open_device(void **state)
{
    (void)state;
    device = test_device_open(1);
    result = test_result_create(device);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    grz_result_destroy(result);
    grz_device_close(device);
    return 0;
}

static grz_pose turned_by(double x, double y, double z)
{
    const double translation[3] = {0.3, 0.1, -0.2}, q[4] = {x, y, z, 0.8};
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(translation, q, &pose, NULL), GRZ_OK);
    return pose;
}

// Turn the mesh itself, as a pose would.
static void turn(test_mesh *mesh, const grz_pose *pose)
{
    for (uint64_t v = 0; v < mesh->vertex_count; v++) {
        double *p = mesh->positions + 3 * v, at[3];
        for (int i = 0; i < 3; i++)
            at[i] = pose->m[i][0] * p[0] + pose->m[i][1] * p[1] + pose->m[i][2] * p[2] + pose->m[i][3];
        memcpy(p, at, sizeof at);
    }
}

static const grz_bvh *tree_of(const grz_mesh *mesh)
{
    const grz_bvh *bvh;
    assert_int_equal(test_mesh_bvh(mesh, &bvh), GRZ_OK);
    return bvh;
}

static bool is_turned(const test_mesh *mesh)
{
    grz_mesh *uploaded = test_mesh_upload(device, mesh);
    const bool turned = tree_of(uploaded)->turned;
    grz_mesh_destroy(uploaded);
    return turned;
}

typedef enum scene_kind {
    SHEETS,  // squares, in shallow waves
    STRIPES, // two columns of long thin triangles, likewise
    NEEDLES, // loose triangles side by side, rolled at random around their length
    KINDS
} scene_kind;

static const char *const kind_names[KINDS] = {"sheets", "stripes", "needles"};

// About n × n × 2 triangles. `which` is 0 or 1: the second mesh does not touch the first, but is near everywhere.
static test_mesh shape_of(scene_kind kind, uint32_t n, int which)
{
    test_mesh mesh = {0};
    random_stream random = {.state = 7};
    if (kind != NEEDLES) {
        const uint32_t nx = kind == SHEETS ? n : 2, ny = kind == SHEETS ? n : n * n / 2;
        mesh = test_mesh_grid(nx, ny, 1.0);
        test_mesh_scale(&mesh, 1.0 / nx, 1.0 / ny, 1.0);
        for (uint64_t v = 0; v < mesh.vertex_count; v++) {
            double *p = mesh.positions + 3 * v;
            p[2] = 0.001 * which + 0.005 * sin(9.0 * p[0]) * cos(7.0 * p[1]);
        }
        return mesh;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < 2 * n; j++) {
            const double x = (i + 0.5 * which) / n, y = 0.5 * (j + 0.5 * which) / n,
                         roll = 4.0 * random_signed(&random);
            const double thin = 0.1 / n, start = 0.1 * random_signed(&random);
            const double corners[3][3] = {
                {x, y, start}, {x + thin * cos(roll), y + thin * sin(roll), start}, {x, y, start + 1.0}};
            test_mesh_add_loose_triangle(&mesh, corners);
        }
    return mesh;
}

typedef struct work {
    uint64_t candidates, openings, pairs;
} work;

// The first query of two new meshes at one pose; b may be NULL: a with itself.
static work ask(const test_mesh *a, const test_mesh *b, const grz_pose *pose)
{
    grz_mesh *mesh[2] = {test_mesh_upload(device, a), b != NULL ? test_mesh_upload(device, b) : NULL};
    grz_object object_a = grz_object_at_origin(mesh[0]), object_b = grz_object_at_origin(mesh[1]);
    grz_collide_options options = grz_default_collide_options();
    options.method = "bvh";
    options.find = GRZ_FIND_PAIRS;
    object_a.pose = object_b.pose = *pose;
    assert_int_equal(b != NULL ? grz_collide(device, &object_a, &object_b, &options, result, NULL)
                               : grz_collide_self(device, &object_a, &options, result, NULL),
                     GRZ_OK);
    const grz_summary *summary = grz_result_summary(result);
    const work done = {summary->candidates, atomic_load(&tree_of(mesh[0])->openings), summary->pair_count};
    grz_mesh_destroy(mesh[0]);
    grz_mesh_destroy(mesh[1]);
    return done;
}

// The work for a scene: turned by its pose, or turned itself. `self`: both meshes in one, which is asked for itself.
static work work_of(scene_kind kind, uint32_t n, bool baked, bool self)
{
    const grz_pose pose = turned_by(0.35, 0.21, -0.4), identity = grz_pose_identity();
    test_mesh a = shape_of(kind, n, 0), b = shape_of(kind, n, 1);
    if (self)
        test_mesh_append(&a, &b);
    if (baked) {
        turn(&a, &pose);
        turn(&b, &pose);
    }
    const work done = ask(&a, self ? NULL : &b, baked ? &identity : &pose);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
    return done;
}

static void expect_at_most(const char *what, scene_kind kind, bool self, uint64_t found, double most)
{
    if ((double)found > most)
        fail_msg("%s%s: %llu %s, must be at most %.0f", kind_names[kind], self ? " in one mesh" : "",
                 (unsigned long long)found, what, most);
}

// At most three times as much, for any number of triangles; and for four times as many at most eight times as much.
static void a_turned_mesh_costs_what_a_turned_pose_costs(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int self = 0; self < 2; self++) {
            work before = {0, 0, 0};
            for (uint32_t n = 16; n <= 64; n *= 2) {
                const work posed = work_of((scene_kind)kind, n, false, self),
                           baked = work_of((scene_kind)kind, n, true, self);
                print_message("  %s%s, n = %u: %llu candidates, %llu openings; turned by the pose %llu, %llu\n",
                              kind_names[kind], self ? " in one mesh" : "", n, (unsigned long long)baked.candidates,
                              (unsigned long long)baked.openings, (unsigned long long)posed.candidates,
                              (unsigned long long)posed.openings);
                assert_int_equal(baked.pairs, posed.pairs);
                expect_at_most("candidates", (scene_kind)kind, self, baked.candidates,
                               3.0 * (double)posed.candidates + 64.0);
                expect_at_most("openings", (scene_kind)kind, self, baked.openings, 3.0 * (double)posed.openings + 64.0);
                if (n > 16) {
                    expect_at_most("candidates", (scene_kind)kind, self, baked.candidates,
                                   8.0 * (double)before.candidates + 64.0);
                    expect_at_most("openings", (scene_kind)kind, self, baked.openings,
                                   8.0 * (double)before.openings + 64.0);
                }
                before = baked;
            }
        }
}

// A sheet that turns from frame to frame, by new positions, is not askew for long.
static void turn_by_positions(scene_kind kind, uint32_t n)
{
    test_mesh a = shape_of(kind, n, 0), b = shape_of(kind, n, 1);
    grz_mesh *mesh[2] = {test_mesh_upload(device, &a), test_mesh_upload(device, &b)};
    const grz_object object_a = grz_object_at_origin(mesh[0]), object_b = grz_object_at_origin(mesh[1]);
    grz_collide_options options = grz_default_collide_options();
    options.method = "bvh";
    options.find = GRZ_FIND_PAIRS;
    uint64_t first = 0, most = 0;
    for (int frame = 0; frame < 120; frame++) {
        const double angle = frame < 40 ? 0.02 * frame : 0.8;
        const grz_pose pose = frame < 80 ? turned_by(angle, 0.5 * angle, 0.0) : grz_pose_identity();
        test_mesh now[2] = {test_mesh_copy(&a), test_mesh_copy(&b)};
        for (int i = 0; i < 2; i++) {
            turn(&now[i], &pose);
            assert_int_equal(grz_mesh_set_positions(mesh[i], now[i].positions, NULL), GRZ_OK);
            test_mesh_finish(&now[i]);
        }
        assert_int_equal(grz_collide(device, &object_a, &object_b, &options, result, NULL), GRZ_OK);
        assert_int_equal(grz_result_summary(result)->pair_count, 0);
        const uint64_t candidates = grz_result_summary(result)->candidates;
        first = frame == 0 ? candidates : first;
        most = candidates > most ? candidates : most;
        if (frame % 40 > 32 && frame > 40 && candidates > 3 * first) // it has rested for long enough
            fail_msg("frame %d: %llu candidates, at first %llu", frame, (unsigned long long)candidates,
                     (unsigned long long)first);
    }
    print_message("  %llu candidates in the first frame, at most %llu\n", (unsigned long long)first,
                  (unsigned long long)most);
    assert_true(most > 3 * first);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(mesh[i]);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

static void a_mesh_that_turns_gets_a_new_tree(void **state)
{
    (void)state;
    turn_by_positions(SHEETS, 64);
    turn_by_positions(STRIPES, 32);
}

// Exact to 2^-60 of the mesh's size: the tree coordinate of a vertex along one of the tree's axes.
static long double coordinate(const grz_mesh *mesh, const grz_bvh *bvh, uint32_t vertex, int axis)
{
    long double sum = 0.0L;
    for (int j = 0; j < 3; j++)
        sum += (long double)bvh->axes[axis][j] *
               ((long double)grz_mesh_position(mesh, vertex)[j] - (long double)bvh->origin[j]);
    return sum * (long double)bvh->scale;
}

// The corners of all triangles below child i, rounded to floats, are in its box, and as they are in its box in mesh
// coordinates.
static void check_child(const grz_mesh *mesh, const grz_bvh *bvh, uint32_t n, int i, uint32_t below)
{
    if (!grz_bvh_is_triangle(below)) {
        for (int k = 0; k < GRZ_BVH_WIDTH && bvh->nodes[below].child[k] != GRZ_BVH_NONE; k++)
            check_child(mesh, bvh, n, i, bvh->nodes[below].child[k]);
        return;
    }
    const grz_box box = grz_bvh_child_box(bvh, n, i);
    for (size_t k = 0; k < 3; k++) {
        const uint32_t vertex = mesh->triangles[3 * (size_t)grz_bvh_triangle(below) + k];
        for (int axis = 0; axis < 3; axis++) {
            const float at = (float)coordinate(mesh, bvh, vertex, axis);
            const double p = grz_mesh_position(mesh, vertex)[axis];
            assert_true(bvh->nodes[n].bounds[0][axis][i] <= at && at <= bvh->nodes[n].bounds[1][axis][i]);
            assert_true(fabsf(at) <= (float)bvh->max_abs);
            assert_true(box.min[axis] <= p && p <= box.max[axis]);
        }
    }
}

static void turned_boxes_hold_their_triangles(void **state)
{
    (void)state;
    random_stream random = {.state = 3};
    for (int round = 0; round < 60; round++) {
        test_mesh mesh = shape_of((scene_kind)(round % KINDS), 16, 0);
        const grz_pose pose = turned_by(random_signed(&random), random_signed(&random), random_signed(&random));
        const double size = round % 4 == 1   ? 0x1p-1000
                            : round % 4 == 2 ? 0x1p298
                                             : 1.0,
                     far = round % 4 == 3 ? 0x1p40 : 0.0;
        turn(&mesh, &pose);
        test_mesh_scale(&mesh, size, size, size);
        if (round % 4 != 3 || round % KINDS == NEEDLES) // far away, rounding bends a sheet
            test_mesh_move(&mesh, 0.0, 0.0, far);
        grz_mesh *uploaded = test_mesh_upload(device, &mesh);
        for (int time = 0; time < 2; time++) {
            const grz_bvh *bvh = tree_of(uploaded);
            if (!bvh->turned && far == 0.0)
                fail_msg("round %d: the tree is not turned", round);
            for (uint32_t n = 0; bvh->turned && n < bvh->node_count; n++)
                for (int i = 0; i < GRZ_BVH_WIDTH && bvh->nodes[n].child[i] != GRZ_BVH_NONE; i++)
                    check_child(uploaded, bvh, n, i, bvh->nodes[n].child[i]);
            for (uint64_t i = 0; i < 3 * mesh.vertex_count; i++) // refitted, no longer flat
                mesh.positions[i] *= 1.0 + 0.1 * random_signed(&random);
            assert_int_equal(grz_mesh_set_positions(uploaded, mesh.positions, NULL), GRZ_OK);
        }
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
}

static void ordinary_meshes_keep_their_axes(void **state)
{
    (void)state;
    static const char *const files[] = {"data/cow_spot.ply", "data/nbody_a_eros.ply", "data/teapot_3751.obj",
                                        "data/spaceship_shuttle_a.obj"};
    random_stream random = {.state = 8};
    for (int round = 0; round < 40; round++) {
        test_mesh mesh = round % 5 == 0   ? test_mesh_icosphere(1.0, 2 + (uint32_t)round / 10)
                         : round % 5 == 1 ? test_mesh_torus(1.0, 0.3, 20 + (uint32_t)round, 30)
                         : round % 5 == 2 ? test_mesh_random_triangles(&random, 200 + 100 * (uint32_t)round, 0.1, 0)
                         : round % 5 == 3 ? test_mesh_grid(10 + (uint32_t)round, 30, 1.0)
                                          : test_mesh_load(files[round / 5 % 4]);
        const grz_pose pose = turned_by(random_signed(&random), random_signed(&random), random_signed(&random));
        if (round % 5 == 0 || round % 5 == 2)
            turn(&mesh, &pose);
        if (is_turned(&mesh))
            fail_msg("round %d: the tree is turned", round);
        test_mesh_finish(&mesh);
    }
}

// A box with walls of n × n squares.
static test_mesh fine_box(uint32_t n)
{
    test_mesh box = {0};
    for (int wall = 0; wall < 6; wall++) {
        test_mesh sheet = test_mesh_grid(n, n, 1.0 / n);
        test_mesh_move(&sheet, 0.0, 0.0, wall < 3 ? 0.0 : 1.0);
        for (uint64_t v = 0; v < sheet.vertex_count; v++) {
            double *p = sheet.positions + 3 * v, at[3];
            for (int i = 0; i < 3; i++)
                at[i] = p[(i + wall) % 3];
            memcpy(p, at, sizeof at);
        }
        if (wall < 3)
            test_mesh_reverse(&sheet);
        test_mesh_take(&box, sheet);
    }
    return box;
}

// Points and containment use the same tree.
static void points_are_located_in_turned_meshes(void **state)
{
    (void)state;
    enum {
        POINTS = 2000
    };
    random_stream random = {.state = 12};
    for (int round = 0; round < 10; round++) {
        const grz_pose pose = turned_by(random_signed(&random), random_signed(&random), random_signed(&random));
        test_mesh box = fine_box(8);
        double points[POINTS][3];
        grz_location found[POINTS], expected[POINTS];
        for (int k = 0; k < POINTS; k++) {
            double p[3];
            expected[k] = GRZ_INSIDE;
            for (int i = 0; i < 3; i++) {
                p[i] = 0.5 + 0.7 * random_signed(&random);
                p[i] = fabs(p[i]) < 0x1p-20 || fabs(p[i] - 1.0) < 0x1p-20 ? 0.5 : p[i];
                expected[k] = p[i] < 0.0 || p[i] > 1.0 ? GRZ_OUTSIDE : expected[k];
            }
            for (int i = 0; i < 3; i++)
                points[k][i] = pose.m[i][0] * p[0] + pose.m[i][1] * p[1] + pose.m[i][2] * p[2] + pose.m[i][3];
        }
        turn(&box, &pose);
        grz_mesh *mesh = test_mesh_upload(device, &box);
        const grz_object object = grz_object_at_origin(mesh);
        assert_true(tree_of(mesh)->turned);
        assert_int_equal(grz_locate_points(device, &object, &points[0][0], POINTS, NULL, found, NULL), GRZ_OK);
        for (int k = 0; k < POINTS; k++)
            if (found[k] != expected[k])
                fail_msg("round %d, point %d: %d, must be %d", round, k, (int)found[k], (int)expected[k]);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&box);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turned_mesh_costs_what_a_turned_pose_costs),
        cmocka_unit_test(a_mesh_that_turns_gets_a_new_tree),
        cmocka_unit_test(turned_boxes_hold_their_triangles),
        cmocka_unit_test(ordinary_meshes_keep_their_axes),
        cmocka_unit_test(points_are_located_in_turned_meshes),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
