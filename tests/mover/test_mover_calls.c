// SPDX-License-Identifier: MIT
// grz_mover_step(): the same bytes whatever the order of faces, vertices and objects, and the number of threads; far
// from the origin as at it; pits, walls that meet slopes; levels that are empty; early ends; bad input.
// ctest: concurrent orders_and_threads_do_not_matter
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_arrays.h"
#include "support_meshes.h"
#include "support_movers.h"

static const double ORIGIN[3] = {0.0, 0.0, 0.0};

static const double UP[3] = {0.0, 0.0, 1.0};

// Ground with hills, walls and a pit; multiples of 2^-10, so that it can be moved far away exactly.
static test_mesh landscape(void)
{
    test_mesh mesh = test_mesh_grid(16, 16, 0.5);
    random_stream random = {.state = 5};
    for (uint64_t i = 0; i < mesh.vertex_count; i++)
        mesh.positions[3 * i + 2] = (random_below(&random, 512) + (i % 7 == 0 ? 1024.0 : 0.0)) * 0x1p-10;
    test_mesh_take(&mesh, test_mesh_box((double[3]){-0.25, -0.25, -2}, (double[3]){8.25, 8.25, 6})); // around all
    test_mesh_take(&mesh, test_mesh_cube(2.0, 2.0, -1.0, 2.0));
    test_mesh_take(&mesh, test_mesh_box((double[3]){5, 0, -1}, (double[3]){5.25, 8, 3}));
    return mesh;
}

static void displacement_of(int i, double displacement[3])
{
    displacement[0] = 0.1 * sin(i * 0.037);
    displacement[1] = 0.1 * cos(i * 0.023);
    displacement[2] = -0.03;
}

static void orders_and_threads_do_not_matter(void **state)
{
    const grz_shape shapes[] = {test_sphere(0.2),   test_capsule(0.2, 0.3, (const double[3]){0.6, 0, 0.8}),
                                test_shape(2, 0.6), test_shape(3, 0.6),
                                test_shape(4, 0.6), test_shape(5, 0.6)};
    grz_device *threads = test_device_open(3);
    random_stream random = {.state = 99};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int walks = 0; walks < 2; walks++) {
            test_mesh first = landscape(), second = test_mesh_soup(&first);
            uint32_t *new_face = allocate_zeroed(second.face_count, sizeof *new_face);
            test_mesh_shuffle(&second, &random, new_face);
            grz_mesh *a = test_mesh_upload(test_device, &first), *b = test_mesh_upload(threads, &second);
            grz_mesh *box[2];
            test_mesh cube = test_mesh_cube(6.0, 3.0, 0.0, 1.0);
            box[0] = test_mesh_upload(test_device, &cube);
            box[1] = test_mesh_upload(threads, &cube);
            const grz_object one[] = {grz_object_at_origin(a), grz_object_at_origin(box[0])},
                             two[] = {grz_object_at_origin(box[1]), grz_object_at_origin(b)};
            grz_mover_options options[2] = {grz_default_mover_options(), grz_default_mover_options()};
            double p[3] = {1.0, 1.0, 3.0};
            uint32_t contacts = 0;
            for (int i = 0; i < 2; i++) {
                options[i].walk = walks;
                options[i].step_up = options[i].step_down = 0.25;
            }
            for (int i = 0; i < 300; i++) {
                grz_mover_answer x, y;
                grz_error error;
                double displacement[3];
                displacement_of(i, displacement);
                assert_int_equal(
                    grz_mover_step(test_device, one, 2, &shapes[s], p, displacement, &options[0], &x, &error), GRZ_OK);
                assert_int_equal(grz_mover_step(threads, two, 2, &shapes[s], p, displacement, &options[1], &y, &error),
                                 GRZ_OK);
                assert_memory_equal(x.position, y.position, sizeof x.position);
                assert_true(x.outcome == y.outcome && x.contact_count == y.contact_count);
                assert_true(x.stepped_up == y.stepped_up && x.stepped_down == y.stepped_down);
                for (uint32_t c = 0; c < x.contact_count && c < GRZ_MOVER_MAX_CONTACTS; c++) {
                    const grz_mover_contact *m = &x.contacts[c], *n = &y.contacts[c];
                    assert_memory_equal(m->normal, n->normal, sizeof m->normal);
                    assert_memory_equal(m->point, n->point, sizeof m->point);
                    assert_true(m->distance == n->distance && m->object == 1 - n->object);
                    assert_int_equal(m->object == 0 ? new_face[m->face] : m->face, n->face);
                    contacts++;
                }
                memcpy(p, x.position, sizeof p);
                options[0].floor = x.floor;
                options[1].floor = y.floor;
            }
            if (contacts < 200)
                fail_msg("%u contacts, at %g %g %g", contacts, p[0], p[1], p[2]);
            grz_mesh_destroy(a);
            grz_mesh_destroy(b);
            grz_mesh_destroy(box[0]);
            grz_mesh_destroy(box[1]);
            test_mesh_finish(&cube);
            test_mesh_finish(&first);
            test_mesh_finish(&second);
            free(new_face);
        }
    grz_device_close(threads);
}

