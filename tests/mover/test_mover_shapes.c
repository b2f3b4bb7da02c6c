// SPDX-License-Identifier: MIT
// Boxes, ellipsoids and cylinders against single triangles: the exact test against rational numbers, and what a
// separation says against both.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "level/mover/body/body_exact.h"
#include "level/mover/body/separation.h"
#include "mover_twin.h"
#include "support_devices.h"
#include "support_meshes.h"
#include "support_moved.h"
#include "support_sanitizer.h"

enum {
    CASES = TEST_SANITIZED ? 3000 : 20000,
    SEPARATIONS = TEST_SANITIZED ? 200 : 1000
};

static grz_shape random_shape(random_stream *random, int kind)
{
    double half[3], q[4];
    const double none[3] = {0.0, 0.0, 0.0};
    grz_pose turn;
    for (int k = 0; k < 3; k++)
        half[k] = ldexp(1.0 + (double)random_below(random, 8), -(int)random_below(random, 3));
    for (int k = 0; k < 4; k++)
        q[k] = random_signed(random);
    grz_shape shape = kind % 2 ? grz_shape_ellipsoid((const double[3]){0.0, 0.0, 0.0}, half)
                               : grz_shape_box((const double[3]){0.0, 0.0, 0.0}, half);
    if (kind / 16 % 2)
        shape = grz_shape_cylinder((const double[3]){0.0, 0.0, 0.0}, half[0], half[2]);
    if (kind / 2 % 2 && grz_pose_from_quaternion(none, q, &turn, NULL) == GRZ_OK)
        shape.pose = turn;
    return shape;
}

// Small integers, with corners again and in line, or any doubles; some thin, some far away, some of the shape's size.
static void random_triangle(random_stream *random, int kind, const double position[3], double c[3][3])
{
    for (int i = 0; i < 9; i++)
        c[i / 3][i % 3] = kind / 4 % 2 ? (double)random_below(random, 25) - 12.0 : 12.0 * random_signed(random);
    const uint32_t sort = random_below(random, 8);
    for (int k = 0; k < 3; k++) {
        if (sort == 0)
            c[2][k] = c[1][k];
        if (sort == 1)
            c[2][k] = 0.5 * (c[0][k] + c[1][k]);
        if (sort == 2)
            c[2][k] = c[1][k] + 0x1p-40 * c[2][k];
        if (sort == 3)
            c[1][k] *= 1000.0;
        for (int i = 0; i < 3; i++)
            c[i][k] += position[k];
    }
}

static grz_core core_of(const grz_shape *shape)
{
    grz_core core;
    double axes[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            axes[i][k] = shape->pose.m[k][i];
    grz_core_set(&core,
                 shape->kind == GRZ_SHAPE_BOX        ? GRZ_CORE_BOX
                 : shape->kind == GRZ_SHAPE_CYLINDER ? GRZ_CORE_CYLINDER
                                                     : GRZ_CORE_ELLIPSOID,
                 shape->half, (const double(*)[3])axes);
    return core;
}

static void the_exact_test_agrees_with_rationals(void **state)
{
    random_stream random = {.state = 1234};
    int inside[2] = {0, 0}, touching = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const grz_shape shape = random_shape(&random, i);
        const grz_core core = core_of(&shape);
        double p[3], c[3][3];
        for (int k = 0; k < 3; k++)
            p[k] = i / 8 % 2 ? (double)random_below(&random, 9) : 1e6 * random_signed(&random);
        random_triangle(&random, i, p, c);
        if (i % 16 == 4 || i % 16 == 12) { // in the plane of a face, or a corner on the surface
            const int axis = (int)random_below(&random, 3);
            for (int j = 0; j < 3; j++)
                c[j][axis] = p[axis] + shape.half[axis] * (random_below(&random, 8) == 0 ? 1.0 + 0x1p-40 : 1.0);
        }
        if (i % 16 == 13) {
            const int axis = (int)random_below(&random, 3);
            for (int k = 0; k < 3; k++) {
                c[0][k] = p[k] + shape.half[axis] * (k == axis);
                c[1][k] = c[0][k] + (k == axis ? fabs(c[1][k] - p[k]) : c[1][k] - p[k]);
                c[2][k] = c[0][k] + (k == axis ? fabs(c[2][k] - p[k]) : c[2][k] - p[k]);
            }
        }
        const bool twin = mover_twin_contains_part(&shape, p, 0.0, (const double(*)[3])c),
                   ours = grz_core_contains_part(&core, p, (const double(*)[3])c);
        if (ours != twin)
            fail_msg("case %d: %d, in rationals %d", i, ours, twin);
        inside[ours]++;
        touching += !ours && mover_twin_contains_part(&shape, p, 1e-9, (const double(*)[3])c);
    }
    if (inside[0] < CASES / 8 || inside[1] < CASES / 8 || touching < CASES / 100)
        fail_msg("outside %d, inside %d, touching %d", inside[0], inside[1], touching);
}

