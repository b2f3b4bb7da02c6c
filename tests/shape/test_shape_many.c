// SPDX-License-Identifier: MIT
// ctest: concurrent
// grz_shapes_compare_many(): the bits of grz_shapes_compare() for each pair, with any number of threads; what ends it,
// and what it refuses.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "pair_generator.h"
#include "support_devices.h"
#include "support_sanitizer.h"

enum {
    SHAPES = 60,
    PAIRS = TEST_SANITIZED ? 300 : 3000,
    HULL = 40
};

typedef struct crowd {
    grz_shape shapes[SHAPES];
    double points[HULL][3];
    uint32_t pairs[PAIRS][2];
    grz_shape_answer answers[PAIRS];
} crowd;

// All kinds, near each other.
static void make_crowd(crowd *c)
{
    random_stream random = random_stream_of_block(0, 2620);
    for (int i = 0; i < HULL * 3; i++)
        c->points[i / 3][i % 3] = random_signed(&random);
    for (int i = 0; i < SHAPES; i++) {
        double p[3], q[3], half[3];
        grz_shape *s = &c->shapes[i];
        for (int k = 0; k < 3; k++) {
            p[k] = 2.0 * random_signed(&random);
            q[k] = p[k] + random_signed(&random);
            half[k] = 0.2 + 0.5 * fabs(random_signed(&random));
        }
        switch (i % 10) {
        case 0:
            *s = grz_shape_capsule(p, q, half[0]);
            break;
        case 1:
            *s = grz_shape_sphere(p, half[0]);
            break;
        case 2:
            *s = grz_shape_triangle(p, q, half);
            break;
        case 3:
            *s = grz_shape_ray(p, half);
            break;
        case 4:
            *s = grz_shape_cylinder(p, half[0], half[1]);
            break;
        case 5:
            *s = grz_shape_cone(p, half[0], half[1]);
            break;
        case 6:
            *s = grz_shape_ellipsoid(p, half);
            break;
        case 7:
            *s = grz_shape_hull(c->points[0], HULL);
            break;
        case 8:
            *s = grz_shape_line(p, half);
            break;
        default:
            *s = grz_shape_box(p, half);
        }
        s->pose.m[0][1] += 0.25 * random_signed(&random);
    }
    for (int i = 0; i < 2 * PAIRS; i++)
        c->pairs[i / 2][i % 2] = random_below(&random, SHAPES);
}

static bool same(const grz_shape_answer *x, const grz_shape_answer *y)
{
    return x->relation == y->relation && memcmp(&x->distance, &y->distance, sizeof(double)) == 0 &&
           memcmp(&x->lower, &y->lower, sizeof(double)) == 0 && memcmp(&x->upper, &y->upper, sizeof(double)) == 0 &&
           memcmp(x->point_a, y->point_a, sizeof x->point_a) == 0 &&
           memcmp(x->point_b, y->point_b, sizeof x->point_b) == 0 &&
           memcmp(&x->depth, &y->depth, sizeof(double)) == 0 &&
           memcmp(&x->depth_lower, &y->depth_lower, sizeof(double)) == 0 &&
           memcmp(&x->depth_upper, &y->depth_upper, sizeof(double)) == 0 &&
           memcmp(x->direction, y->direction, sizeof x->direction) == 0;
}

static bool knows_nothing(const grz_shape_answer *answer)
{
    return answer->relation == GRZ_SHAPES_UNDECIDED && answer->lower == 0.0 && isinf(answer->upper) &&
           answer->depth_lower == 0.0 && isinf(answer->depth_upper);
}

static grz_device *open_device(uint32_t threads)
{
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    options.threads = threads;
    assert_int_equal(grz_device_open(&options, &device, NULL), GRZ_OK);
    return device;
}

static void answers_are_those_of_single_calls(void **state)
{
    (void)state;
    static crowd c;
    unsigned relations[4] = {0};
    make_crowd(&c);
    for (uint32_t threads = 1; threads <= 4; threads += 3)
        for (int exact = 0; exact < 2; exact++) {
            grz_device *device = open_device(threads);
            grz_shape_options options = grz_default_shape_options();
            grz_error error;
            options.exact_distance = exact != 0;
            options.depth = exact == 0;
            memset(c.answers, 0xff, sizeof c.answers);
            if (grz_shapes_compare_many(device, c.shapes, SHAPES, c.pairs[0], PAIRS, &options, c.answers, &error) !=
                GRZ_OK)
                fail_msg("%s", error.message);
            for (int i = 0; i < PAIRS; i++) {
                grz_shape_answer one;
                assert_int_equal(grz_shapes_compare(test_device, &c.shapes[c.pairs[i][0]], &c.shapes[c.pairs[i][1]],
                                                    &options, &one, &error),
                                 GRZ_OK);
                if (!same(&one, &c.answers[i]))
                    fail_msg("pair %d, %u threads: relation %d, alone %d", i, threads, (int)c.answers[i].relation,
                             (int)one.relation);
                relations[one.relation]++;
            }
            grz_device_close(device);
        }
    assert_true(relations[GRZ_SHAPES_APART] > PAIRS / 4 && relations[GRZ_SHAPES_PENETRATING] > PAIRS / 4);
}

