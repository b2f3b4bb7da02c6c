// SPDX-License-Identifier: MIT
// Contacts that persist, against a slow twin: all pairs of an old and a new point, sorted by distance, taken one after
// the other. Random points with many ties, exchanged and in other orders; boxes that rest and slide on a floor of many
// triangles, sink in, are stacked; shapes that tumble; no number is given twice; bad input.
// ctest: concurrent boxes_slide_over_many_triangles
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_contact_twin.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

enum {
    MOST = TEST_TWIN_POINTS
};

// ---- Trackers -----------------------------------------------------------------------------------------------------

static grz_contact_tracker *make_tracker(grz_device *device)
{
    grz_contact_tracker *tracker;
    assert_int_equal(grz_contact_tracker_create(device, &tracker, NULL), GRZ_OK);
    return tracker;
}

static void update(grz_contact_tracker *tracker, const grz_tracked_point *points, uint32_t count,
                   const grz_contact_tracker_options *options, grz_contact_id *ids)
{
    grz_error error = {.message = ""};
    if (grz_contact_tracker_update(tracker, points, count, options, ids, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < count; i++)
        assert_true((ids[i].match == GRZ_CONTACT_NEW) == (ids[i].before == GRZ_NO_ELEMENT) &&
                    (ids[i].match == GRZ_CONTACT_NEW) == (ids[i].age == 0) && ids[i].id > 0);
}

static grz_feature draw_feature(random_stream *random)
{
    const uint32_t kind = random_below(random, 3), v = random_below(random, 2);
    return (grz_feature){{kind == 0 ? GRZ_NO_VERTEX : v, kind == 2 ? v + 1 : GRZ_NO_VERTEX}};
}

static grz_tracked_point draw_point(random_stream *random, bool on_grid)
{
    grz_tracked_point p = {.object_a = random_below(random, 3), .face_a = random_below(random, 2)};
    p.object_b = p.object_a + 1 + random_below(random, 2);
    p.face_b = random_below(random, 2);
    p.feature_a = draw_feature(random);
    p.feature_b = draw_feature(random);
    for (int k = 0; k < 3; k++) {
        p.position[k] = on_grid ? random_below(random, 4) : 2.0 * random_signed(random);
        p.normal[k] = random_below(random, 3) - 1.0;
    }
    return p;
}

// Frames that differ in a few points, or in all of them.
static uint32_t draw_frame(random_stream *random, grz_tracked_point *points, uint32_t count, bool on_grid)
{
    const uint32_t wanted = random_below(random, 24);
    const bool anew = random_below(random, 12) == 0;
    for (uint32_t i = 0; i < wanted; i++) {
        if (i >= count || anew || random_below(random, 8) == 0)
            points[i] = draw_point(random, on_grid);
        else if (random_below(random, 3) == 0)
            points[i].feature_b = draw_feature(random);
        if (random_below(random, 2) == 0)
            points[i].position[random_below(random, 3)] += on_grid ? random_below(random, 3) - 1.0 : 0.01;
    }
    // No two are alike in everything, so that the order does not matter.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        const test_twin_point x = test_twin_read(&points[i], 0);
        bool alike = false;
        for (uint32_t j = 0; j < kept && !alike; j++) {
            const test_twin_point y = test_twin_read(&points[j], 0);
            alike = test_twin_compare(&x, &y) == 0;
        }
        if (!alike)
            points[kept++] = points[i];
    }
    return kept;
}