// Two walls are met at times that differ by less than what the last step of a sweep leaves. Which of them is swept
// first must not matter.
static void walls_met_at_nearly_one_time(void **state)
{
    const grz_shape shape = test_sphere(0.25);
    const double displacement[3] = {3.0, 3.0, 0.0}, p[3] = {0.0, 0.0, 0.0};
    (void)state;
    for (int bit = 36; bit < 50; bit++) {
        const double near = 1.0 - ldexp(1.0, -bit);
        test_level level = test_level_of(test_mesh_box((double[3]){1, -9, -9}, (double[3]){2, 9, 9}));
        test_level_add(&level, test_mesh_box((double[3]){-9, near, -9}, (double[3]){9, 2, 9}));
        const grz_object turned[2] = {level.objects[1], level.objects[0]};
        grz_mover_answer x, y;
        assert_int_equal(grz_mover_step(test_device, level.objects, 2, &shape, p, displacement, NULL, &x, NULL),
                         GRZ_OK);
        assert_int_equal(grz_mover_step(test_device, turned, 2, &shape, p, displacement, NULL, &y, NULL), GRZ_OK);
        for (int k = 0; k < 3; k++)
            if (x.position[k] != y.position[k])
                fail_msg("2^-%d nearer: %a and %a", bit, x.position[k], y.position[k]);
        test_level_finish(&level);
    }
}

static void far_away_as_at_the_origin(void **state)
{
    const double far[3] = {0x1p20, -0x1p20, 0x1p19};
    test_level here = test_level_of(landscape());
    test_mesh moved = landscape();
    (void)state;
    test_mesh_move(&moved, far[0], far[1], far[2]);
    test_level there = test_level_of(moved);
    double p[3] = {1.0, 1.0, 3.0}, q[3] = {far[0] + 1.0, far[1] + 1.0, far[2] + 3.0};
    int others = 0;
    for (int i = 0; i < 300 * TEST_SHAPES; i++) {
        const grz_shape shape = test_shape(i / 300, 0.75);
        double displacement[3];
        if (i % 300 == 0)
            for (int k = 0; k < 3; k++) {
                p[k] = k < 2 ? 1.0 : 3.0;
                q[k] = far[k] + p[k];
            }
        displacement_of(i % 300, displacement);
        const grz_mover_answer x = test_move(&here, &shape, p, displacement, NULL),
                               y = test_move(&there, &shape, q, displacement, NULL);
        others += x.contact_count != y.contact_count; // at the very end of the skin
        if (x.outcome != y.outcome || (i < 600 && others > 0) || others > TEST_SHAPES)
            fail_msg("shape %d, step %d: outcomes %d, %d, contacts %u, %u at %g %g %g", i / 300, i % 300, x.outcome,
                     y.outcome, x.contact_count, y.contact_count, p[0], p[1], p[2]);
        for (int k = 0; k < 3; k++)
            assert_true(fabs((q[k] - far[k]) - p[k]) < 1e-7); // positions there are multiples of 2^-32
    }
    test_level_finish(&here);
    test_level_finish(&there);
}