static void it_can_be_ended(void **state)
{
    (void)state;
    static crowd c;
    static const volatile int raised = 1;
    make_crowd(&c);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        grz_device *device = open_device(threads);
        grz_shape_options options = grz_default_shape_options();
        grz_error error;
        int begun = 0;
        options.limits.cancel = &raised;
        assert_int_equal(
            grz_shapes_compare_many(device, c.shapes, SHAPES, c.pairs[0], PAIRS, &options, c.answers, &error),
            GRZ_ERROR_CANCELLED);
        for (int i = 0; i < PAIRS; i++)
            assert_true(knows_nothing(&c.answers[i]));
        options.limits.cancel = NULL;
        options.exact_distance = true;
        options.limits.deadline = 1e-4;
        assert_int_equal(
            grz_shapes_compare_many(device, c.shapes, SHAPES, c.pairs[0], PAIRS, &options, c.answers, &error),
            GRZ_ERROR_DEADLINE);
        for (int i = 0; i < PAIRS; i++)
            begun += !knows_nothing(&c.answers[i]);
        assert_true(begun < PAIRS);
        options.limits.deadline = 0.0;
        options.limits.memory_limit = HULL * 4 * sizeof(double); // enough for one hull at a time
        assert_int_equal(
            grz_shapes_compare_many(device, c.shapes, SHAPES, c.pairs[0], PAIRS, &options, c.answers, &error),
            GRZ_ERROR_MEMORY);
        assert_non_null(strstr(error.message, "more than the limit of 1280 bytes"));
        const grz_shape hull = grz_shape_hull(c.points[0], HULL);
        options.limits.memory_limit = 100;
        assert_int_equal(grz_shapes_compare(device, &c.shapes[0], &hull, &options, c.answers, &error),
                         GRZ_ERROR_MEMORY);
        assert_string_equal(error.message, "shape: the points of shape B, a hull: more than the limit of 100 bytes");
        grz_device_close(device);
    }
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const double p[3] = {0, 0, 0}, x[3] = {1, 0, 0}, up[3] = {0, 1, 0}, nearly[3] = {1, -0x1p-900, 0},
                 wrong[3] = {0, (double)NAN, 0};
    grz_shape shapes[4] = {grz_shape_line(p, x), grz_shape_sphere(p, 1.0), grz_shape_line(up, nearly),
                           grz_shape_point(up)};
    const uint32_t pairs[5][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 0}, {3, 4}};
    grz_shape_answer answers[5];
    grz_error error;
    assert_int_equal(grz_shapes_compare_many(test_device, shapes, 4, pairs[0], 5, NULL, answers, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "shapes: pair 4 has shape 4, there are 4");
    assert_int_equal(error.element, 4);
    assert_true(knows_nothing(&answers[0]));
    assert_int_equal(grz_shapes_compare_many(test_device, shapes, 4, pairs[0], 4, NULL, answers, &error),
                     GRZ_ERROR_UNSUPPORTED);
    assert_int_equal(error.element, 1);
    assert_true(knows_nothing(&answers[1]) && knows_nothing(&answers[3]));
    assert_int_equal(answers[0].relation, GRZ_SHAPES_PENETRATING);
    assert_int_equal(answers[2].relation, GRZ_SHAPES_TOUCHING);
    shapes[3] = grz_shape_point(wrong);
    assert_int_equal(grz_shapes_compare_many(test_device, shapes, 4, pairs[0], 1, NULL, answers, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "shapes: shape 3, a point: corner 0 is not finite");
    assert_int_equal(error.element, 3);
    assert_true(knows_nothing(&answers[0]));
    assert_int_equal(grz_shapes_compare_many(test_device, shapes, 3, NULL, 1, NULL, answers, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "shapes: the pairs are NULL");
    assert_int_equal(grz_shapes_compare_many(test_device, NULL, 3, pairs[0], 1, NULL, answers, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "shapes: the shapes are NULL");
    assert_int_equal(grz_shapes_compare_many(test_device, shapes, 3, pairs[0], 1, NULL, NULL, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "shapes: the answers are NULL");
    assert_int_equal(grz_shapes_compare_many(NULL, shapes, 3, pairs[0], 1, NULL, answers, &error), GRZ_ERROR_ARGUMENT);
    assert_string_equal(error.message, "shapes: the device is NULL");
    assert_int_equal(grz_shapes_compare_many(test_device, NULL, 0, NULL, 0, NULL, NULL, &error), GRZ_OK);
    assert_int_equal(grz_shapes_compare_many(test_device, shapes, 3, pairs[0], 1, NULL, answers, &error), GRZ_OK);
}

static void failing_allocations_leave_nothing(void **state)
{
    (void)state;
    static crowd c;
    counting_allocator counter = {.fail_at = 0};
    const uint32_t pairs[2][2] = {{7, 17}, {1, 7}};
    make_crowd(&c);
    bool done = false;
    for (long at = 1; !done; at++) {
        grz_device *device = counting_device_open(&counter);
        grz_shape_answer answers[2];
        grz_error error;
        const long before = counter.live;
        counter.fail_at = counter.calls + at;
        const grz_status status = grz_shapes_compare_many(device, c.shapes, SHAPES, pairs[0], 2, NULL, answers, &error);
        done = status == GRZ_OK;
        assert_true(done || status == GRZ_ERROR_MEMORY);
        assert_true(done || knows_nothing(&answers[1]));
        assert_int_equal(counter.live, before);
        assert_true(at < 100);
        counter.fail_at = 0;
        grz_device_close(device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_single_calls),
                                       cmocka_unit_test(it_can_be_ended), cmocka_unit_test(bad_input_is_refused),
                                       cmocka_unit_test(failing_allocations_leave_nothing)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
