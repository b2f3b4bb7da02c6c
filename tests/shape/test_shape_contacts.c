// SPDX-License-Identifier: MIT
// Where shapes touch, and where they part last: the points and normals of contacts, round shapes that rest on others,
// and the depth of bodies of revolution.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "pair_generator.h"
#include "support_devices.h"
#include "support_sanitizer.h"
#include "compare_shapes.h"

static const double ORIGIN[3] = {0.0, 0.0, 0.0};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double between(const double p[3], const double q[3])
{
    const double way[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    return sqrt(dot(way, way));
}

static void move(grz_shape *shape, const double way[3], double far)
{
    for (int k = 0; k < 3; k++)
        shape->pose.m[k][3] += far * way[k];
}

// Whether a point is on the surface of a shape.
static bool is_on(const grz_shape *shape, const double point[3], double near)
{
    const grz_shape at = grz_shape_point(point);
    const grz_shape_answer answer = test_shapes_compare(shape, &at);
    return answer.upper <= near && answer.depth_upper <= near;
}

// A shape that lies on its side: its z axis along x.
static grz_shape lying(grz_shape shape)
{
    static const double TURN[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 9; i++)
        shape.pose.m[i / 3][i % 3] = TURN[i / 3][i % 3];
    return shape;
}

static grz_shape random_shape_at(random_stream *random, int kind, bool whole)
{
    double half[3], at[3], end[3];
    for (int k = 0; k < 3; k++) {
        half[k] = whole ? 1.0 + random_below(random, 3) : 0.25 + fabs(random_signed(random));
        at[k] = whole ? (double)random_below(random, 5) - 2.0 : 1.5 * random_signed(random);
        end[k] = at[k] + (whole ? (double)random_below(random, 3) : random_signed(random));
    }
    switch (kind) {
    case 6:
        return grz_shape_triangle(at, end, half);
    case 0:
        return grz_shape_box(at, half);
    case 1:
        return grz_shape_sphere(at, half[0]);
    case 2:
        return grz_shape_capsule(at, end, half[1]);
    case 3:
        return grz_shape_cylinder(at, half[0], half[1]);
    case 4:
        return grz_shape_cone(at, half[0], half[1]);
    default:
        return grz_shape_ellipsoid(at, half);
    }
}

// ---- Points of contact ---------------------------------------------------------------------------------------------

static void check_contact(const grz_shape *a, const grz_shape *b, const grz_shape_answer *answer)
{
    const double size = 1e-10;
    grz_shape moved = *a;
    for (int k = 0; k < 3; k++)
        if (!(fabs(answer->point_b[k] - (answer->point_a[k] + answer->depth * answer->direction[k])) < 1e-13))
            fail_msg("the points are not the depth apart along the direction");
    assert_true(answer->depth == answer->depth_upper);
    const double wide = answer->depth_upper - answer->depth_lower;
    if (!(is_on(a, answer->point_a, size + wide) && is_on(b, answer->point_b, size + wide)))
        fail_msg("kinds %d r %g and %d r %g: the points are not on the surfaces: depth %.17g to %.17g, direction "
                 "%.17g,%.17g,%.17g",
                 (int)a->kind, a->radius, (int)b->kind, b->radius, answer->depth_lower, answer->depth_upper,
                 answer->direction[0], answer->direction[1], answer->direction[2]);
    // Once A has moved, they touch there.
    move(&moved, answer->direction, answer->depth);
    const grz_shape_answer after = test_shapes_compare(&moved, b);
    if (!(after.lower < 1e-11 + wide && after.depth_lower < 1e-11 + wide))
        fail_msg("kinds %d and %d: moved by the depth, %.17g to %.17g, they are %g apart, or deep %g in each other",
                 (int)a->kind, (int)b->kind, answer->depth_lower, answer->depth_upper, after.lower, after.depth_lower);
    assert_true(is_on(&moved, answer->point_b, size + wide));
}

static void test_points_of_depth(void **state)
{
    random_stream random = {411};
    int penetrating = 0, trials = TEST_SANITIZED ? 400 : 6000;
    (void)state;
    for (int trial = 0; trial < trials; trial++) {
        const bool whole = trial % 2 == 0;
        grz_shape a = random_shape_at(&random, (int)random_below(&random, 7), whole),
                  b = random_shape_at(&random, (int)random_below(&random, 7), whole);
        if (random_below(&random, 3) == 0)
            a = lying(a);
        if (random_below(&random, 3) == 0)
            b = lying(b);
        const grz_shape_answer answer = test_shapes_compare(&a, &b);
        if (answer.relation != GRZ_SHAPES_PENETRATING)
            continue;
        penetrating++;
        check_contact(&a, &b, &answer);
    }
    assert_true(penetrating > trials / 3);
}

static void expect_points(const grz_shape *a, const grz_shape *b, const double point_a[3], const double point_b[3])
{
    const grz_shape_answer answer = test_shapes_compare(a, b), back = test_shapes_compare(b, a);
    if (!(between(answer.point_a, point_a) < 1e-12 && between(answer.point_b, point_b) < 1e-12))
        fail_msg("points %g,%g,%g and %g,%g,%g", answer.point_a[0], answer.point_a[1], answer.point_a[2],
                 answer.point_b[0], answer.point_b[1], answer.point_b[2]);
    assert_true(between(back.point_a, point_b) < 1e-12 && between(back.point_b, point_a) < 1e-12);
}

// In the middle of a contact that is a face or an edge.
static void test_middles(void **state)
{
    const double cube[3] = {1, 1, 1}, slab[3] = {3, 3, 1}, above[3] = {0.5, 0.25, 1.75}, small[3] = {0.1, 0.1, 0.1},
                 beside[3] = {1.05, 0.5, 0.25}, in[3] = {-0.15, 0, 0}, thin[3] = {0.3, 0.6, 1.8},
                 p[3] = {-0.5, 0, 1.375}, q[3] = {2.5, 0, 1.375};
    (void)state;
    const grz_shape box = grz_shape_box(ORIGIN, cube), floor = grz_shape_box(ORIGIN, slab),
                    upper = grz_shape_box(above, cube), chip = grz_shape_box(beside, small),
                    ball = grz_shape_sphere(in, 0.7), plate = grz_shape_box(ORIGIN, thin),
                    rod = grz_shape_capsule(p, q, 0.5), drum = grz_shape_cylinder(above, 0.5, 1.0);
    // Of two faces, the middle of what they have in common: x from -0.5 to 1, y from -0.75 to 1.
    expect_points(&upper, &box, (const double[3]){0.25, 0.125, 0.75}, (const double[3]){0.25, 0.125, 1.0});
    expect_points(&upper, &floor, (const double[3]){0.5, 0.25, 0.75}, (const double[3]){0.5, 0.25, 1.0});
    expect_points(&drum, &floor, (const double[3]){0.5, 0.25, 0.75}, (const double[3]){0.5, 0.25, 1.0});
    expect_points(&box, &chip, (const double[3]){1.0, 0.5, 0.25}, (const double[3]){0.95, 0.5, 0.25});
    // The middle of the ball is in the box.
    expect_points(&ball, &plate, (const double[3]){0.55, 0, 0}, (const double[3]){-0.3, 0, 0});
    // A capsule that lies on a box: above it from -0.5 to 1.
    expect_points(&rod, &box, (const double[3]){0.25, 0, 0.875}, (const double[3]){0.25, 0, 1.0});
}

// ---- Touches -------------------------------------------------------------------------------------------------------

// Boxes of whole numbers. Faces that share an area have one normal, edges and corners more than one.
static void test_normals_of_boxes(void **state)
{
    random_stream random = {412};
    int fixed = 0, loose = 0;
    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        double half[2][3], at[2][3], n[3] = {0, 0, 0};
        int flush = 0, shared = 0, axis = 0;
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 2; i++) {
                half[i][k] = 1.0 + random_below(&random, 3);
                at[i][k] = (double)random_below(&random, 9) - 4.0;
            }
            const double gap = fabs(at[1][k] - at[0][k]) - half[0][k] - half[1][k];
            flush += gap == 0.0;
            shared += gap < 0.0;
            axis = gap == 0.0 ? k : axis;
        }
        const grz_shape a = grz_shape_box(at[0], half[0]), b = grz_shape_box(at[1], half[1]);
        const grz_shape_answer answer = test_shapes_compare(&a, &b);
        if (flush + shared < 3 || flush == 0)
            continue;
        assert_int_equal(answer.relation, GRZ_SHAPES_TOUCHING);
        n[axis] = flush == 1 ? at[1][axis] > at[0][axis] ? 1.0 : -1.0 : 0.0;
        assert_true(between(answer.direction, n) == 0.0);
        assert_true(between(answer.point_a, answer.point_b) == 0.0);
        for (int k = 0; k < 3; k++) { // the middle of what they share
            const double low = fmax(at[0][k] - half[0][k], at[1][k] - half[1][k]),
                         high = fmin(at[0][k] + half[0][k], at[1][k] + half[1][k]);
            assert_true(answer.point_a[k] >= low - 1e-12 && answer.point_a[k] <= high + 1e-12);
            assert_true(flush > 1 || fabs(answer.point_a[k] - 0.5 * (low + high)) < 1e-12);
        }
        fixed += flush == 1;
        loose += flush > 1;
    }
    assert_true(fixed > 100 && loose > 30);
}

