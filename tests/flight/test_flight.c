// SPDX-License-Identifier: MIT
// grz_flight_advance(): known bounces; the same bytes at any number of steps a second; sheets that a parabola's top
// just pokes through; random flights in closed rooms, of which none ends inside, leaves, or hangs. grz_flight_objects()
// against exact samples. Bad input, early ends, orders.
// GRZ_FLIGHTS: how many random flights, 400 unless set. GRZ_FLIGHTS_FIRST: the number of the first one, to replay it.
// ctest: concurrent orders_and_threads
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_moved.h"
#include "support_movers.h"
#include "support_sanitizer.h"

enum {
    MOST = 64
};

static grz_flight_options ball(double radius)
{
    grz_flight_options options = grz_default_flight_options();
    options.radius = radius;
    return options;
}

static uint64_t advance(const test_level *level, const grz_flight_options *options, double until, grz_flight *flight,
                        grz_bounce *bounces, uint64_t most)
{
    uint64_t found;
    grz_error error;
    if (grz_flight_advance(test_device, level->objects, level->count, options, until, flight, bounces, most, &found,
                           &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return found;
}

static test_mesh room_of(double size)
{
    return test_mesh_cube(-size, -size, -size, 2.0 * size);
}

// ---- Known bounces ------------------------------------------------------------------------------------------------

static void a_ball_between_walls(void **state)
{
    test_level level = test_level_of(room_of(2.0));
    (void)state;
    for (int point = 0; point < 2; point++) {
        grz_flight_options options = ball(point ? 0.0 : 0.25);
        options.skin = 0x1p-20;
        const double radius = options.radius, speed = 3.0;
        grz_flight flight = grz_flight_from((double[3]){0, 0.5, 0.25}, (double[3]){speed, 0, 0}, 10.0);
        grz_bounce bounces[MOST];
        const uint64_t found = advance(&level, &options, HUGE_VAL, &flight, bounces, 7);
        assert_true(found == 7 && flight.bounces == 7 && flight.state == GRZ_FLIGHT_FULL);
        for (int i = 0; i < 7; i++) {
            const double wall = (i % 2 ? -1.0 : 1.0) * (2.0 - radius),
                         time = 10.0 + ((2.0 - radius) + i * 2.0 * (2.0 - radius)) / speed;
            assert_true(fabs(bounces[i].position[0] - wall) <= options.skin && bounces[i].position[1] == 0.5);
            assert_true(fabs(bounces[i].time - time) < 1e-5);
            assert_true(bounces[i].before[0] == (i % 2 ? -speed : speed) &&
                        bounces[i].after[0] == -bounces[i].before[0]);
            assert_true(bounces[i].normal[0] == (i % 2 ? 1.0 : -1.0));
            assert_true(fabs(bounces[i].point[0] - (i % 2 ? -2.0 : 2.0)) < 1e-9 && bounces[i].object == 0);
        }
    }
    test_level_finish(&level);
}

static void restitution_and_friction(void **state)
{
    test_level level = test_level_of(test_mesh_box((double[3]){-9, -9, -1}, (double[3]){9, 9, 0}));
    grz_flight_options options = ball(0.25);
    grz_bounce bounces[MOST];
    (void)state;
    options.restitution = 0.5;
    options.friction = 0.25;
    grz_flight flight = grz_flight_from((double[3]){0, 0, 2}, (double[3]){3, 0, -4}, 0.0);
    assert_int_equal(advance(&level, &options, HUGE_VAL, &flight, bounces, MOST), 1);
    assert_true(flight.state == GRZ_FLIGHT_FLIES && fabs(flight.velocity[0] - (3.0 - 0.25 * 1.5 * 4.0)) < 1e-12);
    assert_true(fabs(flight.velocity[2] - 2.0) < 1e-12 && flight.velocity[1] == 0.0);
    // Much friction stops it along the floor, and does not turn it round.
    options.friction = 10.0;
    flight = grz_flight_from((double[3]){0, 0, 2}, (double[3]){3, 0, -4}, 0.0);
    advance(&level, &options, 1.0, &flight, bounces, MOST);
    assert_true(flight.velocity[0] == 0.0 && fabs(flight.velocity[2] - 2.0) < 1e-12);
    // Dropped, it comes to rest on the floor, after a while that is known: t (1 + e) / (1 - e).
    options.acceleration[2] = -10.0;
    options.friction = 0.5;
    flight = grz_flight_from((double[3]){1, 2, 1.5}, (double[3]){0, 0, 0}, 0.0);
    const uint64_t found = advance(&level, &options, HUGE_VAL, &flight, bounces, MOST);
    assert_true(flight.state == GRZ_FLIGHT_RESTS && found >= 4 && found < 20);
    assert_true(fabs(flight.now - 0.5 * 3.0) < 0.05 && flight.position[2] >= 0.25 && flight.position[2] < 0.2503);
    assert_true(flight.position[0] == 1.0 && flight.position[1] == 2.0);
    for (uint64_t i = 1; i < found; i++)
        assert_true(fabs(bounces[i].after[2] - 0.5 * bounces[i - 1].after[2]) < 0.01 * bounces[i - 1].after[2] + 0.05);
    const double lies[3] = {flight.position[0], flight.position[1], flight.position[2]};
    assert_int_equal(advance(&level, &options, 100.0, &flight, bounces, MOST), 0);
    assert_memory_equal(lies, flight.position, sizeof lies);
    assert_true(flight.now == 100.0);
    test_level_finish(&level);
}

// On a slope of 45 degrees a ball rests if friction is above 1, else it slides down at g (1 - friction) sin 45.
static void slopes(void **state)
{
    const double corners[] = {-99, -9, -99, 99, -9, 99, 99, 9, 99, -99, 9, -99};
    test_level level = test_level_of(test_mesh_make(corners, 4, (const uint32_t[]){0, 1, 2, 3}, 1, 4));
    (void)state;
    for (int rough = 0; rough < 3; rough++) {
        grz_flight_options options = ball(0.5);
        grz_bounce bounces[MOST];
        options.acceleration[2] = -8.0;
        options.restitution = 0.0;
        options.friction = 0.75 * rough;
        grz_flight flight = grz_flight_from((double[3]){0, 0, 0.7075}, (double[3]){0, 0, 0}, 0.0);
        advance(&level, &options, 2.0, &flight, bounces, MOST);
        const double gone = sqrt(flight.position[0] * flight.position[0] +
                                 (flight.position[2] - 0.7075) * (flight.position[2] - 0.7075)),
                     expected = 0.5 * 8.0 * sqrt(0.5) * (1.0 - 0.75 * rough) * 4.0;
        if (rough == 2 ? flight.state != GRZ_FLIGHT_RESTS || gone > 0.01
                       : fabs(gone - expected) > 0.1 * expected + 0.05)
            fail_msg("friction %g: state %d, gone %g, expected %g", options.friction, flight.state, gone, expected);
    }
    test_level_finish(&level);
}

// A groove that falls by one in two. Its walls hold a ball together by friction, though neither would hold it alone. A
// groove that falls by one in ten and is nearly smooth does not.
static void a_groove(void **state)
{
    const double corners[] = {-9, -99, 12, 0, -99, 0, 9, -99, 12, -9, 99, 12, 0, 99, 0, 9, 99, 12};
    test_level level = test_level_of(test_mesh_make(corners, 6, (const uint32_t[]){0, 1, 4, 3, 1, 2, 5, 4}, 2, 4));
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        grz_flight_options options = ball(0.3);
        grz_bounce bounces[MOST];
        options.acceleration[1] = rough ? 5.0 : 1.0;
        options.acceleration[2] = -10.0;
        options.restitution = 0.0;
        options.friction = rough ? 0.6 : 0.02;
        grz_flight flight = grz_flight_from((double[3]){1e-3, 0, 0.51}, (double[3]){0, 0, 0}, 0.0);
        advance(&level, &options, 0.5, &flight, bounces, MOST);
        if (rough ? flight.state != GRZ_FLIGHT_RESTS || flight.position[1] > 0.03
                  : flight.state != GRZ_FLIGHT_FLIES || flight.position[1] < 0.05)
            fail_msg("friction %g: state %d, gone %g", options.friction, flight.state, flight.position[1]);
    }
    // Without friction, in a level groove: held by the many touches at one place.
    for (int i = 0; i < 8; i++) {
        grz_flight_options options = ball(0.3);
        grz_bounce bounces[MOST];
        options.skin = 0x1p-18;
        options.acceleration[2] = -10.0;
        options.restitution = 0.0;
        grz_flight flight = grz_flight_from((double[3]){ldexp(0.3, -2 * i), 0, 1.5}, (double[3]){0, 0, 0}, 0.0);
        advance(&level, &options, HUGE_VAL, &flight, bounces, MOST);
        if (flight.state != GRZ_FLIGHT_RESTS)
            fail_msg("level groove, %d: state %d", i, flight.state);
    }
    test_level_finish(&level);
}

// A sheet without thickness just below the top of a parabola, whose chords all pass below it.
static void the_top_of_a_parabola(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        const double up = i % 2 ? 10.0 : 7.0, top = up * up / 20.0, poke = ldexp(1.0, -i);
        grz_flight_options options = ball(0.0);
        options.skin = 0x1p-30;
        options.acceleration[2] = -10.0;
        test_level level = test_level_of(test_mesh_make(
            (const double[]){-50, -50, top - poke, 50, -50, top - poke, 50, 50, top - poke, -50, 50, top - poke}, 4,
            (const uint32_t[]){0, 1, 2, 3}, 1, 4));
        grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, up}, 0.0);
        grz_bounce bounce;
        const double time = up / 10.0 - sqrt(2.0 * poke / 10.0);
        assert_int_equal(advance(&level, &options, 1.5, &flight, &bounce, 1), 1);
        assert_true(fabs(bounce.position[2] - (top - poke)) <= options.skin && bounce.position[2] < top - poke);
        assert_true(fabs(bounce.time - time) < 1e-4);
        // Above the top nothing is met.
        test_level_finish(&level);
        level = test_level_of(test_mesh_make(
            (const double[]){-50, -50, top + poke, 50, -50, top + poke, 50, 50, top + poke, -50, 50, top + poke}, 4,
            (const uint32_t[]){0, 1, 2, 3}, 1, 4));
        flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, up}, 0.0);
        assert_int_equal(advance(&level, &options, 1.5, &flight, &bounce, 1), 0);
        assert_true(flight.state == GRZ_FLIGHT_FLIES && flight.now == 1.5);
        assert_true(fabs(flight.position[2] - (1.5 * up - 11.25)) < 1e-12);
        test_level_finish(&level);
    }
}