static void random_frames_are_those_of_the_twin(void **state)
{
    uint64_t matches[3] = {0, 0, 0};
    (void)state;
    for (int round = 0; round < 2; round++) {
        random_stream random = {.state = 17 + (uint64_t)round};
        grz_contact_tracker *tracker = make_tracker(test_device), *other = make_tracker(test_device);
        test_twin *slow = calloc(1, sizeof *slow);
        grz_tracked_point points[MOST], turned[MOST];
        grz_contact_id ids[MOST], other_ids[MOST];
        uint32_t count = 0, order[MOST];
        assert_non_null(slow);
        for (int frame = 0; frame < (TEST_SANITIZED ? 300 : 5000); frame++) {
            grz_contact_tracker_options options = grz_default_contact_tracker_options();
            options.match_distance = random_below(&random, 3) == 0 ? 0.0 : random_below(&random, 4);
            if (random_below(&random, 4) == 0)
                options.match_angle = 1.2;
            const uint64_t given = slow->given;
            count = draw_frame(&random, points, count, round == 0);
            update(tracker, points, count, &options, ids);
            test_twin_update(slow, points, count, &options);
            assert_true(test_twin_agrees(slow, tracker, ids));
            for (uint32_t i = 0; i < count; i++) { // in another order, and some exchanged
                const uint32_t j = random_below(&random, i + 1);
                order[i] = i == j ? i : order[j];
                if (i != j)
                    order[j] = i;
            }
            for (uint32_t i = 0; i < count; i++)
                turned[i] = random_below(&random, 2) ? test_twin_exchanged(&points[order[i]]) : points[order[i]];
            update(other, turned, count, &options, other_ids);
            for (uint32_t i = 0; i < count; i++) {
                assert_true(other_ids[i].id == ids[order[i]].id && other_ids[i].match == ids[order[i]].match &&
                            other_ids[i].age == ids[order[i]].age);
                for (uint32_t j = 0; j < i; j++) // one to one
                    assert_true(ids[i].id != ids[j].id);
                assert_true(ids[i].match != GRZ_CONTACT_NEW || ids[i].id > given);
                matches[ids[i].match]++;
            }
        }
        grz_contact_tracker_destroy(tracker);
        grz_contact_tracker_destroy(other);
        free(slow);
    }
    printf("%llu new, %llu by features, %llu by distance\n", (unsigned long long)matches[0],
           (unsigned long long)matches[1], (unsigned long long)matches[2]);
    for (int i = 0; i < 3; i++)
        assert_true(matches[i] > (TEST_SANITIZED ? 100 : 5000));
}

// ---- Bodies -------------------------------------------------------------------------------------------------------

static grz_object object_of(grz_device *device, test_mesh mesh)
{
    grz_mesh *made = test_mesh_upload(device, &mesh);
    grz_object object = grz_object_at_origin(made);
    object.user = made;
    test_mesh_finish(&mesh);
    return object;
}

static test_mesh fine_floor(void)
{
    test_mesh mesh = test_mesh_grid(24, 24, 0.25);
    test_mesh_move(&mesh, -3.0, -3.0, 0.0);
    return mesh;
}

