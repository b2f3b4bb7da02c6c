// SPDX-License-Identifier: MIT
// Fitted shapes against rational arithmetic: every point of the hull is inside exactly, at all scales and far from the
// origin. Balls whose radius is known; the bounds of a k-DOP against exact sums; what must be found of boxes, capsules,
// cylinders and ellipsoids, and slow twins of the last two.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include <graze/graze.h>

#include "ask/fit/fit_parts.h"
#include "pair_generator.h"
#include "support_devices.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

enum {
    MOST = 60,
    ROUNDS = 300,
    ROOM = 24
};

static mpq_t room[ROOM];

static void set_difference(mpq_ptr out, double a, double b)
{
    mpq_set_d(room[ROOM - 1], b);
    mpq_set_d(out, a);
    mpq_sub(out, out, room[ROOM - 1]);
}

// out = x · y of three numbers each
static void dot(mpq_ptr out, mpq_t *x, mpq_t *y)
{
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(room[ROOM - 2], x[k], y[k]);
        mpq_add(out, out, room[ROOM - 2]);
    }
}

// Whether square <= limit², exactly.
static bool is_at_most(mpq_srcptr square, double limit)
{
    mpq_set_d(room[ROOM - 3], limit);
    mpq_mul(room[ROOM - 3], room[ROOM - 3], room[ROOM - 3]);
    return mpq_cmp(square, room[ROOM - 3]) <= 0;
}

static bool ball_holds(const grz_fitted_shape *sphere, const double p[3])
{
    for (int k = 0; k < 3; k++)
        set_difference(room[k], p[k], sphere->shape.corners[0][k]);
    dot(room[3], room, room);
    return is_at_most(room[3], sphere->shape.radius);
}

static bool capsule_holds(const grz_fitted_shape *capsule, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        set_difference(room[k], p[k], capsule->shape.corners[0][k]);
        set_difference(room[3 + k], capsule->shape.corners[1][k], capsule->shape.corners[0][k]);
    }
    dot(room[6], room, room + 3);
    dot(room[7], room + 3, room + 3);
    if (mpq_sgn(room[7]) > 0) {
        mpq_div(room[6], room[6], room[7]);
        if (mpq_sgn(room[6]) < 0)
            mpq_set_ui(room[6], 0, 1);
        if (mpq_cmp_ui(room[6], 1, 1) > 0)
            mpq_set_ui(room[6], 1, 1);
    } else
        mpq_set_ui(room[6], 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_mul(room[8], room[6], room[3 + k]);
        mpq_sub(room[k], room[k], room[8]);
    }
    dot(room[8], room, room);
    return is_at_most(room[8], capsule->shape.radius);
}

// The determinant of three rows, room[row[0]], room[row[1]], room[row[2]] and the two after each.
static void determinant(mpq_ptr out, const int row[3])
{
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++)
        for (int sign = 0; sign < 2; sign++) {
            const int i = (k + 1 + sign) % 3, j = (k + 2 - sign) % 3;
            mpq_mul(room[ROOM - 4], room[row[0] + k], room[row[1] + i]);
            mpq_mul(room[ROOM - 4], room[ROOM - 4], room[row[2] + j]);
            (sign == 0 ? mpq_add : mpq_sub)(out, out, room[ROOM - 4]);
        }
}

// room[9 + i] becomes the square of the coordinate i of a point in the shape's own axes, which Cramer's rule finds.
static void own_coordinates(const grz_fitted_shape *shape, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            mpq_set_d(room[3 * i + k], shape->shape.pose.m[k][i]);
        set_difference(room[9 + k], p[k], shape->shape.pose.m[k][3]);
    }
    determinant(room[12], (const int[]){0, 3, 6});
    for (int i = 0; i < 3; i++) {
        int rows[3] = {0, 3, 6};
        rows[i] = 9;
        determinant(room[13 + i], rows);
        mpq_div(room[13 + i], room[13 + i], room[12]);
    }
    for (int i = 0; i < 3; i++)
        mpq_mul(room[9 + i], room[13 + i], room[13 + i]);
}

static bool box_holds(const grz_fitted_shape *box, const double p[3])
{
    own_coordinates(box, p);
    return is_at_most(room[9], box->shape.half[0]) && is_at_most(room[10], box->shape.half[1]) &&
           is_at_most(room[11], box->shape.half[2]);
}

static bool cylinder_holds(const grz_fitted_shape *cylinder, const double p[3])
{
    assert_int_equal(cylinder->shape.kind, GRZ_SHAPE_CYLINDER);
    assert_true(cylinder->shape.half[0] == cylinder->shape.half[1]);
    own_coordinates(cylinder, p);
    mpq_add(room[9], room[9], room[10]);
    return is_at_most(room[9], cylinder->shape.half[0]) && is_at_most(room[11], cylinder->shape.half[2]);
}

