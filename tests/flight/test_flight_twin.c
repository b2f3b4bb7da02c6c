// SPDX-License-Identifier: MIT
// Random flights among objects that move, against a slow twin: it advances by small steps as each object sees the ball
// (long double, its own rotations), and measures exact distances there.
// GRZ_FLIGHTS: how many random flights. GRZ_FLIGHTS_FIRST: the number of the first one, to replay it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_flying.h"
#include "support_moved.h"
#include "support_sanitizer.h"

enum {
    MOST = 64
};

// The place of the ball as an object sees it that stands where it was at motion.since.
static void seen_by(const grz_object *object, const grz_flight_motion *m, long double t, const long double at[3],
                    double out[3])
{
    long double centre[3], arm[3], rate = 0.0L;
    const long double age = t - (long double)m->since;
    for (int k = 0; k < 3; k++) {
        centre[k] = (long double)object->pose.m[k][3];
        for (int j = 0; j < 3; j++)
            centre[k] += (long double)object->pose.m[k][j] * (long double)m->centre[j];
        arm[k] = at[k] -
                 (centre[k] + age * (long double)m->velocity[k] + 0.5L * age * age * (long double)m->acceleration[k]);
        rate += (long double)m->spin[k] * (long double)m->spin[k];
    }
    rate = sqrtl(rate);
    // Turned back: Rodrigues' formula with the opposite angle.
    const long double s = sinl(-rate * age), c = cosl(rate * age);
    long double along = 0.0L, n[3] = {0.0L, 0.0L, 0.0L};
    for (int k = 0; k < 3 && rate > 0.0L; k++) {
        n[k] = (long double)m->spin[k] / rate;
        along += n[k] * arm[k];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (double)(centre[k] + c * arm[k] + s * (n[i] * arm[j] - n[j] * arm[i]) + (1.0L - c) * along * n[k]);
    }
}

typedef struct twin {
    const test_level *level;
    const grz_flight_options *options;
    const grz_flight *from; // the arc
} twin;

// The exact distance of the ball's middle from the level at a time, but for the roundings of one place.
static double twin_distance(const twin *w, double t)
{
    const grz_shape point = test_sphere(1.0);
    long double at[3];
    double least = HUGE_VAL;
    const long double age = (long double)t - (long double)w->from->since;
    for (int k = 0; k < 3; k++)
        at[k] = (long double)w->from->start[k] + age * (long double)w->from->velocity[k] +
                0.5L * age * age * (long double)w->options->acceleration[k];
    for (uint32_t i = 0; i < w->level->count; i++) {
        double seen[3];
        seen_by(&w->level->objects[i], &w->options->motions[i], (long double)t, at, seen);
        const test_level one = {.objects = {w->level->objects[i]}, .count = 1};
        least = fmin(least, test_core_distance(&one, &point, seen));
    }
    return least;
}

// No object sees the ball faster than this, for two seconds.
static double twin_speed(const twin *w)
{
    double most = 0.0;
    for (uint32_t i = 0; i < w->level->count; i++) {
        const grz_flight_motion *m = &w->options->motions[i];
        double speed = 0.0, arm = 20.0, spin = 0.0;
        for (int k = 0; k < 3; k++) {
            speed += fabs(w->from->velocity[k]) + 2.0 * fabs(w->options->acceleration[k]) + fabs(m->velocity[k]) +
                     4.0 * fabs(m->acceleration[k]);
            arm += 2.0 * fabs(w->from->velocity[k]) + 2.0 * fabs(w->options->acceleration[k]) +
                   4.0 * fabs(m->velocity[k]) + 8.0 * fabs(m->acceleration[k]) + fabs(m->centre[k]);
            spin += fabs(m->spin[k]);
        }
        most = fmax(most, speed + spin * arm);
    }
    return most;
}

