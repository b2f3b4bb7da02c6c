// SPDX-License-Identifier: MIT
// The discrete answer of method `slices`. The analyses on the GPU and on the CPU agree bit for bit. The answer is right
// if objects are well apart or overlap deeply, and about as often wrong as in its paper if they are close. Cases that
// pixels and slices cannot see are answered wrongly, and the answer is labelled so. Offset surfaces, directions,
// presets; the collision volume contains the contact; wrong options are refused. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>
#include <graze/io.h>
#include "support_gl.h"
#include "support_meshes.h"
#include "support_sanitizer.h"
#include "support_slices.h"
#include "support_statistics.h"

#ifdef GRZ_HAVE_GL
#include "geometry/pose.h"
#include "mesh/oriented_box.h"

static double dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static const grz_summary *ask(test_slices_stage *s)
{
    grz_error error;
    if (test_slices_ask(s, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_summary *summary = grz_result_summary(s->result);
    uint64_t count;
    grz_result_collision_boxes(s->result, &count);
    assert_int_equal(summary->certainty, GRZ_DISCRETE);
    assert_string_equal(summary->method, "slices");
    assert_string_equal(summary->device, "gl");
    assert_true(summary->may_miss && summary->may_invent);
    test_statistics statistics;
    assert_true(test_statistics_read(s->result, "slices", &statistics) &&
                !test_statistics_read(s->result, "layers", NULL));
    assert_int_equal(statistics.resolution, s->options.resolution);
    assert_true(summary->colliding == (statistics.cells > 0) && summary->colliding == (count == 1));
    assert_true(summary->relation == (summary->colliding ? GRZ_COLLIDING : GRZ_APART));
    assert_int_equal(summary->pair_count, 0);
    assert_int_equal(summary->containment,
                     summary->colliding ? GRZ_CONTAINMENT_NOT_ASKED : GRZ_CONTAINMENT_UNDECIDABLE);
    assert_true((summary->reason == NULL) == summary->colliding);
    return summary;
}

static uint64_t cells_of(const grz_result *result)
{
    test_statistics statistics;
    assert_true(test_statistics_read(result, "slices", &statistics));
    return statistics.cells;
}

// The same for an answer with several volumes.
static void ask_many(test_slices_stage *s)
{
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &(grz_method_options){.method = "slices", .options = &s->options};
    assert_int_equal(grz_collide(s->device, &s->objects[0], &s->objects[1], &collide_options, s->result, NULL), GRZ_OK);
    uint64_t count, cells = 0;
    const grz_collision_box *volumes = grz_result_collision_boxes(s->result, &count);
    for (uint64_t i = 0; i < count; i++)
        cells += volumes[i].cells;
    assert_int_equal(cells, cells_of(s->result));
}

static bool truth(const test_slices_stage *s)
{
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.find = 0;
    assert_int_equal(grz_collide(s->device, &s->objects[0], &s->objects[1], &collide_options, s->result, NULL), GRZ_OK);
    assert_int_equal(grz_result_summary(s->result)->certainty, GRZ_EXACT);
    return grz_result_summary(s->result)->colliding;
}

static void turn(random_stream *random, double reach, grz_pose *pose)
{
    double t[3], q[4];
    for (int i = 0; i < 3; i++)
        t[i] = reach * random_signed(random);
    for (int i = 0; i < 4; i++)
        q[i] = random_signed(random) + (i == 3 ? 0.01 : 0.0);
    assert_int_equal(grz_pose_from_quaternion(t, q, pose, NULL), GRZ_OK);
}

// The shader and the processor see the same cells in the same picture.
static void both_analyses_find_the_same(void **state)
{
    (void)state;
    static const uint32_t sides[] = {1, 2, 7, 8, 9, 31, 64, 100},
                          slices[] = {1, 2, 15, 16, 17, 31, 32, 33, 64, 65, 100, 256, 511, 512};
    random_stream random = {.state = 5};
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 3), test_mesh_torus(1.0, 0.3, 24, 12));
    int colliding = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 14; j++) {
            grz_collision_box volumes[2];
            bool colliding_by[2];
            uint64_t cells[2];
            turn(&random, 0.8, &s.objects[1].pose);
            s.options.oriented = random_below(&random, 2) == 0;
            s.options.resolution = sides[i];
            s.options.slices = slices[j];
            s.options.refinements = random_below(&random, 3);
            s.options.last_slices = random_below(&random, 2) * 40;
            for (int k = 0; k < 2; k++) {
                uint64_t count;
                s.options.analysis = k == 0 ? GRZ_ANALYSIS_GPU : GRZ_ANALYSIS_CPU;
                colliding_by[k] = ask(&s)->colliding;
                cells[k] = cells_of(s.result);
                const grz_collision_box *found = grz_result_collision_boxes(s.result, &count);
                volumes[k] = count > 0 ? *found : (grz_collision_box){.cells = 0};
            }
            if (cells[0] != cells[1] || memcmp(&volumes[0], &volumes[1], sizeof volumes[0]) != 0)
                fail_msg("%u pixels, %u slices: %d cells, and by the CPU %d", sides[i], slices[j], (int)cells[0],
                         (int)cells[1]);
            colliding += colliding_by[0];
        }
    assert_true(colliding > 40 && colliding < 112);
    test_slices_close(&s);
}