// The sum of (coordinate / half)² is at most 1; a half of 0 holds the coordinate 0 only.
static bool ellipsoid_holds(const grz_fitted_shape *ellipsoid, const double p[3])
{
    assert_int_equal(ellipsoid->shape.kind, GRZ_SHAPE_ELLIPSOID);
    own_coordinates(ellipsoid, p);
    mpq_set_ui(room[12], 0, 1);
    for (int i = 0; i < 3; i++) {
        if (ellipsoid->shape.half[i] == 0.0) {
            if (mpq_sgn(room[9 + i]) != 0)
                return false;
            continue;
        }
        mpq_set_d(room[13], ellipsoid->shape.half[i]);
        mpq_mul(room[13], room[13], room[13]);
        mpq_div(room[9 + i], room[9 + i], room[13]);
        mpq_add(room[12], room[12], room[9 + i]);
    }
    return mpq_cmp_ui(room[12], 1, 1) <= 0;
}

static void exact_along(mpq_ptr out, const int32_t direction[3], const double p[3])
{
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(room[1], direction[k] * p[k]);
        mpq_add(out, out, room[1]);
    }
}

// The bounds are the exact extremes, rounded outwards by less than one step.
static void check_dop(const grz_fitted_dop *dop, const double *points, uint32_t count)
{
    for (uint32_t i = 0; i < dop->count; i++) {
        bool low_is_near = false, high_is_near = false;
        for (uint32_t p = 0; p < count; p++) {
            exact_along(room[0], dop->directions[i], points + 3 * (size_t)p);
            mpq_set_d(room[2], dop->min[i]);
            assert_true(mpq_cmp(room[0], room[2]) >= 0);
            mpq_set_d(room[2], nextafter(dop->min[i], HUGE_VAL));
            low_is_near = low_is_near || mpq_cmp(room[0], room[2]) < 0;
            mpq_set_d(room[2], dop->max[i]);
            assert_true(mpq_cmp(room[0], room[2]) <= 0);
            mpq_set_d(room[2], nextafter(dop->max[i], -HUGE_VAL));
            high_is_near = high_is_near || mpq_cmp(room[0], room[2]) > 0;
        }
        assert_true(low_is_near && high_is_near);
    }
}

