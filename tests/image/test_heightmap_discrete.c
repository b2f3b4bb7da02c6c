// SPDX-License-Identifier: MIT
// Method `heightmap`, discrete: the pixels that hit are those that a second program finds, which interpolates depths at
// the pixels' centres in doubles, except where a centre lies on an edge or two depths are nearly equal. Planted cases
// that the paper's method gets wrong: gaps behind the front, an object inside its environment, slivers, what only one
// of several projections sees. Answers do not change if both objects move together. The direction is that of the box's
// longest or shortest edge; volumes are where pixels hit. The object's map is kept until its positions or the settings
// change. Skipped where there is no OpenGL.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"
#include "support_statistics.h"

#ifdef GRZ_HAVE_GL
#include "base/clock.h"
#include "base/control.h"
#include "base/device.h"
#include "geometry/pose.h"
#include "image/heightmap/maps.h"
#include "mesh/oriented_box.h"
#include "mesh/triangles.h"

enum {
    SIDE = 48
};

static grz_summary ask_for(uint32_t find, double deadline, grz_device *device, const grz_object *a, const grz_object *b,
                           const grz_heightmap_options *heightmap, grz_result *result)
{
    const grz_method_options own = {.method = "heightmap", .options = heightmap};
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.find = find;
    options.method = "heightmap";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.method_options = &own;
    options.limits.deadline = deadline;
    if (grz_collide(device, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return *grz_result_summary(result);
}

static grz_summary ask(grz_device *device, const grz_object *a, const grz_object *b,
                       const grz_heightmap_options *heightmap, grz_result *result)
{
    return ask_for(0, 0.0, device, a, b, heightmap, result);
}

// ---- The second program -------------------------------------------------------------------------------------------

static const double CLOSE = 0.01; // pixels from an edge: the rasteriser rounds corners to 1/256
static const double NEAR = 1e-5;  // of the depth, where a triangle is not steep

typedef struct pixel_depths {
    double low, high; // the range in which the depth of the map lies
} pixel_depths;

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

// A point of the object's mesh in its view: pixels, pixels, depth from 0 to 1.
static void place(const grz_view *view, const double p[3], double out[3])
{
    const double from[3] = {p[0] - view->centre[0], p[1] - view->centre[1], p[2] - view->centre[2]};
    for (int i = 0; i < 3; i++)
        out[i] = 0.5 * (dot(view->axes[i], from) / view->half[i] + 1.0) * (i < 2 ? SIDE : 1.0);
}

// The depth of a triangle at a pixel's centre. *inside: how far the centre is inside of its edges, in pixels, negative
// outside. *turn: positive if it faces the eye.
static double depth_at(double c[3][3], double x, double y, double *inside, double *turn)
{
    double weights[3];
    const double area = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
    *turn = area;
    *inside = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const double *p = c[(i + 1) % 3], *q = c[(i + 2) % 3];
        const double across = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        const double length = hypot(q[0] - p[0], q[1] - p[1]);
        weights[i] = across / area;
        *inside = fmin(*inside, length > 0.0 ? across / length * (area > 0.0 ? 1.0 : -1.0) : -HUGE_VAL);
    }
    return weights[0] * c[0][2] + weights[1] * c[1][2] + weights[2] * c[2][2];
}

// Look at all triangles of an object, which is posed in the coordinates of the map. `sign` is 1 to keep those that face
// the eye, -1 for the others, 0 for all. `farthest`: keep the largest depth, else the least.
static void draw(const grz_object *object, const grz_view *view, int sign, bool farthest, pixel_depths *map)
{
    for (int i = 0; i < SIDE * SIDE; i++)
        map[i] = farthest ? (pixel_depths){0.0, 0.0} : (pixel_depths){1.0, 1.0};
    for (uint32_t t = 0; t < object->mesh->triangle_count; t++) {
        double corners[3][3], world[3], c[3][3];
        grz_mesh_corners(object->mesh, t, corners);
        for (int i = 0; i < 3; i++) {
            grz_world_position(&object->pose, corners[i], world);
            place(view, world, c[i]);
        }
        const int from[2] = {(int)floor(fmin(fmin(c[0][0], c[1][0]), c[2][0])) - 1,
                             (int)floor(fmin(fmin(c[0][1], c[1][1]), c[2][1])) - 1};
        const int to[2] = {(int)ceil(fmax(fmax(c[0][0], c[1][0]), c[2][0])) + 1,
                           (int)ceil(fmax(fmax(c[0][1], c[1][1]), c[2][1])) + 1};
        for (int y = from[1] < 0 ? 0 : from[1]; y <= to[1] && y < SIDE; y++)
            for (int x = from[0] < 0 ? 0 : from[0]; x <= to[0] && x < SIDE; x++) {
                double inside, turn, aside, ignored;
                const double depth = depth_at(c, x + 0.5, y + 0.5, &inside, &turn);
                const double steep = fabs(depth_at(c, x + 1.5, y + 0.5, &aside, &ignored) - depth) +
                                     fabs(depth_at(c, x + 0.5, y + 1.5, &aside, &ignored) - depth);
                pixel_depths *pixel = &map[y * SIDE + x];
                const double slack = NEAR + CLOSE * steep;
                if (!(inside >= -CLOSE) || (sign != 0 && turn * sign < 0.0) || depth < -slack || depth > 1.0 + slack)
                    continue;
                const bool surely = inside > CLOSE && depth > slack && depth < 1.0 - slack;
                const double least = fmin(fmax(depth - slack, 0.0), 1.0), most = fmin(fmax(depth + slack, 0.0), 1.0);
                if (farthest) {
                    pixel->high = fmax(pixel->high, most);
                    pixel->low = surely ? fmax(pixel->low, least) : pixel->low;
                } else {
                    pixel->low = fmin(pixel->low, least);
                    pixel->high = surely ? fmin(pixel->high, most) : pixel->high;
                }
            }
    }
}

typedef struct expected {
    uint64_t least_hits, max_hits, least_pixels, most_pixels;
} expected;

static void look(const grz_object *object, const grz_object *environment, const grz_heightmap_options *options,
                 const grz_view *view, expected *sum)
{
    static pixel_depths front[SIDE * SIDE], rear[SIDE * SIDE], around[SIDE * SIDE];
    grz_object own = grz_object_at_origin(object->mesh), relative = *environment;
    assert_true(grz_pose_relative(&object->pose, &environment->pose, &relative.pose));
    const bool from_inside = options->projection == GRZ_PROJECTION_OPPOSITE ||
                             options->projection == GRZ_PROJECTION_COMBINED; // all faces of the environment count
    const int turned = grz_pose_mirrors(&relative.pose) ? -1 : 1, both = options->both_sides ? 0 : 1;
    draw(&own, view, -both, true, front);
    draw(&own, view, both, false, rear);
    draw(&relative, view, from_inside ? 0 : both * turned, false, around);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const bool bounded = options->projection == GRZ_PROJECTION_BOUNDED;
        const bool surely = front[i].low > 0.0 && around[i].high < front[i].low - NEAR &&
                            (!bounded || around[i].low > rear[i].high + NEAR);
        const bool perhaps = front[i].high > 0.0 && around[i].low < front[i].high + NEAR &&
                             (!bounded || around[i].high > rear[i].low - NEAR);
        sum->least_hits += surely;
        sum->max_hits += perhaps;
        sum->least_pixels += front[i].low > 0.0;
        sum->most_pixels += front[i].high > 0.0;
    }
}