// Well apart, or overlapping deeply: no setting is wrong, at any scale and position.
static void clear_cases_are_right(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 0x1p-100, 0x1p100}, places[] = {0.0, 0x1p20};
    for (int i = 0; i < 6; i++) {
        const double scale = scales[i / 2], place = places[i % 2] * scale;
        test_mesh a = test_mesh_icosphere(1.0, 3), b = test_mesh_icosphere(1.0, 3);
        test_mesh_scale(&a, scale, scale, scale);
        test_mesh_scale(&b, scale, scale, scale);
        test_slices_stage s = test_slices_open(a, b);
        s.objects[0].pose = grz_pose_from_translation(place, place, place);
        for (int preset = GRZ_SLICES_FAST; preset <= GRZ_SLICES_ACCURATE; preset++) {
            s.options = grz_default_slices_options((grz_slices_preset)preset);
            s.objects[1].pose = grz_pose_from_translation(place + scale, place + 0.5 * scale, place);
            assert_true(ask(&s)->colliding);
            s.objects[1].pose =
                grz_pose_from_translation(place + 1.6 * scale, place + 1.6 * scale, place); // boxes overlap
            assert_false(ask(&s)->colliding);
            s.objects[1].pose = grz_pose_from_translation(place + 3.0 * scale, place, place); // boxes do not
            assert_false(ask(&s)->colliding);
        }
        test_slices_close(&s);
    }
}

// Random placements whose boxes overlap: wrong about as often as the paper's first table says, and less with
// refinement.
static void errors_are_as_frequent_as_in_the_paper(void **state)
{
    (void)state;
    static const struct {
        uint32_t resolution, refinements;
        double least, most; // percent
    } settings[] = {{16, 0, 0.3, 9.0}, {32, 0, 0.3, 6.0}, {64, 1, 0.0, 2.5}, {128, 2, 0.0, 1.5}};
    test_slices_stage s = test_slices_open(test_mesh_load("data/cow_spot.ply"), test_mesh_load("data/cow_spot.ply"));
    for (int i = 0; i < 4; i++) {
        random_stream random = {.state = 12};
        int wrong = 0, missed = 0;
        const int asked = TEST_SHORT ? 200 : 1000;
        s.options.resolution = settings[i].resolution;
        s.options.refinements = settings[i].refinements;
        for (int j = 0; j < asked; j++) {
            turn(&random, 1.6, &s.objects[1].pose);
            const bool expected = truth(&s), said = ask(&s)->colliding;
            wrong += said != expected;
            missed += expected && !said;
        }
        const double percent = 100.0 * wrong / asked;
        print_message("  %u pixels, refined %u times: %.2f %% wrong, %d missed, %d invented of %d\n",
                      settings[i].resolution, settings[i].refinements, percent, missed, wrong - missed, asked);
        assert_true(percent <= settings[i].most);
        if (asked > 500)
            assert_true(percent >= settings[i].least);
    }
    test_slices_close(&s);
}

static test_mesh make_triangle(double ax, double ay, double az, double bx, double by, double bz, double cx, double cy,
                               double cz)
{
    const double corners[3][3] = {{ax, ay, az}, {bx, by, bz}, {cx, cy, cz}};
    test_mesh mesh = {0};
    test_mesh_add_loose_triangle(&mesh, corners);
    return mesh;
}

