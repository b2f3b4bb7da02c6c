// SPDX-License-Identifier: MIT
// What picking by a rectangle costs: grz_region_pick() by the tree and by all triangles, grz_region_pick_gl(), and the
// picture of numbers, on a sphere of a million triangles in a picture of 1000 x 1000 pixels. Prints a table.
// Usage: bench_regions [--quick]
#include <graze/gl.h>
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

enum {
    SIDE = 1000, // pixels of the picture
    SIZES = 5
};

// A grid of `rows` by 2 · rows quads, wrapped around a sphere, two triangles each.
static grz_mesh *make_sphere(grz_device *device, uint32_t rows)
{
    const double pi = acos(-1.0);
    const uint32_t around = 2 * rows, vertices = around * (rows + 1), triangles = 2 * around * rows;
    double *positions = bench_allocate(vertices, 3 * sizeof *positions);
    uint32_t *indices = bench_allocate(triangles, 3 * sizeof *indices), *next = indices;
    for (uint32_t j = 0; j <= rows; j++)
        for (uint32_t i = 0; i < around; i++) {
            const double u = 2.0 * pi * i / around, v = pi * j / rows, r = 1.0 + 0.05 * sin(20.0 * u) * sin(17.0 * v);
            double *p = positions + 3 * (size_t)(j * around + i);
            p[0] = r * cos(u) * sin(v);
            p[1] = r * sin(u) * sin(v);
            p[2] = r * cos(v);
        }
    for (uint32_t j = 0; j < rows; j++)
        for (uint32_t i = 0; i < around; i++) {
            const uint32_t k = (i + 1) % around, a = j * around, b = a + around;
            const uint32_t quad[6] = {a + i, b + i, b + k, a + i, b + k, a + k};
            memcpy(next, quad, sizeof quad);
            next += 6;
        }
    const grz_mesh_description d =
        grz_mesh_description_from_triangles(positions, GRZ_FLOAT64, vertices, indices, triangles);
    grz_mesh *mesh;
    grz_error error;
    bench_need(grz_mesh_create(device, &d, &mesh, &error), &error);
    free(positions);
    free(indices);
    return mesh;
}

typedef grz_status call(grz_device *device, grz_targets targets, const grz_region *region,
                        const grz_pick_options *options, grz_region_hit *hits, uint64_t capacity, uint64_t *found,
                        grz_error *error);

// Milliseconds of one call: the least of several.
static double measure(call *pick, grz_device *device, const grz_object *object, const grz_region *region,
                      const char *method, int times, uint64_t *found)
{
    grz_pick_options options = grz_default_pick_options();
    double least = HUGE_VAL;
    options.method = method;
    for (int i = 0; i < times; i++) {
        grz_error error;
        const double start = bench_seconds(CLOCK_MONOTONIC);
        bench_need(pick(device, grz_targets_of_objects(object, 1), region, &options, NULL, 0, found, &error), &error);
        least = fmin(least, bench_seconds(CLOCK_MONOTONIC) - start);
    }
    return 1e3 * least;
}

static void measure_image(grz_device *device, const grz_object *object, const grz_picture_view *view, int times)
{
    grz_pick_pixel *pixels = bench_allocate((size_t)SIDE * SIDE, sizeof *pixels);
    double least = HUGE_VAL;
    for (int i = 0; i < times; i++) {
        grz_error error;
        const double start = bench_seconds(CLOCK_MONOTONIC);
        bench_need(grz_pick_image_discrete(device, grz_targets_of_objects(object, 1),
                                           (const double(*)[4])view->to_pixels, SIDE, SIDE, NULL, pixels, &error),
                   &error);
        least = fmin(least, bench_seconds(CLOCK_MONOTONIC) - start);
    }
    printf("picture of numbers, %d x %d pixels: %.1f ms\n", SIDE, SIDE, 1e3 * least);
    free(pixels);
}

int main(int argc, char **argv)
{
    static const double sizes[SIZES] = {1.0, 5.0, 20.0, 100.0, 1000.0};
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    grz_device_options device_options = grz_default_device_options();
    grz_picture_options picture = grz_default_picture_options();
    grz_picture_view view;
    grz_device *device;
    grz_error error;
    device_options.threads = 1;
    bench_need(grz_device_open(&device_options, &device, &error), &error);
    grz_mesh *mesh = make_sphere(device, quick ? 160 : 500);
    const grz_object object = grz_object_at_origin(mesh);
    const bool has_gl = grz_renderer_count() > 0;
    picture.width = picture.height = SIDE;
    picture.has_direction = true;
    picture.direction[0] = 0.3;
    picture.direction[2] = -1.0;
    bench_need(grz_picture_aim(device, &object, 1, &picture, &view, &error), &error);
    printf("%llu triangles, milliseconds a call\n", (unsigned long long)grz_mesh_triangle_count(mesh));
    printf("%8s %9s %9s %9s %9s\n", "pixels", "faces", "tree", "naive", "OpenGL");
    for (int i = 0; i < SIZES; i++) {
        const double low = 0.5 * (SIDE - sizes[i]) + 0.1, high = low + sizes[i];
        grz_region region;
        uint64_t found[3] = {0};
        const int times = sizes[i] > 500.0 ? 1 : 5;
        bench_need(grz_region_of_pixels((const double(*)[4])view.to_pixels, low, low, high, high, &region, &error),
                   &error);
        (void)measure(grz_region_pick, device, &object, &region, NULL, 1, &found[0]); // builds the tree
        const double tree = measure(grz_region_pick, device, &object, &region, NULL, times, &found[0]),
                     naive = measure(grz_region_pick, device, &object, &region, "naive", 1, &found[1]);
        double gl = 0.0;
        if (has_gl) {
            (void)measure(grz_region_pick_gl, device, &object, &region, NULL, 1, &found[2]); // uploads the mesh
            gl = measure(grz_region_pick_gl, device, &object, &region, NULL, times, &found[2]);
        }
        if (found[0] != found[1] || (has_gl && found[0] != found[2])) {
            fprintf(stderr, "bench_regions: the answers differ\n");
            return 1;
        }
        printf("%8.0f %9llu %9.3f %9.1f %9.3f\n", sizes[i], (unsigned long long)found[0], tree, naive, gl);
    }
    if (has_gl)
        measure_image(device, &object, &view, quick ? 2 : 4);
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    return 0;
}
