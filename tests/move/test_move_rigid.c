// SPDX-License-Identifier: MIT
// grz_move_rigid(): cases with a known time, and random motions against dense sampling: a sampled contact must be
// found, no earlier one than `lower`, and where no contact is proved no sample may touch.
// Give a number as argument, or set GRZ_RIGID_ROUNDS, for more random rounds.
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_queries.h"

static const double NONE[4] = {0, 0, 0, 1}, QUARTER_Z[4] = {0, 0, 1, 1}, HALF_Z[4] = {0, 0, 1, 0};
static const double HERE[3] = {0, 0, 0};
static const double PI = 3.14159265358979323846;

static grz_device *device;
static int rounds = 60;

// Upload and free the test mesh.
static grz_mesh *take(test_mesh mesh)
{
    grz_mesh *uploaded = test_mesh_upload(device, &mesh);
    test_mesh_finish(&mesh);
    return uploaded;
}

static grz_mesh *box(double x, double y, double z, double to_x, double to_y, double to_z)
{
    return take(test_mesh_box((const double[3]){x, y, z}, (const double[3]){to_x, to_y, to_z}));
}

static grz_move_answer move(const grz_mesh *a, const grz_motion *motion_a, const grz_mesh *b,
                            const grz_motion *motion_b, const grz_rigid_options *options)
{
    grz_move_answer answer;
    grz_error error = {.code = GRZ_OK};
    const grz_status status =
        grz_move_rigid(device, (grz_object[]){grz_object_at_origin(a)}, motion_a,
                       (grz_object[]){grz_object_at_origin(b)}, motion_b, options, &answer, &error);
    if (status != GRZ_OK)
        print_message("%s\n", error.message);
    assert_int_equal(status, GRZ_OK);
    assert_true(answer.has_contact == (answer.upper <= 1.0));
    assert_true(answer.lower <= answer.upper);
    return answer;
}

// A contact that is proved, at `time` by theory, no wider than `width`.
static void expect_contact(const grz_move_answer *answer, double time, double width)
{
    assert_true(answer->has_contact && test_label_fits(answer->certainty, answer->lower, answer->upper));
    if (!(answer->lower <= time + 1e-14 && time <= answer->upper + 1e-14 && answer->upper - answer->lower <= width))
        print_message("[%.17g, %.17g], expected %.17g\n", answer->lower, answer->upper, time);
    assert_true(answer->lower <= time + 1e-14);
    assert_true(time <= answer->upper + 1e-14);
    assert_true(answer->upper - answer->lower <= width);
    assert_true(answer->first_contact == answer->lower);
}

static void expect_none(const grz_move_answer *answer)
{
    assert_false(answer->has_contact);
    assert_int_equal(answer->certainty, GRZ_EXACT);
    assert_true(answer->lower == HUGE_VAL && answer->upper == HUGE_VAL && answer->first_contact == HUGE_VAL);
}

// ---- Known times --------------------------------------------------------------------------------------------------

// The corner of a square, sqrt(2) from the axis, reaches the wall x = 1.2 when it stands at acos(1.2 / sqrt(2)).
static void a_box_turns_until_its_corner_reaches_a_plane(void **state)
{
    grz_mesh *a = box(-1, -1, -1, 1, 1, 1), *wall = box(1.2, -5, -5, 2, 5, 5), *far_wall = box(1.4143, -5, -5, 2, 5, 5);
    const grz_motion turn = grz_motion_slerp(HERE, NONE, HERE, QUARTER_Z);
    const double time = (PI / 4 - acos(1.2 / sqrt(2.0))) / (PI / 2);
    (void)state;
    grz_move_answer answer = move(a, &turn, wall, NULL, NULL);
    expect_contact(&answer, time, 1e-5);
    assert_false(answer.started_inside);
    assert_true(fabs(answer.normal[0] + 1.0) < 1e-9);
    assert_true(fabs(answer.point[0] - 1.2) < 1e-5);
    answer = move(wall, NULL, a, &turn, NULL); // exchanged
    expect_contact(&answer, time, 1e-5);
    assert_true(fabs(answer.normal[0] - 1.0) < 1e-9);
    answer = move(a, &turn, far_wall, NULL, NULL); // clear by 0.00009
    expect_none(&answer);
    grz_mesh_destroy(a);
    grz_mesh_destroy(wall);
    grz_mesh_destroy(far_wall);
}