// Cases that pixel centres and slices cannot see: the answer must be wrong, and labelled so.
static void cases_that_pixels_cannot_see_are_labelled(void **state)
{
    (void)state;
    // A sliver between pixel centres; a sheet seen edge-on; a triangle smaller than a pixel in a large region. Each
    // crosses the other object.
    const struct {
        const char *what;
        test_mesh a, b;
        bool exact;
    } cases[] = {
        {"a sliver", make_triangle(-1.0, 0.001, -1.0, 1.0, 0.001, 1.0, 1.0, 0.0011, 1.0),
         make_triangle(-1, -1, 0, 1, -1, 0, 0, 1, 0), true},
        {"an edge-on sheet", make_triangle(0.003, -1, -1, 0.003, 1, -1, 0.003, 0, 1),
         make_triangle(-1, -1, 0, 1, -1, 0, 0, 1, 0), true},
        {"two sheets closer than a slice", make_triangle(-1, -1, 0, 1, -1, 0, 0, 1, 1),
         make_triangle(-1, -1, 0.001, 1, -1, 0.001, 0, 1, 1.001), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_slices_stage s = test_slices_open(cases[i].a, cases[i].b);
        s.options.refinements = 0;
        s.options.has_direction = true;
        s.options.direction[2] = -1.0;
        assert_true(truth(&s) == cases[i].exact);
        const grz_summary *summary = ask(&s);
        if (summary->colliding == cases[i].exact)
            fail_msg("%s: the discrete answer is right, which it cannot be by pixels", cases[i].what);
        assert_true(summary->may_miss && summary->may_invent);
        test_slices_close(&s);
    }
}

// A sheet parallel to the given direction is missed; the direction that the library chooses sees it.
static void the_direction_chosen_shows_flat_faces(void **state)
{
    (void)state;
    test_slices_stage s = test_slices_open(make_triangle(0.003, -1, -1, 0.003, 1, -1, 0.003, 0, 1),
                                           make_triangle(-1, -1, 0.1, 1, -1, 0.2, 0, 1, 0));
    assert_true(truth(&s));
    assert_true(ask(&s)->colliding);
    s.options.has_direction = true;
    s.options.direction[1] = 1.0;
    assert_false(ask(&s)->colliding);
    test_slices_close(&s);
}

// Offset outwards, close objects collide. Offset inwards, objects that touch lightly do not.
static void offset_surfaces_swell_and_shrink(void **state)
{
    (void)state;
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 3), test_mesh_icosphere(1.0, 3));
    s.options = grz_default_slices_options(GRZ_SLICES_ACCURATE);
    for (int i = 0; i < 3; i++) {
        const double apart[] = {2.05, 1.98, 1.5};
        s.objects[1].pose = grz_pose_from_translation(apart[i] * 0.6, apart[i] * 0.8, 0.0);
        assert_int_equal(truth(&s), i > 0);
        s.options.offset = 0.0;
        assert_int_equal(ask(&s)->colliding, i > 0);
        s.options.offset = 0.01; // of a diagonal of 3.46
        assert_true(ask(&s)->colliding);
        s.options.offset = -0.01;
        assert_int_equal(ask(&s)->colliding, i == 2);
    }
    test_slices_close(&s);
}

// Long thin objects at oblique angles: oriented boxes separate many without drawing, and make better pictures of the
// rest.
static void oriented_boxes_fit_better(void **state)
{
    (void)state;
    random_stream random = {.state = 9};
    test_mesh rod = test_mesh_cube(-0.5, -0.5, -0.5, 1.0), other;
    test_mesh_scale(&rod, 2.0, 0.05, 0.08);
    other = test_mesh_copy(&rod);
    test_slices_stage s = test_slices_open(rod, other);
    s.options = grz_default_slices_options(GRZ_SLICES_FAST);
    int wrong[2] = {0, 0}, collisions = 0;
    double sizes[2] = {0.0, 0.0};
    for (int i = 0; i < 400; i++) {
        turn(&random, 0.0, &s.objects[0].pose);
        turn(&random, 0.25, &s.objects[1].pose);
        const bool expected = truth(&s);
        collisions += expected;
        for (int oriented = 0; oriented < 2; oriented++) {
            uint64_t count;
            s.options.oriented = oriented != 0;
            wrong[oriented] += ask(&s)->colliding != expected;
            const grz_collision_box *volume = grz_result_collision_boxes(s.result, &count);
            for (int edge = 0; edge < 3 && count > 0; edge++)
                sizes[oriented] += log(dot3(volume->edge[edge], volume->edge[edge]));
        }
    }
    print_message("  of 400, %d collisions: %d wrong by plain boxes, %d by oriented ones\n", collisions, wrong[0],
                  wrong[1]);
    assert_true(collisions > 40 && collisions < 360 && wrong[1] * 2 <= wrong[0]);
    s.objects[0].pose = s.objects[1].pose = grz_pose_identity();
    const double half = sqrt(0.5), q[4] = {0.0, 0.0, sin(0.3926990816987241), cos(0.3926990816987241)},
                 t[3] = {0.0, 0.0, 0.0};
    assert_int_equal(grz_pose_from_quaternion(t, q, &s.objects[0].pose, NULL),
                     GRZ_OK); // both at 45 degrees, side by side
    const double beside[3] = {-0.2 * half, 0.2 * half, 0.0};
    assert_int_equal(grz_pose_from_quaternion(beside, q, &s.objects[1].pose, NULL), GRZ_OK);
    s.options.offset = 0.05;
    s.options.oriented = false;
    assert_true(ask(&s)->colliding); // swollen by a tenth each
    s.options.offset = 0.01;
    s.options.oriented = true;
    assert_false(ask(&s)->colliding);
    test_slices_close(&s);
}