static uint32_t find_points(grz_device *device, const grz_object *a, uint64_t id_a, const grz_object *b, uint64_t id_b,
                            grz_tracked_point *points)
{
    grz_manifold_answer answer;
    grz_error error = {.message = ""};
    if (grz_manifold_find(device, a, b, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const uint32_t count = grz_contact_tracker_points(id_a, id_b, &answer, points);
    assert_int_equal(count, answer.count);
    return count;
}

// Four corners of a box slide over a floor; the same by three threads, asked in the other order.
static void boxes_slide_over_many_triangles(void **state)
{
    grz_device *devices[2] = {test_device_open(1), test_device_open(3)};
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    options.match_distance = 0.05;
    (void)state;
    for (int sunk = 0; sunk < 2; sunk++) {
        grz_object cargo[2], ground[2];
        grz_contact_tracker *trackers[2];
        uint64_t nearest = 0;
        for (int i = 0; i < 2; i++) {
            const double low[3] = {-1.3, -0.7, 0}, high[3] = {1.1, 0.9, 2};
            cargo[i] = object_of(devices[i], test_mesh_box(low, high));
            ground[i] = object_of(devices[i], fine_floor());
            trackers[i] = make_tracker(devices[i]);
        }
        for (int frame = 0; frame < (TEST_SANITIZED ? 20 : 50); frame++) {
            grz_tracked_point points[2][16];
            grz_contact_id ids[2][16];
            const double step = frame < 5 ? 0 : 0.03 * (frame - 5); // it rests, then slides
            for (int i = 0; i < 2; i++) {
                cargo[i].pose = grz_pose_from_translation(step, 0.4 * step, sunk ? -0.0078125 : 0.0);
                const uint32_t count = i == 0 ? find_points(devices[i], &cargo[i], 7, &ground[i], 3, points[i])
                                              : find_points(devices[i], &ground[i], 3, &cargo[i], 7, points[i]);
                assert_int_equal(count, 4);
                update(trackers[i], points[i], 4, &options, ids[i]);
            }
            for (uint32_t i = 0; i < 4; i++) {
                const grz_contact_id *id = &ids[0][i];
                assert_true(id->id <= 4 && id->age == (uint32_t)frame);
                assert_true(frame == 0 || id->match == GRZ_CONTACT_FEATURES || frame > 5);
                nearest += id->match == GRZ_CONTACT_NEAREST;
                const grz_feature corner = points[0][i].feature_a; // of the box
                assert_true(corner.vertex[0] < 4 && corner.vertex[1] == GRZ_NO_VERTEX);
                int same = 0;
                for (uint32_t j = 0; j < 4; j++)
                    same += ids[1][j].id == id->id && points[1][j].feature_b.vertex[0] == corner.vertex[0] &&
                            ids[1][j].match == id->match;
                assert_int_equal(same, 1);
            }
        }
        assert_true(nearest >= (TEST_SANITIZED ? 8 : 24)); // it crossed that many edges
        for (int i = 0; i < 2; i++) {
            grz_contact_tracker_destroy(trackers[i]);
            grz_mesh_destroy(cargo[i].user);
            grz_mesh_destroy(ground[i].user);
        }
    }
    grz_device_close(devices[0]);
    grz_device_close(devices[1]);
}

// Numbers outlive the step from touching to penetrating; without a distance they end where features change.
static void a_box_that_sinks_and_jumps(void **state)
{
    const double low[3] = {-1.3, -0.7, 0}, high[3] = {1.1, 0.9, 2};
    grz_object cargo = object_of(test_device, test_mesh_box(low, high)), ground = object_of(test_device, fine_floor());
    grz_contact_tracker *tracker = make_tracker(test_device);
    grz_tracked_point points[16];
    grz_contact_id ids[16];
    uint64_t count;
    (void)state;
    for (int frame = 0; frame < 6; frame++) {
        cargo.pose = grz_pose_from_translation(0.001 * frame, 0, frame % 2 ? -0.00390625 : 0.0);
        assert_int_equal(find_points(test_device, &cargo, 1, &ground, 0, points), 4);
        update(tracker, points, 4, NULL, ids);
        for (int i = 0; i < 4; i++)
            assert_true(ids[i].id <= 4 && ids[i].age == (uint32_t)frame);
    }
    cargo.pose = grz_pose_from_translation(1.0, 0, 0); // on other triangles
    assert_int_equal(find_points(test_device, &cargo, 1, &ground, 0, points), 4);
    update(tracker, points, 4, NULL, ids);
    for (int i = 0; i < 4; i++)
        assert_true(ids[i].id > 4 && ids[i].id <= 8 && ids[i].match == GRZ_CONTACT_NEW);
    const uint64_t *ended = grz_contact_tracker_ended(tracker, &count);
    assert_int_equal(count, 4);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(ended[i], i + 1);
    update(tracker, NULL, 0, NULL, NULL); // it flew away
    grz_contact_tracker_ended(tracker, &count);
    assert_int_equal(count, 4);
    update(tracker, points, 4, NULL, ids); // and came back
    for (int i = 0; i < 4; i++)
        assert_true(ids[i].id > 8 && ids[i].match == GRZ_CONTACT_NEW);
    grz_contact_tracker_destroy(tracker);
    grz_mesh_destroy(cargo.user);
    grz_mesh_destroy(ground.user);
}

// Boxes of other sizes on each other, that shiver: four contacts a pair, for ever.
static void a_stack_of_boxes(void **state)
{
    enum {
        BOXES = 5
    };
    random_stream random = {.state = 23};
    grz_object boxes[BOXES];
    grz_contact_tracker *tracker = make_tracker(test_device);
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    options.match_distance = 0.1;
    (void)state;
    for (int i = 0; i < BOXES; i++) {
        const double half = i % 2 == 0 ? 1.0 : 0.75, low[3] = {-half, -half, 0}, high[3] = {half, half, 1};
        boxes[i] = object_of(test_device, test_mesh_box_quads(low, high));
    }
    for (int frame = 0; frame < (TEST_SANITIZED ? 10 : 50); frame++) {
        grz_tracked_point points[16 * BOXES];
        grz_contact_id ids[16 * BOXES];
        uint32_t count = 0;
        for (int i = 0; i < BOXES; i++)
            boxes[i].pose = grz_pose_from_translation(0.01 * random_signed(&random), 0.01 * random_signed(&random),
                                                      i - (frame % 3 == 0 ? 0.0 : 0.0009765625 * i));
        for (uint64_t i = 0; i + 1 < BOXES; i++)
            count += find_points(test_device, &boxes[i], 100 - i, &boxes[i + 1], 99 - i, points + count);
        assert_int_equal(count, 4 * (BOXES - 1));
        update(tracker, points, count, &options, ids);
        for (uint32_t i = 0; i < count; i++)
            assert_true(ids[i].id <= count && ids[i].age == (uint32_t)frame && (frame == 0 || ids[i].before < count));
    }
    grz_contact_tracker_destroy(tracker);
    for (int i = 0; i < BOXES; i++)
        grz_mesh_destroy(boxes[i].user);
}

// A crate of shapes that tumbles on a floor: thousands of frames against the twin.
static void shapes_that_tumble(void **state)
{
    const grz_shape floor = grz_shape_box((const double[3]){0, 0, -1}, (const double[3]){20, 20, 1});
    grz_shape crate = grz_shape_box((const double[3]){0, 0, 0}, (const double[3]){1, 0.75, 0.5});
    grz_contact_tracker *tracker = make_tracker(test_device);
    test_twin *slow = calloc(1, sizeof *slow);
    random_stream random = {.state = 31};
    uint64_t kept = 0;
    double turn[4] = {0, 0, 0, 1}, at[3] = {0, 0, 0.499};
    (void)state;
    assert_non_null(slow);
    for (int frame = 0; frame < (TEST_SANITIZED ? 200 : 3000); frame++) {
        grz_tracked_point points[4];
        grz_contact_id ids[4];
        grz_shape_manifold m;
        grz_contact_tracker_options options = grz_default_contact_tracker_options();
        options.match_distance = 0.02;
        for (int k = 0; k < 4; k++)
            turn[k] += k < 3 && random_below(&random, 4) == 0 ? 0.003 * random_signed(&random) : 0.0;
        at[0] += 0.01 * random_signed(&random);
        at[2] = 0.49 + 0.01 * random_signed(&random);
        assert_int_equal(grz_pose_from_quaternion(at, turn, &crate.pose, NULL), GRZ_OK);
        const bool exchange = random_below(&random, 2);
        assert_int_equal(
            grz_shapes_manifold(test_device, exchange ? &floor : &crate, exchange ? &crate : &floor, NULL, &m, NULL),
            GRZ_OK);
        const uint32_t count = grz_contact_tracker_shape_points(exchange ? 8 : 9, exchange ? 9 : 8, &m, points);
        for (uint32_t i = 0; i < count; i++) // the crate is pushed up
            assert_true(points[i].normal[2] * (exchange ? -1.0 : 1.0) > 0.5);
        update(tracker, points, count, &options, ids);
        test_twin_update(slow, points, count, &options);
        assert_true(test_twin_agrees(slow, tracker, ids));
        for (uint32_t i = 0; i < count; i++)
            kept += ids[i].match != GRZ_CONTACT_NEW;
    }
    printf("%llu contacts were kept\n", (unsigned long long)kept);
    assert_true(kept > (TEST_SANITIZED ? 100 : 3000));
    grz_contact_tracker_destroy(tracker);
    free(slow);
}

// Of shapes that touch and shapes that penetrate the normal is from B to A.
static void normals_of_shapes(void **state)
{
    const grz_shape floor = grz_shape_box((const double[3]){0, 0, -1}, (const double[3]){20, 20, 1});
    (void)state;
    for (int sunk = 0; sunk < 2; sunk++) {
        const grz_shape crate = grz_shape_box((const double[3]){0, 0, sunk ? 0.9375 : 1.0}, (const double[3]){1, 1, 1});
        grz_shape_manifold m;
        grz_tracked_point points[4];
        assert_int_equal(grz_shapes_manifold(test_device, &crate, &floor, NULL, &m, NULL), GRZ_OK);
        assert_int_equal(m.answer.relation, sunk ? GRZ_SHAPES_PENETRATING : GRZ_SHAPES_TOUCHING);
        assert_int_equal(grz_contact_tracker_shape_points(5, 6, &m, points), 4);
        for (int i = 0; i < 4; i++) {
            assert_true(points[i].normal[2] == 1.0 && points[i].position[2] == (sunk ? -0.03125 : 0.0));
            assert_true(points[i].object_a == 5 && points[i].object_b == 6 && points[i].face_a == GRZ_NO_VERTEX);
        }
    }
    assert_int_equal(grz_contact_tracker_shape_points(5, 6, NULL, NULL), 0);
    assert_int_equal(grz_contact_tracker_points(5, 6, NULL, NULL), 0);
}

// ---- Known cases --------------------------------------------------------------------------------------------------

static grz_tracked_point point_at(double x, uint32_t face)
{
    return (grz_tracked_point){.object_a = 1,
                               .object_b = 2,
                               .feature_a = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}},
                               .feature_b = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}},
                               .face_a = face,
                               .face_b = 0,
                               .position = {x, 0, 0},
                               .normal = {0, 0, 1}};
}

