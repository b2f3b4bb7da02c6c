// SPDX-License-Identifier: MIT
// What the tests of FCL, Jolt and parry expect of pairs of shapes: their scenes and numbers, as facts; no code of
// theirs. Most come from bugs that were reported there: the reports are named. Distances are positive, depths negative.
// FCL: test_fcl_capsule_box_*.cpp, test_sphere_cylinder.cpp. Jolt: CollideShapeTests.cpp. Parry: crates/parry3d/tests.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_devices.h"
#include "compare_shapes.h"

#define V(...) ((const double[3]){__VA_ARGS__})

// Both ways round: the distance, or the depth with a minus, is this one, to 1e-9 of it or of 1.
static grz_shape_answer expect(const char *what, const grz_shape *a, const grz_shape *b, double expected)
{
    const grz_shape_answer answer = test_shapes_compare(a, b), back = test_shapes_compare(b, a);
    const double got = answer.distance - answer.depth, got_back = back.distance - back.depth,
                 near = 1e-9 * fmax(1.0, fabs(expected));
    const grz_shape_relation relation = expected > 0.0   ? GRZ_SHAPES_APART
                                        : expected < 0.0 ? GRZ_SHAPES_PENETRATING
                                                         : GRZ_SHAPES_TOUCHING;
    if (answer.certainty == GRZ_UNDECIDED || answer.relation != relation || back.relation != relation)
        fail_msg("%s: relation %d, certainty %d, must be %d", what, (int)answer.relation, (int)answer.certainty,
                 (int)relation);
    if (!(fabs(got - expected) <= near) || !(fabs(got_back - expected) <= near))
        fail_msg("%s: %.17g and %.17g, must be %.17g", what, got, got_back, expected);
    return answer;
}

static void expect_direction(const char *what, const grz_shape_answer *answer, const double direction[3])
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(answer->direction[k] - direction[k]) < 1e-6))
            fail_msg("%s: direction %g %g %g", what, answer->direction[0], answer->direction[1], answer->direction[2]);
}

// ---- FCL ----------------------------------------------------------------------------------------------------------

// A capsule of radius 2 and length 4, a box of 1 by 2 by 4. FCL's points on the box are wrong there (issue 25).
static void fcl_capsule_and_box(void **state)
{
    static const struct {
        double p[3], q[3], distance, on_box[3];
        int sure; // so many coordinates of the point on the box are unique, from the first on
    } CASES[] = {{{3, 0, -2}, {3, 0, 2}, 0.5, {0.5, 0, 0}, 1},
                 {{0, 0, 6}, {0, 0, 10}, 2.0, {0, 0, 2}, 3},
                 {{-12, 0, 0}, {-8, 0, 0}, 5.5, {-0.5, 0, 0}, 3},
                 {{-12, 0.8, 1.5}, {-8, 0.8, 1.5}, 5.5, {-0.5, 0.8, 1.5}, 3}};
    const grz_shape box = grz_shape_box(V(0, 0, 0), V(0.5, 1, 2));
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const grz_shape capsule = grz_shape_capsule(CASES[i].p, CASES[i].q, 2.0);
        const grz_shape_answer answer = expect("capsule and box", &capsule, &box, CASES[i].distance);
        for (int k = 0; k < CASES[i].sure; k++)
            assert_true(fabs(answer.point_b[k] - CASES[i].on_box[k]) < 1e-9);
    }
}