// A view encloses its mesh, and no more: in depth if it is not one of two halves.
static void expect_enclosed(const grz_mesh *mesh, const grz_view *view, bool half)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double at[3];
        place(view, grz_mesh_position(mesh, v), at);
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], at[i]);
            high[i] = fmax(high[i], at[i]);
        }
    }
    for (int i = 0; i < (half ? 2 : 3); i++) {
        const double side = i < 2 ? SIDE : 1.0;
        assert_true(low[i] > 0.0 && low[i] < 1e-3 * side && high[i] < side && high[i] > (1.0 - 1e-3) * side);
    }
}

typedef struct tally {
    uint64_t hits, close, colliding, queries;
} tally;

static void compare(const char *what, grz_device *device, const grz_object *object, const grz_object *environment,
                    const grz_heightmap_options *options, grz_result *result, tally *counted)
{
    test_statistics statistics;
    grz_solid_box box;
    grz_view views[2];
    expected sum = {0};
    const grz_box box_a = grz_world_box(&object->pose, &object->mesh->bounds),
                  box_b = grz_world_box(&environment->pose, &environment->mesh->bounds);
    if (!grz_boxes_overlap(&box_a, &box_b))
        return;
    grz_oriented_box(object->mesh, box.centre, box.edges);
    const uint32_t count = grz_height_views(options, object->mesh, &box, views);
    for (uint32_t i = 0; i < count; i++)
        expect_enclosed(object->mesh, &views[i], count == 2);
    const grz_summary summary = ask(device, object, environment, options, result);
    assert_true(test_statistics_read(result, "heightmap", &statistics) && statistics.maps >= 1 &&
                statistics.maps <= count);
    const bool all = statistics.maps == count;
    for (uint32_t i = 0; i < statistics.maps; i++)
        look(object, environment, options, &views[i], &sum);
    if ((statistics.hits < sum.least_hits || statistics.hits > sum.max_hits || statistics.pixels < sum.least_pixels ||
         statistics.pixels > sum.most_pixels))
        fail_msg("%s, projection %d: %llu hits, not %llu to %llu; %llu pixels, not %llu to %llu", what,
                 (int)options->projection, (unsigned long long)statistics.hits, (unsigned long long)sum.least_hits,
                 (unsigned long long)sum.max_hits, (unsigned long long)statistics.pixels,
                 (unsigned long long)sum.least_pixels, (unsigned long long)sum.most_pixels);
    assert_true(summary.colliding == (statistics.hits > 0));
    assert_true(all || (options->projection == GRZ_PROJECTION_OPPOSITE && statistics.hits > 0));
    assert_int_equal(summary.certainty, GRZ_DISCRETE);
    assert_true(summary.may_miss && summary.may_invent);
    counted->hits += statistics.hits;
    counted->close += sum.max_hits - sum.least_hits;
    counted->colliding += summary.colliding;
    counted->queries++;
}