// Where three planes of a k-DOP meet, by Cramer's rule. False: in no point.
static bool exact_corner(const grz_fitted_dop *dop, const uint32_t planes[3], mpq_t out[3])
{
    int n[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            n[i][k] = dop->directions[planes[i] / 2][k];
    const int base = n[0][0] * (n[1][1] * n[2][2] - n[1][2] * n[2][1]) -
                     n[0][1] * (n[1][0] * n[2][2] - n[1][2] * n[2][0]) +
                     n[0][2] * (n[1][0] * n[2][1] - n[1][1] * n[2][0]);
    for (int k = 0; k < 3 && base != 0; k++) {
        mpq_set_ui(out[k], 0, 1);
        for (int i = 0; i < 3; i++) {
            const int *u = n[(i + 1) % 3], *v = n[(i + 2) % 3];
            const int part = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            mpq_set_d(room[0], planes[i] % 2 == 0 ? dop->max[planes[i] / 2] : dop->min[planes[i] / 2]);
            mpq_set_si(room[1], base < 0 ? -part : part, (unsigned long)abs(base));
            mpq_canonicalize(room[1]);
            mpq_mul(room[0], room[0], room[1]);
            mpq_add(out[k], out[k], room[0]);
        }
    }
    return base != 0;
}

static bool dop_holds_exactly(const grz_fitted_dop *dop, mpq_t p[3])
{
    for (uint32_t i = 0; i < dop->count; i++) {
        mpq_set_ui(room[0], 0, 1);
        for (int k = 0; k < 3; k++) {
            mpq_set_si(room[1], dop->directions[i][k], 1);
            mpq_mul(room[1], room[1], p[k]);
            mpq_add(room[0], room[0], room[1]);
        }
        mpq_set_d(room[1], dop->min[i]);
        mpq_set_d(room[2], dop->max[i]);
        if (mpq_cmp(room[0], room[1]) < 0 || mpq_cmp(room[0], room[2]) > 0)
            return false;
    }
    return true;
}

// True if `at` is the double nearest to the exact number.
static bool is_nearest(double at, mpq_t exact)
{
    for (int side = 0; side < 2; side++) { // the middle between `at` and its neighbour is not passed
        mpq_set_d(room[0], at);
        mpq_set_d(room[1], nextafter(at, side == 0 ? -HUGE_VAL : HUGE_VAL));
        mpq_add(room[0], room[0], room[1]);
        mpq_div_2exp(room[0], room[0], 1);
        if (side == 0 ? mpq_cmp(exact, room[0]) < 0 : mpq_cmp(exact, room[0]) > 0)
            return false;
    }
    return true;
}

// All corners by rational numbers, against the vertices of the hull.
static void check_dop_hull(const grz_fitted_dop *dop)
{
    grz_hull *hull;
    grz_error error;
    mpq_t corner[3];
    if (grz_fitted_dop_hull(test_device, dop, &hull, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const uint32_t count = grz_hull_vertex_count(hull);
    const double *vertices = grz_hull_vertices(hull);
    bool *met = calloc(count, sizeof *met);
    assert_non_null(met);
    for (int k = 0; k < 3; k++)
        mpq_init(corner[k]);
    for (uint32_t a = 0; a < 2 * dop->count; a++)
        for (uint32_t b = a + 1; b < 2 * dop->count; b++)
            for (uint32_t c = b + 1; c < 2 * dop->count; c++) {
                if (!exact_corner(dop, (const uint32_t[3]){a, b, c}, corner) || !dop_holds_exactly(dop, corner))
                    continue;
                double rounded[3];
                for (int k = 0; k < 3; k++)
                    rounded[k] = mpq_get_d(corner[k]);
                const grz_shape point = grz_shape_point(rounded), body = grz_shape_hull(vertices, count);
                grz_shape_answer answer;
                assert_int_equal(grz_shapes_compare(test_device, &body, &point, NULL, &answer, NULL), GRZ_OK);
                double step = 0.0;
                for (int k = 0; k < 3; k++)
                    step = fmax(step, nextafter(fabs(rounded[k]), HUGE_VAL) - fabs(rounded[k]));
                assert_true(answer.lower <= 4.0 * step);
                for (uint32_t v = 0; v < count; v++)
                    met[v] = met[v] || (is_nearest(vertices[3 * (size_t)v], corner[0]) &&
                                        is_nearest(vertices[3 * (size_t)v + 1], corner[1]) &&
                                        is_nearest(vertices[3 * (size_t)v + 2], corner[2]));
            }
    for (uint32_t v = 0; v < count; v++)
        assert_true(met[v]);
    for (int k = 0; k < 3; k++)
        mpq_clear(corner[k]);
    free(met);
    grz_hull_destroy(hull);
}

typedef struct fits {
    grz_fitted_shape sphere;
    grz_fitted_shape capsule;
    grz_fitted_shape box, oriented, cylinder, ellipsoid;
    grz_fitted_dop dops[4];
    double volume;
} fits;

static const uint32_t ks[4] = {6, 14, 18, 26};

static fits fit_all(const double *points, uint32_t count)
{
    fits out;
    grz_hull *hull;
    assert_int_equal(grz_hull_of_points(test_device, points, count, NULL, &hull, NULL), GRZ_OK);
    assert_int_equal(grz_fit_sphere(hull, NULL, &out.sphere, NULL), GRZ_OK);
    assert_int_equal(grz_fit_capsule(hull, NULL, &out.capsule, NULL), GRZ_OK);
    assert_int_equal(grz_fit_box(hull, NULL, &out.box, NULL), GRZ_OK);
    assert_int_equal(grz_fit_oriented_box(hull, NULL, &out.oriented, NULL), GRZ_OK);
    assert_int_equal(grz_fit_cylinder(hull, NULL, &out.cylinder, NULL), GRZ_OK);
    assert_int_equal(grz_fit_ellipsoid(hull, NULL, &out.ellipsoid, NULL), GRZ_OK);
    assert_int_equal(grz_hull_volume(hull, &out.volume, NULL), GRZ_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(grz_fit_dop(hull, ks[i], NULL, &out.dops[i], NULL), GRZ_OK);
    grz_hull_destroy(hull);
    return out;
}

static void every_point_is_inside_exactly(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e-4, 1e4, 0x1p-1060, 0x1p-500, 0x1p280};
    random_stream random = {11};
    double worst = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double points[MOST][3], stretch[3];
        const uint32_t count = 1 + random_below(&random, MOST);
        const double scale = scales[round % 6], away = round % 2 == 1 && round % 6 < 3 ? 1e6 : 0.0;
        const bool lattice = random_below(&random, 3) == 0;
        for (int k = 0; k < 3; k++)
            stretch[k] = ldexp(scale, -(int)random_below(&random, 8));
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                points[i][k] =
                    (lattice ? (double)random_below(&random, 4) : random_signed(&random)) * stretch[k] + away;
        const fits f = fit_all(points[0], count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(ball_holds(&f.sphere, points[i]));
            assert_true(capsule_holds(&f.capsule, points[i]));
            assert_true(box_holds(&f.box, points[i]));
            assert_true(box_holds(&f.oriented, points[i]));
            assert_true(cylinder_holds(&f.cylinder, points[i]));
            assert_true(ellipsoid_holds(&f.ellipsoid, points[i]));
        }
        for (int i = 0; i < 4; i++)
            check_dop(&f.dops[i], points[0], count);
        assert_true(f.sphere.radius_lower <= f.sphere.shape.radius);
        if (f.sphere.shape.radius > 0.0 && scale > 0x1p-1000 && away == 0.0)
            worst = fmax(worst, f.sphere.shape.radius / f.sphere.radius_lower - 1.0);
        if (f.volume > 0.0 && away == 0.0 && !isinf(f.volume) && scale > 0x1p-300) {
            assert_true(f.dops[0].ratio <= f.box.ratio * (1.0 + 1e-9) && f.dops[3].ratio >= 1.0 - 1e-9);
            assert_true(f.dops[1].ratio <= f.dops[0].ratio * (1.0 + 1e-9));
            assert_true(f.dops[3].ratio <= f.dops[1].ratio * (1.0 + 1e-9));
            assert_true(f.dops[3].ratio <= f.dops[2].ratio * (1.0 + 1e-9));
            assert_true(f.oriented.ratio <= f.box.ratio * (1.0 + 1e-9) && f.oriented.ratio >= 1.0 - 1e-9);
            assert_true(f.capsule.ratio > 1.0 && f.sphere.ratio > 1.0);
            assert_true(f.cylinder.ratio > 1.0 && f.ellipsoid.ratio > 1.0);
            assert_true(f.ellipsoid.ratio <= f.sphere.ratio * (1.0 + 1e-6));
            assert_true(f.capsule.ratio <= f.sphere.ratio * 1.7); // a capsule may be a longer one than a ball
        }
    }
    printf("balls: radius over the proved bound is at most 1 + %.2g\n", worst);
    assert_true(worst < 1e-12);
}

// All permutations and signs of three integers lie on one sphere, around (x, y, z): the smallest ball's radius is the
// root of the sum of their squares.
static void known_balls_are_enclosed(void **state)
{
    (void)state;
    random_stream random = {12};
    for (int round = 0; round < 200; round++) {
        double points[48][3], centre[3];
        int n[3];
        for (int k = 0; k < 3; k++) {
            n[k] = (int)random_below(&random, 1000) + 1;
            centre[k] = (double)random_below(&random, 1000000);
        }
        for (int i = 0; i < 48; i++)
            for (int k = 0; k < 3; k++) {
                const int from = i / 8 < 3 ? (k + i / 8) % 3 : (3 + i / 8 - k) % 3;
                points[i][k] = centre[k] + ((i >> k & 1) != 0 ? n[from] : -n[from]);
            }
        const fits f = fit_all(points[0], 48);
        const int square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        mpq_set_si(room[0], square, 1);
        assert_true(is_at_most(room[0], f.sphere.shape.radius));
        mpq_set_d(room[1], f.sphere.radius_lower);
        mpq_mul(room[1], room[1], room[1]);
        assert_true(mpq_cmp(room[1], room[0]) <= 0);
        assert_true(f.sphere.shape.radius <= sqrt(square) * (1.0 + 1e-9) &&
                    f.sphere.radius_lower >= sqrt(square) * (1.0 - 1e-9));
    }
}

static void known_boxes_and_capsules_are_found(void **state)
{
    (void)state;
    double turned[8][3], rod[2][3] = {{1, 2, 3}, {5, -2, 10}};
    const double u[3] = {0.6, 0.8, 0.0}, v[3] = {-0.48, 0.36, 0.8}, w[3] = {0.64, -0.48, 0.6};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            turned[i][k] = ((i & 1) * 5.0) * u[k] + ((i >> 1 & 1) * 3.0) * v[k] + (i >> 2) * 2.0 * w[k] + 7.0;
    fits f = fit_all(turned[0], 8);
    assert_true(f.oriented.ratio < 1.0 + 1e-12 && f.box.ratio > 1.5);
    assert_true(fabs(f.volume - 30.0) < 1e-12);
    f = fit_all(rod[0], 2);
    assert_true(f.capsule.shape.radius < 1e-13 && f.volume == 0.0 && isinf(f.capsule.ratio));
    assert_true(fabs(f.sphere.shape.radius - 4.5) < 1e-14);
    const double line[2][3] = {{0, 0, 0}, {3, 1, 2}};
    f = fit_all(line[0], 2);
    assert_true(isinf(f.capsule.ratio) && isinf(f.sphere.ratio) && isinf(f.box.ratio) && isinf(f.dops[0].ratio));
    f = fit_all(rod[0], 1);
    assert_true(f.sphere.shape.radius == 0.0 && f.capsule.shape.radius == 0.0 && f.oriented.shape.half[0] == 0.0);
    assert_memory_equal(f.sphere.shape.corners[0], rod[0], sizeof rod[0]);
}

// Bounds of the least volume of an ellipsoid around points, by another algorithm: each weight is multiplied by how far
// out its point is, thousands of times (D. Titterington, 1976). For any weights, the ellipsoid of their inertia, grown
// to hold all points, is an upper bound, and its volume before it grew is a lower one (weak duality).
static void slow_ellipsoid(const double (*points)[3], uint32_t count, double *lower, double *upper)
{
    double weights[MOST], most = 0.0, volume = 0.0;
    for (uint32_t i = 0; i < count; i++)
        weights[i] = 1.0 / count;
    for (int step = 0; step < 6000; step++) {
        double m[3][3] = {{0.0}}, mean[3] = {0.0}, inverse[3][3];
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                mean[k] += weights[i] * points[i][k];
        for (uint32_t i = 0; i < count; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    m[j][k] += 3.0 * weights[i] * (points[i][j] - mean[j]) * (points[i][k] - mean[k]);
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                inverse[k][j] = m[(j + 1) % 3][(k + 1) % 3] * m[(j + 2) % 3][(k + 2) % 3] -
                                m[(j + 1) % 3][(k + 2) % 3] * m[(j + 2) % 3][(k + 1) % 3];
        const double d = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
        volume = 4.0 / 3.0 * acos(-1.0) * sqrt(d);
        most = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            double square = 0.0;
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    square += (points[i][j] - mean[j]) * inverse[j][k] / d * (points[i][k] - mean[k]);
            most = fmax(most, square);
            weights[i] *= (3.0 * square + 1.0) / 4.0;
        }
    }
    *lower = volume;
    *upper = volume * most * sqrt(most);
}

static void ellipsoids_are_about_the_least(void **state)
{
    (void)state;
    random_stream random = {14};
    double worst = 0.0;
    for (int round = 0; round < (TEST_SANITIZED ? 3 : 15); round++) {
        double points[MOST][3], lower, upper;
        const uint32_t count = 5 + random_below(&random, MOST - 5);
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                points[i][k] = random_signed(&random) * (k + 1) + (k == 2 ? 0.7 * points[i][0] : 5.0);
        const fits f = fit_all(points[0], count);
        slow_ellipsoid((const double(*)[3])points, count, &lower, &upper);
        const double found = f.ellipsoid.ratio * f.volume;
        assert_true(found >= lower * (1.0 - 1e-9) && found <= upper * (1.0 + 1e-6));
        worst = fmax(worst, found / lower - 1.0);
    }
    printf("ellipsoids: volume over a lower bound is at most 1 + %.2g\n", worst);
    assert_true(worst < 1e-6);
}

// The cost of a cylinder along a direction, by the circles through two and three of the points as seen along it.
static double slow_cylinder(const double (*points)[3], uint32_t count, const double axis[3])
{
    double flat[MOST][2], u[3], v[3], low = HUGE_VAL, high = -HUGE_VAL, best = HUGE_VAL;
    const int k = fabs(axis[0]) < 0.5 ? 0 : 1;
    const double unit[3] = {k == 0, k == 1, 0.0};
    for (int i = 0; i < 3; i++)
        u[i] = axis[(i + 1) % 3] * unit[(i + 2) % 3] - axis[(i + 2) % 3] * unit[(i + 1) % 3];
    const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int i = 0; i < 3; i++)
        u[i] /= length;
    for (int i = 0; i < 3; i++)
        v[i] = axis[(i + 1) % 3] * u[(i + 2) % 3] - axis[(i + 2) % 3] * u[(i + 1) % 3];
    for (uint32_t i = 0; i < count; i++) {
        const double *p = points[i], t = p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
        low = fmin(low, t);
        high = fmax(high, t);
        flat[i][0] = p[0] * u[0] + p[1] * u[1] + p[2] * u[2];
        flat[i][1] = p[0] * v[0] + p[1] * v[1] + p[2] * v[2];
    }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++)
            for (uint32_t c = b; c < a; c++) { // c == b: the circle on two
                const double x = flat[b][0] - flat[a][0], y = flat[b][1] - flat[a][1], z = flat[c][0] - flat[a][0],
                             w = flat[c][1] - flat[a][1], d = 2.0 * (x * w - y * z), bb = x * x + y * y,
                             cc = z * z + w * w;
                const double cx = c == b ? 0.5 * x : (w * bb - y * cc) / d,
                             cy = c == b ? 0.5 * y : (x * cc - z * bb) / d;
                double square = cx * cx + cy * cy, most = 0.0;
                for (uint32_t i = 0; i < count; i++)
                    most = fmax(most, (flat[i][0] - flat[a][0] - cx) * (flat[i][0] - flat[a][0] - cx) +
                                          (flat[i][1] - flat[a][1] - cy) * (flat[i][1] - flat[a][1] - cy));
                if (most <= square * (1.0 + 1e-12))
                    best = fmin(best, square);
            }
    return acos(-1.0) * best * (high - low);
}