// The box of a mesh at random orientations holds it, and is little larger than the shape that was turned.
static void oriented_boxes_hold_their_meshes(void **state)
{
    (void)state;
    random_stream random = {.state = 10};
    grz_device *device = test_device_open(1);
    for (int i = 0; i < 60; i++) {
        const double scale = ldexp(1.0, (int)random_below(&random, 400) - 200), far = i % 3 == 0 ? 1000.0 * scale : 0.0;
        test_mesh shape = test_mesh_icosphere(1.0, 2);
        grz_pose pose;
        test_mesh_scale(&shape, 3.0, 1.0, 0.2);
        turn(&random, 0.0, &pose);
        for (size_t v = 0; v < shape.vertex_count; v++) {
            double world[3];
            grz_world_position(&pose, shape.positions + 3 * v, world);
            for (size_t j = 0; j < 3; j++)
                shape.positions[3 * v + j] = world[j] * scale + far;
        }
        grz_mesh *mesh = test_mesh_upload(device, &shape);
        double centre[3], edges[3][3], volume = 8.0;
        grz_oriented_box(mesh, centre, edges);
        for (int k = 0; k < 3; k++)
            volume *= sqrt(dot3(edges[k], edges[k])) / scale;
        for (size_t v = 0; v < shape.vertex_count; v++)
            for (int k = 0; k < 3; k++) {
                double apart[3];
                for (size_t j = 0; j < 3; j++)
                    apart[j] = shape.positions[3 * v + j] - centre[j];
                assert_true(fabs(dot3(apart, edges[k])) <= dot3(edges[k], edges[k]) * (1.0 + 1e-9));
            }
        assert_true(volume < 1.1 * 6.0 * 2.0 * 0.4 && volume > 0.8 * 6.0 * 2.0 * 0.4);
        grz_mesh_destroy(mesh);
        test_mesh_finish(&shape);
    }
    grz_device_close(device);
}

// New positions are drawn, with their normals.
static void deformed_meshes_are_drawn_as_they_are(void **state)
{
    (void)state;
    test_mesh ball = test_mesh_icosphere(1.0, 3), other = test_mesh_copy(&ball), moved = test_mesh_copy(&ball);
    test_slices_stage s = test_slices_open(test_mesh_copy(&ball), other);
    test_mesh_scale(&moved, 0.5, 0.5, 0.5);
    s.objects[1].pose = grz_pose_from_translation(1.0, 1.25, 0.0);
    assert_true(ask(&s)->colliding);
    assert_int_equal(grz_mesh_set_positions(s.meshes[1], moved.positions, NULL), GRZ_OK);
    assert_false(ask(&s)->colliding);
    s.options.offset = 0.2;
    assert_true(ask(&s)->colliding);
    assert_int_equal(grz_mesh_set_positions(s.meshes[1], ball.positions, NULL), GRZ_OK);
    s.options.offset = 0.0;
    assert_true(ask(&s)->colliding);
    test_mesh_finish(&ball);
    test_mesh_finish(&moved);
    test_slices_close(&s);
}