static void pixels_are_those_that_doubles_find(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = {.state = 51};
    tally counted = {0};
    test_mesh shapes[] = {test_mesh_icosphere(1.0, 2), test_mesh_torus(0.9, 0.4, 14, 9),
                          test_mesh_cube_quads(-0.6, -0.6, -0.6, 1.2),
                          test_mesh_random_triangles(&random, 120, 0.6, 0)};
    enum {
        SHAPES = sizeof shapes / sizeof *shapes
    };
    grz_mesh *meshes[SHAPES];
    grz_result *result = test_result_create(device);
    for (int i = 0; i < SHAPES; i++) {
        test_mesh_scale(&shapes[i], 1.0, 0.8, 1.3);
        meshes[i] = test_mesh_upload(device, &shapes[i]);
    }
    for (int i = 0; i < 150; i++) {
        const double at[3] = {1.2 * random_signed(&random), 1.2 * random_signed(&random), 1.2 * random_signed(&random)},
                     turn[4] = {random_signed(&random), random_signed(&random), random_signed(&random), 0.7};
        grz_object a = grz_object_at_origin(meshes[i % SHAPES]),
                   b = grz_object_at_origin(meshes[(i + 1 + i / SHAPES) % SHAPES]);
        assert_int_equal(grz_pose_from_quaternion(at, turn, &b.pose, NULL), GRZ_OK);
        assert_int_equal(grz_pose_from_quaternion(turn, turn, &a.pose, NULL), GRZ_OK);
        for (int j = 0; j < 3 && i % 5 == 0; j++) // a mirror image, seen from outside all the same
            b.pose.m[j][0] = -b.pose.m[j][0];
        for (int j = 0; j < 3 && i % 7 == 0; j++) // stretched
            a.pose.m[0][j] *= 2.0;
        grz_heightmap_options options = grz_default_heightmap_options();
        options.resolution = SIDE;
        options.projection = (grz_projection)(i % 5);
        options.stencil = i % 3 == 0;
        options.both_sides = i % 4 == 1;
        options.has_direction = i % 2 == 0;
        for (int j = 0; j < 3; j++)
            options.direction[j] = random_signed(&random);
        compare("shapes", device, &a, &b, &options, result, &counted);
    }
    print_message("  %llu of %llu queries collide, %llu pixels hit, %llu too close to say\n",
                  (unsigned long long)counted.colliding, (unsigned long long)counted.queries,
                  (unsigned long long)counted.hits, (unsigned long long)counted.close);
    assert_true(counted.queries > 60 && counted.colliding > 30 && counted.close < counted.hits / 20);
    grz_result_destroy(result);
    for (int i = 0; i < SHAPES; i++) {
        grz_mesh_destroy(meshes[i]);
        test_mesh_finish(&shapes[i]);
    }
    test_gl_device_close(device);
}

// With a deadline maps are compared in parts.
static void parts_find_what_the_whole_finds(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh ball = test_mesh_icosphere(1.0, 3);
    grz_mesh *mesh = test_mesh_upload(device, &ball);
    const grz_object a = grz_object_at_origin(mesh),
                     b = grz_object_at(mesh, grz_pose_from_translation(0.5, 0.25, 0.75));
    grz_result *result = test_result_create(device);
    for (int i = 0; i < 5; i++) {
        grz_heightmap_options options = grz_default_heightmap_options();
        test_statistics statistics[2];
        options.resolution = 203;
        options.projection = (grz_projection)i;
        for (int k = 0; k < 2; k++) {
            ask_for(GRZ_FIND_PAIRS, k == 0 ? 0.0 : 3600.0, device, &a, &b, &options, result);
            assert_true(test_statistics_read(result, "heightmap", &statistics[k]));
        }
        assert_true(statistics[0].hits > 400 && statistics[0].hits == statistics[1].hits);
        assert_int_equal(statistics[0].pixels, statistics[1].pixels);
    }
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&ball);
    test_gl_device_close(device);
}