// A prism turned in space is in a cylinder along it. No cylinder along an edge of the hull or a coordinate is smaller
// than the one found: measured by brute force.
static void cylinders_are_the_best_that_were_tried(void **state)
{
    (void)state;
    random_stream random = {15};
    for (int round = 0; round < (TEST_SANITIZED ? 5 : 40); round++) {
        double points[14][3];
        const uint32_t count = 4 + random_below(&random, 10);
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                points[i][k] = random_signed(&random) * (k + 1);
        const fits f = fit_all(points[0], count);
        const double found = f.cylinder.ratio * f.volume;
        double axis[3], same = HUGE_VAL, best = HUGE_VAL;
        for (int k = 0; k < 3; k++)
            axis[k] = f.cylinder.shape.pose.m[k][2];
        same = slow_cylinder((const double(*)[3])points, count, axis);
        assert_true(fabs(found / same - 1.0) < 1e-9);
        grz_hull *hull;
        assert_int_equal(grz_hull_of_points(test_device, points[0], count, NULL, &hull, NULL), GRZ_OK);
        for (uint32_t face = 0; face < grz_hull_face_count(hull); face++) {
            uint32_t sides;
            const uint32_t *corners = grz_hull_face(hull, face, &sides);
            for (uint32_t i = 0; i < sides; i++) {
                const double *p = grz_hull_vertices(hull) + 3 * (size_t)corners[i],
                             *q = grz_hull_vertices(hull) + 3 * (size_t)corners[(i + 1) % sides];
                double length = 0.0;
                for (int k = 0; k < 3; k++) {
                    axis[k] = q[k] - p[k];
                    length += axis[k] * axis[k];
                }
                for (int k = 0; k < 3; k++)
                    axis[k] /= sqrt(length);
                best = fmin(best, slow_cylinder((const double(*)[3])points, count, axis));
            }
        }
        for (int k = 0; k < 3; k++) {
            const double unit[3] = {k == 0, k == 1, k == 2};
            best = fmin(best, slow_cylinder((const double(*)[3])points, count, unit));
        }
        grz_hull_destroy(hull);
        assert_true(found <= best * (1.0 + 1e-9));
    }
}