// A pit whose mouth is wider than the mover by four skins is entered, one that is narrower is passed over.
static void pits(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * TEST_SHAPES; i++) {
        const int narrow = i % 2;
        const grz_shape shape = test_shape(i / 2, 1.0);
        const double skin = test_shape_thickness(&shape) * 0x1p-10,
                     half = test_shape_reach(&shape, (const double[3]){1, 0, 0}) + (narrow ? -0.01 : 2.0 * skin),
                     height = test_shape_reach(&shape, UP);
        test_mesh mesh = test_mesh_box((double[3]){-9, -9, -4}, (double[3]){-half, 9, 0});
        test_mesh_take(&mesh, test_mesh_box((double[3]){half, -9, -4}, (double[3]){9, 9, 0}));
        test_level level = test_level_of(mesh);
        double p[3] = {-2.0, 0.0, height + 0.05};
        test_move(&level, &shape, p, (double[3]){0.0, 0.0, -1.0}, NULL);
        test_move(&level, &shape, p, (double[3]){2.0, 0.0, -0.001}, NULL);
        const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){0.0, 0.0, -2.0}, NULL);
        // What is turned sinks in with its lowest corner.
        if (narrow ? !(p[2] > (i / 2 < 4 ? 0.0 : -0.3)) || answer.outcome != GRZ_MOVER_CORNER : !(p[2] < height - 1.75))
            fail_msg("shape %d, narrow %d: outcome %d at %g %g %g", i / 2, narrow, answer.outcome, p[0], p[1], p[2]);
        test_level_finish(&level);
    }
}