// ---- What it gets wrong -------------------------------------------------------------------------------------------

static const grz_heightmap_options forwards = {
    .size = sizeof forwards, .resolution = 32, .has_direction = true, .direction = {0.0, 0.0, 1.0}};

static grz_heightmap_options projected(grz_projection projection)
{
    grz_heightmap_options options = forwards;
    options.projection = projection;
    return options;
}

// A quarter turn about the axis x = y = z, halved and moved: without rounding.
static const grz_pose elsewhere = {{{0.0, 0.0, 0.5, 4.0}, {0.5, 0.0, 0.0, -2.0}, {0.0, 0.5, 0.0, 8.0}}};

// Expect an exact relation, and discrete answers for some projections: a digit for each, in their order. The same if
// both objects are elsewhere. The meshes are freed.
static void expect_answers(const char *what, grz_device *device, test_mesh a, test_mesh b, grz_relation exact,
                           const char *discrete)
{
    grz_mesh *mesh_a = test_mesh_upload(device, &a), *mesh_b = test_mesh_upload(device, &b);
    grz_object object = grz_object_at_origin(mesh_a), environment = grz_object_at_origin(mesh_b);
    grz_result *result = test_result_create(device);
    assert_int_equal(grz_collide(device, &object, &environment, NULL, result, NULL), GRZ_OK);
    if (grz_result_summary(result)->relation != exact)
        fail_msg("%s: the case is not what it should be", what);
    for (int moved = 0; moved < 2; moved++) {
        for (int i = 0; discrete[i] != '\0'; i++) {
            const grz_heightmap_options options = projected((grz_projection)i);
            const bool colliding = ask(device, &object, &environment, &options, result).colliding;
            if (colliding != (discrete[i] == '1'))
                fail_msg("%s%s: projection %d says %d", what, moved ? ", elsewhere" : "", i, colliding);
        }
        object.pose = environment.pose = elsewhere;
    }
    grz_result_destroy(result);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    test_mesh_finish(&a);
    test_mesh_finish(&b);
}

static test_mesh box_of(double x0, double y0, double z0, double x1, double y1, double z1)
{
    return test_mesh_box((const double[]){x0, y0, z0}, (const double[]){x1, y1, z1});
}

// A plate in front, and a rod in a corner that makes the box reach back to z = 0.
static test_mesh plate_and_rod(double plate)
{
    test_mesh mesh = box_of(0.0, 0.0, plate, 1.0, 1.0, 1.0);
    test_mesh_take(&mesh, box_of(0.0, 0.0, 0.0, 0.125, 0.125, 0.25));
    return mesh;
}

static void planted_cases_are_answered_wrongly(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    // In the order of grz_projection: single, opposite, bounded, combined, floor.
    expect_answers("apart in front", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.2, 0.2, 1.1, 0.4, 0.4, 1.3), GRZ_APART,
                   "00000");
    expect_answers("crossing in front", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.2, 0.2, 0.8, 0.4, 0.4, 1.3),
                   GRZ_COLLIDING, "11111");
    // Its near side is behind the rear of the box. Only a map that looks backwards shows it.
    expect_answers("crossing behind", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.2, 0.2, -0.3, 0.4, 0.4, 0.2),
                   GRZ_COLLIDING, "01010");
    expect_answers("environment inside", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.2, 0.2, 0.2, 0.4, 0.4, 0.4),
                   GRZ_B_INSIDE_A, "11111");
    // Behind the front, in a gap: invented by maps that take the gap for solid.
    expect_answers("in the gap", device, plate_and_rod(0.75), box_of(0.4, 0.4, 0.1, 0.6, 0.6, 0.3), GRZ_APART, "10001");
    // Nothing of the environment's surface is in the box of an object that it encloses.
    expect_answers("object inside", device, box_of(0, 0, 0, 1, 1, 1), box_of(-1, -1, -1, 2, 2, 2), GRZ_A_INSIDE_B,
                   "00000");
    // A sliver between the centres of pixels.
    expect_answers("sliver", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.4999, 0.4999, 0.5, 0.5001, 0.5001, 1.5),
                   GRZ_COLLIDING, "00000");
    // A rod from behind is open where the box begins, so its end faces away: seen only by maps that draw all faces of
    // the environment, if it reaches into their half.
    expect_answers("rod from behind", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.4, 0.4, -1, 0.6, 0.6, 0.3),
                   GRZ_COLLIDING, "01010");
    expect_answers("long rod from behind", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.4, 0.4, -1, 0.6, 0.6, 0.7),
                   GRZ_COLLIDING, "01010");
    expect_answers("rod from the front", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.4, 0.4, 0.3, 0.6, 0.6, 2),
                   GRZ_COLLIDING, "11111");
    expect_answers("plank", device, box_of(0, 0, 0, 1, 1, 1), box_of(-1, 0.4, 0.4, 2, 0.6, 0.6), GRZ_COLLIDING,
                   "11111");
    // Right through along the view: only its sides are in the box, edge-on.
    expect_answers("rod right through", device, box_of(0, 0, 0, 1, 1, 1), box_of(0.4, 0.4, -1, 0.6, 0.6, 2),
                   GRZ_COLLIDING, "00000");
    // Two parts of the environment in one line: the one behind the object hides the one inside it.
    test_mesh two = box_of(0.4, 0.4, 0.6, 0.5, 0.5, 0.7);
    test_mesh_take(&two, box_of(0.4, 0.4, 0.55, 0.5, 0.5, 0.56));
    test_mesh behind = box_of(0.3, 0.3, 0.8, 0.6, 0.6, 0.9);
    test_mesh_take(&behind, box_of(0.3, 0.3, 0.1, 0.6, 0.6, 0.2));
    expect_answers("one hides the other", device, plate_and_rod(0.75), behind, GRZ_OVERLAPPING, "11011");
    expect_answers("both behind", device, plate_and_rod(0.75), two, GRZ_APART, "11011");
    test_gl_device_close(device);
}