// ---- Any number of steps a second ---------------------------------------------------------------------------------

static test_level cave(random_stream *random, int kind)
{
    test_level level = {.count = 0};
    test_mesh mesh = kind == 1 ? test_mesh_icosphere(3.0, 3) : room_of(3.0);
    if (kind == 1)
        test_mesh_crumple(&mesh, random, 0, 0.2);
    if (kind == 2)
        for (int i = 0; i < 10; i++) {
            const double x = 2.4 * random_signed(random), y = 2.4 * random_signed(random);
            test_mesh_take(&mesh,
                           test_mesh_box((double[3]){x - 0.2, y - 0.3, -3.0}, (double[3]){x + 0.2, y + 0.3, 1.0}));
        }
    if (kind == 3) // blades at small angles to each other
        for (int i = 0; i < 30; i++) {
            double c[3][3];
            for (int j = 0; j < 9; j++)
                c[j / 3][j % 3] = 2.9 * random_signed(random) * (j % 3 == 2 && i % 2 ? 0.05 : 1.0);
            test_mesh_add_loose_triangle(&mesh, (const double(*)[3])c);
        }
    test_level_add(&level, mesh);
    if (kind == 4)
        for (int i = 0; i < 12; i++) {
            test_mesh stone = test_mesh_icosphere(0.5, 1);
            test_mesh_move(&stone, 2.2 * random_signed(random), 2.2 * random_signed(random),
                           2.2 * random_signed(random));
            test_level_add(&level, stone);
        }
    return level;
}