// The collision volume contains every point of the exact contact that lies in a cell of both objects. Refinement makes
// it smaller.
static void the_volume_is_where_they_touch(void **state)
{
    (void)state;
    random_stream random = {.state = 77};
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 3), test_mesh_cube(-0.2, -0.2, -0.2, 0.4));
    for (int i = 0; i < 20; i++) {
        grz_collide_options collide_options = grz_default_collide_options();
        collide_options.find = GRZ_FIND_CONTACTS;
        turn(&random, 0.0, &s.objects[1].pose);
        s.objects[1].pose.m[0][3] = 1.0;
        assert_int_equal(grz_collide(s.device, &s.objects[0], &s.objects[1], &collide_options, s.result, NULL), GRZ_OK);
        uint64_t count;
        const double *points = grz_result_points(s.result, &count);
        double *contact = malloc((size_t)count * 3 * sizeof *contact);
        assert_non_null(contact);
        memcpy(contact, points, (size_t)count * 3 * sizeof *contact);
        const uint64_t contact_count = count;
        ask(&s);
        const grz_collision_box *volume = grz_result_collision_boxes(s.result, &count);
        assert_int_equal(count, 1);
        uint64_t inside = 0;
        for (uint64_t p = 0; p < contact_count; p++) {
            bool in = true;
            for (int edge = 0; edge < 3; edge++) {
                double along = 0.0, square = 0.0;
                for (int j = 0; j < 3; j++) {
                    along += (contact[3 * p + (uint64_t)j] - volume->corner[j]) * volume->edge[edge][j];
                    square += volume->edge[edge][j] * volume->edge[edge][j];
                }
                in = in && along > -0.05 * square && along < 1.05 * square;
            }
            inside += in;
        }
        assert_true(inside * 10 >= contact_count * 9);
        free(contact);
    }
    test_slices_close(&s);
}

// A volume in an object's coordinates, moved by the object's pose, is the volume in world coordinates.
static void volumes_come_into_object_space(void **state)
{
    (void)state;
    random_stream random = {.state = 3};
    for (int i = 0; i < 200; i++) {
        grz_object object = {.mesh = NULL};
        grz_collision_box world = {.cells = 7}, own, same;
        double most = 0.0;
        turn(&random, 5.0, &object.pose);
        for (int j = 0; j < 3; j++) {
            world.corner[j] = 10.0 * random_signed(&random);
            for (int k = 0; k < 3; k++) {
                world.edge[j][k] = random_signed(&random);
                object.pose.m[j][k] *= ldexp(1.0, i % 41 - 20);
            }
        }
        assert_int_equal(grz_collision_box_in_object(&world, &object, &own, NULL), GRZ_OK);
        same = own;
        grz_world_position(&object.pose, own.corner, same.corner);
        for (int edge = 0; edge < 3; edge++)
            for (int j = 0; j < 3; j++)
                same.edge[edge][j] = dot3(object.pose.m[j], own.edge[edge]);
        for (int j = 0; j < 3; j++) {
            most = fmax(most, fabs(same.corner[j] - world.corner[j]));
            for (int edge = 0; edge < 3; edge++)
                most = fmax(most, fabs(same.edge[edge][j] - world.edge[edge][j]));
        }
        assert_true(most < 1e-12 && own.cells == 7);
        for (int j = 0; j < 3; j++)
            object.pose.m[2][j] = object.pose.m[1][j] - object.pose.m[0][j];
        grz_error error = {0};
        assert_int_equal(grz_collision_box_in_object(&world, &object, &own, &error), GRZ_ERROR_POSE);
        assert_int_equal(grz_collision_box_in_object(NULL, &object, &own, &error), GRZ_ERROR_ARGUMENT);
    }
}