// An open sheet whose faces point the other way is left out, unless both sides count.
static void sheets_are_seen_from_one_side(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh cube = box_of(0, 0, 0, 1, 1, 1), sheet = test_mesh_grid(4, 4, 0.3);
    test_mesh_move(&sheet, -0.1, -0.1, 0.5);
    grz_mesh *mesh = test_mesh_upload(device, &cube), *up = test_mesh_upload(device, &sheet);
    test_mesh_reverse(&sheet);
    grz_mesh *down = test_mesh_upload(device, &sheet);
    const grz_object object = grz_object_at_origin(mesh), faces_away = grz_object_at_origin(up),
                     faces_eye = grz_object_at_origin(down);
    grz_result *result = test_result_create(device);
    grz_heightmap_options options = forwards;
    assert_false(ask(device, &object, &faces_away, &options, result).colliding);
    assert_true(ask(device, &object, &faces_eye, &options, result).colliding);
    options.both_sides = true;
    assert_true(ask(device, &object, &faces_away, &options, result).colliding);
    assert_true(ask(device, &object, &faces_eye, &options, result).colliding);
    test_statistics statistics;
    assert_true(test_statistics_read(result, "heightmap", &statistics));
    assert_true(statistics.resolution == 32 && statistics.maps == 1 && statistics.pixels >= 30 * 30);
    assert_int_equal(statistics.pixels, statistics.hits);
    // Where it was found: a flat box at the height of the sheet.
    uint64_t count;
    const grz_collision_box *volume = grz_result_collision_boxes(result, &count);
    assert_int_equal(count, 1);
    assert_true(fabs(volume->corner[2] - 0.5) < 1e-3 && volume->cells == statistics.hits);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(up);
    grz_mesh_destroy(down);
    test_mesh_finish(&cube);
    test_mesh_finish(&sheet);
    test_gl_device_close(device);
}

// ---- Directions and volumes ---------------------------------------------------------------------------------------

// Whether a bar is seen that reaches to the object's middle from far away, along an axis. It is if the eye sees its end
// or one of its sides: unless it comes from behind the eye.
static bool is_seen(grz_device *device, const grz_mesh *mesh, const double middle[3], int axis, double side,
                    const grz_heightmap_options *options, grz_result *result)
{
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = middle[i] - 0.125;
        high[i] = middle[i] + 0.125;
    }
    *(side > 0.0 ? &high[axis] : &low[axis]) = middle[axis] + 16.0 * side;
    test_mesh bar = test_mesh_box(low, high);
    grz_mesh *around = test_mesh_upload(device, &bar);
    const grz_object object = grz_object_at_origin(mesh), environment = grz_object_at_origin(around);
    const bool seen = ask(device, &object, &environment, options, result).colliding;
    grz_mesh_destroy(around);
    test_mesh_finish(&bar);
    return seen;
}