static bool place(const test_level *level, const grz_flight_options *options, random_stream *random, double p[3])
{
    const grz_shape shape = test_sphere(options->radius > 0.0 ? options->radius : 0x1p-90);
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++)
            p[k] = 2.5 * random_signed(random);
        if (test_core_distance(level, &shape, p) > options->radius + options->skin &&
            p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < 2.5 * 2.5)
            return true;
    }
    return false;
}

static grz_flight_options random_options(random_stream *random)
{
    grz_flight_options options =
        ball(random_below(random, 4) == 0 ? 0.0 : ldexp(1.0, -(int)random_below(random, 8) - 1));
    options.skin = (options.radius > 0.0 ? options.radius : 1.0) * ldexp(1.0, -(int)random_below(random, 12) - 6);
    if (random_below(random, 3) > 0)
        options.acceleration[2] = -10.0;
    if (random_below(random, 4) == 0)
        options.acceleration[0] = 3.0 * random_signed(random);
    options.restitution = random_below(random, 3) == 0 ? 1.0 : random_below(random, 4) / 4.0;
    options.friction = random_below(random, 2) == 0 ? 0.0 : fabs(random_signed(random));
    return options;
}

static void the_same_at_any_rate(void **state)
{
    random_stream random = {.state = 77};
    int bounced = 0;
    (void)state;
    for (int round = 0; round < (TEST_SANITIZED ? 10 : 60); round++) {
        test_level level = cave(&random, round % 5);
        const grz_flight_options options = random_options(&random);
        double p[3], v[3];
        for (int k = 0; k < 3; k++)
            v[k] = 6.0 * random_signed(&random);
        if (place(&level, &options, &random, p)) {
            grz_bounce at_30[2048], at_120[2048], at_once[2048];
            grz_flight slow = grz_flight_from(p, v, 0.0), fast = slow, once = slow;
            uint64_t a = 0, b = 0;
            for (int i = 1; i <= 60; i++) {
                a += advance(&level, &options, i / 30.0, &slow, at_30 + a, 2048 - a);
                for (int j = 4 * i - 3; j <= 4 * i; j++)
                    b += advance(&level, &options, j / 120.0, &fast, at_120 + b, 2048 - b);
                assert_memory_equal(&slow, &fast, sizeof slow);
            }
            const uint64_t c = advance(&level, &options, 2.0, &once, at_once, 2048);
            assert_true(a == b && a == c && a < 2048);
            assert_memory_equal(at_30, at_120, a * sizeof *at_30);
            assert_memory_equal(at_30, at_once, a * sizeof *at_30);
            assert_memory_equal(&slow, &once, sizeof slow);
            bounced += (int)a;
        }
        test_level_finish(&level);
    }
    if (bounced < (TEST_SANITIZED ? 20 : 200))
        fail_msg("%d bounces", bounced);
}