// The surface of a box, as 12 triangles: how far another triangle is, by grz_distance().
static double box_distance(const grz_shape *shape, const double c[3][3])
{
    const double *h = shape->half;
    test_mesh box = test_mesh_box((const double[3]){-h[0], -h[1], -h[2]}, h), one = {.vertex_count = 0};
    for (uint64_t i = 0; i < box.vertex_count; i++) {
        double *p = box.positions + 3 * i;
        const double at[3] = {p[0], p[1], p[2]};
        for (int k = 0; k < 3; k++)
            p[k] = at[0] * shape->pose.m[k][0] + at[1] * shape->pose.m[k][1] + at[2] * shape->pose.m[k][2];
    }
    test_mesh_add_loose_triangle(&one, c);
    grz_mesh *a = test_mesh_upload(test_device, &box), *b = test_mesh_upload(test_device, &one);
    const grz_object x = grz_object_at_origin(a), y = grz_object_at_origin(b);
    grz_distance_answer answer;
    grz_error error;
    if (grz_distance(test_device, &x, &y, NULL, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    test_mesh_finish(&box);
    test_mesh_finish(&one);
    return answer.distance;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double square_of(double x)
{
    return x * x;
}

// The distance of an ellipsoid from a point, by halving the equation of the nearest point; of a cylinder by its two
// coordinates.
static double point_distance(const grz_shape *shape, const double p[3])
{
    double z[3], low = 0.0, high = 1e9, g = 0.0;
    const double *h = shape->half;
    if (shape->kind == GRZ_SHAPE_CYLINDER) {
        for (int i = 0; i < 3; i++)
            z[i] = dot(test_axis(shape, i).x, p);
        const double out = fmax(sqrt(z[0] * z[0] + z[1] * z[1]) - h[0], 0.0), over = fmax(fabs(z[2]) - h[2], 0.0);
        return sqrt(out * out + over * over);
    }
    for (int i = 0; i < 3; i++) {
        z[i] = dot(test_axis(shape, i).x, p);
        g += z[i] / h[i] * (z[i] / h[i]);
    }
    if (g <= 1.0)
        return 0.0;
    for (int n = 0; n < 80; n++) { // x = h² z / (h² + t) is the nearest point for the root t of Σ (h z / (h² + t))² = 1
        const double t = 0.5 * (low + high);
        double f = 0.0;
        for (int i = 0; i < 3; i++)
            f += square_of(h[i] * z[i] / (h[i] * h[i] + t));
        *(f > 1.0 ? &low : &high) = t;
    }
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        square += square_of(z[i] * low / (h[i] * h[i] + low));
    return sqrt(square);
}

// The distance is a convex function of the triangle's points: two searches by thirds, one in the other.
static double along_row(const grz_shape *shape, const double c[3][3], double s)
{
    double low = 0.0, high = 1.0 - s, value = HUGE_VAL;
    for (int n = 0; n < 50; n++) {
        const double at[2] = {low + (high - low) / 3.0, high - (high - low) / 3.0};
        double d[2];
        for (int i = 0; i < 2; i++) {
            double p[3];
            for (int k = 0; k < 3; k++)
                p[k] = c[0][k] + s * (c[1][k] - c[0][k]) + at[i] * (c[2][k] - c[0][k]);
            d[i] = point_distance(shape, p);
            value = fmin(value, d[i]);
        }
        *(d[0] < d[1] ? &high : &low) = d[0] < d[1] ? at[1] : at[0];
    }
    return value;
}

static double ellipsoid_distance(const grz_shape *shape, const double c[3][3])
{
    double low = 0.0, high = 1.0, value = HUGE_VAL;
    for (int n = 0; n < 50; n++) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0, at_a = along_row(shape, c, a),
                     at_b = along_row(shape, c, b);
        value = fmin(value, fmin(at_a, at_b));
        *(at_a < at_b ? &high : &low) = at_a < at_b ? b : a;
    }
    return value;
}

static void separations_enclose_the_distance(void **state)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    random_stream random = {.state = 77};
    int free_ones = 0, close_ones = 0;
    (void)state;
    for (int i = 0; i < SEPARATIONS; i++) {
        const grz_shape shape = random_shape(&random, i);
        const grz_core core = core_of(&shape);
        const bool box = shape.kind == GRZ_SHAPE_BOX;
        const bool cylinder = shape.kind == GRZ_SHAPE_CYLINDER;
        if (!box && i % 8 > 3)
            continue; // slow
        double c[3][3];
        grz_separation s;
        random_triangle(&random, i, origin, c);
        grz_separation_find(&core, (const double(*)[3])c, &s);
        if (!box && i % 8 == 1) { // as near as the skin
            const double skin = 0x1p-10 * fmin(fmin(shape.half[0], shape.half[1]), shape.half[2]);
            for (int j = 0; j < 9; j++)
                c[j / 3][j % 3] += (s.lower - skin) * s.normal[j % 3];
            grz_separation_find(&core, (const double(*)[3])c, &s);
        }
        const bool inside = mover_twin_contains_part(&shape, origin, 0.0, (const double(*)[3])c);
        if (inside) {
            assert_true(s.lower < 0.0);
            continue;
        }
        const double distance = box ? box_distance(&shape, (const double(*)[3])c)
                                    : ellipsoid_distance(&shape, (const double(*)[3])c),
                     slack = (cylinder ? 1e-5 : 1e-6) * (1.0 + distance); // of the two searches
        if (!(s.lower <= distance + (box ? 1e-12 * (1.0 + distance) : slack)) || !(s.upper >= distance - slack))
            fail_msg("case %d: %.17g to %.17g, by another way %.17g", i, s.lower, s.upper, distance);
        // A box's lower bound is the distance; an ellipsoid's is where it counts, near by.
        free_ones++;
        if ((box && !(s.lower >= distance - 1e-9 * (1.0 + distance))) ||
            (cylinder && !(s.lower >= s.upper - 1e-8 * (1.0 + distance))))
            fail_msg("case %d: %.17g, the distance is %.17g", i, s.lower, distance);
        if (!box && distance < 0.01) {
            close_ones++;
            if (!(s.lower >= 0.9 * distance - 1e-9))
                fail_msg("case %d: %.17g, the distance is %.17g", i, s.lower, distance);
        }
        // The normal separates.
        double high = -HUGE_VAL;
        for (int j = 0; j < 3; j++)
            high = fmax(high, dot(s.normal, c[j]));
        assert_true(fabs(-grz_core_support(&core, s.normal) - high - s.lower) < 1e-9);
    }
    if (free_ones < SEPARATIONS / 4 || close_ones < SEPARATIONS / 20)
        fail_msg("%d free, %d close", free_ones, close_ones);
}

// Of many nearest points the one in their middle counts, so that a contact is not dropped for what is at its end.
static void a_flat_contact_is_in_its_middle(void **state)
{
    const double half[3] = {1.0, 0.5, 2.0};
    const grz_shape shape = grz_shape_box((const double[3]){0.0, 0.0, 0.0}, half);
    const grz_core core = core_of(&shape);
    const double under[3][3] = {{-9, -9, -2.25}, {9, -9, -2.25}, {0, 30, -2.25}},
                 beside[3][3] = {{1.25, 0.25, -9}, {1.25, 9, -9}, {1.25, 0.25, 30}},
                 edge[3][3] = {{-9, 0, -2.5}, {9, 0, -2.5}, {0, 0, -9}};
    grz_separation s;
    (void)state;
    grz_separation_find(&core, under, &s);
    assert_true(fabs(s.point[0]) < 1e-12 && fabs(s.point[1]) < 1e-12 && s.point[2] == -2.25 && s.on_face);
    assert_true(s.normal[2] == 1.0 && fabs(s.lower - 0.25) < 1e-12);
    grz_separation_find(&core, beside, &s); // between y = 0.25 and 0.5
    assert_true(fabs(s.point[1] - 0.375) < 0.1 && fabs(s.point[2]) < 1.0 && s.normal[0] == -1.0);
    grz_separation_find(&core, edge, &s); // under the box's bottom
    assert_true(fabs(s.point[0]) < 1e-12 && s.normal[2] == 1.0 && !s.on_face);
    const grz_shape drum = grz_shape_cylinder((const double[3]){0.0, 0.0, 0.0}, 1.0, 2.0);
    const grz_core round = core_of(&drum);
    grz_separation_find(&round, under, &s);
    assert_true(fabs(s.point[0]) < 1e-12 && fabs(s.point[1]) < 1e-12 && s.point[2] == -2.25 && s.on_face);
    assert_true(s.normal[2] == 1.0 && fabs(s.lower - 0.25) < 1e-12);
    grz_separation_find(&round, edge, &s); // under the bottom
    assert_true(fabs(s.point[0]) < 1e-12 && s.normal[2] == 1.0 && !s.on_face);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_test_agrees_with_rationals),
        cmocka_unit_test(separations_enclose_the_distance),
        cmocka_unit_test(a_flat_contact_is_in_its_middle),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