// Two tetrahedra that touch in all ways: corner in face, edge on edge, corner on edge, corner on corner, flat ones.
static void test_normals_of_corners(void **state)
{
    static const double BASE[3][3] = {{0, 0, 0}, {6, 0, 0}, {0, 6, 0}};
    static const struct {
        double tip[3];  // of a triangle above the first
        double foot[3]; // its second corner
        bool fixed;
    } CASES[] = {{{2, 2, 0}, {2, 3, 4}, true},  {{3, 0, 0}, {3, -3, 4}, false}, {{0, 0, 0}, {-1, -1, 4}, false},
                 {{2, 2, 0}, {1, 2, 0}, true},  {{3, 3, 0}, {6, 6, 0}, false},  {{6, 0, 0}, {2, 1, 0}, true},
                 {{-1, 2, 0}, {1, 2, 0}, true}, {{3, 3, 0}, {2, 4, 0}, false}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double below[4][3], above[3][3];
        memcpy(below, BASE, sizeof BASE);
        memcpy(below[3], (const double[3]){1, 1, -5}, sizeof below[3]);
        memcpy(above[0], CASES[i].tip, sizeof above[0]);
        memcpy(above[1], CASES[i].foot, sizeof above[1]);
        memcpy(above[2], (const double[3]){3, 2, 7}, sizeof above[2]);
        const grz_shape a = grz_shape_hull(below[0], 4), b = grz_shape_hull(above[0], 3);
        const grz_shape_answer answer = test_shapes_compare(&a, &b), back = test_shapes_compare(&b, &a);
        assert_int_equal(answer.relation, GRZ_SHAPES_TOUCHING);
        const double up[3] = {0, 0, CASES[i].fixed ? 1.0 : 0.0}, down[3] = {0, 0, -up[2]};
        if (!(between(answer.direction, up) < 1e-15 && between(back.direction, down) < 1e-15))
            fail_msg("case %zu: direction %g,%g,%g", i, answer.direction[0], answer.direction[1], answer.direction[2]);
    }
    // Triangles in one plane have two planes beside it that separate them.
    const grz_shape flat = grz_shape_triangle(BASE[0], BASE[1], BASE[2]);
    const grz_shape_answer answer = test_shapes_compare(&flat, &flat);
    assert_int_equal(answer.relation, GRZ_SHAPES_TOUCHING);
    assert_true(between(answer.direction, ORIGIN) == 0.0);
}

