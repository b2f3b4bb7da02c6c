// SPDX-License-Identifier: MIT
// How near to each other the bounds of depths and distances are, and that they hold: against formulas, and against how
// far pairs reach along many directions, by farthest points that are computed here.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "pair_generator.h"
#include "support_devices.h"
#include "compare_shapes.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- Farthest points, once more ------------------------------------------------------------------------------------

// The largest n · p of a shape that is not a hull.
static double reach(const grz_shape *shape, const double n[3])
{
    double m[3], at[3] = {shape->pose.m[0][3], shape->pose.m[1][3], shape->pose.m[2][3]};
    for (int j = 0; j < 3; j++)
        m[j] = n[0] * shape->pose.m[0][j] + n[1] * shape->pose.m[1][j] + n[2] * shape->pose.m[2][j];
    const double *h = shape->half, middle = dot(n, at), across = hypot(m[0] * h[0], m[1] * h[1]), up = m[2] * h[2];
    const double grown = shape->radius * sqrt(dot(n, n));
    const int corners[] = {[GRZ_SHAPE_POINT] = 1, [GRZ_SHAPE_SEGMENT] = 2, [GRZ_SHAPE_TRIANGLE] = 3};
    double most = -HUGE_VAL;
    switch (shape->kind) {
    case GRZ_SHAPE_BOX:
        return middle + fabs(m[0] * h[0]) + fabs(m[1] * h[1]) + fabs(up) + grown;
    case GRZ_SHAPE_CYLINDER:
        return middle + across + fabs(up) + grown;
    case GRZ_SHAPE_CONE:
        return middle + fmax(up, across - up) + grown;
    case GRZ_SHAPE_ELLIPSOID:
        return middle + hypot(across, up) + grown;
    case GRZ_SHAPE_LINE: // along directions across it
        return middle + dot(m, shape->corners[0]);
    default:
        for (int i = 0; i < corners[shape->kind]; i++)
            most = fmax(most, dot(m, shape->corners[i]));
        return middle + most + grown;
    }
}

// How far A must move against n to be free of B, n of any length.
static double reach_past(const grz_shape *a, const grz_shape *b, const double n[3])
{
    double unit[3], back[3];
    memcpy(unit, n, sizeof unit);
    const grz_shape *line = a->kind == GRZ_SHAPE_LINE ? a : b->kind == GRZ_SHAPE_LINE ? b : NULL;
    if (line != NULL) {
        const double *along = line->corners[1]; // lines have no pose here
        const double part = dot(unit, along) / dot(along, along);
        for (int k = 0; k < 3; k++)
            unit[k] -= part * along[k];
    }
    const double length = sqrt(dot(unit, unit));
    for (int k = 0; k < 3; k++) {
        unit[k] /= length;
        back[k] = -unit[k];
    }
    return reach(a, unit) + reach(b, back);
}

// The least of many directions, and of directions nearer and nearer to the best: not below the depth.
static double least_reach(const grz_shape *a, const grz_shape *b, random_stream *random)
{
    double best = HUGE_VAL, at[3] = {0.0, 0.0, 1.0};
    for (int trial = 0; trial < 600; trial++) {
        double n[3];
        const double wide = trial < 200 ? 0.0 : ldexp(1.0, -(trial - 200) / 12);
        for (int k = 0; k < 3; k++)
            n[k] = trial < 26 ? (double)((trial < 13 ? trial : trial + 1) /
                                             (k == 0   ? 1
                                              : k == 1 ? 3
                                                       : 9) %
                                             3 -
                                         1)
                              : (wide > 0.0 ? at[k] + wide * random_signed(random) : random_signed(random));
        const double value = reach_past(a, b, n);
        if (value < best) {
            best = value;
            memcpy(at, n, sizeof at);
        }
    }
    return best;
}

// ---- Random pairs --------------------------------------------------------------------------------------------------

enum {
    KINDS = 9
};