static void unit(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

// A ball whose middle is `gap` beyond a point of the cylinder's surface (inside if negative), along a unit vector.
static void ball_at_cylinder(const char *what, const double size[3], const double on[3], const double out[3],
                             double gap)
{
    const grz_shape cylinder = grz_shape_cylinder(V(0, 0, 0), size[0], 0.5 * size[1]);
    double centre[3];
    for (int k = 0; k < 3; k++)
        centre[k] = on[k] + gap * out[k];
    const grz_shape ball = grz_shape_sphere(centre, size[2]);
    const grz_shape_answer answer = expect(what, &ball, &cylinder, gap - size[2]);
    double direction[3]; // apart: towards the cylinder; else where the ball has to go
    for (int k = 0; k < 3; k++)
        direction[k] = gap > size[2] ? -out[k] : out[k];
    expect_direction(what, &answer, direction);
}

// Radius and height of the cylinder, radius of the ball: of one size, a large disc and a small ball.
static void fcl_ball_and_cylinder(void **state)
{
    static const double SIZES[][3] = {{1.2, 0.6, 0.7}, {9.0, 0.1, 0.025}},
                        SIDES[][2] = {{1, 0}, {0, 1}, {1, 0.5}, {-1, 0.5}, {-1, -0.5}, {1, -0.5}};
    (void)state;
    for (int s = 0; s < 2; s++) {
        const double *size = SIZES[s], r = size[0], half = 0.5 * size[1], inner = fmin(0.1, 0.25 * half),
                     gaps[] = {1.1 * size[2], 1.5 * size[2], 0.75 * size[2], 0.5 * size[2], 1e-16, -inner};
        for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
            for (int up = -1; up <= 1; up += 2)
                ball_at_cylinder("a cap", size, V(0.25 * r, 0.25 * r, up * half), V(0, 0, up), gaps[g]);
            for (size_t i = 0; i < sizeof SIDES / sizeof *SIDES; i++) {
                double side[3] = {SIDES[i][0], SIDES[i][1], 0.0};
                unit(side);
                ball_at_cylinder("the barrel", size, V(r * side[0], r * side[1], 0.1 * half), side, gaps[g]);
                for (int up = -1; up <= 1 && gaps[g] > 1e-9; up += 2) { // the middle beyond the edge
                    double out[3] = {side[0], side[1], 0.5 * up};
                    unit(out);
                    ball_at_cylinder("an edge", size, V(r * side[0], r * side[1], up * half), out, gaps[g]);
                }
            }
        }
    }
    // The ball in the middle: the cap, or the barrel, is nearer.
    const grz_shape ball = grz_shape_sphere(V(0, 0, 0), 0.7), flat = grz_shape_cylinder(V(0, 0, 0), 1.2, 0.3),
                    high = grz_shape_cylinder(V(0, 0, 0), 1.2, 2.4);
    expect("ball in a flat cylinder", &ball, &flat, -(0.7 + 0.3));
    expect("ball in a high cylinder", &ball, &high, -(0.7 + 1.2));
}

// ---- Jolt ---------------------------------------------------------------------------------------------------------

static void jolt_balls_and_box(void **state)
{
    const grz_shape first = grz_shape_sphere(V(10, 11, 12), 2.0), second = grz_shape_sphere(V(13, 11, 12), 1.5),
                    third = grz_shape_sphere(V(10, 21, 12), 2.0), fourth = grz_shape_sphere(V(13, 22, 12), 1.5),
                    tower = grz_shape_box(V(0, 1, 0), V(1, 10, 1)), on_top = grz_shape_sphere(V(0, 11, 0), 1.0);
    (void)state;
    grz_shape_answer answer = expect("two balls", &first, &second, -0.5);
    expect_direction("two balls", &answer, V(-1, 0, 0));
    assert_true(fabs(answer.point_a[0] - 12.0) < 1e-12 && fabs(answer.point_b[0] - 11.5) < 1e-12);
    expect("two other balls", &third, &fourth, sqrt(10.0) - 3.5);
    answer = expect("a ball at the top of a tower", &on_top, &tower, -1.0);
    expect_direction("a ball at the top of a tower", &answer, V(0, 1, 0));
    assert_true(fabs(answer.point_a[1] - 10.0) < 1e-12 && fabs(answer.point_b[1] - 11.0) < 1e-12);
}

// A capsule of length 150 whose segment runs through a box: a depth was wrong there. Moved by a little more than the
// depth they are free, by a little less they are not.
static void jolt_long_capsule_in_a_box(void **state)
{
    static const double MATRIX[4][3] = {{0.516170502, -0.803887904, -0.295520246},
                                        {0.815010250, 0.354940295, 0.458012700},
                                        {-0.263298869, -0.477264702, 0.838386655},
                                        {-10.2214508, -18.6808319, 40.7468987}}; // columns
    const double half[3] = {1.5, 0.75, 1.25}, at[3] = {-9.68538570, -18.0328083, 41.3212280};
    double corners[8][3];
    (void)state;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            corners[i][k] = MATRIX[3][k];
            for (int axis = 0; axis < 3; axis++)
                corners[i][k] += MATRIX[axis][k] * (i >> axis & 1 ? half[axis] : -half[axis]);
        }
    const grz_shape capsule = grz_shape_capsule(V(at[0], at[1], at[2] - 75.0), V(at[0], at[1], at[2] + 75.0), 1.5);
    grz_shape box = grz_shape_hull(corners[0], 8);
    const grz_shape_answer answer = test_shapes_compare(&box, &capsule);
    assert_int_equal(answer.relation, GRZ_SHAPES_PENETRATING);
    assert_true(answer.depth > 1.5 && answer.depth_upper - answer.depth_lower <= 1e-12 * answer.depth);
    for (int more = -1; more <= 1; more += 2) {
        for (int k = 0; k < 3; k++)
            box.pose.m[k][3] = (1.0 + 0.01 * more) * answer.depth * answer.direction[k];
        assert_int_equal(test_shapes_compare(&box, &capsule).relation,
                         more > 0 ? GRZ_SHAPES_APART : GRZ_SHAPES_PENETRATING);
    }
}