// Shapes with a radius that touch: the points are on the surfaces, and the normal is known.
static void test_touching_radii(void **state)
{
    const double cube[3] = {1, 1, 1}, p[3] = {-0.5, 0, 1.5}, q[3] = {0.5, 0, 1.5}, high[3] = {0, 0, 1.5},
                 corner[3] = {3, 4, 0}, left[3] = {0, 0, 0}, right[3] = {6, 0, 0}, back[3] = {0, 6, 0},
                 over[3] = {1, 1, 0.5};
    const grz_shape shapes[][2] = {
        {grz_shape_sphere(high, 0.5), grz_shape_box(ORIGIN, cube)},
        {grz_shape_capsule(p, q, 0.5), grz_shape_box(ORIGIN, cube)},
        {grz_shape_sphere(ORIGIN, 2), grz_shape_sphere(corner, 3)},
        {grz_shape_sphere(over, 0.5), grz_shape_triangle(left, right, back)},
    };
    const double points[][3] = {{0, 0, 1}, {0, 0, 1}, {1.2, 1.6, 0}, {1, 1, 0}},
                 normals[][3] = {{0, 0, -1}, {0, 0, -1}, {0.6, 0.8, 0}, {0, 0, -1}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const grz_shape_answer answer = test_shapes_compare(&shapes[i][0], &shapes[i][1]);
        assert_int_equal(answer.relation, GRZ_SHAPES_TOUCHING);
        assert_true(between(answer.direction, normals[i]) < 1e-15);
        expect_points(&shapes[i][0], &shapes[i][1], points[i], points[i]);
    }
}

// ---- Round shapes that rest ----------------------------------------------------------------------------------------

static grz_shape cylinder_at(double x, double y, double z, double radius, double half)
{
    const double at[3] = {x, y, z};
    return grz_shape_cylinder(at, radius, half);
}

static grz_shape cone_at(double x, double y, double z, double radius, double half)
{
    const double at[3] = {x, y, z};
    return grz_shape_cone(at, radius, half);
}

static grz_shape egg_at(double x, double y, double z, double a, double b, double c)
{
    const double at[3] = {x, y, z}, half[3] = {a, b, c};
    return grz_shape_ellipsoid(at, half);
}

static grz_shape box_at(double x, double y, double z, double a, double b, double c)
{
    const double at[3] = {x, y, z}, half[3] = {a, b, c};
    return grz_shape_box(at, half);
}

static grz_shape ball_at(double x, double y, double z, double radius)
{
    const double at[3] = {x, y, z};
    return grz_shape_sphere(at, radius);
}

static grz_shape grown(grz_shape shape, double radius)
{
    shape.radius = radius;
    return shape;
}

typedef struct rest {
    grz_shape a, b;
    double n[3]; // from A to B; zeros: it has more than one
} rest;

// All map of whole numbers keep what touches touching.
static void stretch(grz_shape *shape, const double m[3][3])
{
    const grz_pose old = shape->pose;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            shape->pose.m[i][j] = m[i][0] * old.m[0][j] + m[i][1] * old.m[1][j] + m[i][2] * old.m[2][j];
}

static void check_rest(const rest *r, int number)
{
    const grz_shape_answer answer = test_shapes_compare(&r->a, &r->b), back = test_shapes_compare(&r->b, &r->a);
    if (answer.relation != GRZ_SHAPES_TOUCHING || back.relation != GRZ_SHAPES_TOUCHING)
        fail_msg("case %d: relations %d and %d", number, (int)answer.relation, (int)back.relation);
    if (!(between(answer.direction, r->n) < 1e-14) || !(fabs(dot(back.direction, r->n) + dot(r->n, r->n)) < 1e-14))
        fail_msg("case %d: direction %g,%g,%g", number, answer.direction[0], answer.direction[1], answer.direction[2]);
    assert_true(is_on(&r->a, answer.point_a, 1e-11) && is_on(&r->b, answer.point_a, 1e-11));
    assert_true(answer.certainty == GRZ_EXACT && answer.distance == 0.0 && answer.depth == 0.0);
}