// The first time at which the distance is `bar`, by steps in which it cannot be reached; or `until`, or the last time
// that was proved if that takes too many.
static double twin_first(const twin *w, double bar, double until)
{
    const double speed = twin_speed(w);
    double t = w->from->since;
    for (int i = 0; i < 20000 && t < until; i++) {
        const double d = twin_distance(w, t) - bar;
        if (d <= 1e-10)
            return t;
        t += d / speed;
    }
    return fmin(t, until);
}

static uint64_t wanted_by(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    const long long given = text != NULL ? strtoll(text, NULL, 10) : 0;
    return given > 0 ? (uint64_t)given : otherwise;
}

static void against_the_twin(void **state)
{
    const uint64_t first = wanted_by("GRZ_FLIGHTS_FIRST", 0),
                   flights = wanted_by("GRZ_FLIGHTS", TEST_SANITIZED ? 8 : 60);
    int met = 0, missed = 0, hopped = 0;
    (void)state;
    for (uint64_t number = first; number < first + flights; number++) {
        random_stream random = {.state = 31 + number};
        test_level level = flying_stones(&random, 3, false);
        grz_flight_motion motions[3];
        for (uint32_t i = 0; i < level.count; i++)
            motions[i] = flying_motion(&random);
        grz_flight_options options = flying_ball(number % 4 == 0 ? 0.0 : 0.125, motions);
        options.skin = ldexp(1.0, -(int)random_below(&random, 10) - 5);
        options.acceleration[2] = number % 2 ? -4.0 : 0.0;
        double p[3], v[3];
        if (flying_place(&level, &options, 0.0, &random, p)) {
            flying_aim(&level, &options, &random, p, v);
            const grz_flight start = grz_flight_from(p, v, 0.0);
            grz_flight flight = start;
            grz_bounce bounce;
            const twin w = {&level, &options, &start};
            const uint64_t found = flying_advance(&level, &options, 2.0, &flight, &bounce, 1);
            bool hopped_before = found == 0 && flight.since > 0.0; // so slowly that it is not listed
            for (int k = 0; k < 3 && found > 0; k++)
                hopped_before = hopped_before || bounce.before[k] != v[k] + options.acceleration[k] * bounce.time;
            hopped += hopped_before;
            const double end = hopped_before ? 0.0 : found > 0 ? bounce.time : 2.0;
            // Nothing is met before, not even by less than the skin's share that a sweep leaves.
            const double reached = twin_first(&w, options.radius, end);
            if (reached < end && twin_distance(&w, reached) <= options.radius + 1e-10)
                fail_msg("flight %llu: at %.9g a distance of %.9g, but it bounces at %.9g", (unsigned long long)number,
                         reached, twin_distance(&w, reached), end);
            if (found > 0 && !hopped_before) {
                const double d = twin_distance(&w, end);
                if (!(d >= options.radius - 1e-9 && d <= options.radius + options.skin + 1e-9))
                    fail_msg("flight %llu: bounces at a distance of %.9g", (unsigned long long)number, d);
                met++;
            } else {
                missed += found == 0 && !hopped_before;
            }
        }
        test_level_finish(&level);
    }
    printf("%d bounces, %d flights past everything\n", met, missed);
    assert_true(hopped <= 1 + (int)flights / 100);
    assert_true(first > 0 || met >= (int)flights / 3);
    assert_true(first > 0 || flights < 100 || missed > 0); // of few, none may go past everything
}