static void ties_and_limits(void **state)
{
    grz_contact_tracker *tracker = make_tracker(test_device);
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    grz_tracked_point points[3] = {point_at(0, 0), point_at(2, 1)};
    grz_contact_id ids[3];
    (void)state;
    assert_true(options.match_distance == 0.0 && fabs(options.match_angle - acos(-1.0) / 6.0) < 1e-15);
    update(tracker, points, 2, &options, ids);
    assert_true(ids[0].id == 1 && ids[1].id == 2);
    // Half-way between the two: the lower number, at a distance of exactly 1.
    points[0] = point_at(1, 9);
    options.match_distance = 1.0;
    update(tracker, points, 1, &options, ids);
    assert_true(ids[0].id == 1 && ids[0].match == GRZ_CONTACT_NEAREST && ids[0].before == 0);
    // Two new ones as near: that with the lower face.
    points[0] = point_at(2, 8);
    points[1] = point_at(0, 7);
    update(tracker, points, 2, &options, ids);
    assert_true(ids[1].id == 1 && ids[0].id == 3 && ids[1].before == 0);
    // A bit too far, and turned by 29 and 31 degrees.
    options.match_distance = 0.5;
    points[0] = point_at(0.5000001, 1);
    points[1] = point_at(2, 2);
    points[1].normal[0] = tan(29.0 * acos(-1.0) / 180.0);
    update(tracker, points, 2, &options, ids);
    assert_true(ids[0].match == GRZ_CONTACT_NEW && ids[1].id == 3 && ids[1].age == 1);
    points[1].face_a = 3;
    points[1].normal[0] = tan(-31.0 * acos(-1.0) / 180.0);
    points[0].face_a = 4;
    memset(points[0].normal, 0, sizeof points[0].normal); // no normal: not by distance, at any angle
    options.match_angle = acos(-1.0);
    update(tracker, points, 1, &options, ids);
    assert_int_equal(ids[0].match, GRZ_CONTACT_NEW);
    update(tracker, points, 1, &options, ids);
    assert_int_equal(ids[0].match, GRZ_CONTACT_FEATURES);
    options.match_angle = 1.0;
    points[0] = point_at(2, 2);
    points[0].normal[0] = tan(29.0 * acos(-1.0) / 180.0);
    update(tracker, points, 1, NULL, ids);
    update(tracker, &points[1], 1, NULL, ids);
    assert_int_equal(ids[0].match, GRZ_CONTACT_NEW);
    // An edge is the same in either direction; a face does not count where there is a vertex.
    points[0] = point_at(0, 1);
    points[0].feature_a = (grz_feature){{4, 5}};
    update(tracker, points, 1, NULL, ids);
    points[0].feature_a = (grz_feature){{5, 4}};
    points[0].face_a = 77;
    points[0].position[0] = 1e6;
    update(tracker, points, 1, NULL, ids);
    assert_int_equal(ids[0].match, GRZ_CONTACT_FEATURES);
    points[0].object_b = 3; // another body, at the same place
    options.match_distance = 1e9;
    update(tracker, points, 1, &options, ids);
    assert_int_equal(ids[0].match, GRZ_CONTACT_NEW);
    grz_contact_tracker_destroy(tracker);
}