// ---- Random flights -----------------------------------------------------------------------------------------------

enum {
    FOUND_ONCE = 5931 // a ball that hopped on and on in a groove, where friction holds it
};

static uint64_t wanted_by(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    const long long given = text != NULL ? strtoll(text, NULL, 10) : 0;
    return given > 0 ? (uint64_t)given : otherwise;
}

static void check_place(const test_level *level, const grz_flight_options *options, const double p[3], uint64_t number,
                        double most)
{
    const grz_shape shape = test_sphere(options->radius > 0.0 ? options->radius : 0x1p-90);
    const double distance = test_core_distance(level, &shape, p);
    if (!(distance >= options->radius && distance <= most))
        fail_msg("flight %llu: %.17g from the level at %a %a %a, radius %g, skin %g", (unsigned long long)number,
                 distance, p[0], p[1], p[2], options->radius, options->skin);
    for (int k = 0; k < 3; k++)
        if (!(fabs(p[k]) < 3.6)) // crumpled caves reach that far
            fail_msg("flight %llu: out of the room at %g %g %g", (unsigned long long)number, p[0], p[1], p[2]);
}

static void random_shots(void **state)
{
    const uint64_t first = wanted_by("GRZ_FLIGHTS_FIRST", 0),
                   flights = wanted_by("GRZ_FLIGHTS", TEST_SANITIZED ? 50 : 400);
    uint64_t bounced = 0, states[5] = {0}, limits = 0;
    (void)state;
    for (uint64_t round = 0; round < flights; round++) {
        const uint64_t number = first == 0 && round == 0 ? FOUND_ONCE : first + round;
        random_stream random = {.state = 1000 + number};
        test_level level = cave(&random, (int)(number % 5));
        const grz_flight_options options = random_options(&random);
        double p[3], v[3];
        for (int k = 0; k < 3; k++)
            v[k] = random_signed(&random) * ldexp(1.0, (int)random_below(&random, 8) - 1);
        if (place(&level, &options, &random, p)) {
            grz_bounce bounces[MOST];
            grz_flight flight = grz_flight_from(p, v, 0.0);
            for (int part = 0; part < 4 && flight.state != GRZ_FLIGHT_RESTS; part++) {
                const bool without_end = random_below(&random, 2) == 0 && options.friction > 0.0;
                const double until = without_end ? HUGE_VAL : flight.now + fabs(random_signed(&random));
                const uint64_t found = advance(&level, &options, until, &flight, bounces, MOST);
                states[flight.state]++;
                for (uint64_t i = 0; i < found; i += 1 + found / 4)
                    check_place(&level, &options, bounces[i].position, number, options.radius + options.skin);
                check_place(&level, &options, flight.position, number, HUGE_VAL);
                for (int i = 1; i < 8 && flight.state == GRZ_FLIGHT_FLIES; i++) { // on the way of the last arc
                    const double t = (flight.now - flight.since) * i / 8.0;
                    grz_flight_options allowed = options;
                    double q[3];
                    for (int k = 0; k < 3; k++)
                        q[k] = flight.start[k] + flight.velocity[k] * t + 0.5 * options.acceleration[k] * t * t;
                    allowed.radius = fmax(0.0, options.radius - options.skin / 64.0);
                    check_place(&level, &allowed, q, number, HUGE_VAL);
                }
                for (uint64_t i = 0; i < found && options.restitution == 1.0 && options.friction == 0.0; i++) {
                    const double *x = bounces[i].before, *y = bounces[i].after,
                                 before = x[0] * x[0] + x[1] * x[1] + x[2] * x[2],
                                 after = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
                    assert_true(fabs(after - before) <= 1e-9 * before + 64.0 * options.skin);
                }
                bounced += found;
                if (flight.state == GRZ_FLIGHT_LIMIT) {
                    printf("flight %llu: held at %g %g %g, kind %d, restitution %g friction %g radius %g skin %g\n",
                           (unsigned long long)number, flight.position[0], flight.position[1], flight.position[2],
                           (int)(number % 5), options.restitution, options.friction, options.radius, options.skin);
                    limits++;
                    break;
                }
                assert_true(flight.state != GRZ_FLIGHT_STARTS_INSIDE);
            }
        }
        test_level_finish(&level);
    }
    printf("%llu bounces; ends: %llu fly, %llu rest, %llu full, %llu held\n", (unsigned long long)bounced,
           (unsigned long long)states[GRZ_FLIGHT_FLIES], (unsigned long long)states[GRZ_FLIGHT_RESTS],
           (unsigned long long)states[GRZ_FLIGHT_FULL], (unsigned long long)limits);
    assert_int_equal(limits, 0);
    assert_true(first > 0 || bounced > 4 * flights);
    assert_true(first > 0 || (states[GRZ_FLIGHT_FLIES] > 0 && states[GRZ_FLIGHT_RESTS] > 0));
}