// Two cubes in the wall of a ball, far from each other: one volume contains both, or each has its own. Both analyses
// agree.
static void several_volumes_are_refined_apart(void **state)
{
    (void)state;
    test_mesh two = test_mesh_cube(-1.3, -0.3, -0.3, 0.6), other = test_mesh_cube(0.7, 0.0, -0.3, 0.6);
    test_mesh_append(&two, &other);
    test_mesh_finish(&other);
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 3), two);
    double sizes[2] = {0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        grz_collision_box kept[GRZ_SLICES_MAX_BOXES];
        uint64_t count;
        s.options.max_boxes = i % 2 == 0 ? 1 : 2 + (uint32_t)i;
        s.options.refinements = i < 2 ? 1 : 2;
        s.options.resolution = i < 2 ? 64 : 50; // not whole tiles
        s.options.analysis = GRZ_ANALYSIS_GPU;
        ask_many(&s);
        const grz_collision_box *volumes = grz_result_collision_boxes(s.result, &count);
        assert_true(i % 2 == 0 ? count == 1 : count >= 2 && count <= s.options.max_boxes);
        memcpy(kept, volumes, (size_t)count * sizeof *kept);
        const uint64_t kept_count = count;
        for (uint64_t j = 0; j < count; j++) {
            double size = 1.0;
            for (int edge = 0; edge < 3; edge++) {
                const double *e = volumes[j].edge[edge];
                size *= sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
            }
            sizes[i % 2] += size;
        }
        s.options.analysis = GRZ_ANALYSIS_CPU;
        ask_many(&s);
        volumes = grz_result_collision_boxes(s.result, &count);
        assert_int_equal(count, kept_count);
        assert_memory_equal(volumes, kept, (size_t)count * sizeof *kept);
    }
    assert_true(sizes[1] < 0.2 * sizes[0]);
    test_slices_close(&s);
}

// A confirmed collision is never invented, and comes with its pairs. Confirming does not find missed ones.
static void confirmed_collisions_are_true(void **state)
{
    (void)state;
    random_stream random = {.state = 31};
    test_slices_stage s = test_slices_open(test_mesh_load("data/cow_spot.ply"), test_mesh_load("data/cow_spot.ply"));
    int taken_back = 0, confirmed = 0;
    s.options = grz_default_slices_options(GRZ_SLICES_FAST);
    s.options.resolution = 16;
    for (int i = 0; i < 300; i++) {
        turn(&random, 1.3, &s.objects[1].pose);
        const bool expected = truth(&s), said = ask(&s)->colliding;
        grz_collide_options collide_options = grz_default_collide_options();
        grz_slices_options options = s.options;
        uint64_t pair_count;
        options.confirm = true;
        collide_options.answer = GRZ_ANSWER_DISCRETE;
        collide_options.method_options = &(grz_method_options){.method = "slices", .options = &options};
        assert_int_equal(grz_collide(s.device, &s.objects[0], &s.objects[1], &collide_options, s.result, NULL), GRZ_OK);
        const grz_summary *summary = grz_result_summary(s.result);
        grz_result_pairs(s.result, &pair_count);
        assert_int_equal(summary->certainty, GRZ_DISCRETE);
        assert_true(summary->may_miss && summary->may_invent == !said);
        assert_true(!summary->colliding || (said && expected));
        assert_true(summary->pair_count == pair_count && (pair_count > 0) == summary->colliding);
        taken_back += said && !summary->colliding;
        confirmed += summary->colliding;
    }
    print_message("  %d confirmed, %d taken back\n", confirmed, taken_back);
    assert_true(confirmed > 50 && taken_back > 0);
    test_slices_close(&s);
}