static void test_resting_round(void **state)
{
    const double tip[3] = {1, 0, 1}, left[3] = {4, 1, 4}, right[3] = {4, -1, 4};
    const double near_rim[3] = {0.97, 0.195, 1}, one[3] = {-3, 5, 4}, other[3] = {5, -8, 6};
    const double low[3] = {3, 4, 0}, high[3] = {3, 4, 5}, before[3] = {-1, 7, -1}, behind[3] = {7, 1, 1};
    const grz_shape fang = grz_shape_triangle(tip, left, right), beak = grz_shape_triangle(near_rim, one, other);
    const rest rests[] = {
        {cylinder_at(0, 0, 0, 1, 1), box_at(0, 0, -2, 3, 3, 1), {0, 0, -1}}, // on a floor
        {cylinder_at(5, 0, 0, 3, 1), box_at(0, 0, -2, 3, 3, 1), {0, 0, -1}}, // partly beside it
        {cylinder_at(0, 0, 0, 1, 1), cylinder_at(0, 0, 2, 2, 1), {0, 0, 1}}, // caps
        {cylinder_at(0, 0, 0, 1, 1), cylinder_at(1, 1, 2, 2, 1), {0, 0, 1}}, // caps that overlap partly
        {cone_at(0, 0, 0, 1, 1), box_at(0, 0, -2, 3, 3, 1), {0, 0, -1}},     // a cone's base
        {cone_at(0, 0, 0, 1, 1), box_at(0, 0, 2, 3, 3, 1), {0, 0, 1}},       // its apex in a face
        {cone_at(0, 0, 0, 2, 1), cone_at(0, 0, 2, 2, 1), {0, 0, 1}},         // its apex in a base
        {egg_at(0, 0, 0, 1, 2, 3), egg_at(2, 0, 0, 1, 2, 3), {1, 0, 0}},     //
        {egg_at(0, 0, 0, 1, 2, 3), box_at(2, 0, 0, 1, 2, 3), {1, 0, 0}},     //
        {egg_at(1, 1, 3, 1, 2, 3), box_at(0, 0, -2, 3, 3, 2), {0, 0, -1}},   // on a floor, beside its middle
        {cylinder_at(0, 0, 0, 1, 1), cylinder_at(2, 0, 1, 1, 1), {1, 0, 0}}, // side by side, one higher
        {cylinder_at(0, 0, 0, 5, 1), cylinder_at(6, 8, 0, 5, 2), {0.6, 0.8, 0}},
        {cylinder_at(0, 0, 0, 1, 1), ball_at(2, 0, 0, 1), {1, 0, 0}},                 // a ball at its side
        {cylinder_at(0, 0, 0, 1, 1), ball_at(0.5, 0, 3, 2), {0, 0, 1}},               // a ball on its cap
        {egg_at(0, 0, 0, 1, 2, 3), ball_at(0, 4, 0, 2), {0, 1, 0}},                   //
        {lying(cylinder_at(0, 0, 1, 1, 2)), box_at(0, 0, -1, 3, 3, 1), {0, 0, -1}},   // lying on a floor
        {lying(cylinder_at(3, 0, 1, 1, 2)), box_at(0, 0, -1, 3, 3, 1), {0, 0, -1}},   // the same, over its edge
        {lying(cylinder_at(0, 0, 1, 1, 2)), cylinder_at(0, 0, -1, 1, 1), {0, 0, -1}}, // on a cap
        {cylinder_at(0, 0, 0, 1, 1), box_at(2, 0, 3, 1, 1, 2), {0, 0, 0}},            // the rim at an edge
        {cylinder_at(0, 0, 0, 1, 1), box_at(2, 0, 2, 1, 1, 1), {0, 0, 0}},            //
        {grown(egg_at(0, 0, 0, 1, 2, 3), 0.5), grown(egg_at(3, 0, 0, 1, 2, 3), 0.5), {1, 0, 0}},
        {cylinder_at(0, 0, 0, 1, 1), beak, {0, 0, 1}},                         // a corner in a cap, next to its rim
        {cylinder_at(0, 0, 0, 1, 1), fang, {0, 0, 0}},                         // a corner at the rim
        {cylinder_at(0, 0, 0, 5, 1), box_at(4, 6, 0, 1, 2, 3), {0.6, 0.8, 0}}, // an edge of a box at its side
        // Where they touch is no double: fifths.
        {cylinder_at(0, 0, 0, 2, 1), ball_at(3, 4, 0.5, 3), {0.6, 0.8, 0}},
        {cylinder_at(0, 0, 0, 2, 1), cylinder_at(3, 4, 1, 3, 2), {0.6, 0.8, 0}},
        {cylinder_at(0, 0, 0, 2, 1), cylinder_at(3, 4, 3, 3, 2), {0, 0, 0}}, // an end at an end
        {cylinder_at(0, 0, 0, 2, 1), grz_shape_capsule(low, high, 3), {0.6, 0.8, 0}},
        {cylinder_at(0, 0, 0, 2, 1), grz_shape_capsule(before, behind, 3), {0.6, 0.8, 0}}, // across
        {lying(cylinder_at(0, 0, 0, 2, 1)), ball_at(0.5, 3, 4, 3), {0, 0.6, 0.8}},
        {cone_at(0, 0, 0, 3, 2), ball_at(1.5, 2, 0.75, 1.25), {0.48, 0.64, 0.6}}, // a cone's side
        {egg_at(0, 0, 0, 5, 5, 2), ball_at(6, 8, 0, 5), {0.6, 0.8, 0}},
        {egg_at(0, 0, 0, 2, 2, 7), egg_at(3, 4, 0, 3, 3, 1), {0.6, 0.8, 0}},
        {cylinder_at(0, 0, 0, 29, 1), ball_at(2021, 180, 0, 2000), {2021.0 / 2029, 180.0 / 2029, 0}},
    };
    random_stream random = {413};
    int skewed = 0, undecided = 0;
    (void)state;
    for (int i = 0; i < (int)(sizeof rests / sizeof *rests); i++) {
        check_rest(&rests[i], i);
        if (dot(rests[i].n, rests[i].n) == 0.0)
            continue;
        // A little away they are apart, a little nearer they penetrate.
        rest moved = rests[i];
        move(&moved.a, moved.n, -0x1p-36);
        assert_int_equal(test_shapes_compare(&moved.a, &moved.b).relation, GRZ_SHAPES_APART);
        move(&moved.a, moved.n, 0x1p-35);
        assert_int_equal(test_shapes_compare(&moved.a, &moved.b).relation, GRZ_SHAPES_PENETRATING);
        if (rests[i].a.radius > 0.0 || rests[i].b.radius > 0.0)
            continue;
        for (int trial = 0; trial < (TEST_SANITIZED ? 2 : 20); trial++) {
            double m[3][3];
            const uint32_t most = trial % 2 == 0 ? 2 : 4000; // the normal's ratios are those of large numbers then
            for (int k = 0; k < 9; k++)
                m[k / 3][k % 3] = (double)random_below(&random, 2 * most + 1) - most;
            const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
            if (det == 0.0)
                continue;
            rest mapped = rests[i];
            stretch(&mapped.a, (const double(*)[3])m);
            stretch(&mapped.b, (const double(*)[3])m);
            const grz_shape_answer answer = test_shapes_compare(&mapped.a, &mapped.b);
            if (answer.relation != GRZ_SHAPES_TOUCHING && (most == 2 || answer.relation != GRZ_SHAPES_UNDECIDED))
                fail_msg("case %d, map %d: relation %d", i, trial, (int)answer.relation);
            skewed++;
            undecided += answer.relation == GRZ_SHAPES_UNDECIDED;
        }
    }
    assert_true(undecided * 20 <= skewed);
}