// A small triangle beside a box of some 500 units: the float distance said "maybe".
static void jolt_small_triangle_beside_a_large_box(void **state)
{
    static const double BOX[8][3] = {{125.932892, -374.712250, 364.192169},  {319.492218, -73.2614441, 475.009613},
                                     {-122.277550, -152.200287, 192.441437}, {71.2817841, 149.250519, 303.258881},
                                     {-77.8921967, -359.410797, 678.579712}, {115.667137, -57.9600067, 789.397095},
                                     {-326.102631, -136.898834, 506.828949}, {-132.543304, 164.551971, 617.646362}};
    const grz_shape triangle = grz_shape_triangle(V(-81.5637589, -126.987244, -146.771729),
                                                  V(-81.8749924, -127.270691, -146.544403),
                                                  V(-81.6972275, -127.383545, -146.773254)),
                    box = grz_shape_hull(BOX[0], 8);
    (void)state;
    assert_int_equal(test_shapes_compare(&triangle, &box).relation, GRZ_SHAPES_APART);
}

// A triangle nearly parallel to a capsule, in it.
static void jolt_triangle_along_a_capsule(void **state)
{
    const double v3[3] = {-0.104996204, -1.36185002, 0.269966960}, length = sqrt(v3[0] * v3[0] + v3[2] * v3[2]);
    const grz_shape triangle = grz_shape_triangle(V(-0.479988575, -1.36185002, 0.269966960),
                                                  V(-0.104996204, 0.388152480, 0.269967079), v3),
                    capsule = grz_shape_capsule(V(0, -0.5, 0), V(0, 0.5, 0), 0.37);
    (void)state;
    const grz_shape_answer answer = test_shapes_compare(&capsule, &triangle);
    assert_int_equal(answer.relation, GRZ_SHAPES_PENETRATING);
    assert_true(fabs(answer.depth - (0.37 - length)) < 1e-6);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(answer.direction[k] - (k == 1 ? 0.0 : -v3[k] / length)) < 1e-4);
}

// ---- Parry --------------------------------------------------------------------------------------------------------

static void parry_boxes(void **state)
{
    const grz_shape long_box = grz_shape_box(V(0, 0, 0), V(2, 1, 1)), beside = grz_shape_box(V(3.5, 0, 0), V(2, 1, 1)),
                    above = grz_shape_box(V(0, 0.2, 0), V(2, 1, 1)), unit_box = grz_shape_box(V(0, 0, 0), V(1, 1, 1)),
                    wide = grz_shape_box(V(-5.573167, 0, 0), V(1, 2, 2)),
                    corner = grz_shape_box(V(5, 4, 3), V(1, 1, 1)), flush = grz_shape_box(V(2, 0, 0), V(1, 2, 2)),
                    in = grz_shape_box(V(1.5, 0, 0), V(1, 2, 2));
    (void)state;
    grz_shape_answer answer = expect("boxes beside each other", &beside, &long_box, -0.5);
    expect_direction("boxes beside each other", &answer, V(1, 0, 0));
    answer = expect("boxes in each other", &above, &long_box, -1.8);
    expect_direction("boxes in each other", &answer, V(0, 1, 0));
    expect("issue 431: face and face", &unit_box, &wide, 5.573167 - 2.0);
    expect("issue 431: corner and corner", &unit_box, &corner, sqrt(14.0));
    answer = expect("issue 315: flush boxes", &unit_box, &flush, 0.0);
    expect_direction("issue 315: flush boxes", &answer, V(1, 0, 0));
    assert_true(fabs(answer.point_a[0] - 1.0) < 1e-12 && fabs(answer.point_b[0] - 1.0) < 1e-12);
    expect("issue 431: overlapping boxes", &unit_box, &in, -0.5);
    const double half = 0.78539816339744830962, sixth = 0.52359877559829887308;
    const grz_pose turned = {.m = {{cos(half), -sin(half), 0, 4}, {sin(half), cos(half), 0, 4}, {0, 0, 1, 0}}},
                   twisted = {.m = {{cos(sixth), 0, sin(sixth), 5}, {0, 1, 0, 0}, {-sin(sixth), 0, cos(sixth), 5}}};
    const grz_shape diagonal = grz_shape_box_at(turned, V(1, 1, 1)), edge = grz_shape_box_at(twisted, V(1, 1, 1));
    expect("issue 431: corner and face", &unit_box, &diagonal, 3.0 * sqrt(2.0) - 1.0);
    const double s = sin(sixth), c = cos(sixth);
    expect("issue 431: edge and edge", &unit_box, &edge, hypot(4.0 - c - s, 4.0 - c + s));
}