// A ball flies through a wall: the step is the first one at which the single query says that they collide. Paths that
// cross at different times collide at no step. Paths that do not cross are decided by one picture.
static void paths_are_followed(void **state)
{
    (void)state;
    enum {
        STEPS = 40
    };
    grz_pose a[STEPS], b[STEPS];
    grz_slices_path_answer answer;
    test_slices_stage s = test_slices_open(test_mesh_cube(-1.0, -1.0, -0.1, 2.0), test_mesh_icosphere(0.2, 2));
    for (int i = 0; i < STEPS; i++) {
        a[i] = grz_pose_identity();
        b[i] = grz_pose_from_translation(0.013 * i, 0.4, 3.0 - 0.1 * i);
    }
    uint64_t expected = STEPS;
    for (uint64_t i = STEPS; i-- > 0;) {
        s.objects[0].pose = a[i];
        s.objects[1].pose = b[i];
        expected = ask(&s)->colliding ? i : expected;
    }
    assert_true(expected > 0 && expected < STEPS);
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], b, STEPS, &s.options, &answer, NULL),
                     GRZ_OK);
    assert_true(answer.crossing && answer.first == expected && answer.drawings > 1);
    for (int i = 0; i < STEPS; i++) { // both through one place, the ball later
        a[i] = grz_pose_from_translation(-10.0 + 0.5 * i, 0.0, 0.0);
        b[i] = grz_pose_from_translation(0.0, -14.0 + 0.5 * i, 0.0);
    }
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], b, STEPS, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.crossing && answer.first == STEPS);
    for (int i = 0; i < STEPS; i++)
        b[i] = grz_pose_from_translation(0.1 * i, 0.1 * i, 2.5);
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], b, STEPS, NULL, &answer, NULL), GRZ_OK);
    assert_true(!answer.crossing && answer.first == STEPS && answer.drawings <= 1);
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], b, 0, NULL, &answer, NULL), GRZ_OK);
    assert_true(!answer.crossing && answer.first == 0);
    grz_error error = {0};
    b[7].m[1][1] = (double)NAN;
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], b, STEPS, NULL, &answer, &error),
                     GRZ_ERROR_POSE);
    assert_int_equal(error.element, 7);
    s.options.max_boxes = 0;
    assert_int_equal(grz_slices_path(s.device, s.meshes[0], a, s.meshes[1], a, STEPS, &s.options, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_slices_path(s.device, NULL, a, s.meshes[1], a, STEPS, NULL, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    test_slices_close(&s);
}

static void small_and_flat_objects(void **state)
{
    (void)state;
    const double at[3] = {0.25, 0.25, 0.0};
    for (int i = 0; i < 3; i++) {
        test_mesh b = {0};
        const double point[3][3] = {{at[0], at[1], at[2]}, {at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
        const double line[3][3] = {{0.2, 0.2, 0.0}, {0.5, 0.5, 0.0}, {0.3, 0.3, 0.0}},
                     flat[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        test_mesh_add_loose_triangle(&b, i == 0 ? point : i == 1 ? line : flat);
        test_slices_stage s = test_slices_open(make_triangle(0, 0, 0, 1, 0, 0, 0, 1, 0), b);
        assert_true(truth(&s));
        const bool colliding = ask(&s)->colliding; // a region of no thickness; what has no area is not drawn
        assert_int_equal(colliding, i == 2);
        test_slices_close(&s);
    }
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 1), test_mesh_icosphere(1.0, 1));
    const grz_slices_options good = s.options;
    for (int i = 0; i < 14; i++) {
        grz_collide_options collide_options = grz_default_collide_options();
        grz_error error = {0};
        s.options = good;
        s.options.size = i == 0 ? 1 : s.options.size;
        s.options.resolution = i == 1 ? 0 : i == 2 ? 1u << 20 : 64;
        s.options.slices = i == 3 ? 0 : i == 4 ? 513 : 16;
        s.options.last_slices = i == 5 ? 513 : 0;
        s.options.refinements = i == 6 ? 17 : 0;
        s.options.offset = i == 7 ? (double)NAN : i == 8 ? HUGE_VAL : 0.0;
        s.options.has_direction = i == 9 || i == 10;
        s.options.direction[0] = i == 10 ? -HUGE_VAL : 0.0;
        s.options.analysis = (grz_slices_analysis)(i == 11 ? 2 : 0);
        s.options.max_boxes = i == 12 ? 0 : i == 13 ? GRZ_SLICES_MAX_BOXES + 1 : 1;
        collide_options.answer = GRZ_ANSWER_DISCRETE;
        collide_options.method_options = &(grz_method_options){.method = "slices", .options = &s.options};
        assert_int_equal(grz_collide(s.device, &s.objects[0], &s.objects[1], &collide_options, s.result, &error),
                         GRZ_ERROR_ARGUMENT);
        assert_memory_equal(error.message, "slices: ", 8);
        assert_int_equal(grz_result_summary(s.result)->certainty, GRZ_UNDECIDED);
    }
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error = {0};
    s.options = good;
    s.options.resolution = 8192; // of 512 slices: 8 GiB
    s.options.slices = 512;
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &(grz_method_options){.method = "slices", .options = &s.options};
    assert_int_equal(grz_collide(s.device, &s.objects[0], &s.objects[1], &collide_options, s.result, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "MiB"));
    s.options = good;
    assert_true(ask(&s)->colliding);
    test_slices_close(&s);
}

// Sizes that cannot be drawn are refused before drawing: here the objects' boxes hardly overlap.
static void sizes_are_checked_for_the_worst_case(void **state)
{
    (void)state;
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 1), test_mesh_icosphere(1.0, 1));
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error = {0};
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &(grz_method_options){.method = "slices", .options = &s.options};
    s.objects[1].pose = grz_pose_from_translation(50.0, 0.0, 0.0);
    s.options.resolution = 4096;
    s.options.max_boxes = 16;
    assert_int_equal(grz_collide(s.device, &s.objects[0], &s.objects[1], &collide_options, s.result, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "16 volumes of 4096 pixels"));
    s.options.max_boxes = 1;
    s.options.last_slices = 512;
    assert_int_equal(grz_collide(s.device, &s.objects[0], &s.objects[1], &collide_options, s.result, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "4096 x 4096 pixels of 512 slices take 2048 MiB"));
    s.options.refinements = 0; // without refinement neither option is read
    s.options.max_boxes = 16;
    s.options.resolution = 64;
    assert_false(ask(&s)->colliding);
    test_slices_close(&s);
}

// The picture does not depend on the unit of length.
static void answers_do_not_depend_on_scale(void **state)
{
    (void)state;
    random_stream random = random_stream_of_block(PAIR_RANDOM, 11);
    for (int i = 0; i < 20; i++) {
        const test_mesh a = test_mesh_random_triangles(&random, 12, 0.7, 0),
                        b = test_mesh_random_triangles(&random, 12, 0.7, 0);
        grz_pose pose;
        uint64_t cells = 0;
        turn(&random, 0.5, &pose);
        for (int exponent = -800; exponent <= 250; exponent += 350) {
            const double scale = ldexp(1.0, exponent);
            test_mesh scaled_a = test_mesh_copy(&a), scaled_b = test_mesh_copy(&b);
            test_mesh_scale(&scaled_a, scale, scale, scale);
            test_mesh_scale(&scaled_b, scale, scale, scale);
            test_slices_stage s = test_slices_open(scaled_a, scaled_b);
            s.objects[1].pose = pose;
            for (int j = 0; j < 3; j++)
                s.objects[1].pose.m[j][3] *= scale;
            ask(&s);
            const uint64_t found = cells_of(s.result);
            if (exponent == -800)
                cells = found;
            assert_int_equal(found, cells);
            test_slices_close(&s);
        }
        test_mesh_finish((test_mesh *)&a);
        test_mesh_finish((test_mesh *)&b);
    }
}

static void other_queries_have_no_discrete_answer(void **state)
{
    (void)state;
    test_slices_stage s = test_slices_open(test_mesh_icosphere(1.0, 1), test_mesh_icosphere(1.0, 1));
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error = {0};
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method = "slices";
    assert_int_equal(grz_collide_self(s.device, &s.objects[0], &collide_options, s.result, &error),
                     GRZ_ERROR_UNSUPPORTED);
    collide_options.method = "bvh";
    assert_int_equal(grz_collide(s.device, &s.objects[0], &s.objects[1], &collide_options, s.result, &error),
                     GRZ_ERROR_UNSUPPORTED);
    collide_options.method = "slices";
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    options.kind = GRZ_DEVICE_CPU;
    assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    grz_result *result = test_result_create(device);
    assert_int_equal(grz_collide(device, &s.objects[0], &s.objects[1], &collide_options, result, &error),
                     GRZ_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "OpenGL"));
    grz_result_destroy(result);
    grz_device_close(device);
    // A mesh of another device has no buffers in this device's context.
    device = test_gl_device_open();
    result = test_result_create(device);
    assert_int_equal(grz_collide(device, &s.objects[0], &s.objects[1], &collide_options, result, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "another device"));
    grz_result_destroy(result);
    test_gl_device_close(device);
    test_slices_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_analyses_find_the_same),
        cmocka_unit_test(clear_cases_are_right),
        cmocka_unit_test(errors_are_as_frequent_as_in_the_paper),
        cmocka_unit_test(cases_that_pixels_cannot_see_are_labelled),
        cmocka_unit_test(the_direction_chosen_shows_flat_faces),
        cmocka_unit_test(offset_surfaces_swell_and_shrink),
        cmocka_unit_test(oriented_boxes_fit_better),
        cmocka_unit_test(oriented_boxes_hold_their_meshes),
        cmocka_unit_test(deformed_meshes_are_drawn_as_they_are),
        cmocka_unit_test(the_volume_is_where_they_touch),
        cmocka_unit_test(volumes_come_into_object_space),
        cmocka_unit_test(several_volumes_are_refined_apart),
        cmocka_unit_test(confirmed_collisions_are_true),
        cmocka_unit_test(paths_are_followed),
        cmocka_unit_test(small_and_flat_objects),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(sizes_are_checked_for_the_worst_case),
        cmocka_unit_test(answers_do_not_depend_on_scale),
        cmocka_unit_test(other_queries_have_no_discrete_answer),
    };
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