// A plane separates them without room, but they are past each other: by less than doubles tell.
static void test_past_an_end(void **state)
{
    const double beyond = 1.0 + 0x1p-45, low[3] = {3, 4, beyond}, high[3] = {3, 4, 5};
    const double before[3] = {-1, 7, beyond}, behind[3] = {7, 1, beyond};
    const grz_shape column = cylinder_at(0, 0, 0, 2, 1), cone = cone_at(0, 0, 0, 3, 2);
    const grz_shape others[] = {ball_at(3, 4, beyond, 3), grz_shape_capsule(low, high, 3),
                                grz_shape_capsule(before, behind, 3), cylinder_at(3, 4, 3 + 0x1p-45, 3, 2)};
    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_not_equal(test_shapes_compare(&column, &others[i]).relation, GRZ_SHAPES_TOUCHING);
        assert_int_not_equal(test_shapes_compare(&others[i], &column).relation, GRZ_SHAPES_TOUCHING);
    }
    // At the plane of a cone's side, beyond its rim: the middle of the side, moved twice the side down.
    const double more = 0x1p-40;
    const grz_shape below = ball_at(1.5 + 0.9 + 0.9 * more, 2 + 1.2 + 1.2 * more, 0.75 - 2 - 2 * more, 1.25);
    assert_int_not_equal(test_shapes_compare(&cone, &below).relation, GRZ_SHAPES_TOUCHING);
}

// What a plane separates without room need not touch: the rim of a cylinder, a rounding beside the edge of a box;
// points a rounding outside of a cylinder's side.
static void test_almost_touching(void **state)
{
    const grz_shape floor = box_at(0, 0, -2, 3, 3, 1), drum = cylinder_at(4 + 0x1p-50, 0, 0, 1, 1),
                    column = cylinder_at(0, 0, 0, 1, 1);
    int outside = 0, inside = 0;
    (void)state;
    assert_int_equal(test_shapes_compare(&drum, &floor).relation, GRZ_SHAPES_APART);
    for (int i = 0; i < 2000; i++) {
        const double x = cos(i * 0.001), y = sin(i * 0.001), at[3] = {x, y, 0.25};
        const double xx = x * x, yy = y * y; // x² + y² - 1, exactly enough to know its sign
        const double sum = xx + yy, lost = fabs(xx) > fabs(yy) ? (xx - sum) + yy : (yy - sum) + xx;
        const double excess = (sum - 1.0) + (lost + (fma(x, x, -xx) + fma(y, y, -yy)));
        const grz_shape point = grz_shape_point(at);
        const grz_shape_relation relation = test_shapes_compare(&column, &point).relation;
        if (excess > 0.0)
            assert_true(relation == GRZ_SHAPES_APART || relation == GRZ_SHAPES_UNDECIDED);
        else
            assert_true(relation != GRZ_SHAPES_APART);
        outside += excess > 0.0;
        inside += excess < 0.0;
    }
    assert_true(outside > 200 && inside > 200);
}