// Along the longest edge of the box, for the floor the shortest, towards larger coordinates, unless one is given.
static void directions_are_those_of_the_box(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    grz_result *result = test_result_create(device);
    for (int longest = 0; longest < 3; longest++) {
        double size[3], middle[3];
        for (int i = 0; i < 3; i++) {
            size[i] = i == longest ? 4.0 : i == (longest + 1) % 3 ? 1.0 : 2.0;
            middle[i] = 0.5 * size[i];
        }
        test_mesh box = box_of(0.0, 0.0, 0.0, size[0], size[1], size[2]);
        grz_mesh *mesh = test_mesh_upload(device, &box);
        for (int k = 0; k < 6; k++) {
            const int axis = k % 3;
            const double side = k < 3 ? 1.0 : -1.0;
            grz_heightmap_options options = grz_default_heightmap_options();
            assert_true(is_seen(device, mesh, middle, axis, side, &options, result) == (axis != longest || side > 0.0));
            options.projection = GRZ_PROJECTION_FLOOR;
            assert_true(is_seen(device, mesh, middle, axis, side, &options, result) ==
                        (axis != (longest + 1) % 3 || side > 0.0));
            options.has_direction = true;
            options.direction[axis] = side;
            assert_true(is_seen(device, mesh, middle, axis, side, &options, result));
            assert_false(is_seen(device, mesh, middle, axis, -side, &options, result));
        }
        grz_mesh_destroy(mesh);
        test_mesh_finish(&box);
    }
    grz_result_destroy(result);
    test_gl_device_close(device);
}

// Also of boxes that are turned: along an edge, towards the larger coordinate.
static void directions_of_turned_boxes_are_edges(void **state)
{
    grz_device *device = test_gl_device_open();
    random_stream random = {5};
    (void)state;
    for (int i = 0; i < 200; i++) {
        test_mesh mesh = box_of(-1.5, -0.5, -0.25, 1.5, 0.5, 0.25);
        double q[4];
        const double origin[3] = {0.0, 0.0, 0.0};
        grz_pose turn;
        for (int k = 0; k < 4; k++)
            q[k] = random_signed(&random);
        assert_int_equal(grz_pose_from_quaternion(origin, q, &turn, NULL), GRZ_OK);
        for (uint64_t v = 0; v < mesh.vertex_count; v++) {
            double *at = mesh.positions + 3 * v, turned[3];
            grz_world_position(&turn, at, turned);
            memcpy(at, turned, sizeof turned);
        }
        grz_mesh *uploaded = test_mesh_upload(device, &mesh);
        for (int floor = 0; floor < 2; floor++) {
            grz_heightmap_options options = grz_default_heightmap_options();
            grz_view views[2];
            grz_solid_box box;
            int most = 0;
            options.projection = floor ? GRZ_PROJECTION_FLOOR : GRZ_PROJECTION_SINGLE;
            grz_oriented_box(uploaded, box.centre, box.edges);
            assert_int_equal(grz_height_views(&options, uploaded, &box, views), 1);
            const double *away = views[0].axes[2],
                         edge[3] = {turn.m[0][floor ? 2 : 0], turn.m[1][floor ? 2 : 0], turn.m[2][floor ? 2 : 0]};
            const double along = away[0] * edge[0] + away[1] * edge[1] + away[2] * edge[2];
            for (int k = 1; k < 3; k++)
                most = fabs(away[k]) > fabs(away[most]) ? k : most;
            if (!(fabs(along) > 1.0 - 1e-9 && away[most] > 0.0))
                fail_msg("box %d: along (%g, %g, %g), not its edge (%g, %g, %g)", i, away[0], away[1], away[2], edge[0],
                         edge[1], edge[2]);
        }
        grz_mesh_destroy(uploaded);
        test_mesh_finish(&mesh);
    }
    test_gl_device_close(device);
}

// Of two maps a yes/no query compares one if that shows a collision. A query for more, or one picture of both, compares
// both.
static void yes_or_no_ends_after_the_first_map_that_hits(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    grz_result *result = test_result_create(device);
    test_mesh cube = box_of(0, 0, 0, 1, 1, 1), ahead = box_of(0.25, 0.25, 0.875, 0.5, 0.75, 2.0),
              behind = box_of(0.75, 0.5, -2.0, 0.875, 0.625, 0.25), both = test_mesh_copy(&ahead);
    test_mesh_append(&both, &behind);
    const struct {
        test_mesh *environment;
        uint32_t yes_or_no, pairs, together; // maps
    } cases[] = {{&ahead, 1, 2, 2}, {&behind, 2, 2, 2}, {&both, 1, 2, 2}};
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    const grz_object object = grz_object_at_origin(mesh);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        grz_mesh *other = test_mesh_upload(device, cases[i].environment);
        const grz_object environment = grz_object_at_origin(other);
        for (int k = 0; k < 3; k++) {
            const uint32_t maps[3] = {cases[i].yes_or_no, cases[i].pairs, cases[i].together};
            const grz_heightmap_options options = projected(k < 2 ? GRZ_PROJECTION_OPPOSITE : GRZ_PROJECTION_COMBINED);
            test_statistics statistics;
            assert_true(
                ask_for(k == 1 ? GRZ_FIND_PAIRS : 0, 0.0, device, &object, &environment, &options, result).colliding);
            assert_true(test_statistics_read(result, "heightmap", &statistics));
            assert_int_equal(statistics.maps, maps[k]);
        }
        grz_mesh_destroy(other);
    }
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
    test_mesh_finish(&ahead);
    test_mesh_finish(&behind);
    test_mesh_finish(&both);
    test_gl_device_close(device);
}