static grz_shape random_shape(random_stream *random, int kind, bool whole, double spread)
{
    double half[3], at[3], end[3], third[3];
    for (int k = 0; k < 3; k++) {
        half[k] = whole ? 1.0 + random_below(random, 4) : 0.25 + fabs(random_signed(random));
        at[k] = whole ? (double)random_below(random, (uint32_t)spread * 2 + 1) - (double)(uint32_t)spread
                      : spread * random_signed(random);
        end[k] = at[k] + (whole ? (double)random_below(random, 5) - 2.0 : random_signed(random));
        third[k] = at[k] + (whole ? (double)random_below(random, 5) - 2.0 : random_signed(random));
    }
    switch (kind) {
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
    case 5:
        return grz_shape_triangle(at, end, third);
    case 6:
        half[random_below(random, 3)] = half[0]; // often with equal half axes
        return grz_shape_ellipsoid(at, half);
    case 7:
        half[2] = random_below(random, 2) == 0 ? 0.0 : 1e-9;
        return grz_shape_ellipsoid(at, half);
    default:
        for (int k = 0; k < 3; k++)
            third[k] = end[k] - at[k] + (k == 0 ? 0.125 : 0.0);
        return grz_shape_line(at, third);
    }
}

static grz_shape turned(grz_shape shape, random_stream *random)
{
    double quaternion[4], at[3];
    grz_error error;
    for (int i = 0; i < 4; i++)
        quaternion[i] = random_signed(random);
    for (int k = 0; k < 3; k++)
        at[k] = shape.pose.m[k][3];
    if (shape.kind != GRZ_SHAPE_LINE && grz_pose_from_quaternion(at, quaternion, &shape.pose, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return shape;
}

// Bounds hold, and are within 1e-12 of each other, of all but a few pairs. Sizes are 0.25 to 8: bounds of small depths
// are as near as those of large ones, in the shapes' own size.
static void check_bounds(bool whole, double spread, double most_wide)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, whole ? (uint64_t)spread : 77);
    const int trials = 60; // of each pair of kinds: so many that the share of wide bounds tells
    int penetrating = 0, apart = 0, wide = 0;
    for (int i = 0; i < KINDS; i++)
        for (int j = 0; j <= i && i + j < 2 * KINDS - 2; j++)
            for (int trial = 0; trial < trials; trial++) {
                grz_shape a = random_shape(&random, i, whole, spread), b = random_shape(&random, j, whole, spread);
                if (!whole) {
                    a = turned(a, &random);
                    b = turned(b, &random);
                }
                const bool swapped = trial % 2 != 0;
                const grz_shape_answer answer = test_shapes_compare(swapped ? &b : &a, swapped ? &a : &b);
                const bool deep = answer.relation == GRZ_SHAPES_PENETRATING;
                const double low = deep ? answer.depth_lower : answer.lower;
                const double high = deep ? answer.depth_upper : answer.upper;
                if (!deep && answer.relation != GRZ_SHAPES_APART)
                    continue;
                penetrating += deep;
                apart += !deep;
                wide += high - low > 1e-12 * fmax(high, 1.0);
                const double least = least_reach(swapped ? &b : &a, swapped ? &a : &b, &random);
                if (deep && !(low <= least + 1e-13))
                    fail_msg("kinds %d and %d, trial %d: depth_lower %.17g, but %.17g is enough", i, j, trial, low,
                             least);
                if (!deep && !(high >= -least - 1e-13))
                    fail_msg("kinds %d and %d, trial %d: upper %.17g, but they are %.17g apart", i, j, trial, high,
                             -least);
                double n[3];
                for (int k = 0; k < 3; k++)
                    n[k] = deep ? -answer.direction[k] : answer.direction[k];
                const double proved = reach_past(swapped ? &b : &a, swapped ? &a : &b, n) * (deep ? 1.0 : -1.0);
                if (!(fabs(proved - (deep ? high : low)) < 1e-9))
                    fail_msg("kinds %d and %d, trial %d: the direction proves %.17g, not %.17g", i, j, trial, proved,
                             deep ? high : low);
            }
    if (wide > most_wide * (penetrating + apart) || penetrating < 6 * trials || apart < 2 * trials)
        fail_msg("of %d penetrating pairs and %d apart, %d have wide bounds", penetrating, apart, wide);
}

static void bounds_of_turned_pairs(void **state)
{
    (void)state;
    check_bounds(false, 1.5, 0.01);
}

static void bounds_of_whole_numbers(void **state)
{
    (void)state;
    check_bounds(true, 5.0, 0.009);
}

// Many with their middles on common axes and planes of symmetry.
static void bounds_near_a_common_middle(void **state)
{
    (void)state;
    check_bounds(true, 1.0, 0.01);
}