static void a_wall_that_meets_a_slope(void **state)
{
    // A slope of 30 degrees up along x, and a wall at y = 1 across: sliding goes up along the crease.
    const double rise = tan(3.14159265358979323846 / 6.0);
    const double corners[] = {-9, -9, -9 * rise, 9, -9, 9 * rise, 9, 9, 9 * rise, -9, 9, -9 * rise,
                              -9, 1,  -9,        9, 1,  -9,       9, 1, 9,        -9, 1, 9};
    test_level level = test_level_of(test_mesh_make(corners, 8, (const uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 2, 4));
    (void)state;
    for (int i = 0; i < TEST_SHAPES; i++) {
        const grz_shape shape = test_shape(i, 1.0);
        double p[3] = {0.0, 0.0, 1.3};
        test_move(&level, &shape, p, (double[3]){0.0, 2.0, -2.0}, NULL);
        const double before[3] = {p[0], p[1], p[2]};
        const grz_mover_answer answer = test_move(&level, &shape, p, (double[3]){1.0, 0.5, 0.0}, NULL);
        assert_int_equal(answer.outcome, GRZ_MOVER_CREASE);
        assert_int_equal(answer.contact_count, 2);
        if (!(fabs(p[1] - before[1]) < 1e-12 && fabs((p[0] - before[0]) - 0.75) < 1e-9 &&
              fabs((p[2] - before[2]) - 0.75 * rise) < 1e-9))
            fail_msg("shape %d: %.17g %.17g %.17g, was %.17g %.17g %.17g", i, p[0], p[1], p[2], before[0], before[1],
                     before[2]);
    }
    test_level_finish(&level);
}

static void levels_that_are_empty(void **state)
{
    const grz_shape shape = test_sphere(1.0);
    const test_level none = {.count = 0};
    double p[3] = {1.0, 2.0, 3.0};
    (void)state;
    grz_mover_answer answer = test_move(&none, &shape, p, (double[3]){0.5, 0.25, -1.0}, NULL);
    assert_true(answer.outcome == GRZ_MOVER_FREE && p[0] == 1.5 && p[1] == 2.25 && p[2] == 2.0);
    // A displacement of nothing finds the contacts.
    test_level level = test_level_of(test_mesh_cube(-1.0, -1.0, -1.0, 2.0));
    double q[3] = {0.0, 0.0, 2.0005};
    answer = test_move(&level, &shape, q, (double[3]){0.0, 0.0, 0.0}, NULL);
    assert_true(answer.outcome == GRZ_MOVER_FREE && q[2] == 2.0005 && answer.contact_count == 1);
    // Exactly the radius away is outside; the next double nearer is not.
    double r[3] = {0.0, 0.0, 2.0}, s[3] = {0.0, 0.0, nextafter(2.0, 0.0)};
    assert_false(test_move(&level, &shape, r, (double[3]){0.0, 0.0, 0.0}, NULL).started_inside);
    answer = test_move(&level, &shape, s, (double[3]){1.0, 0.0, 0.0}, NULL);
    assert_true(answer.started_inside && answer.outcome == GRZ_MOVER_START_INSIDE);
    answer = test_move(&level, &shape, r, (double[3]){0.25, 0.0, -1.0}, NULL);
    assert_true(answer.outcome == GRZ_MOVER_SLIDE && r[0] == 0.25 && r[2] > 2.0);
    // Boxes, ellipsoids and cylinders the same: flush is outside, the next double is not, and what is flush can leave
    // and slide.
    for (int i = 0; i < 3; i++) {
        const double half[3] = {0.5, 0.25, 0.75};
        const grz_shape other = i == 0   ? grz_shape_box(ORIGIN, half)
                                : i == 1 ? grz_shape_ellipsoid(ORIGIN, half)
                                         : grz_shape_cylinder(ORIGIN, 0.5, 0.75);
        double flush[3] = {0.0, 0.0, 1.75}, below[3] = {0.0, 0.0, nextafter(1.75, 0.0)}, side[3] = {1.5, 0.0, 1.75};
        assert_false(test_move(&level, &other, flush, (double[3]){0.0, 0.0, 0.0}, NULL).started_inside);
        assert_true(flush[2] == 1.75);
        answer = test_move(&level, &other, below, (double[3]){1.0, 0.0, 0.0}, NULL);
        assert_true(answer.started_inside && answer.outcome == GRZ_MOVER_START_INSIDE);
        answer = test_move(&level, &other, flush, (double[3]){0.25, 0.0, -1.0}, NULL);
        assert_true(answer.outcome == GRZ_MOVER_SLIDE && flush[0] == 0.25 && flush[2] > 1.75 && flush[2] < 1.7504);
        // Edge on edge, or beside it.
        answer = test_move(&level, &other, side, (double[3]){-0.125, 0.0, 0.5}, NULL);
        assert_true(!answer.started_inside && answer.outcome == GRZ_MOVER_FREE && side[2] >= 2.25);
    }
    test_level_finish(&level);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

typedef struct bad_call {
    test_level level;
    grz_shape shape;
    double position[3], displacement[3];
    grz_mover_options options;
} bad_call;

static void expect(const bad_call *call, grz_status status, const char *text)
{
    grz_mover_answer answer;
    grz_error error = {.code = GRZ_OK};
    const grz_status got = grz_mover_step(test_device, call->level.objects, call->level.count, &call->shape,
                                          call->position, call->displacement, &call->options, &answer, &error);
    if (got != status || strstr(error.message, text) == NULL)
        fail_msg("got %d, expected %d: '%s' does not have '%s'", got, status, error.message, text);
    assert_memory_equal(answer.position, call->position, sizeof answer.position);
}

#define BAD(change, status, text)                                                                                      \
    do {                                                                                                               \
        bad_call call = good;                                                                                          \
        change;                                                                                                        \
        expect(&call, status, text);                                                                                   \
    } while (0)

static void bad_input(void **state)
{
    bad_call good = {.level = test_level_of(test_mesh_cube(-1.0, -1.0, -1.0, 2.0)),
                     .shape = test_sphere(0.5),
                     .position = {0.0, 0.0, 3.0},
                     .displacement = {0.0, 0.0, -1.0},
                     .options = grz_default_mover_options()};
    const double up[3] = {0.0, 0.0, 1.0};
    volatile int cancel = 1;
    (void)state;
    BAD(call.shape.radius = -1.0, GRZ_ERROR_ARGUMENT, "shape.radius is -1");
    BAD(call.shape.radius = 0.0, GRZ_ERROR_ARGUMENT, "shape.radius is 0");
    BAD(call.shape.radius = (double)NAN, GRZ_ERROR_ARGUMENT, "shape.radius");
    BAD(call.shape.corners[0][1] = (double)INFINITY, GRZ_ERROR_ARGUMENT, "shape.corners[0]");
    BAD(call.shape.corners[0][1] = 0.5, GRZ_ERROR_ARGUMENT, "middle");
    BAD(call.shape = test_capsule(0.5, 1.0, up); call.shape.corners[1][2] = 0.5, GRZ_ERROR_ARGUMENT, "middle");
    BAD(call.shape.pose.m[1][3] = 1.0, GRZ_ERROR_ARGUMENT, "middle");
    BAD(call.shape.kind = (grz_shape_kind)99, GRZ_ERROR_ARGUMENT, "shape.kind is 99");
    BAD(call.shape.kind = GRZ_SHAPE_CONE, GRZ_ERROR_ARGUMENT, "shape.kind");
    const double half[3] = {0.5, 0.25, 0.75}, thin[3] = {0.5, 33.0, 0.5}, flat[3] = {0.5, 0.0, 0.5};
    BAD(call.shape = grz_shape_box(ORIGIN, flat), GRZ_ERROR_ARGUMENT, "shape.half[1] is 0");
    BAD(call.shape = grz_shape_ellipsoid(ORIGIN, half);
        call.shape.half[2] = (double)NAN, GRZ_ERROR_ARGUMENT, "shape.half[2]");
    BAD(call.shape = grz_shape_box(ORIGIN, half); call.shape.half[0] = -1.0, GRZ_ERROR_ARGUMENT, "shape.half[0] is -1");
    BAD(call.shape = grz_shape_ellipsoid(ORIGIN, thin), GRZ_ERROR_ARGUMENT, "64 times");
    BAD(call.shape = grz_shape_cylinder(ORIGIN, 0.5, 0.75);
        call.shape.half[1] = 0.25, GRZ_ERROR_ARGUMENT, "radii are 0.5 and 0.25, must be equal");
    BAD(call.shape = grz_shape_box(ORIGIN, half); call.shape.radius = 0.1, GRZ_ERROR_ARGUMENT, "shape.radius is 0.1");
    BAD(call.shape = grz_shape_box(ORIGIN, half); call.shape.pose.m[0][1] = 0.1, GRZ_ERROR_ARGUMENT, "right angles");
    BAD(call.shape = grz_shape_box(ORIGIN, half); call.shape.pose.m[2][2] = 2.0, GRZ_ERROR_ARGUMENT, "of length 1");
    BAD(call.shape = grz_shape_box(ORIGIN, half);
        call.shape.pose.m[0][0] = (double)NAN, GRZ_ERROR_ARGUMENT, "shape.pose");
    BAD(call.shape = grz_shape_box(ORIGIN, half);
        call.options.skin = 0.3, GRZ_ERROR_ARGUMENT, "the smallest half axis, 0.25");
    const grz_pose unposed = {{{(double)NAN}}};
    BAD(call.options.earlier_poses = &unposed, GRZ_ERROR_POSE, "an earlier pose");
    BAD(call.displacement[2] = (double)NAN, GRZ_ERROR_ARGUMENT, "displacement[2]");
    BAD(call.displacement[0] = 0x1p101, GRZ_ERROR_ARGUMENT, "displacement[0]");
    BAD(call.options.skin = -0.1, GRZ_ERROR_ARGUMENT, "options.skin is -0.1");
    BAD(call.options.skin = (double)NAN, GRZ_ERROR_ARGUMENT, "options.skin");
    BAD(call.options.skin = 0.6, GRZ_ERROR_ARGUMENT, "at most the radius");
    BAD(call.options.skin = 1e-16, GRZ_ERROR_ARGUMENT, "at these coordinates");
    BAD(call.options.clean_up = (grz_mover_clean_up)7, GRZ_ERROR_ARGUMENT, "options.clean_up is 7");
    BAD(call.options.limits.deadline = -1.0, GRZ_ERROR_ARGUMENT, "options.limits.deadline");
    BAD(call.options.size = 4, GRZ_ERROR_ARGUMENT, "grz_mover_options");
    BAD(call.level.objects[0].mesh = NULL, GRZ_ERROR_ARGUMENT, "mesh");
    BAD(memset(&call.level.objects[0].pose, 0, sizeof(grz_pose)), GRZ_ERROR_POSE, "pose");
    BAD(call.level.objects[0].pose = grz_pose_from_translation(0x1p120, 0, 0), GRZ_ERROR_UNSUPPORTED, "2^100");
    good.options.walk = true;
    BAD(memset(call.options.up, 0, sizeof call.options.up), GRZ_ERROR_ARGUMENT, "options.up");
    BAD(call.options.slope_limit = 90.5, GRZ_ERROR_ARGUMENT, "options.slope_limit is 90.5");
    BAD(call.options.step_up = -1.0, GRZ_ERROR_ARGUMENT, "options.step_up is -1");
    BAD(call.options.step_down = (double)NAN, GRZ_ERROR_ARGUMENT, "options.step_down");
    BAD(call.options.floor.stands = true;
        call.options.floor.object = 1, GRZ_ERROR_ARGUMENT, "options.floor.object is 1");
    BAD(call.options.limits.cancel = &cancel, GRZ_ERROR_CANCELLED, "");
    BAD(call.options.limits.deadline = 1e-12, GRZ_ERROR_DEADLINE, "");
    BAD(call.options.limits.memory_limit = 1, GRZ_ERROR_MEMORY, "");
    grz_mover_answer answer;
    grz_error error;
    assert_int_equal(grz_mover_step(NULL, good.level.objects, 1, &good.shape, good.position, good.displacement, NULL,
                                    &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(
        grz_mover_step(test_device, NULL, 1, &good.shape, good.position, good.displacement, NULL, &answer, &error),
        GRZ_ERROR_ARGUMENT);
    assert_int_equal(
        grz_mover_step(test_device, NULL, 0, NULL, good.position, good.displacement, NULL, &answer, &error),
        GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mover_step(test_device, NULL, 0, &good.shape, NULL, good.displacement, NULL, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mover_step(test_device, NULL, 0, &good.shape, good.position, NULL, NULL, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(
        grz_mover_step(test_device, NULL, 0, &good.shape, good.position, good.displacement, NULL, NULL, &error),
        GRZ_ERROR_ARGUMENT);
    test_level_finish(&good.level);
}

static void memory_that_runs_out(void **state)
{
    counting_allocator counter = {.fail_at = 0};
    grz_device *device = counting_device_open(&counter);
    test_mesh cube = test_mesh_cube(-1.0, -1.0, -1.0, 2.0);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    const grz_object object = grz_object_at_origin(mesh);
    const grz_shape shape = test_sphere(0.5);
    const grz_pose earlier = grz_pose_from_translation(-0.25, 0.0, 0.0);
    grz_mover_options options = grz_default_mover_options();
    options.earlier_poses = &earlier;
    const double p[3] = {0.9, 0.0, 2.0}, displacement[3] = {0.0, 0.0, -1.0};
    grz_mover_answer answer;
    grz_error error;
    int failures = 0;
    (void)state;
    for (long i = 1; i < 100; i++) {
        counter.calls = 0;
        counter.fail_at = i;
        const grz_status status =
            grz_mover_step(device, &object, 1, &shape, p, displacement, &options, &answer, &error);
        if (status == GRZ_OK)
            break;
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures >= 3 && failures < 99);
    counter.fail_at = 0;
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    assert_int_equal(counter.live, 0);
    test_mesh_finish(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_and_threads_do_not_matter),
        cmocka_unit_test(walls_met_at_nearly_one_time),
        cmocka_unit_test(far_away_as_at_the_origin),
        cmocka_unit_test(pits),
        cmocka_unit_test(a_wall_that_meets_a_slope),
        cmocka_unit_test(levels_that_are_empty),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