// Long random flights among objects that move: each bounce and each end is outside, by the poses that
// grz_flight_pose() says, and none of the arcs comes nearer on its way.
static void random_shots(void **state)
{
    const uint64_t first = wanted_by("GRZ_FLIGHTS_FIRST", 0),
                   flights = wanted_by("GRZ_FLIGHTS", TEST_SANITIZED ? 20 : 150);
    uint64_t bounced = 0, states[7] = {0};
    (void)state;
    for (uint64_t number = first; number < first + flights; number++) {
        random_stream random = {.state = 500 + number};
        test_level level = flying_stones(&random, 5, number % 3 > 0);
        grz_flight_motion motions[6] = {{.since = 0.0}};
        for (uint32_t i = number % 3 > 0; i < level.count; i++)
            motions[i] = flying_motion(&random);
        grz_flight_options options = flying_ball(number % 4 == 0 ? 0.0 : 0.0625, motions);
        options.skin = ldexp(1.0, -(int)random_below(&random, 10) - 6);
        options.acceleration[2] = random_below(&random, 2) ? -8.0 : 0.0;
        options.restitution = random_below(&random, 5) / 4.0;
        options.friction = random_below(&random, 2) ? 0.0 : fabs(random_signed(&random));
        const grz_shape shape = test_sphere(options.radius > 0.0 ? options.radius : 0x1p-90);
        double p[3], v[3];
        if (flying_place(&level, &options, 0.0, &random, p)) {
            flying_aim(&level, &options, &random, p, v);
            grz_flight flight = grz_flight_from(p, v, 0.0);
            for (int part = 0; part < 4; part++) {
                grz_bounce bounces[MOST];
                const uint64_t found =
                    flying_advance(&level, &options, flight.now + fabs(random_signed(&random)), &flight, bounces, MOST);
                states[flight.state]++;
                bounced += found;
                for (uint64_t i = 0; i < found; i += 1 + found / 4) {
                    const test_level there = flying_level_at(&level, motions, bounces[i].time);
                    const double d = test_core_distance(&there, &shape, bounces[i].position);
                    double into = 0.0, out = 0.0;
                    for (int k = 0; k < 3; k++) {
                        into += bounces[i].normal[k] * (bounces[i].before[k] - bounces[i].surface[k]);
                        out += bounces[i].normal[k] * (bounces[i].after[k] - bounces[i].surface[k]);
                    }
                    if (!(d >= options.radius && d <= options.radius + options.skin && into < 0.0 && out >= -1e-9))
                        fail_msg("flight %llu: bounce at a distance of %.9g, radius %g skin %g, into %g out %g",
                                 (unsigned long long)number, d, options.radius, options.skin, into, out);
                }
                const test_level there = flying_level_at(&level, motions, flight.now);
                const double d = test_core_distance(&there, &shape, flight.position);
                if (!(d >= options.radius))
                    fail_msg("flight %llu: %.9g from the level at the end, radius %g", (unsigned long long)number, d,
                             options.radius);
                const twin w = {&level, &options, &flight};
                for (int i = 1; i < 8 && flight.state == GRZ_FLIGHT_FLIES; i++) {
                    const double t = flight.since + (flight.now - flight.since) * i / 8.0;
                    if (!(twin_distance(&w, t) >= options.radius - options.skin / 64.0 - 1e-12))
                        fail_msg("flight %llu: too near on the way", (unsigned long long)number);
                }
                if (flight.state == GRZ_FLIGHT_CRUSHED || flight.state == GRZ_FLIGHT_LIMIT)
                    break;
                assert_true(flight.state != GRZ_FLIGHT_STARTS_INSIDE);
            }
        }
        test_level_finish(&level);
    }
    printf("%llu bounces; ends: %llu fly, %llu rest, %llu full, %llu held, %llu ride, %llu crushed\n",
           (unsigned long long)bounced, (unsigned long long)states[GRZ_FLIGHT_FLIES],
           (unsigned long long)states[GRZ_FLIGHT_RESTS], (unsigned long long)states[GRZ_FLIGHT_FULL],
           (unsigned long long)states[GRZ_FLIGHT_LIMIT], (unsigned long long)states[GRZ_FLIGHT_RIDES],
           (unsigned long long)states[GRZ_FLIGHT_CRUSHED]);
    assert_int_equal(states[GRZ_FLIGHT_LIMIT], 0);
    assert_true(first > 0 || bounced > flights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_the_twin),
        cmocka_unit_test(random_shots),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