// Round shapes without an inside. Points beside them are apart, or not decided.
static void test_flat_round(void **state)
{
    const double a_little = 0x1p-24, beside[3] = {0, 1, a_little}, far[3] = {4 * (1 + 0x1p-52), 3 * (1 + 0x1p-52), 0},
                 flat_x[3] = {0, 1, 1}, flat_z[3] = {5, 5, 0}, over[3] = {0, 0x1p-200, 1}, two[3] = {2, 1, 0},
                 three[3] = {0, 2, 1};
    const grz_shape points[2] = {grz_shape_point(beside), grz_shape_point(far)},
                    triangle = grz_shape_triangle(over, two, three);
    const grz_shape sheets[] = {grz_shape_ellipsoid(ORIGIN, flat_x), grz_shape_ellipsoid(ORIGIN, flat_z),
                                grz_shape_cone(ORIGIN, 5, 0), grz_shape_cylinder(ORIGIN, 0, 1)};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const grz_shape *other = i == 0 ? &points[0] : i < 3 ? &points[1] : &triangle;
        const grz_shape_answer answer = test_shapes_compare(&sheets[i], other);
        assert_true(answer.relation == GRZ_SHAPES_APART || answer.relation == GRZ_SHAPES_UNDECIDED);
    }
}

// Apart by less than a rounding: the direction is that of the plane that was proved to be between.
static void test_direction_of_nearly_touching(void **state)
{
    const double at[3] = {1 + 0x1p-51, 2, 2}, p[3] = {10, 0.25, 1 + 0x1p-52}, q[3] = {9, 0.75, 1 + 0x1p-52},
                 r[3] = {9, -0.25, 1 + 0x1p-52}, z[3] = {0, 0, 1}, way[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
    const grz_shape ball = egg_at(0, 0, 0, 3, 3, 3), point = grz_shape_point(at), drum = cylinder_at(10, 0, 0, 1, 1),
                    triangle = grz_shape_triangle(p, q, r);
    (void)state;
    const grz_shape_answer first = test_shapes_compare(&ball, &point), second = test_shapes_compare(&drum, &triangle);
    assert_true(first.relation == GRZ_SHAPES_APART && between(first.direction, way) < 1e-12);
    assert_true(between(first.point_a, at) < 1e-12 && between(first.point_b, at) < 1e-12);
    assert_true(second.relation == GRZ_SHAPES_APART && between(second.direction, z) < 1e-12);
}

// The same on a mesh.
static void test_resting_on_mesh(void **state)
{
    const double points[] = {-3, -3, -1, 3, -3, -1, 0, 4, -1};
    const uint32_t corners[] = {0, 1, 2};
    const grz_mesh_description description = grz_mesh_description_from_triangles(points, GRZ_FLOAT64, 3, corners, 1);
    const grz_shape drum = grz_shape_cylinder(ORIGIN, 1, 1);
    grz_mesh *mesh;
    uint32_t face;
    uint64_t found;
    grz_error error;
    (void)state;
    assert_int_equal(grz_mesh_create(test_device, &description, &mesh, &error), GRZ_OK);
    const grz_object floor = grz_object_at_origin(mesh);
    grz_shape_object_answer answer;
    assert_int_equal(grz_shape_compare_object(test_device, &drum, &floor, NULL, &answer, &error), GRZ_OK);
    assert_true(answer.relation == GRZ_SHAPES_TOUCHING && answer.certainty == GRZ_EXACT);
    assert_true(fabs(answer.point_shape[2] + 1.0) < 1e-12 && between(answer.point_shape, answer.point_mesh) == 0.0);
    assert_int_equal(grz_shape_faces(test_device, &drum, &floor, NULL, &face, 1, &found, &error), GRZ_OK);
    assert_int_equal(found, 1);
    grz_mesh_destroy(mesh);
}

// ---- Bodies of revolution ------------------------------------------------------------------------------------------

static void test_depth_of_revolution(void **state)
{
    static const double SIZES[][3] = {{0.7, 1.2, 20}, {0.7, 1.2, 2.4}, {0.5, 1, 30}, {1, 1, 10}, {0.1, 1, 10}};
    random_stream random = {414};
    (void)state;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        const double *s = SIZES[i], expected = s[0] + fmin(s[1], 0.5 * s[2]);
        const grz_shape ball = grz_shape_sphere(ORIGIN, s[0]), drum = grz_shape_cylinder(ORIGIN, s[1], 0.5 * s[2]);
        const grz_shape_answer answer = test_shapes_compare(&ball, &drum);
        assert_true(answer.depth_lower <= expected && expected <= answer.depth_upper);
        if (!(answer.depth_upper - answer.depth_lower < 1e-12 && answer.depth == answer.depth_upper))
            fail_msg("row %zu: depth %.17g in %.17g to %.17g", i, answer.depth, answer.depth_lower, answer.depth_upper);
    }
    for (int trial = 0; trial < (TEST_SANITIZED ? 100 : 1500); trial++) {
        const double near = ldexp(1.0, -(int)random_below(&random, 40));
        grz_shape shapes[2];
        for (int i = 0; i < 2; i++) {
            const double r = 0.5 + fabs(random_signed(&random)), h = 0.5 + fabs(random_signed(&random)),
                         at[3] = {near * random_signed(&random), near * random_signed(&random), random_signed(&random)},
                         end[3] = {at[0], at[1], at[2] + h};
            const uint32_t kind = random_below(&random, 4);
            shapes[i] = kind == 0   ? grz_shape_cylinder(at, r, h)
                        : kind == 1 ? grz_shape_cone(at, r, h)
                        : kind == 2 ? grz_shape_capsule(at, end, r)
                                    : grz_shape_sphere(at, r);
            if (trial % 3 == 0 && random_below(&random, 2) == 0)
                for (int k = 1; k < 3; k++) // upside down
                    shapes[i].pose.m[k][k] = -shapes[i].pose.m[k][k];
        }
        const grz_shape_answer answer = test_shapes_compare(&shapes[0], &shapes[1]);
        if (answer.relation != GRZ_SHAPES_PENETRATING)
            continue;
        assert_true(answer.depth_upper - answer.depth_lower < 1e-12);
        for (int i = 0; i < 8; i++) {
            double way[3], length;
            for (int k = 0; k < 3; k++)
                way[k] = i < 4 ? answer.direction[k] + (i == 0 ? 0.0 : 0.3) * random_signed(&random)
                               : random_signed(&random);
            length = sqrt(dot(way, way));
            grz_shape moved = shapes[0];
            move(&moved, way, (1.0 - 1e-9) * answer.depth_lower / length);
            assert_int_equal(test_shapes_compare(&moved, &shapes[1]).relation, GRZ_SHAPES_PENETRATING);
        }
        grz_shape moved = shapes[0];
        move(&moved, answer.direction, answer.depth_upper + 1e-11);
        assert_int_equal(test_shapes_compare(&moved, &shapes[1]).relation, GRZ_SHAPES_APART);
    }
}