static void smaller_tolerances_give_closer_bounds(void **state)
{
    grz_mesh *a = box(-1, -1, -1, 1, 1, 1), *wall = box(1.2, -5, -5, 2, 5, 5);
    const grz_motion turn = grz_motion_slerp(HERE, NONE, HERE, QUARTER_Z);
    const double time = (PI / 4 - acos(1.2 / sqrt(2.0))) / (PI / 2);
    grz_rigid_options options = grz_default_rigid_options();
    (void)state;
    options.tolerance = 0.1;
    for (int i = 0; i < 6; i++) {
        const grz_move_answer answer = move(a, &turn, wall, NULL, &options);
        expect_contact(&answer, time, options.tolerance);
        options.tolerance *= 0.01;
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(wall);
}

// The same ends: by slerp the origin goes straight through the middle, by screw round it.
static void slerp_and_screw_differ(void **state)
{
    const double from[3] = {1, 0, 0}, to[3] = {-1, 0, 0};
    grz_mesh *a = box(-0.1, -0.1, -0.1, 0.1, 0.1, 0.1), *post = box(-0.2, -0.2, -5, 0.2, 0.2, 5);
    const grz_motion slerp = grz_motion_slerp(from, NONE, to, HALF_Z), screw = grz_motion_screw(from, NONE, to, HALF_Z);
    double low = 0.0, high = 0.5; // the front of the turning square reaches x = 0.2
    (void)state;
    for (int i = 0; i < 100; i++) {
        const double t = 0.5 * (low + high);
        *(1 - 2 * t - 0.1 * (fabs(cos(PI * t)) + fabs(sin(PI * t))) > 0.2 ? &low : &high) = t;
    }
    grz_move_answer answer = move(a, &slerp, post, NULL, NULL);
    expect_contact(&answer, low, 1e-5);
    answer = move(a, &screw, post, NULL, NULL);
    expect_none(&answer);
    // A wall across the circle: the leading corner, in the cube's frame at (-0.1, 0.1), comes first.
    grz_mesh *wall = box(-0.9, 0.2, -5, -0.7, 3, 5);
    answer = move(a, &screw, wall, NULL, NULL);
    const double radius = sqrt(0.9 * 0.9 + 0.1 * 0.1), ahead = atan2(0.1, 0.9);
    // of the corners of the cube, at radius 0.9 and 1.1 and 0.1 to the front, which comes to x = -0.7 first
    const double outer = sqrt(1.1 * 1.1 + 0.1 * 0.1), outer_ahead = atan2(0.1, 1.1);
    const double inner_time = (acos(-0.7 / radius) - ahead) / PI, outer_time = (acos(-0.7 / outer) - outer_ahead) / PI;
    expect_contact(&answer, fmin(inner_time, outer_time), 1e-5);
    grz_mesh_destroy(a);
    grz_mesh_destroy(post);
    grz_mesh_destroy(wall);
}

// A blade sweeps through a plate of no thickness in about a thousandth of the motion; before and after they are apart.
static void a_blade_never_passes_through_a_plate(void **state)
{
    test_mesh blade = {0}, plate = {0};
    test_mesh_add_loose_triangle(&blade, (const double[3][3]){{1, 0, -0.5}, {3, 0, 0}, {1, 0, 0.5}});
    test_mesh_add_loose_triangle(&plate, (const double[3][3]){{-0.001, 2, -0.1}, {0.001, 2, -0.1}, {0, 2.1, 0.2}});
    grz_mesh *a = take(blade), *b = take(plate);
    const double turn[4] = {0, 0, sin(80 * PI / 180), cos(80 * PI / 180)}; // 160 degrees
    const grz_motion sweep = grz_motion_slerp(HERE, NONE, HERE, turn);
    grz_rigid_options options = grz_default_rigid_options();
    (void)state;
    const grz_move_answer answer = move(a, &sweep, b, NULL, NULL);
    assert_true(answer.has_contact && TEST_LABEL_FITS(answer));
    assert_true(fabs(answer.lower - 90.0 / 160.0) < 1e-3);
    options.search = GRZ_RIGID_HALVING; // it must miss this, and say that it may
    const grz_move_answer discrete = move(a, &sweep, b, NULL, &options);
    assert_false(discrete.has_contact);
    assert_int_equal(discrete.certainty, GRZ_DISCRETE);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

static void halving_finds_what_is_there_at_the_end(void **state)
{
    grz_mesh *a = box(-1, -1, -1, 1, 1, 1), *wall = box(1.2, -5, -5, 2, 5, 5);
    const double turn[4] = {0, 0, sin(PI / 9), cos(PI / 9)}; // 40 degrees
    const grz_motion motion = grz_motion_slerp(HERE, NONE, HERE, turn);
    grz_rigid_options options = grz_default_rigid_options();
    (void)state;
    options.search = GRZ_RIGID_HALVING;
    const grz_move_answer answer = move(a, &motion, wall, NULL, &options);
    const double time = (PI / 4 - acos(1.2 / sqrt(2.0))) / (2 * PI / 9);
    assert_true(answer.has_contact && answer.certainty == GRZ_DISCRETE);
    assert_true(answer.lower <= time + 1e-12 && time <= answer.upper + 1e-12 && answer.upper - answer.lower < 1e-5);
    grz_mesh_destroy(a);
    grz_mesh_destroy(wall);
}

// Motions without a turn have the answer of grz_move(), flush slides and times up to t_max included.
static void translations_are_exact(void **state)
{
    static const double ways[][3] = {{3, 0, 0}, {-3, 0, 0}, {0, 0, -1}, {0.5, 0, 0}, {4, 0, -0.5}, {0, 0, 0}};
    static const double starts[][3] = {{0, 0, 0}, {-1.5, 0, 0}, {0, 0, 0.5}, {0.25, 0.25, 0.25}};
    static const double turn[4] = {0.1, -0.3, 0.2, 0.7}, opposite[4] = {-0.1, 0.3, -0.2, -0.7};
    grz_mesh *a = box(0, 0, 0, 1, 1, 1), *b = box(2, 0, 0, 3, 1, 1), *floor = box(-9, -9, -1, 9, 9, 0);
    unsigned contacts = 0, free_of = 0, exact = 0;
    (void)state;
    for (size_t i = 0; i < 6 * 4 * 2 * 2; i++) {
        const double *start = starts[i % 4], *way = ways[i / 4 % 6], *q = i / 24 % 2 == 0 ? NONE : turn;
        const grz_mesh *other = i / 48 == 0 ? b : floor;
        const double to[3] = {start[0] + way[0], start[1] + way[1], start[2] + way[2]};
        const grz_motion slerp = grz_motion_slerp(start, q, to, q == turn ? opposite : q);
        grz_object first = grz_object_at_origin(a);
        const grz_object second = grz_object_at_origin(other);
        grz_move_answer straight;
        assert_int_equal(grz_motion_pose(&slerp, 0.0, &first.pose, NULL), GRZ_OK);
        assert_int_equal(grz_move(device, &first, to, &second, NULL, NULL, &straight, NULL), GRZ_OK);
        const grz_move_answer answer = move(a, &slerp, other, NULL, NULL);
        assert_true(answer.first_contact == straight.first_contact && answer.lower == straight.lower &&
                    answer.upper == straight.upper && answer.certainty == straight.certainty &&
                    answer.face_a == straight.face_a && answer.face_b == straight.face_b &&
                    answer.reason == straight.reason && answer.started_inside == straight.started_inside);
        assert_memory_equal(answer.normal, straight.normal, sizeof answer.normal);
        contacts += answer.has_contact;
        free_of += !answer.has_contact;
        exact += answer.certainty == GRZ_EXACT;
        if (straight.lower > 0.0 && straight.lower < 1.0) {
            grz_rigid_options options = grz_default_rigid_options();
            options.t_max = straight.lower;
            assert_true(move(a, &slerp, other, NULL, &options).has_contact == (straight.upper == straight.lower));
            options.t_max = straight.upper;
            assert_true(move(a, &slerp, other, NULL, &options).has_contact);
            options.t_max = 0.5 * straight.lower;
            const grz_move_answer none = move(a, &slerp, other, NULL, &options);
            expect_none(&none);
        }
    }
    assert_true(contacts > 20 && free_of > 10 && exact == 96);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    grz_mesh_destroy(floor);
}

// Known times.
static void translations_are_enclosed(void **state)
{
    grz_mesh *a = box(0, 0, 0, 1, 1, 1), *b = box(2, 0.25, 0.25, 3, 0.75, 0.75);
    const double to[3] = {3, 0, 0}, short_of[3] = {0.9999, 0, 0}, back[3] = {-3, 0, 0};
    const grz_motion there = grz_motion_slerp(HERE, NONE, to, NONE),
                     near = grz_motion_slerp(HERE, NONE, short_of, NONE),
                     come = grz_motion_screw(HERE, NONE, back, NONE);
    (void)state;
    grz_move_answer answer = move(a, &there, b, NULL, NULL);
    expect_contact(&answer, 1.0 / 3.0, 1e-6);
    answer = move(a, &near, b, NULL, NULL);
    expect_none(&answer);
    answer = move(a, &there, b, &come, NULL); // towards each other
    expect_contact(&answer, 1.0 / 6.0, 1e-6);
    answer = move(a, &there, b, &there, NULL); // side by side
    expect_none(&answer);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
}

// ---- The start ----------------------------------------------------------------------------------------------------

static void the_start_is_decided_as_collide_has_it(void **state)
{
    grz_mesh *a = box(0, 0, 0, 1, 1, 1), *flush = box(1, 0, 0, 2, 1, 1), *over = box(0.5, 0.25, 0.25, 2, 0.75, 0.75),
             *within = box(0.25, 0.25, 0.25, 0.5, 0.5, 0.5);
    const grz_motion turn = grz_motion_slerp(HERE, NONE, HERE, QUARTER_Z);
    grz_rigid_options options = grz_default_rigid_options();
    (void)state;
    grz_move_answer answer = move(a, &turn, flush, NULL, NULL);
    expect_contact(&answer, 0.0, 0.0);
    assert_false(answer.started_inside);
    assert_true(answer.face_a != UINT32_MAX && answer.face_b != UINT32_MAX);
    answer = move(a, &turn, over, NULL, NULL);
    expect_contact(&answer, 0.0, 0.0);
    assert_true(answer.started_inside);
    answer = move(a, &turn, within, NULL, NULL);
    expect_contact(&answer, 0.0, 0.0);
    assert_true(answer.started_inside);
    assert_int_equal(answer.face_a, UINT32_MAX);
    options.inside = false; // then the surfaces count: the small box is hit from inside
    answer = move(a, &turn, within, NULL, &options);
    assert_true(answer.has_contact && !answer.started_inside && answer.lower > 0.01);
    answer = move(a, NULL, over, NULL, NULL); // both rest
    expect_contact(&answer, 0.0, 0.0);
    grz_mesh_destroy(over);
    over = box(3, 3, 3, 4, 4, 4);
    answer = move(a, NULL, over, NULL, NULL);
    expect_none(&answer);
    grz_mesh_destroy(a);
    grz_mesh_destroy(flush);
    grz_mesh_destroy(over);
    grz_mesh_destroy(within);
}

// A square that turns in the plane of the face on which it lies 2^-60 above: no rounding can tell.
static void what_cannot_be_told_is_undecided(void **state)
{
    grz_mesh *a = box(-1, -1, 0, 1, 1, 1), *floor = box(-5, -5, -1, 5, 5, -0x1p-60);
    const grz_motion turn = grz_motion_slerp(HERE, NONE, HERE, QUARTER_Z);
    (void)state;
    const grz_move_answer answer = move(a, &turn, floor, NULL, NULL);
    assert_false(answer.has_contact);
    assert_int_equal(answer.certainty, GRZ_UNDECIDED);
    assert_true(answer.first_contact == answer.lower && answer.lower >= 0.0 && answer.lower <= 1.0);
    grz_mesh_destroy(a);
    grz_mesh_destroy(floor);
}

// ---- Poses ----------------------------------------------------------------------------------------------------------

static void random_turn(random_stream *random, double q[4])
{
    do
        for (int i = 0; i < 4; i++)
            q[i] = random_signed(random);
    while (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 0.1);
}

// The definition: (sin((1 - t) angle) p + sin(t angle) q) / sin(angle), with the sign of q that makes the angle acute.
static void slerp_by_definition(const double from[4], const double to[4], double t, double out[4])
{
    double p[4], q[4], length[2] = {0}, dot = 0.0;
    for (int i = 0; i < 4; i++) {
        length[0] += from[i] * from[i];
        length[1] += to[i] * to[i];
    }
    for (int i = 0; i < 4; i++) {
        p[i] = from[i] / sqrt(length[0]);
        q[i] = to[i] / sqrt(length[1]);
        dot += p[i] * q[i];
    }
    const double sign = dot < 0.0 ? -1.0 : 1.0, angle = acos(sign * dot);
    for (int i = 0; i < 4; i++)
        out[i] = (sin((1.0 - t) * angle) * p[i] + sign * sin(t * angle) * q[i]) / sin(angle);
}

static void poses_are_those_of_the_definition(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 8);
    (void)state;
    for (int round = 0; round < 500; round++) {
        double from[3], to[3], q[2][4], turn[4];
        grz_pose pose, half, expected, start, end;
        for (int i = 0; i < 3; i++) {
            from[i] = random_signed(&random);
            to[i] = random_signed(&random);
        }
        random_turn(&random, q[0]);
        random_turn(&random, q[1]);
        const double t = 0.5 + 0.5 * random_signed(&random);
        const double at[3] = {from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]),
                              from[2] + t * (to[2] - from[2])};
        const grz_motion slerp = grz_motion_slerp(from, q[0], to, q[1]), screw = grz_motion_screw(from, q[0], to, q[1]);
        slerp_by_definition(q[0], q[1], t, turn);
        assert_int_equal(grz_pose_from_quaternion(at, turn, &expected, NULL), GRZ_OK);
        assert_int_equal(grz_motion_pose(&slerp, t, &pose, NULL), GRZ_OK);
        for (int k = 0; k < 12; k++)
            assert_true(fabs(pose.m[k / 4][k % 4] - expected.m[k / 4][k % 4]) < 1e-13);
        // A constant twist: what half the time does, done twice, is what all of it does.
        assert_int_equal(grz_motion_pose(&screw, 0.0, &start, NULL), GRZ_OK);
        assert_int_equal(grz_motion_pose(&screw, 1.0, &end, NULL), GRZ_OK);
        assert_int_equal(grz_motion_pose(&screw, 0.5, &half, NULL), GRZ_OK);
        assert_int_equal(grz_pose_inverse(&start, &start, NULL), GRZ_OK);
        const grz_pose step = grz_pose_product(half, start), twice = grz_pose_product(step, half);
        for (int k = 0; k < 12; k++)
            assert_true(fabs(twice.m[k / 4][k % 4] - end.m[k / 4][k % 4]) < 1e-12);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(end.m[i][3] - to[i]) < 1e-12);
    }
}