// ---- Known depths --------------------------------------------------------------------------------------------------

static void expect_depth(const grz_shape *a, const grz_shape *b, double depth, const char *what)
{
    for (int side = 0; side < 2; side++) {
        const grz_shape_answer answer = side == 0 ? test_shapes_compare(a, b) : test_shapes_compare(b, a);
        if (answer.relation != GRZ_SHAPES_PENETRATING || !(answer.depth_lower <= depth * (1.0 + 1e-15)) ||
            !(answer.depth_upper >= depth * (1.0 - 1e-15)) ||
            !(answer.depth_upper - answer.depth_lower <= 1e-12 * depth) || answer.depth != answer.depth_upper)
            fail_msg("%s: %.17g is between %.17g and %.17g, %g apart", what, depth, answer.depth_lower,
                     answer.depth_upper, answer.depth_upper - answer.depth_lower);
    }
}

// Many directions are as good as each other: spheres, circles and arcs of them.
static void ties_of_directions(void **state)
{
    (void)state;
    const double o[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, side[3] = {3.0, 0.0, 1.0};
    const double ball3[3] = {3.0, 3.0, 3.0}, long3[3] = {2.0, 2.0, 5.0}, three[3] = {2.0, 3.0, 5.0};
    const double flat[3] = {2.0, 2.0, 0.0}, off[3] = {0.0, 1.0, 0.0}, near[3] = {1e-8, 0.0, 0.0};
    const grz_shape ball = grz_shape_sphere(o, 1.0), as_ellipsoid = grz_shape_ellipsoid(o, ball3);
    const grz_shape spheroid = grz_shape_ellipsoid(o, long3), triaxial = grz_shape_ellipsoid(o, three);
    const grz_shape disc = grz_shape_ellipsoid(o, flat), rod = grz_shape_segment(o, side);
    const grz_shape cylinder = grz_shape_cylinder(o, 2.0, 2.0), cone = grz_shape_cone(o, 4.0, 2.0);
    const grz_shape almost = grz_shape_sphere(near, 1.0), aside = grz_shape_sphere(off, 1.0);
    const grz_shape corner = grz_shape_triangle(o, up, side), axis = grz_shape_line(o, up);
    expect_depth(&ball, &as_ellipsoid, 4.0, "a ball in a ball");
    expect_depth(&as_ellipsoid, &as_ellipsoid, 6.0, "a ball as an ellipsoid in itself");
    expect_depth(&ball, &spheroid, 3.0, "a ball in a spheroid");
    expect_depth(&almost, &spheroid, 3.0 - 1e-8, "a ball in a spheroid, nearly in its middle");
    expect_depth(&ball, &triaxial, 3.0, "a ball in an ellipsoid");
    // Beside the middle, along the second half axis: l = 4, and the square is 4 (1 - 1 / (9 - 4)).
    expect_depth(&aside, &triaxial, 1.0 + sqrt(3.2), "a ball in an ellipsoid, beside its middle");
    expect_depth(&spheroid, &spheroid, 4.0, "a spheroid in itself");
    expect_depth(&triaxial, &spheroid, 4.0, "two ellipsoids");
    expect_depth(&cylinder, &spheroid, 4.0, "a spheroid in a cylinder");
    expect_depth(&cylinder, &triaxial, 4.0, "an ellipsoid in a cylinder");
    expect_depth(&cylinder, &rod, 2.0, "a segment from the middle of a cylinder");
    expect_depth(&cylinder, &corner, 2.0, "a triangle with a corner in the middle of a cylinder");
    expect_depth(&spheroid, &corner, 2.0, "a triangle with a corner in the middle of a spheroid");
    expect_depth(&spheroid, &disc, 4.0, "a disc in a spheroid");
    expect_depth(&spheroid, &axis, 2.0, "the axis of a spheroid");
    // The sides of the cone lean by 45 degrees; its point on the axis is 2 from the apex.
    expect_depth(&cone, &rod, sqrt(2.0), "a segment from the middle of a cone");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_of_directions),
        cmocka_unit_test(bounds_of_turned_pairs),
        cmocka_unit_test(bounds_of_whole_numbers),
        cmocka_unit_test(bounds_near_a_common_middle),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