// Expect a volume to be this box, but for `slack`. Two of its edges may run backwards.
static void expect_volume(const grz_collision_box *volume, const double low[3], const double high[3], double slack)
{
    for (int i = 0; i < 3; i++) {
        double least = volume->corner[i], most = volume->corner[i];
        for (int k = 0; k < 3; k++) {
            least += fmin(volume->edge[k][i], 0.0);
            most += fmax(volume->edge[k][i], 0.0);
        }
        if (fabs(least - low[i]) > slack || fabs(most - high[i]) > slack)
            fail_msg("axis %d: the volume reaches from %g to %g, not from %g to %g", i, least, most, low[i], high[i]);
    }
}

// Each of two maps has a volume of its own: about the part of the environment that is seen in it.
static void volumes_are_where_pixels_hit(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    grz_result *result = test_result_create(device);
    test_mesh cube = box_of(0, 0, 0, 1, 1, 1), bars = box_of(0.25, 0.25, 0.875, 0.5, 0.75, 2.0);
    test_mesh_take(&bars, box_of(0.75, 0.5, -2.0, 0.875, 0.625, 0.25));
    grz_mesh *mesh = test_mesh_upload(device, &cube), *other = test_mesh_upload(device, &bars);
    const double parts[2][2][3] = {{{0.25, 0.25, 0.875}, {0.5, 0.75, 0.875}},
                                   {{0.75, 0.5, 0.25}, {0.875, 0.625, 0.25}}};
    for (int k = 0; k < 4; k++) {
        grz_object object = grz_object_at_origin(mesh), environment = grz_object_at_origin(other);
        grz_heightmap_options options = projected(k % 2 == 0 ? GRZ_PROJECTION_COMBINED : GRZ_PROJECTION_SINGLE);
        uint64_t count;
        options.resolution = 256;
        if (k >= 2)
            object.pose = environment.pose = elsewhere;
        assert_true(ask(device, &object, &environment, &options, result).colliding);
        const grz_collision_box *volumes = grz_result_collision_boxes(result, &count);
        assert_int_equal(count, k % 2 == 0 ? 2 : 1);
        for (uint64_t i = 0; i < count; i++) {
            grz_collision_box own;
            assert_int_equal(grz_collision_box_in_object(&volumes[i], &object, &own, NULL), GRZ_OK);
            expect_volume(&own, parts[i][0], parts[i][1], 1.5 / 256);
        }
    }
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(other);
    test_mesh_finish(&cube);
    test_mesh_finish(&bars);
    test_gl_device_close(device);
}

// ---- Maps that are kept -------------------------------------------------------------------------------------------

// Empty the map of an object, so that a query shows whether it was drawn again.
static void empty_map(grz_device *device, const grz_mesh *mesh, const grz_heightmap_options *options)
{
    const float nothing = 0.0f;
    grz_height_maps *maps;
    grz_control control;
    grz_gl *gl;
    grz_control_init(&control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_gl_enter(device, "test", &gl, NULL), GRZ_OK);
    assert_int_equal(grz_height_maps_get(gl, mesh, options, &control, &maps, NULL), GRZ_OK);
    glClearNamedFramebufferfv(maps->framebuffers[0], GL_DEPTH, 0, &nothing);
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, NULL), GRZ_OK);
}

static void a_map_is_kept_until_positions_or_settings_change(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh cube = box_of(0, 0, 0, 1, 1, 1);
    grz_mesh *mesh = test_mesh_upload(device, &cube), *other = test_mesh_upload(device, &cube);
    const grz_object object = grz_object_at_origin(mesh);
    grz_object around = grz_object_at(other, grz_pose_from_translation(0.2, 0.3, 0.5));
    grz_result *result = test_result_create(device);
    grz_heightmap_options options = forwards;
    grz_collide_options collide_options = grz_default_collide_options();
    const grz_method_options own = {.method = "heightmap", .options = &options};
    grz_error error;
    collide_options.method = "heightmap";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &own;
    for (int i = 0; i < 8; i++) {
        assert_true(ask(device, &object, &around, &options, result).colliding);
        empty_map(device, mesh, &options);
        // The environment moves, the object moves: the empty map is used.
        around.pose.m[0][3] += 0.01;
        test_expect_error(grz_collide(device, &object, &around, &collide_options, result, &error),
                          GRZ_ERROR_UNSUPPORTED, &error, "heightmap: object A covers none of the", GRZ_NO_ELEMENT);
        if (i == 0)
            assert_int_equal(grz_mesh_set_positions(mesh, cube.positions, NULL), GRZ_OK);
        // One setting at a time.
        options.resolution = i >= 1 ? 33 : 32;
        options.stencil = i >= 2;
        options.projection = i >= 3 ? GRZ_PROJECTION_FLOOR : GRZ_PROJECTION_SINGLE;
        options.both_sides = i >= 4;
        options.direction[0] = i >= 5 ? 0.125 : 0.0;
        options.has_direction = i < 6;
    }
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(other);
    test_mesh_finish(&cube);
    test_gl_device_close(device);
}