// Known answers: a turned prism of many sides, a square in a plane of the coordinates, a rod along an axis.
static void known_cylinders_and_ellipsoids_are_found(void **state)
{
    (void)state;
    const double u[3] = {0.6, 0.8, 0.0}, v[3] = {-0.48, 0.36, 0.8}, w[3] = {0.64, -0.48, 0.6};
    double prism[48][3];
    for (int i = 0; i < 48; i++) {
        const int side = i / 2;
        const double turn = side * acos(-1.0) / 12.0;
        for (int k = 0; k < 3; k++)
            prism[i][k] = 3.0 * cos(turn) * u[k] + 3.0 * sin(turn) * v[k] + 5.0 * (i % 2) * w[k] + 7.0;
    }
    fits f = fit_all(prism[0], 48);
    assert_true(fabs(f.cylinder.shape.half[0] - 3.0) < 1e-12 && fabs(f.cylinder.shape.half[2] - 2.5) < 1e-12);
    // A cylinder of radius r and half height h: half axes sqrt(3/2)·r and sqrt(3)·h.
    double sorted[3] = {0.0};
    for (int i = 0; i < 3; i++)
        sorted[fabs(f.ellipsoid.shape.half[i] - sqrt(3.0) * 2.5) < 1e-5 ? 2
               : sorted[0] == 0.0                                       ? 0
                                                                        : 1] = f.ellipsoid.shape.half[i];
    assert_true(fabs(sorted[0] - sqrt(1.5) * 3.0) < 1e-5 && fabs(sorted[1] - sqrt(1.5) * 3.0) < 1e-5);
    assert_true(fabs(sorted[2] - sqrt(3.0) * 2.5) < 1e-5);
    const double square[4][3] = {{0, 0, 2}, {1, 0, 2}, {0, 1, 2}, {1, 1, 2}}, rod[2][3] = {{1, 5, 3}, {1, 5, 7}};
    f = fit_all(square[0], 4);
    assert_true(f.cylinder.shape.half[2] == 0.0 && fabs(f.cylinder.shape.half[0] - sqrt(0.5)) < 1e-13);
    assert_true(isinf(f.cylinder.ratio) && isinf(f.ellipsoid.ratio));
    assert_true(f.ellipsoid.shape.half[2] == 0.0 && fabs(f.ellipsoid.shape.half[0] - sqrt(0.5)) < 1e-7 &&
                fabs(f.ellipsoid.shape.half[1] - sqrt(0.5)) < 1e-7);
    f = fit_all(rod[0], 2);
    assert_true(f.cylinder.shape.half[0] == 0.0 && fabs(f.cylinder.shape.half[2] - 2.0) < 1e-15);
    assert_true(fabs(f.ellipsoid.shape.half[0] - 2.0) < 1e-7 && f.ellipsoid.shape.half[1] == 0.0);
    f = fit_all(rod[0], 1);
    assert_true(f.cylinder.shape.half[0] == 0.0 && f.cylinder.shape.half[2] == 0.0 && f.ellipsoid.shape.half[0] == 0.0);
    for (int k = 0; k < 3; k++)
        assert_true(f.cylinder.shape.pose.m[k][3] == rod[0][k] && f.ellipsoid.shape.pose.m[k][3] == rod[0][k]);
}

