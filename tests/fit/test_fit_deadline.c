// SPDX-License-Identifier: MIT
// The deadline of hulls and fitted shapes: on hulls of hundreds of thousands of corners each call ends within 50 ms of
// its deadline, says that it passed, and names it. Measured in processor time of this thread, which other programs on
// the machine do not take from.
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "pair_generator.h"
#include "support_devices.h"
#include "support_sanitizer.h"

enum {
    FLAT = TEST_SANITIZED ? 100000 : 1000000,
    SOLID = TEST_SANITIZED ? 20000 : 300000,
    FITS = 10
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static grz_status call_fit(const grz_hull *hull, int which, const grz_hull_options *options, grz_error *error)
{
    static const uint32_t ks[] = {6, 14, 18, 26};
    union {
        grz_fitted_shape sphere;
        grz_fitted_shape capsule;
        grz_fitted_shape box;
        grz_fitted_dop dop;
    } out;
    switch (which) {
    case 0:
        return grz_fit_sphere(hull, options, &out.sphere, error);
    case 1:
        return grz_fit_capsule(hull, options, &out.capsule, error);
    case 2:
        return grz_fit_box(hull, options, &out.box, error);
    case 3:
        return grz_fit_oriented_box(hull, options, &out.box, error);
    case 4:
        return grz_fit_cylinder(hull, options, &out.box, error);
    case 5:
        return grz_fit_ellipsoid(hull, options, &out.box, error);
    default:
        return grz_fit_dop(hull, ks[which - 6], options, &out.dop, error);
    }
}

// The time that a fit takes, and then whether it ends at deadlines before that.
static void check_fit(const char *name, const grz_hull *hull, int which)
{
    const double start = cpu_seconds();
    assert_int_equal(call_fit(hull, which, NULL, NULL), GRZ_OK);
    const double whole = cpu_seconds() - start;
    double latest = 0.0;
    for (int i = 1; i <= 8; i++) {
        grz_hull_options options = grz_default_hull_options();
        grz_error error;
        char expected[64];
        options.limits.deadline = i < 8 ? whole * i / 10.0 : 1e-6;
        snprintf(expected, sizeof expected, "the deadline of %g s passed", options.limits.deadline);
        const double begun = cpu_seconds();
        const grz_status status = call_fit(hull, which, &options, &error);
        const double late = cpu_seconds() - begun - options.limits.deadline;
        latest = fmax(latest, late);
        if (late > 0.050 * (TEST_SANITIZED ? 10 : 1))
            fail_msg("%s, fit %d: %g s after the deadline of %g s", name, which, late, options.limits.deadline);
        if (status == GRZ_ERROR_DEADLINE)
            assert_string_equal(error.message, expected);
        else if (status != GRZ_OK || i < 3 || i == 8) // times are not the same each time
            fail_msg("%s, fit %d: status %d at %g s of %g s", name, which, (int)status, options.limits.deadline, whole);
    }
    print_message("%s, fit %d: takes %.1f ms, at most %.2f ms after a deadline\n", name, which, 1e3 * whole,
                  1e3 * latest);
}

// A flag that is up ends each at once.
static void check_cancel(const grz_hull *hull)
{
    static const volatile int raised = 1;
    grz_hull_options options = grz_default_hull_options();
    grz_error error;
    options.limits.cancel = &raised;
    for (int which = 0; which < FITS; which++) {
        assert_int_equal(call_fit(hull, which, &options, &error), GRZ_ERROR_CANCELLED);
        assert_string_equal(error.message, "cancelled");
    }
}

static void check_hull_deadlines(const double *points, uint64_t count, double whole)
{
    double latest = 0.0;
    for (int i = 0; i < 12; i++) {
        grz_hull_options options = grz_default_hull_options();
        grz_hull *hull;
        options.limits.deadline = i == 0 ? 1e-6 : whole * i / 14.0;
        const double begun = cpu_seconds();
        const grz_status status = grz_hull_of_points(test_device, points, count, &options, &hull, NULL);
        const double late = cpu_seconds() - begun - options.limits.deadline;
        if (late > 0.050 * (TEST_SANITIZED ? 10 : 1))
            fail_msg("hull: %g s after the deadline of %g s", late, options.limits.deadline);
        assert_true(status == GRZ_ERROR_DEADLINE || (status == GRZ_OK && i > 6));
        grz_hull_destroy(hull);
        latest = fmax(latest, late);
    }
    print_message("hull: takes %.0f ms, at most %.1f ms after a deadline\n", 1e3 * whole, 1e3 * latest);
}

static void check_all(const char *name, const double *points, uint64_t count, int dimension)
{
    grz_hull *hull;
    const double start = cpu_seconds();
    assert_int_equal(grz_hull_of_points(test_device, points, count, NULL, &hull, NULL), GRZ_OK);
    const double whole = cpu_seconds() - start;
    assert_int_equal(grz_hull_dimension(hull), dimension);
    print_message("%s: %u corners, %u faces, made in %.0f ms\n", name, grz_hull_vertex_count(hull),
                  grz_hull_face_count(hull), 1e3 * whole);
    assert_true(grz_hull_vertex_count(hull) > count / 2);
    for (int which = 0; which < FITS; which++)
        check_fit(name, hull, which);
    check_cancel(hull);
    grz_hull_destroy(hull);
    check_hull_deadlines(points, count, whole);
}

// One face with a corner at each point of a parabola.
static void a_flat_hull_of_many_corners(void **state)
{
    (void)state;
    double(*points)[3] = malloc(FLAT * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < FLAT; i++) {
        const double x = (double)i - 0.5 * FLAT;
        memcpy(points[i], (double[3]){x, x * x, 7.0}, sizeof points[i]);
    }
    check_all("flat", points[0], FLAT, 2);
    free(points);
}

// Points of a paraboloid, each a corner.
static void a_solid_hull_of_many_corners(void **state)
{
    (void)state;
    random_stream random = {42};
    double(*points)[3] = malloc(SOLID * sizeof *points);
    assert_non_null(points);
    for (int i = 0; i < SOLID; i++) {
        const double x = random_signed(&random), y = random_signed(&random);
        memcpy(points[i], (double[3]){x, y, x * x + y * y}, sizeof points[i]);
    }
    check_all("solid", points[0], SOLID, 3);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_hull_of_many_corners),
        cmocka_unit_test(a_solid_hull_of_many_corners),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