// Issue 70: a capsule, or a ball, that sinks into a box of 100 units was missed in many of 200 places.
static void parry_capsule_sinks_into_a_box(void **state)
{
    const grz_shape box = grz_shape_box(V(0, -50, 0), V(50, 50, 50));
    (void)state;
    for (int i = 0; i < 200; i++) {
        const double y = -0.5 + i / 200.0;
        const grz_shape capsule = grz_shape_capsule(V(0, y - 0.5, 0), V(0, y + 0.5, 0), 0.5),
                        ball = grz_shape_sphere(V(0, y, 0), 0.5);
        expect("issue 70: capsule", &capsule, &box, y - 1.0);
        expect("issue 70: ball", &ball, &box, y - 0.5);
    }
}

// Issue 396: cylinders of one axis, which lie in each other, were said to be apart. Issue 157: a box's edge in a
// cylinder.
static void parry_cylinders(void **state)
{
    static const double FREE[][2] = {{51.6, 0.1}, {60.0, 8.5}, {200.0, 148.5}},
                        BESIDE[][2] = {{101.1, 0.1}, {110.0, 9.0}};
    const grz_shape big = grz_shape_cylinder(V(0, 0, 0), 100.0, 50.0),
                    post = grz_shape_capsule(V(0, 0, -50), V(0, 0, 50), 10.0);
    grz_shape small = grz_shape_cylinder(V(0, 0, 0), 1.0, 1.5);
    (void)state;
    expect("issue 396: one axis", &small, &big, -51.5);
    expect("issue 396: a post", &post, &big, -110.0);
    small = grz_shape_cylinder(V(3, -2, 5), 1.0, 1.5);
    expect("issue 396: beside the axis", &small, &big, -46.5);
    for (size_t i = 0; i < sizeof FREE / sizeof *FREE; i++) {
        small = grz_shape_cylinder(V(0, 0, FREE[i][0]), 1.0, 1.5);
        expect("issue 396: above", &small, &big, FREE[i][1]);
    }
    for (size_t i = 0; i < sizeof BESIDE / sizeof *BESIDE; i++) {
        small = grz_shape_cylinder(V(BESIDE[i][0], 0, 0), 1.0, 1.5);
        expect("issue 396: beside", &small, &big, BESIDE[i][1]);
    }
    // Their axis is y: turned to z, the coordinates go round.
    const grz_shape barrel = grz_shape_cylinder(V(61.02, 10.97, 0.925), 0.5, 0.925),
                    board = grz_shape_box(V(60.5, 11.5, 0.75), V(0.5, 0.05, 0.75));
    expect("issue 157", &barrel, &board, hypot(61.02 - 61.0, 11.45 - 10.97) - 0.5);
}

// Issues 246 and 253: a corner of a triangle in the plane of another one, at its edge: no closest points were found.
static void parry_corner_at_an_edge(void **state)
{
    const grz_shape flat = grz_shape_triangle(V(-13.174434, 1.0, 8.736801), V(3.5251038, 1.0, 12.1),
                                              V(3.2048466, 1.0, 12.218325)),
                    upright = grz_shape_triangle(V(-1.63, 0.0, 11.19), V(-2.349647, 0.0, 11.037681),
                                                 V(-2.349647, 1.0, 11.037681));
    (void)state;
    const grz_shape_answer answer = test_shapes_compare(&flat, &upright);
    assert_true(answer.certainty != GRZ_UNDECIDED && answer.upper < 0.1 && answer.relation != GRZ_SHAPES_PENETRATING);
    assert_true(fabs(answer.point_a[1] - 1.0) < 1e-9 && fabs(answer.point_b[0] + 2.349647) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcl_capsule_and_box),
        cmocka_unit_test(fcl_ball_and_cylinder),
        cmocka_unit_test(jolt_balls_and_box),
        cmocka_unit_test(jolt_long_capsule_in_a_box),
        cmocka_unit_test(jolt_small_triangle_beside_a_large_box),
        cmocka_unit_test(jolt_triangle_along_a_capsule),
        cmocka_unit_test(parry_boxes),
        cmocka_unit_test(parry_capsule_sinks_into_a_box),
        cmocka_unit_test(parry_cylinders),
        cmocka_unit_test(parry_corner_at_an_edge),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