// ---- Orders -------------------------------------------------------------------------------------------------------

static void orders_and_threads(void **state)
{
    grz_device *threads = test_device_open(3);
    random_stream random = {.state = 9};
    (void)state;
    test_mesh mesh = room_of(3.0), stone = test_mesh_icosphere(1.0, 2);
    test_mesh_crumple(&mesh, &random, 0, 0.3);
    test_mesh other = test_mesh_soup(&mesh), other_stone = test_mesh_copy(&stone);
    test_mesh_shuffle(&other, &random, NULL);
    test_mesh_shuffle(&other_stone, &random, NULL);
    grz_mesh *a = test_mesh_upload(test_device, &mesh), *b = test_mesh_upload(test_device, &stone),
             *c = test_mesh_upload(threads, &other), *d = test_mesh_upload(threads, &other_stone);
    const grz_object one[] = {grz_object_at_origin(a), grz_object_at_origin(b)},
                     two[] = {grz_object_at_origin(d), grz_object_at_origin(c)};
    for (int i = 0; i < 20; i++) {
        grz_flight_options options = ball(0.125);
        grz_bounce x[MOST], y[MOST];
        uint64_t count_x, count_y;
        grz_error error;
        double p[3] = {2.0, 0.1, 0.2}, v[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
        options.acceleration[2] = i % 2 ? -9.81 : 0.0;
        options.restitution = 0.75;
        grz_flight f = grz_flight_from(p, v, 0.0), g = f;
        assert_int_equal(grz_flight_advance(test_device, one, 2, &options, 9.0, &f, x, MOST, &count_x, &error), GRZ_OK);
        assert_int_equal(grz_flight_advance(threads, two, 2, &options, 9.0, &g, y, MOST, &count_y, &error), GRZ_OK);
        assert_true(count_x == count_y && count_x > 0);
        assert_memory_equal(&f, &g, sizeof f);
        for (uint64_t j = 0; j < count_x; j++) {
            assert_memory_equal(x[j].position, y[j].position, sizeof x[j].position);
            assert_memory_equal(x[j].after, y[j].after, sizeof x[j].after);
            assert_memory_equal(x[j].normal, y[j].normal, sizeof x[j].normal);
            assert_true(x[j].time == y[j].time && x[j].object == 1 - y[j].object);
        }
    }
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    grz_mesh_destroy(c);
    grz_mesh_destroy(d);
    test_mesh_finish(&mesh);
    test_mesh_finish(&stone);
    test_mesh_finish(&other);
    test_mesh_finish(&other_stone);
    grz_device_close(threads);
}

// ---- The broad phase ----------------------------------------------------------------------------------------------

// Numbers are small integers and times multiples of 1/64, so that every sample is exact.
static void objects_on_a_parabola(void **state)
{
    random_stream random = {.state = 3};
    int met = 0, missed = 0;
    (void)state;
    for (int round = 0; round < (TEST_SANITIZED ? 400 : 3000); round++) {
        test_mesh mesh =
            test_mesh_cube((double)random_below(&random, 16) - 8.0, (double)random_below(&random, 16) - 8.0,
                           (double)random_below(&random, 16) - 8.0, 1.0 + (double)random_below(&random, 6));
        test_level level = test_level_of(mesh);
        double p[3], v[3], a[3], enter = HUGE_VAL, leave = -HUGE_VAL;
        const double radius = (double)random_below(&random, 3);
        grz_flight_visit visit;
        uint64_t found;
        grz_error error;
        for (int k = 0; k < 3; k++) {
            p[k] = (double)random_below(&random, 16) - 8.0;
            v[k] = (double)random_below(&random, 17) - 8.0;
            a[k] = random_below(&random, 2) ? 2.0 * ((double)random_below(&random, 9) - 4.0) : 0.0;
        }
        double low[3], high[3];
        assert_int_equal(grz_object_bounds(&level.objects[0], low, high, &error), GRZ_OK);
        for (int i = 0; i <= 512; i++) {
            const double t = i / 64.0;
            bool inside = true;
            for (int k = 0; k < 3; k++) {
                const double x = p[k] + v[k] * t + 0.5 * a[k] * t * t; // exact
                inside = inside && x >= low[k] - radius && x <= high[k] + radius;
            }
            enter = inside ? fmin(enter, t) : enter;
            leave = inside ? t : leave;
        }
        assert_int_equal(grz_flight_objects(level.objects, 1, p, v, a, 8.0, radius, &visit, 1, &found, &error), GRZ_OK);
        if (enter <= leave) {
            met++;
            if (found != 1 || visit.enter > enter || visit.leave < leave)
                fail_msg("round %d: samples are inside from %g to %g; found %d: %.17g to %.17g", round, enter, leave,
                         (int)found, visit.enter, visit.leave);
        }
        missed += found == 0;
        for (int end = 0; end < 2 && found == 1; end++) { // not longer than need be
            const double t = end ? visit.leave : visit.enter;
            for (int k = 0; k < 3; k++) {
                const double x = p[k] + v[k] * t + 0.5 * a[k] * t * t;
                assert_true(x >= low[k] - radius - 1e-9 && x <= high[k] + radius + 1e-9);
            }
        }
        test_level_finish(&level);
    }
    if (met < (TEST_SANITIZED ? 30 : 300) || missed < (TEST_SANITIZED ? 30 : 300))
        fail_msg("%d met, %d missed", met, missed);
}

static void a_line_and_a_list(void **state)
{
    test_level level = {.count = 0};
    grz_flight_visit visits[3];
    uint64_t found;
    grz_error error;
    (void)state;
    for (int i = 0; i < 8; i++)
        test_level_add(&level, test_mesh_cube(10.0 - 2.0 * i, i == 3 ? 5.0 : 0.0, 0.0, 1.0));
    const double p[3] = {-9, 0.5, 0.5}, v[3] = {2, 0, 0}, none[3] = {0, 0, 0};
    assert_int_equal(grz_flight_objects(level.objects, 8, p, v, none, 7.0, 0.0, visits, 3, &found, &error), GRZ_OK);
    assert_int_equal(found, 4); // at -4, -2, 0, 2; the one at 4 is aside, and 6 is not reached
    assert_true(visits[0].object == 7 && visits[1].object == 6 && visits[2].object == 5);
    assert_true(fabs(visits[0].enter - 2.5) < 1e-12 && fabs(visits[0].leave - 3.0) < 1e-12);
    assert_int_equal(grz_flight_objects(level.objects, 8, p, v, none, -1.0, 0.0, visits, 3, &found, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_objects(level.objects, 8, p, v, none, 1.0, (double)NAN, visits, 3, &found, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_objects(level.objects, 8, NULL, v, none, 1.0, 0.0, visits, 3, &found, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_objects(NULL, 8, p, v, none, 1.0, 0.0, visits, 3, &found, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_objects(level.objects, 8, p, v, none, 1.0, 0.0, NULL, 3, &found, &error),
                     GRZ_ERROR_ARGUMENT);
    memset(&level.objects[4].pose, 0, sizeof level.objects[4].pose);
    assert_int_equal(grz_flight_objects(level.objects, 8, p, v, none, 1.0, 0.0, visits, 3, &found, &error),
                     GRZ_ERROR_POSE);
    assert_true(error.element == 4);
    test_level_finish(&level);
}

// ---- Bad input ----------------------------------------------------------------------------------------------------

typedef struct bad_call {
    test_level level;
    grz_flight flight;
    grz_flight_options options;
    double until;
} bad_call;

static void expect(bad_call *call, grz_status status, const char *text)
{
    const grz_flight before = call->flight;
    grz_bounce bounce;
    uint64_t found = 7;
    grz_error error = {.code = GRZ_OK};
    const grz_status got = grz_flight_advance(test_device, call->level.objects, call->level.count, &call->options,
                                              call->until, &call->flight, &bounce, 1, &found, &error);
    if (got != status || strstr(error.message, text) == NULL)
        fail_msg("got %d, expected %d: '%s' does not have '%s'", got, status, error.message, text);
    assert_true(found == 0);
    assert_memory_equal(before.position, call->flight.position, sizeof before.position);
}

#define BAD(change, status, text)                                                                                      \
    do {                                                                                                               \
        bad_call call = good;                                                                                          \
        change;                                                                                                        \
        expect(&call, status, text);                                                                                   \
    } while (0)

static void bad_input(void **state)
{
    bad_call good = {.level = test_level_of(room_of(2.0)),
                     .flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0),
                     .options = ball(0.5),
                     .until = 9.0};
    volatile int cancel = 1;
    (void)state;
    BAD(call.options.radius = -1.0, GRZ_ERROR_ARGUMENT, "options.radius is -1");
    BAD(call.options.radius = (double)NAN, GRZ_ERROR_ARGUMENT, "options.radius");
    BAD(call.options.radius = 0.0, GRZ_ERROR_ARGUMENT, "a point");
    BAD(call.options.skin = -1.0, GRZ_ERROR_ARGUMENT, "options.skin is -1");
    BAD(call.options.skin = 1e-13, GRZ_ERROR_ARGUMENT, "at these coordinates");
    BAD(call.options.restitution = -0.5, GRZ_ERROR_ARGUMENT, "options.restitution is -0.5");
    BAD(call.options.restitution = 1.5, GRZ_ERROR_ARGUMENT, "options.restitution is 1.5");
    BAD(call.options.friction = -0.5, GRZ_ERROR_ARGUMENT, "options.friction is -0.5");
    BAD(call.options.acceleration[2] = (double)INFINITY, GRZ_ERROR_ARGUMENT, "options.acceleration[2]");
    BAD(call.options.limits.deadline = -1.0, GRZ_ERROR_ARGUMENT, "options.limits.deadline");
    BAD(call.options.size = 4, GRZ_ERROR_ARGUMENT, "grz_flight_options");
    BAD(call.flight.velocity[1] = (double)NAN, GRZ_ERROR_ARGUMENT, "flight.velocity[1]");
    BAD(call.flight.start[1] = (double)INFINITY, GRZ_ERROR_ARGUMENT, "flight.start[1]");
    BAD(call.until = -1.0, GRZ_ERROR_ARGUMENT, "until is -1");
    BAD(call.until = (double)NAN, GRZ_ERROR_ARGUMENT, "until");
    BAD(call.level.objects[0].mesh = NULL, GRZ_ERROR_ARGUMENT, "mesh");
    BAD(memset(&call.level.objects[0].pose, 0, sizeof(grz_pose)), GRZ_ERROR_POSE, "pose");
    BAD(call.level.objects[0].pose = grz_pose_from_translation(0x1p120, 0, 0), GRZ_ERROR_UNSUPPORTED, "2^100");
    BAD(call.options.limits.cancel = &cancel, GRZ_ERROR_CANCELLED, "");
    BAD(call.options.limits.deadline = 1e-12, GRZ_ERROR_DEADLINE, "");
    BAD(call.options.limits.memory_limit = 1, GRZ_ERROR_MEMORY, "");
    uint64_t found;
    grz_error error;
    assert_int_equal(
        grz_flight_advance(test_device, NULL, 1, &good.options, 1.0, &good.flight, NULL, 0, &found, &error),
        GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_advance(NULL, NULL, 0, &good.options, 1.0, &good.flight, NULL, 0, &found, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_advance(test_device, NULL, 0, &good.options, 1.0, NULL, NULL, 0, &found, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(
        grz_flight_advance(test_device, NULL, 0, &good.options, 1.0, &good.flight, NULL, 1, &found, &error),
        GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_flight_advance(test_device, NULL, 0, &good.options, 1.0, &good.flight, NULL, 0, NULL, &error),
                     GRZ_ERROR_ARGUMENT);
    test_level_finish(&good.level);
}

// No level; a ball that begins inside; no velocity; no room for bounces.
static void ends_that_are_obvious(void **state)
{
    const test_level none = {.count = 0};
    test_level level = test_level_of(room_of(2.0));
    grz_flight_options options = ball(0.5);
    grz_bounce bounce;
    double velocity[3];
    (void)state;
    options.acceleration[2] = -2.0;
    grz_flight flight = grz_flight_from((double[3]){1, 2, 3}, (double[3]){1, 0, 4}, 1.0);
    assert_int_equal(advance(&none, &options, 3.0, &flight, &bounce, 1), 0);
    assert_true(flight.position[0] == 3.0 && flight.position[2] == 3.0 + 8.0 - 4.0 && flight.state == GRZ_FLIGHT_FLIES);
    grz_flight_velocity(&flight, options.acceleration, velocity);
    assert_true(velocity[0] == 1.0 && velocity[2] == 0.0);
    flight = grz_flight_from((double[3]){1.75, 0, 0}, (double[3]){1, 0, 4}, 0.0);
    assert_int_equal(advance(&level, &options, 3.0, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_STARTS_INSIDE && flight.position[0] == 1.75 && flight.now == 0.0);
    options.acceleration[2] = 0.0;
    flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){0, 0, 0}, 0.0);
    assert_int_equal(advance(&level, &options, 3.0, &flight, &bounce, 1), 0);
    assert_true(flight.state == GRZ_FLIGHT_RESTS && flight.now == 3.0);
    flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.0);
    assert_int_equal(advance(&level, &options, 3.0, &flight, NULL, 0), 0);
    assert_true(flight.state == GRZ_FLIGHT_FULL && flight.bounces == 0 && fabs(flight.now - 1.5) < 1e-3);
    assert_int_equal(advance(&level, &options, 3.0, &flight, &bounce, 1), 1);
    assert_true(flight.velocity[0] == -1.0 && flight.state == GRZ_FLIGHT_FULL);
    // Out of an open level, without an end of the time.
    test_level slab = test_level_of(test_mesh_box((double[3]){-1, -1, -1}, (double[3]){1, 1, 0}));
    flight = grz_flight_from((double[3]){-5, 0, 5}, (double[3]){1, 0, -1}, 0.0);
    assert_int_equal(advance(&slab, &options, HUGE_VAL, &flight, &bounce, 2), 1);
    assert_true(flight.state == GRZ_FLIGHT_FLIES && flight.bounces == 1 && flight.now < 10.0);
    test_level_finish(&slab);
    test_level_finish(&level);
}

static void memory_that_runs_out(void **state)
{
    counting_allocator counter = {.fail_at = 0};
    grz_device *device = counting_device_open(&counter);
    test_mesh cube = room_of(2.0);
    grz_mesh *mesh = test_mesh_upload(device, &cube);
    const grz_object object = grz_object_at_origin(mesh);
    const grz_flight_options options = ball(0.5);
    grz_bounce bounces[4];
    uint64_t found;
    grz_error error;
    int failures = 0;
    (void)state;
    for (long i = 1; i < 100; i++) {
        grz_flight flight = grz_flight_from((double[3]){0, 0, 0}, (double[3]){1, 0.5, 0}, 0.0);
        counter.calls = 0;
        counter.fail_at = i;
        const grz_status status =
            grz_flight_advance(device, &object, 1, &options, HUGE_VAL, &flight, bounces, 4, &found, &error);
        if (status == GRZ_OK)
            break;
        assert_int_equal(status, GRZ_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures >= 3 && failures < 99);
    counter.fail_at = 0;
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    assert_int_equal(counter.live, 0);
    test_mesh_finish(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_between_walls),
        cmocka_unit_test(restitution_and_friction),
        cmocka_unit_test(slopes),
        cmocka_unit_test(a_groove),
        cmocka_unit_test(the_top_of_a_parabola),
        cmocka_unit_test(the_same_at_any_rate),
        cmocka_unit_test(random_shots),
        cmocka_unit_test(orders_and_threads),
        cmocka_unit_test(objects_on_a_parabola),
        cmocka_unit_test(a_line_and_a_list),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(ends_that_are_obvious),
        cmocka_unit_test(memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