static void expect_error(grz_contact_tracker *tracker, const grz_tracked_point *points, uint64_t count,
                         const grz_contact_tracker_options *options, grz_status status, uint64_t element,
                         const char *text)
{
    grz_contact_id ids[2] = {{.id = 99}, {.id = 99}};
    grz_error error = {.message = ""};
    const grz_status got = grz_contact_tracker_update(tracker, points, count, options, ids, &error);
    if (got != status || strstr(error.message, text) == NULL || error.element != element)
        fail_msg("got %d, expected %d: '%s' does not have '%s'", got, status, error.message, text);
    assert_true(ids[0].id == 99 && ids[1].id == 99);
}

static void bad_input(void **state)
{
    grz_contact_tracker *tracker = make_tracker(test_device);
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    grz_tracked_point points[2] = {point_at(0, 0), point_at(1, 1)};
    grz_contact_id ids[2];
    volatile int cancel = 1;
    (void)state;
    update(tracker, points, 2, NULL, ids);
    expect_error(NULL, points, 2, NULL, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "the tracker is NULL");
    expect_error(tracker, NULL, 2, NULL, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "points is NULL");
    assert_int_equal(grz_contact_tracker_update(tracker, points, 2, NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
    expect_error(tracker, points, UINT32_MAX, NULL, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "more than");
    options.match_distance = -1.0;
    expect_error(tracker, points, 2, &options, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "match_distance is -1");
    options.match_distance = (double)NAN;
    expect_error(tracker, points, 2, &options, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "match_distance");
    options = grz_default_contact_tracker_options();
    options.match_angle = 4.0;
    expect_error(tracker, points, 2, &options, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "match_angle is 4");
    options = grz_default_contact_tracker_options();
    options.size = 8;
    expect_error(tracker, points, 2, &options, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "grz_contact_tracker_options");
    options = grz_default_contact_tracker_options();
    options.limits.cancel = &cancel;
    expect_error(tracker, points, 2, &options, GRZ_ERROR_CANCELLED, GRZ_NO_ELEMENT, "");
    options = grz_default_contact_tracker_options();
    options.limits.memory_limit = 1;
    expect_error(tracker, points, 2, &options, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "");
    points[1].position[2] = (double)INFINITY;
    expect_error(tracker, points, 2, NULL, GRZ_ERROR_ARGUMENT, 1, "point 1: the position");
    points[1].position[2] = 0x1p301;
    expect_error(tracker, points, 2, NULL, GRZ_ERROR_ARGUMENT, 1, "point 1: the position");
    points[1] = point_at(1, 1);
    points[1].normal[0] = (double)NAN;
    expect_error(tracker, points, 2, NULL, GRZ_ERROR_ARGUMENT, 1, "point 1: the normal");
    points[1] = point_at(1, 1);
    update(tracker, points, 2, NULL, ids); // nothing has changed
    assert_true(ids[0].id == 1 && ids[1].id == 2 && ids[1].age == 1);
    grz_contact_tracker_destroy(tracker);
    assert_int_equal(grz_contact_tracker_create(NULL, &tracker, NULL), GRZ_ERROR_ARGUMENT);
    assert_null(tracker);
    assert_int_equal(grz_contact_tracker_create(test_device, NULL, NULL), GRZ_ERROR_ARGUMENT);
    grz_contact_tracker_destroy(NULL);
    uint64_t count = 7;
    assert_null(grz_contact_tracker_ended(NULL, &count));
    assert_int_equal(count, 0);
}

static void memory_that_runs_out(void **state)
{
    counting_allocator counter = {.fail_at = 0};
    grz_device *device = counting_device_open(&counter);
    grz_contact_tracker *tracker = NULL;
    grz_tracked_point points[40];
    grz_contact_id ids[40];
    grz_error error;
    int failures = 0, updates = 0;
    (void)state;
    for (uint32_t i = 0; i < 40; i++)
        points[i] = point_at(39.0 - i, i);
    for (long i = 1; i < 200 && updates < 2; i++) {
        counter.calls = 0;
        counter.fail_at = i;
        grz_status status = tracker == NULL ? grz_contact_tracker_create(device, &tracker, &error) : GRZ_OK;
        if (status == GRZ_OK)
            status = grz_contact_tracker_update(tracker, points, 40, NULL, ids, &error);
        if (status == GRZ_OK) {
            updates++;
            i = 0;
            for (uint32_t j = 0; j < 40; j++)
                assert_true(ids[j].id == j + 1 && (updates == 1 || ids[j].before == j));
            continue;
        }
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures >= 12 && updates == 2);
    counter.fail_at = 0;
    grz_device_close(device);
    grz_contact_tracker_destroy(tracker); // keeps the device
    assert_int_equal(counter.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_frames_are_those_of_the_twin),
        cmocka_unit_test(boxes_slide_over_many_triangles),
        cmocka_unit_test(a_box_that_sinks_and_jumps),
        cmocka_unit_test(a_stack_of_boxes),
        cmocka_unit_test(shapes_that_tumble),
        cmocka_unit_test(normals_of_shapes),
        cmocka_unit_test(ties_and_limits),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
