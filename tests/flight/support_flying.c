// SPDX-License-Identifier: MIT
#include "support_flying.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_moved.h"

grz_flight_options flying_ball(double radius, const grz_flight_motion *motions)
{
    grz_flight_options options = grz_default_flight_options();
    options.radius = radius;
    options.motions = motions;
    return options;
}

uint64_t flying_advance(const test_level *level, const grz_flight_options *options, double until, grz_flight *flight,
                        grz_bounce *bounces, uint64_t most)
{
    uint64_t found;
    grz_error error;
    if (grz_flight_advance(test_device, level->objects, level->count, options, until, flight, bounces, most, &found,
                           &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return found;
}

test_level flying_level_at(const test_level *level, const grz_flight_motion *motions, double time)
{
    test_level there = *level;
    grz_error error;
    for (uint32_t i = 0; i < level->count; i++)
        if (grz_flight_pose(&level->objects[i], &motions[i], time, &there.objects[i].pose, &error) != GRZ_OK)
            fail_msg("%s", error.message);
    return there;
}

test_level flying_stones(random_stream *random, int count, bool room)
{
    test_level level = {.count = 0};
    if (room)
        test_level_add(&level, test_mesh_cube(-3, -3, -3, 6));
    for (int i = 0; i < count; i++) {
        test_mesh stone = i % 3 == 0 ? test_mesh_icosphere(0.5, 1)
                                     : test_mesh_box((double[3]){-0.5, -0.25, -0.0625}, (double[3]){0.5, 0.25, 0.0625});
        test_level_add(&level, stone);
        level.objects[level.count - 1].pose = grz_pose_from_translation(
            2.0 * random_signed(random), 2.0 * random_signed(random), 2.0 * random_signed(random));
    }
    return level;
}

double flying_dyadic(random_stream *random)
{
    return ((double)random_below(random, 65) - 32.0) / 16.0;
}

grz_flight_motion flying_motion(random_stream *random)
{
    grz_flight_motion m = {.since = flying_dyadic(random)};
    const uint64_t kind = random_below(random, 5);
    for (int k = 0; k < 3 && kind > 0; k++) {
        m.velocity[k] = flying_dyadic(random);
        m.acceleration[k] = kind == 2 ? 2.0 * flying_dyadic(random) : 0.0;
        m.spin[k] = kind >= 3 ? 3.0 * random_signed(random) : 0.0;
        m.centre[k] = kind == 4 ? flying_dyadic(random) : 0.0;
    }
    return m;
}

bool flying_place(const test_level *level, const grz_flight_options *options, double time, random_stream *random,
                  double p[3])
{
    const grz_shape shape = test_sphere(options->radius > 0.0 ? options->radius : 0x1p-90);
    const test_level there = flying_level_at(level, options->motions, time);
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 3; k++)
            p[k] = 2.5 * random_signed(random);
        if (test_core_distance(&there, &shape, p) > options->radius + 2.0 * options->skin)
            return true;
    }
    return false;
}

void flying_aim(const test_level *level, const grz_flight_options *options, random_stream *random, const double p[3],
                double v[3])
{
    const uint32_t i = (uint32_t)random_below(random, level->count);
    const double t = 0.25 + fabs(random_signed(random)), age = t - options->motions[i].since;
    for (int k = 0; k < 3; k++) {
        const double there = level->objects[i].pose.m[k][3] + age * options->motions[i].velocity[k] +
                             0.5 * age * age * options->motions[i].acceleration[k] + 0.25 * random_signed(random);
        v[k] = (there - p[k]) / t - 0.5 * t * options->acceleration[k];
    }
}