// ---- Random motions against samples ---------------------------------------------------------------------------------

static grz_motion random_motion(random_stream *random, double far)
{
    double from[3], to[3], q[2][4];
    for (int i = 0; i < 3; i++) {
        from[i] = far * random_signed(random);
        to[i] = far * random_signed(random);
    }
    random_turn(random, q[0]);
    random_turn(random, q[1]);
    return random_below(random, 2) != 0 ? grz_motion_slerp(from, q[0], to, q[1])
                                        : grz_motion_screw(from, q[0], to, q[1]);
}

enum {
    SAMPLES = 1000
};

// Whether the surfaces touch at a time, by the rounded positions. Where a crossing was proved they do.
static bool touch_at(const grz_mesh *a, const grz_motion *motion_a, const grz_mesh *b, const grz_motion *motion_b,
                     double t)
{
    grz_object objects[2] = {grz_object_at_origin(a), grz_object_at_origin(b)};
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = test_result_create(device);
    options.find = 0;
    assert_int_equal(grz_motion_pose(motion_a, t, &objects[0].pose, NULL), GRZ_OK);
    assert_int_equal(grz_motion_pose(motion_b, t, &objects[1].pose, NULL), GRZ_OK);
    assert_int_equal(grz_collide(device, &objects[0], &objects[1], &options, result, NULL), GRZ_OK);
    const bool touch = grz_result_summary(result)->colliding;
    grz_result_destroy(result);
    return touch;
}

