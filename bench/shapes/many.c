// SPDX-License-Identifier: MIT
// What pairs of shapes cost: one call a pair, and all pairs in one call, on one thread and on all. Processor time, and
// for all threads also time on the wall; the fastest of five rounds, the ways in turn. All answers are compared.
// Usage: bench_many_shapes
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

enum {
    PAIRS = 4000,
    CORNERS = 300,
    KINDS = 5,
    WAYS = 3
};

static const char *const kinds[KINDS] = {"hull of 300 corners", "box", "cylinder", "cone", "ellipsoid"};

static uint64_t state = 9;

static double draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1.0;
}

static void draw_pose(grz_pose *pose)
{
    double quaternion[4], at[3], square = 0.0;
    grz_error error;
    for (int i = 0; i < 4; i++) {
        quaternion[i] = draw();
        square += quaternion[i] * quaternion[i];
    }
    for (int i = 0; i < 4; i++)
        quaternion[i] /= sqrt(square);
    for (int i = 0; i < 3; i++)
        at[i] = 1.5 * draw();
    bench_need(grz_pose_from_quaternion(at, quaternion, pose, &error), &error);
}

static grz_shape make(int kind, const double *points)
{
    const double middle[3] = {0.0, 0.0, 0.0}, half[3] = {0.5, 0.7, 0.9};
    switch (kind) {
    case 0:
        return grz_shape_hull(points, CORNERS);
    case 1:
        return grz_shape_box(middle, half);
    case 2:
        return grz_shape_cylinder(middle, 0.55, 0.6);
    case 3:
        return grz_shape_cone(middle, 0.55, 0.6);
    default:
        return grz_shape_ellipsoid(middle, half);
    }
}

static double ask(grz_device *device, bool many, const grz_shape *shapes, const uint32_t pairs[][2],
                  grz_shape_answer *answers, double *wall)
{
    const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID), wall_start = bench_seconds(CLOCK_MONOTONIC);
    grz_error error;
    if (many) {
        bench_need(grz_shapes_compare_many(device, shapes, 2 * PAIRS, pairs[0], PAIRS, NULL, answers, &error), &error);
    } else {
        for (int i = 0; i < PAIRS; i++)
            bench_need(
                grz_shapes_compare(device, &shapes[pairs[i][0]], &shapes[pairs[i][1]], NULL, &answers[i], &error),
                &error);
    }
    *wall = fmin(*wall, (bench_seconds(CLOCK_MONOTONIC) - wall_start) / PAIRS);
    return (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / PAIRS;
}

int main(void)
{
    static grz_shape shapes[2 * PAIRS];
    static uint32_t pairs[PAIRS][2];
    static grz_shape_answer answers[WAYS][PAIRS];
    static double points[3 * CORNERS];
    grz_device *devices[WAYS];
    grz_error error;
    bool same = true;
    for (int i = 0; i < CORNERS; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            points[3 * i + k] = draw();
            square += points[3 * i + k] * points[3 * i + k];
        }
        for (int k = 0; k < 3; k++)
            points[3 * i + k] *= 0.5 * (k + 1) / sqrt(square);
    }
    for (int way = 0; way < WAYS; way++) {
        grz_device_options options = grz_default_device_options();
        options.threads = way < WAYS - 1 ? 1 : 0;
        bench_need(grz_device_open(&options, &devices[way], &error), &error);
    }
    printf("%-20s %10s %12s %12s %12s   (microseconds a pair)\n", "two of", "single", "many, 1", "many, all",
           "on the wall");
    for (int kind = 0; kind < KINDS; kind++) {
        double best[WAYS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, wall[WAYS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        for (uint32_t i = 0; i < 2 * PAIRS; i++) {
            shapes[i] = make(kind, points);
            draw_pose(&shapes[i].pose);
            pairs[i / 2][i % 2] = i;
        }
        for (int round = 0; round < 5; round++)
            for (int way = 0; way < WAYS; way++)
                best[way] = fmin(best[way], ask(devices[way], way > 0, shapes, (const uint32_t(*)[2])pairs,
                                                answers[way], &wall[way]));
        for (int i = 0; i < PAIRS; i++)
            for (int way = 1; way < WAYS; way++)
                same = same && answers[way][i].relation == answers[0][i].relation &&
                       answers[way][i].lower == answers[0][i].lower && answers[way][i].depth == answers[0][i].depth;
        printf("%-20s %10.2f %12.2f %12.2f %12.2f\n", kinds[kind], 1e6 * best[0], 1e6 * best[1], 1e6 * best[2],
               1e6 * wall[WAYS - 1]);
    }
    for (int way = 0; way < WAYS; way++)
        grz_device_close(devices[way]);
    if (!same)
        fprintf(stderr, "bench_many_shapes: the answers differ\n");
    return same ? 0 : 1;
}