// ---- Manifolds -----------------------------------------------------------------------------------------------------

static grz_shape_manifold manifold_of(const grz_shape *a, const grz_shape *b)
{
    grz_shape_manifold m;
    grz_error error;
    if (grz_shapes_manifold(test_device, a, b, NULL, &m, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_shape_answer answer = test_shapes_compare(a, b);
    assert_int_equal(m.answer.relation, answer.relation);
    assert_true(m.answer.depth == answer.depth && between(m.answer.direction, answer.direction) == 0.0);
    assert_true(answer.relation == GRZ_SHAPES_TOUCHING || answer.relation == GRZ_SHAPES_PENETRATING ? m.count > 0
                                                                                                    : m.count == 0);
    for (uint32_t i = 0; i < m.count; i++) {
        const grz_shape_manifold_point *p = &m.points[i];
        assert_true(p->depth >= 0.0 && p->depth <= answer.depth && p->depth <= m.points[0].depth);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(p->point_b[k] - (p->point_a[k] + p->depth * m.answer.direction[k])) < 1e-13);
        for (uint32_t j = 0; j < i; j++)
            assert_true(between(p->point_a, m.points[j].point_a) > 0.0);
    }
    return m;
}

// Which of the points are at a place: as bits.
static unsigned at_place(const grz_shape_manifold *m, double x, double y)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < m->count; i++)
        if (hypot(m->points[i].point_a[0] - x, m->points[i].point_a[1] - y) < 1e-12)
            found |= 1u << i;
    return found;
}

static bool is_feature(grz_feature f, uint32_t first, uint32_t second)
{
    return f.vertex[0] == first && f.vertex[1] == second;
}