// Points on a ball around a cube go to the face that the line through them meets, or to the nearest point.
static void points_are_mapped_to_the_mesh(void **state)
{
    (void)state;
    random_stream random = {16};
    test_mesh cube = test_mesh_cube(-1.0, -1.0, -1.0, 2.0);
    grz_mesh *mesh = test_mesh_upload(test_device, &cube);
    const grz_object object = grz_object_at_origin(mesh);
    for (int round = 0; round < 100; round++) {
        double points[2][3], normals[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, length = 0.0, most = 0.0, square = 0.0;
        grz_mapped_point answers[2];
        for (int k = 0; k < 3; k++) {
            normals[0][k] = random_signed(&random);
            length += normals[0][k] * normals[0][k];
        }
        for (int k = 0; k < 3; k++) {
            points[0][k] = points[1][k] = 2.0 * normals[0][k] / sqrt(length);
            most = fmax(most, fabs(points[0][k]));
            square += pow(fmax(fabs(points[0][k]) - 1.0, 0.0), 2.0);
        }
        assert_int_equal(grz_fit_map_points(test_device, &object, points[0], normals[0], 2, NULL, answers, NULL),
                         GRZ_OK);
        assert_true(answers[0].along_normal && fabs(answers[0].distance - (2.0 - 2.0 / most)) < 1e-12);
        assert_true(!answers[1].along_normal && fabs(answers[1].distance - sqrt(square)) < 1e-12);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(answers[0].point[k] - points[0][k] / most) < 1e-12);
        // Past the cube: the nearest point is taken.
        for (int k = 0; k < 3; k++)
            normals[0][k] = -normals[0][k];
        assert_int_equal(grz_fit_map_points(test_device, &object, points[0], normals[0], 1, NULL, answers + 0, NULL),
                         GRZ_OK);
        assert_true(!answers[0].along_normal && answers[0].distance == answers[1].distance &&
                    answers[0].face == answers[1].face);
    }
    static const double bad[3][3] = {{0.0, 0.0, 2.0}, {0.0, (double)NAN, 0.0}, {0.0, 0.0, 2.0}};
    static const double up[3][3] = {{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}};
    grz_mapped_point some[3];
    grz_error error;
    for (int with = 0; with < 2; with++) {
        assert_int_equal(grz_fit_map_points(test_device, &object, bad[0], with ? up[0] : NULL, 3, NULL, some, &error),
                         GRZ_ERROR_ARGUMENT);
        assert_true(error.element == 1 && some[0].distance == 1.0 && some[0].along_normal == (with == 1));
        assert_true(some[1].face == GRZ_NO_FACE && some[2].face == GRZ_NO_FACE);
    }
    assert_int_equal(grz_fit_map_points(test_device, &object, NULL, NULL, 1, NULL, some, &error), GRZ_ERROR_ARGUMENT);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&cube);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    grz_hull *hull;
    grz_error error;
    fits f;
    const double p[3] = {1.0, 2.0, 3.0};
    assert_int_equal(grz_fit_sphere(NULL, NULL, &f.sphere, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "fit sphere: the hull is NULL");
    assert_int_equal(grz_hull_of_points(test_device, p, 1, NULL, &hull, NULL), GRZ_OK);
    assert_int_equal(grz_fit_box(hull, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_fit_dop(hull, 7, NULL, &f.dops[0], &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "fit dop: k is 7, must be 6, 14, 18 or 26");
    grz_hull_destroy(hull);
}

static void a_dop_becomes_a_hull(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e-4, 1e4, 0x1p-500, 0x1p280};
    random_stream random = {13};
    for (int round = 0; round < (TEST_SANITIZED ? 5 : 30); round++) {
        double points[MOST][3];
        const uint32_t count = 1 + random_below(&random, MOST);
        const bool lattice = random_below(&random, 3) == 0, flat = random_below(&random, 4) == 0;
        const double away = round % 5 < 3 && round % 2 == 1 ? 1e6 : 0.0;
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                points[i][k] = away + (k == 2 && flat ? 0.0
                                                      : scales[round % 5] * (lattice ? (double)random_below(&random, 4)
                                                                                     : random_signed(&random)));
        const fits f = fit_all(points[0], count);
        for (int i = 0; i < 4; i++)
            check_dop_hull(&f.dops[i]);
    }
    // A cube without its corners: the planes of four of them only.
    grz_fitted_dop dop = {.count = 4, .directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
    grz_hull *hull;
    grz_error error;
    for (int i = 0; i < 4; i++)
        dop.max[i] = i < 3 ? 1.0 : 2.5;
    dop.min[3] = 0.5;
    assert_int_equal(grz_fitted_dop_hull(test_device, &dop, &hull, NULL), GRZ_OK);
    assert_int_equal(grz_hull_vertex_count(hull), 12);
    assert_int_equal(grz_hull_face_count(hull), 8);
    grz_hull_destroy(hull);
    dop.min[3] = dop.max[3] = 4.0;
    assert_int_equal(grz_fitted_dop_hull(test_device, &dop, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "dop hull: no point is in all intervals of the k-DOP");
    dop.max[3] = 3.0;
    assert_int_equal(grz_fitted_dop_hull(test_device, &dop, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "dop hull: the interval of direction 3 is 4 to 3");
    dop.directions[3][0] = 2;
    assert_int_equal(grz_fitted_dop_hull(test_device, &dop, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "dop hull: direction 3 must be of 0, 1 and -1, the first three x, y and z");
    assert_int_equal(error.element, 3);
    dop.count = 2;
    assert_int_equal(grz_fitted_dop_hull(test_device, &dop, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "dop hull: 2 directions, must be 3 to 13");
    assert_int_equal(grz_fitted_dop_hull(test_device, NULL, &hull, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "dop hull: the k-DOP is NULL");
    assert_null(hull);
}

// The search takes too little time for deadlines to tell (test_fit_deadline) whether it goes on once the call must end.
static void a_search_for_a_ball_ends_with_its_call(void **state)
{
    (void)state;
    static const double points[3][3] = {{0.0, 0.0, 0.0}, {6.0, 0.0, 0.0}, {3.0, 7.0, 0.0}};
    static volatile int cancel = 0;
    const grz_limits limits = {.cancel = &cancel};
    grz_control control;
    grz_fit_ball ball;
    const grz_allocator allocator = grz_malloc_allocator();
    grz_control_init(&control, &allocator, &limits);
    grz_fit_find_ball(points, 3, &control, &ball);
    assert_true(ball.count == 3 && ball.square > 9.0);
    cancel = 1;
    grz_fit_find_ball(points, 3, &control, &ball);
    assert_int_equal(ball.count, 1);
    assert_int_equal(grz_control_status(&control), GRZ_ERROR_CANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_point_is_inside_exactly),
                                       cmocka_unit_test(known_balls_are_enclosed),
                                       cmocka_unit_test(known_boxes_and_capsules_are_found),
                                       cmocka_unit_test(ellipsoids_are_about_the_least),
                                       cmocka_unit_test(cylinders_are_the_best_that_were_tried),
                                       cmocka_unit_test(known_cylinders_and_ellipsoids_are_found),
                                       cmocka_unit_test(points_are_mapped_to_the_mesh),
                                       cmocka_unit_test(a_search_for_a_ball_ends_with_its_call),
                                       cmocka_unit_test(a_dop_becomes_a_hull),
                                       cmocka_unit_test(bad_input_is_refused)};
    for (int i = 0; i < ROOM; i++)
        mpq_init(room[i]);
    const int failed = cmocka_run_group_tests(tests, open_test_device, close_test_device);
    for (int i = 0; i < ROOM; i++)
        mpq_clear(room[i]);
    return failed;
}