// The first of SAMPLES + 1 times at which the surfaces touch; infinite: none.
static double sample(const grz_mesh *a, const grz_motion *motion_a, const grz_mesh *b, const grz_motion *motion_b)
{
    static grz_pose poses[SAMPLES + 1];
    static grz_pose_answer answers[SAMPLES + 1];
    grz_collide_options options = grz_default_collide_options();
    grz_object still = grz_object_at_origin(a);
    options.find = 0;
    if (motion_a->kind == GRZ_MOTION_REST) {
        still.pose = motion_a->pose;
        for (int i = 0; i <= SAMPLES; i++)
            assert_int_equal(grz_motion_pose(motion_b, (double)i / SAMPLES, &poses[i], NULL), GRZ_OK);
        assert_int_equal(grz_collide_poses(device, &still, b, poses, SAMPLES + 1, &options, answers, NULL), GRZ_OK);
        for (int i = 0; i <= SAMPLES; i++)
            if (answers[i].relation == GRZ_COLLIDING)
                return (double)i / SAMPLES;
        return HUGE_VAL;
    }
    for (int i = 0; i <= SAMPLES; i++)
        if (touch_at(a, motion_a, b, motion_b, (double)i / SAMPLES))
            return (double)i / SAMPLES;
    return HUGE_VAL;
}

