// SPDX-License-Identifier: MIT
// What rays cost in scenes of many objects: grz_pick_scene() with many rays, and with one ray a call, as for a cursor.
// One thread. The objects are spheres of 1280 triangles, at random places in a box that grows with their number.
// Usage: bench_pick_scene [--quick]
#include <graze/graze.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

enum {
    RAYS = 20000,
    CALLS = 50,
    AROUND = 32,
    ROWS = 20
};

// From -1 to 1 (splitmix64).
static double next_random(void)
{
    static uint64_t state = 1;
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return 2.0 * (double)((z ^ z >> 31) >> 11) * 0x1p-53 - 1.0;
}

static grz_mesh *make_sphere(grz_device *device)
{
    static float positions[AROUND * (ROWS + 1)][3];
    static uint32_t indices[AROUND * ROWS][2][3];
    const double pi = acos(-1.0);
    grz_mesh *mesh;
    grz_error error;
    for (uint32_t j = 0; j <= ROWS; j++)
        for (uint32_t i = 0; i < AROUND; i++) {
            const double u = 2.0 * pi * i / AROUND, v = pi * j / ROWS;
            float *p = positions[j * AROUND + i];
            p[0] = (float)(cos(u) * sin(v));
            p[1] = (float)(sin(u) * sin(v));
            p[2] = (float)cos(v);
        }
    for (uint32_t j = 0; j < ROWS; j++)
        for (uint32_t i = 0; i < AROUND; i++) {
            const uint32_t a = j * AROUND, b = a + AROUND, k = (i + 1) % AROUND;
            const uint32_t quad[2][3] = {{a + i, b + i, b + k}, {a + i, b + k, a + k}};
            memcpy(indices[j * AROUND + i], quad, sizeof quad);
        }
    const uint32_t vertices = AROUND * (ROWS + 1), triangles = 2 * AROUND * ROWS;
    const grz_mesh_description d =
        grz_mesh_description_from_triangles(positions, GRZ_FLOAT32, vertices, indices[0][0], triangles);
    bench_need(grz_mesh_create(device, &d, &mesh, &error), &error);
    return mesh;
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    grz_device_options device_options = grz_default_device_options();
    static grz_ray rays[RAYS];
    static grz_ray_hit hits[RAYS];
    grz_device *device;
    grz_error error;
    device_options.threads = 1;
    bench_need(grz_device_open(&device_options, &device, &error), &error);
    grz_mesh *mesh = make_sphere(device);
    printf("spheres of %d triangles, %d rays; one thread\n", 2 * AROUND * ROWS, RAYS);
    printf("%8s %14s %16s %7s\n", "objects", "us a ray", "us a call of 1", "hits");
    for (uint32_t count = 10; count <= (quick ? 1000u : 10000u); count *= 10) {
        const double size = 2.0 * cbrt((double)count);
        grz_scene *scene;
        uint32_t number;
        bench_need(grz_scene_create(device, &scene, &error), &error);
        for (uint32_t i = 0; i < count; i++) {
            const grz_object object = grz_object_at(
                mesh, grz_pose_from_translation(size * next_random(), size * next_random(), size * next_random()));
            bench_need(grz_scene_add(scene, &object, &number, &error), &error);
        }
        for (int i = 0; i < RAYS; i++) {
            double p[3], q[3];
            for (int k = 0; k < 3; k++) {
                p[k] = 2.0 * size * next_random();
                q[k] = size * next_random();
            }
            rays[i] = grz_ray_between(p, q);
            rays[i].to = HUGE_VAL;
        }
        bench_need(grz_pick(device, grz_targets_of_scene(scene), rays, RAYS / 10, NULL, hits, &error),
                   &error); // builds the trees
        double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        bench_need(grz_pick(device, grz_targets_of_scene(scene), rays, RAYS, NULL, hits, &error), &error);
        const double many = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / RAYS;
        int found = 0;
        for (int i = 0; i < RAYS; i++)
            found += hits[i].face != GRZ_NO_FACE;
        start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < CALLS; i++)
            bench_need(grz_pick(device, grz_targets_of_scene(scene), &rays[i], 1, NULL, hits, &error), &error);
        const double one = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / CALLS;
        printf("%8u %14.2f %16.1f %7d\n", count, many, one, found);
        grz_scene_destroy(scene);
    }
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    return 0;
}