// ---- Options and limits -------------------------------------------------------------------------------------------

static void bad_options_and_poses_are_refused(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    test_mesh cube = box_of(0, 0, 0, 1, 1, 1), flat = test_mesh_grid(2, 2, 0.5);
    grz_mesh *mesh = test_mesh_upload(device, &cube), *sheet = test_mesh_upload(device, &flat);
    grz_object object = grz_object_at_origin(mesh);
    const grz_object thin = grz_object_at_origin(sheet);
    grz_result *result = test_result_create(device);
    grz_heightmap_options options;
    const grz_method_options own = {.method = "heightmap", .options = &options};
    grz_collide_options collide_options = grz_default_collide_options();
    grz_error error;
    collide_options.method = "heightmap";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &own;
    const struct {
        grz_heightmap_options options;
        const char *words;
    } wrong[] = {
        {{.size = sizeof options, .resolution = 0}, "a resolution of 0, must be 1 at least"},
        {{.size = sizeof options, .resolution = 1u << 20}, "a resolution of 1048576, must be 1 to"},
        {{.size = sizeof options, .resolution = 8, .projection = (grz_projection)5}, "options.projection is 5"},
        {{.size = sizeof options, .resolution = 8, .has_direction = true}, "the direction (0, 0, 0) is zero"},
        {{.size = sizeof options, .resolution = 8, .has_direction = true, .direction = {0, (double)NAN, 1}},
         "zero or not finite"},
        {{.size = 4, .resolution = 8}, "grz_default_heightmap_options()"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options = wrong[i].options;
        test_expect_error(grz_collide(device, &object, &object, &collide_options, result, &error), GRZ_ERROR_ARGUMENT,
                          &error, wrong[i].words, GRZ_NO_ELEMENT);
    }
    // A sheet seen edge-on covers nothing. Seen from above it has no thickness: nothing could be inside it.
    options = forwards;
    options.direction[0] = 1.0;
    options.direction[2] = 0.0;
    test_expect_error(grz_collide(device, &thin, &object, &collide_options, result, &error), GRZ_ERROR_UNSUPPORTED,
                      &error, "covers none of the 32 x 32 pixels", GRZ_NO_ELEMENT);
    options = forwards;
    options.both_sides = true;
    object.pose = grz_pose_from_translation(0.1, 0.1, -0.5);
    for (int i = GRZ_PROJECTION_SINGLE; i <= GRZ_PROJECTION_FLOOR; i++) {
        options.projection = (grz_projection)i;
        test_expect_error(grz_collide(device, &thin, &object, &collide_options, result, &error), GRZ_ERROR_UNSUPPORTED,
                          &error, "the object has no thickness along the direction of its map", GRZ_NO_ELEMENT);
    }
    options.projection = GRZ_PROJECTION_SINGLE;
    // No inverse, no map. As an environment it may be flat.
    object.pose = grz_pose_from_translation(0.1, 0.1, 0.0);
    object.pose.m[2][2] = 0.0;
    test_expect_error(grz_collide(device, &object, &thin, &collide_options, result, &error), GRZ_ERROR_POSE, &error,
                      "the object's pose has no inverse", GRZ_NO_ELEMENT);
    object.pose.m[2][3] = 0.5;
    const grz_object whole = grz_object_at_origin(mesh);
    assert_int_equal(grz_collide(device, &whole, &object, &collide_options, result, &error), GRZ_OK);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    grz_mesh_destroy(sheet);
    test_mesh_finish(&cube);
    test_mesh_finish(&flat);
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_those_that_doubles_find),
        cmocka_unit_test(parts_find_what_the_whole_finds),
        cmocka_unit_test(planted_cases_are_answered_wrongly),
        cmocka_unit_test(sheets_are_seen_from_one_side),
        cmocka_unit_test(directions_are_those_of_the_box),
        cmocka_unit_test(directions_of_turned_boxes_are_edges),
        cmocka_unit_test(yes_or_no_ends_after_the_first_map_that_hits),
        cmocka_unit_test(volumes_are_where_pixels_hit),
        cmocka_unit_test(a_map_is_kept_until_positions_or_settings_change),
        cmocka_unit_test(bad_options_and_poses_are_refused),
    };
    if (!test_gl_is_here())
        return TEST_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    printf("SKIPPED: this build has no OpenGL\n");
    return TEST_SKIPPED;
}
#endif