static void random_motions_agree_with_samples(void **state)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 77);
    grz_mesh *meshes[5] = {take(test_mesh_torus(1.0, 0.3, 16, 8)), take(test_mesh_icosphere(0.8, 2)),
                           take(test_mesh_cube(-0.5, -0.5, -0.5, 1.0)),
                           take(test_mesh_random_triangles(&random, 60, 0.3, 0)), take(test_mesh_grid(8, 8, 0.25))};
    grz_rigid_options options = grz_default_rigid_options();
    int contacts = 0, clear = 0, undecided = 0;
    (void)state;
    options.inside = false;
    for (int i = 0; i < rounds; i++) {
        const grz_mesh *a = meshes[random_below(&random, 5)], *b = meshes[random_below(&random, 5)];
        const grz_motion rest = grz_motion_rest(grz_pose_identity());
        const grz_motion motion_a = i % 4 != 0 ? rest : random_motion(&random, 2.0),
                         motion_b = random_motion(&random, 4.0);
        const grz_move_answer answer = move(a, &motion_a, b, &motion_b, &options);
        const double first = sample(a, &motion_a, b, &motion_b);
        contacts += answer.has_contact;
        clear += !answer.has_contact && answer.certainty == GRZ_EXACT;
        undecided += answer.certainty == GRZ_UNDECIDED;
        if (!(first >= answer.lower) || (!answer.has_contact && answer.certainty == GRZ_EXACT && first < HUGE_VAL))
            print_message("round %d: sampled %.17g, [%.17g, %.17g]\n", i, first, answer.lower, answer.upper);
        assert_true(first >= answer.lower);
        assert_true(TEST_LABEL_FITS(answer) || (answer.certainty == GRZ_UNDECIDED && !answer.has_contact));
        if (answer.has_contact && answer.upper > 0.0) {
            assert_true(answer.upper - answer.lower < 1e-3);
            assert_true(touch_at(a, &motion_a, b, &motion_b, answer.upper));
        }
    }
    print_message("%d contacts, %d clear, %d undecided\n", contacts, clear, undecided);
    assert_true(contacts > rounds / 5 && clear > rounds / 10);
    assert_int_equal(undecided, 0);
    for (int i = 0; i < 5; i++)
        grz_mesh_destroy(meshes[i]);
}

int main(int argc, char **argv)
{
    const char *more = argc > 1 ? argv[1] : getenv("GRZ_RIGID_ROUNDS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_turns_until_its_corner_reaches_a_plane),
        cmocka_unit_test(smaller_tolerances_give_closer_bounds),
        cmocka_unit_test(slerp_and_screw_differ),
        cmocka_unit_test(a_blade_never_passes_through_a_plate),
        cmocka_unit_test(halving_finds_what_is_there_at_the_end),
        cmocka_unit_test(translations_are_exact),
        cmocka_unit_test(translations_are_enclosed),
        cmocka_unit_test(the_start_is_decided_as_collide_has_it),
        cmocka_unit_test(what_cannot_be_told_is_undecided),
        cmocka_unit_test(poses_are_those_of_the_definition),
        cmocka_unit_test(random_motions_agree_with_samples),
    };
    if (more != NULL)
        rounds = (int)strtol(more, NULL, 10);
    device = test_device_open(2);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    grz_device_close(device);
    return failed;
}
