// SPDX-License-Identifier: MIT
// Fitted shapes against rational arithmetic: every point of the hull is inside exactly, at all scales and far from the
// origin. Balls whose radius is known; the bounds of a k-DOP against exact sums; boxes and capsules that must be found.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include <graze/graze.h>

#include "mesh_support.h"
#include "pair_generator.h"

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

static bool ball_holds(const grz_fitted_sphere *sphere, const double p[3])
{
    for (int k = 0; k < 3; k++)
        set_difference(room[k], p[k], sphere->centre[k]);
    dot(room[3], room, room);
    return is_at_most(room[3], sphere->radius);
}

static bool capsule_holds(const grz_fitted_capsule *capsule, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        set_difference(room[k], p[k], capsule->ends[0][k]);
        set_difference(room[3 + k], capsule->ends[1][k], capsule->ends[0][k]);
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
    return is_at_most(room[8], capsule->radius);
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

static bool box_holds(const grz_fitted_box *box, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            mpq_set_d(room[3 * i + k], box->axes[i][k]);
        set_difference(room[9 + k], p[k], box->centre[k]);
    }
    determinant(room[12], (const int[]){0, 3, 6});
    for (int i = 0; i < 3; i++) { // Cramer's rule
        int rows[3] = {0, 3, 6};
        rows[i] = 9;
        determinant(room[13], rows);
        mpq_div(room[13], room[13], room[12]);
        mpq_abs(room[13], room[13]);
        mpq_set_d(room[14], box->half[i]);
        if (mpq_cmp(room[13], room[14]) > 0)
            return false;
    }
    return true;
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

typedef struct fits {
    grz_fitted_sphere sphere;
    grz_fitted_capsule capsule;
    grz_fitted_box box, oriented;
    grz_fitted_dop dops[4];
    double volume;
} fits;

static const uint32_t ks[4] = {6, 14, 18, 26};

static fits fit_all(const double *points, uint32_t count)
{
    fits out;
    grz_hull *hull;
    assert_int_equal(grz_hull_of_points(test_device, points, count, NULL, &hull, NULL), GRZ_OK);
    assert_int_equal(grz_fit_sphere(hull, &out.sphere, NULL), GRZ_OK);
    assert_int_equal(grz_fit_capsule(hull, &out.capsule, NULL), GRZ_OK);
    assert_int_equal(grz_fit_box(hull, &out.box, NULL), GRZ_OK);
    assert_int_equal(grz_fit_oriented_box(hull, &out.oriented, NULL), GRZ_OK);
    assert_int_equal(grz_hull_volume(hull, &out.volume, NULL), GRZ_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(grz_fit_dop(hull, ks[i], &out.dops[i], NULL), GRZ_OK);
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
        }
        for (int i = 0; i < 4; i++)
            check_dop(&f.dops[i], points[0], count);
        assert_true(f.sphere.least <= f.sphere.radius);
        if (f.sphere.radius > 0.0 && scale > 0x1p-1000 && away == 0.0)
            worst = fmax(worst, f.sphere.radius / f.sphere.least - 1.0);
        if (f.volume > 0.0 && away == 0.0 && !isinf(f.volume) && scale > 0x1p-300) {
            assert_true(f.dops[0].ratio <= f.box.ratio * (1.0 + 1e-9) && f.dops[3].ratio >= 1.0 - 1e-9);
            assert_true(f.dops[1].ratio <= f.dops[0].ratio * (1.0 + 1e-9));
            assert_true(f.dops[3].ratio <= f.dops[1].ratio * (1.0 + 1e-9));
            assert_true(f.dops[3].ratio <= f.dops[2].ratio * (1.0 + 1e-9));
            assert_true(f.oriented.ratio <= f.box.ratio * (1.0 + 1e-9) && f.oriented.ratio >= 1.0 - 1e-9);
            assert_true(f.capsule.ratio > 1.0 && f.sphere.ratio > 1.0);
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
        assert_true(is_at_most(room[0], f.sphere.radius));
        mpq_set_d(room[1], f.sphere.least);
        mpq_mul(room[1], room[1], room[1]);
        assert_true(mpq_cmp(room[1], room[0]) <= 0);
        assert_true(f.sphere.radius <= sqrt(square) * (1.0 + 1e-9) && f.sphere.least >= sqrt(square) * (1.0 - 1e-9));
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
    assert_true(f.capsule.radius < 1e-13 && f.volume == 0.0 && isinf(f.capsule.ratio));
    assert_true(fabs(f.sphere.radius - 4.5) < 1e-14);
    f = fit_all(rod[0], 1);
    assert_true(f.sphere.radius == 0.0 && f.capsule.radius == 0.0 && f.oriented.half[0] == 0.0);
    assert_memory_equal(f.sphere.centre, rod[0], sizeof rod[0]);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    grz_hull *hull;
    grz_error error;
    fits f;
    const double p[3] = {1.0, 2.0, 3.0};
    assert_int_equal(grz_fit_sphere(NULL, &f.sphere, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "fit sphere: the hull is NULL");
    assert_int_equal(grz_hull_of_points(test_device, p, 1, NULL, &hull, NULL), GRZ_OK);
    assert_int_equal(grz_fit_box(hull, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_fit_dop(hull, 7, &f.dops[0], &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "fit dop: k is 7, must be 6, 14, 18 or 26");
    grz_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_inside_exactly), cmocka_unit_test(known_balls_are_enclosed),
        cmocka_unit_test(known_boxes_and_capsules_are_found), cmocka_unit_test(bad_input_is_refused)};
    for (int i = 0; i < ROOM; i++)
        mpq_init(room[i]);
    const int failed = cmocka_run_group_tests(tests, open_test_device, close_test_device);
    for (int i = 0; i < ROOM; i++)
        mpq_clear(room[i]);
    return failed;
}