static void test_manifolds(void **state)
{
    const uint32_t none = GRZ_NO_VERTEX;
    (void)state;
    // A box on a larger one: its four lower corners, in the upper face.
    grz_shape crate = box_at(0.5, 0, 1.75, 1, 1, 1), floor = box_at(0, 0, 0, 3, 3, 1);
    grz_shape_manifold m = manifold_of(&crate, &floor);
    assert_int_equal(m.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t corner = m.points[i].feature_a.vertex[0];
        assert_true(corner < 4 && is_feature(m.points[i].feature_a, corner, none) &&
                    is_feature(m.points[i].feature_b, none, none));
        assert_true(fabs(m.points[i].depth - 0.25) < 1e-12 && fabs(m.points[i].point_b[2] - 1.0) < 1e-12);
        assert_int_equal(at_place(&m, corner & 1 ? 1.5 : -0.5, corner & 2 ? 1 : -1), 1u << i);
    }
    // Two boxes that overlap partly: a corner of each, and two crossings of edges.
    grz_shape upper = box_at(1, 1, 2, 1, 1, 1), lower = box_at(0, 0, 0, 1, 1, 1);
    m = manifold_of(&upper, &lower);
    assert_int_equal(m.count, 4);
    int corners = 0, crossings = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const grz_feature *a = &m.points[i].feature_a, *b = &m.points[i].feature_b;
        corners += (is_feature(*a, 0, none) && is_feature(*b, none, none)) ||
                   (is_feature(*a, none, none) && is_feature(*b, 7, none));
        crossings += a->vertex[1] != none && b->vertex[1] != none;
        assert_true(m.points[i].depth == 0.0 && fabs(m.points[i].point_a[2] - 1.0) < 1e-12);
    }
    assert_true(corners == 2 && crossings == 2);
    // A cylinder that stands, one that lies, a ball, a cone on its side, a rod.
    const grz_shape standing = cylinder_at(0, 0, 2, 1, 1), lying_down = lying(cylinder_at(0, 0, 2, 1, 2)),
                    ball = ball_at(1, 1, 2, 1);
    assert_int_equal(manifold_of(&standing, &floor).count, 4);
    m = manifold_of(&lying_down, &floor);
    assert_true(m.count == 2 && at_place(&m, -2, 0) != 0 && at_place(&m, 2, 0) != 0);
    m = manifold_of(&ball, &floor);
    assert_true(m.count == 1 && at_place(&m, 1, 1) == 1);
    const double p[3] = {-1, 0, 1.5}, q[3] = {5, 0, 1.5};
    const grz_shape rod = grz_shape_capsule(p, q, 0.5);
    m = manifold_of(&rod, &floor);
    assert_true(m.count == 2 && at_place(&m, -1, 0) != 0 && at_place(&m, 3, 0) != 0);
    // Leaning by 0.02 radians: still four points, of different depth; by 0.2: an edge.
    for (int i = 0; i < 2; i++) {
        const double lean = i == 0 ? 0.02 : 0.2;
        crate = box_at(0, 0, 1.5, 1, 1, 1);
        crate.pose.m[0][0] = crate.pose.m[2][2] = cos(lean);
        crate.pose.m[0][2] = sin(lean);
        crate.pose.m[2][0] = -sin(lean);
        m = manifold_of(&crate, &floor);
        assert_int_equal(m.count, i == 0 ? 4 : 2);
        double shallow = m.points[0].depth, deep = m.points[0].depth;
        for (uint32_t k = 1; k < m.count; k++)
            shallow = fmin(shallow, m.points[k].depth);
        assert_true(i == 0 ? fabs(deep - shallow - 2.0 * sin(lean)) < 1e-3 : fabs(deep - shallow) < 1e-9);
    }
    // Leaning by 0.08 about two axes: the face leans by more than 0.1.
    crate = box_at(0, 0, 1.5, 1, 1, 1);
    crate.pose.m[2][0] = crate.pose.m[2][1] = 0.08;
    crate.pose.m[0][2] = crate.pose.m[1][2] = -0.08;
    assert_true(manifold_of(&crate, &floor).count < 3);
    // A crate with round edges: the radius counts.
    crate = grown(box_at(0, 0, 2, 1, 1, 1), 0.25);
    m = manifold_of(&crate, &floor);
    assert_int_equal(m.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(fabs(m.points[i].depth - 0.25) < 1e-12 && fabs(m.points[i].point_a[2] - 0.75) < 1e-12);
    // Five corners of a house's side, of which four are kept: all points of one side of the longest way, and one more.
    const double gable[10][3] = {{0, 0, 0.5}, {4, 0, 0.5}, {4, 1, 0.5}, {2, 1.5, 0.5}, {0, 1, 0.5},
                                 {0, 0, 3},   {4, 0, 3},   {4, 1, 3},   {2, 1.5, 3},   {0, 1, 3}};
    const grz_shape house = grz_shape_hull(gable[0], 10), ground = box_at(0, 0, -1, 9, 9, 2);
    m = manifold_of(&house, &ground);
    assert_int_equal(m.count, 4);
    // A prism on three corners and a fourth close to a side.
    const double kite[8][3] = {{0, 0, 0.5}, {6, 0, 0.5}, {3, 3, 0.5}, {1, 1.5, 0.5},
                               {0, 0, 3},   {6, 0, 3},   {3, 3, 3},   {1, 1.5, 3}};
    const grz_shape prism = grz_shape_hull(kite[0], 8);
    m = manifold_of(&prism, &ground);
    assert_true(m.count == 4 && at_place(&m, 1, 1.5) != 0 && at_place(&m, 3, 3) != 0);
    // Apart: none.
    const grz_shape far = box_at(9, 0, 0, 1, 1, 1);
    assert_int_equal(manifold_of(&far, &floor).count, 0);
}

// Points are on both surfaces, and exchanging the shapes changes their order at most.
static void test_manifold_laws(void **state)
{
    random_stream random = {415};
    int counts[5] = {0}, trials = TEST_SANITIZED ? 300 : 4000;
    (void)state;
    for (int trial = 0; trial < trials; trial++) {
        const bool whole = trial % 2 == 0;
        const grz_shape a = random_shape_at(&random, (int)random_below(&random, 6), whole),
                        b = random_shape_at(&random, (int)random_below(&random, 6), whole);
        const grz_shape_manifold m = manifold_of(&a, &b), back = manifold_of(&b, &a);
        counts[m.count]++;
        assert_true((m.count > 0) == (back.count > 0));
        for (uint32_t i = 0; i < m.count; i++) {
            const double wide = m.answer.depth_upper - m.answer.depth_lower + 1e-9;
            if (m.points[i].depth < m.answer.depth * (1.0 - 1e-12) - 1e-12)
                continue; // a face that leans: its points are projected
            if (!(is_on(&a, m.points[i].point_a, wide) && is_on(&b, m.points[i].point_b, wide)))
                fail_msg("trial %d, kinds %d and %d: point %u of %u, of depth %g, is on no surface", trial, (int)a.kind,
                         (int)b.kind, i, m.count, m.points[i].depth);
        }
    }
    assert_true(counts[0] > trials / 80 && counts[1] > trials / 80 && counts[2] > trials / 200 &&
                counts[4] > trials / 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_of_depth),  cmocka_unit_test(test_middles),
        cmocka_unit_test(test_normals_of_boxes), cmocka_unit_test(test_normals_of_corners),
        cmocka_unit_test(test_touching_radii),   cmocka_unit_test(test_resting_round),
        cmocka_unit_test(test_past_an_end),      cmocka_unit_test(test_almost_touching),
        cmocka_unit_test(test_flat_round),       cmocka_unit_test(test_direction_of_nearly_touching),
        cmocka_unit_test(test_manifolds),        cmocka_unit_test(test_manifold_laws),
        cmocka_unit_test(test_resting_on_mesh),  cmocka_unit_test(test_depth_of_revolution),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
