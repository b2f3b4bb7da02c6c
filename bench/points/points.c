// SPDX-License-Identifier: MIT
// What grz_distance_points() costs: points around a mesh and on a grid, and points near its surface, with and without
// their location, and the mesh turned. Prints a table; times are the least of several runs, in seconds of processors
// (of all threads together), which other programs on the machine disturb less.
// Usage: bench_points MESH [COUNT [THREADS]]
#include <graze/graze.h>
#include <graze/io.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    RUNS = 5
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void need(grz_status status, const grz_error *error)
{
    if (status == GRZ_OK)
        return;
    fprintf(stderr, "bench_points: %s\n", error->message);
    exit(1);
}

// From 0 to 1 (splitmix64).
static double next_random(void)
{
    static uint64_t state = 1;
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// Points in the mesh's box, twice as long on each side, in a random order.
static void around(const double min[3], const double max[3], double *points, uint64_t count)
{
    for (uint64_t i = 0; i < 3 * count; i++)
        points[i] = min[i % 3] + (2.0 * next_random() - 0.5) * (max[i % 3] - min[i % 3]);
}

// The same box, on a grid, row by row.
static void on_a_grid(const double min[3], const double max[3], double *points, uint64_t count)
{
    uint64_t side = 1;
    while (side * side * side < count)
        side++;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t cell[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; k++)
            points[3 * i + (uint64_t)k] =
                min[k] + (2.0 * ((double)cell[k] + 0.5) / (double)side - 0.5) * (max[k] - min[k]);
    }
}

// A hundredth of the box's size from the nearest points of `points`, in their order.
static void near_surface(const grz_point_distance *answers, const double min[3], const double max[3], double *points,
                         uint64_t count)
{
    for (uint64_t i = 0; i < 3 * count; i++)
        points[i] = answers[i / 3].point[i % 3] + 0.01 * (2.0 * next_random() - 1.0) * (max[i % 3] - min[i % 3]);
}

static double measure(grz_device *device, const grz_object *object, const double *points, uint64_t count, bool locate,
                      grz_point_distance *answers)
{
    grz_distance_points_options options = grz_default_distance_points_options();
    grz_error error = {0};
    double best = 1e30;
    options.locate = locate;
    for (int run = 0; run < RUNS; run++) {
        const double start = seconds();
        need(grz_distance_points(device, object, points, count, &options, answers, &error), &error);
        const double took = seconds() - start;
        best = took < best ? took : best;
    }
    return best;
}

static void print_row(grz_device *device, const char *name, const grz_object *object, const double *points,
                      uint64_t count, grz_point_distance *answers)
{
    const double plain = measure(device, object, points, count, false, answers),
                 located = measure(device, object, points, count, true, answers);
    uint64_t inside = 0;
    for (uint64_t i = 0; i < count; i++)
        inside += answers[i].location == GRZ_INSIDE;
    printf("%-28s %9llu %12.1f %12.2f %12.1f %12.2f\n", name, (unsigned long long)inside, 1e3 * plain,
           1e6 * plain / (double)count, 1e3 * located, 1e6 * located / (double)count);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000;
    grz_device_options device_options = grz_default_device_options();
    grz_device *device = NULL;
    grz_mesh *mesh = NULL;
    grz_error error = {0};
    double min[3], max[3];
    if (argc < 2 || count == 0 || count > 100000000) {
        fprintf(stderr, "usage: bench_points MESH [COUNT [THREADS]]\n");
        return 2;
    }
    device_options.threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 1;
    need(grz_device_open(&device_options, &device, &error), &error);
    grz_io_model *model = NULL;
    grz_mesh_description description = grz_default_mesh_description();
    need(grz_io_load_file(argv[1], NULL, &model, &error), &error);
    need(grz_io_describe(model, &description, &error), &error);
    need(grz_mesh_create(device, &description, &mesh, &error), &error);
    grz_io_model_destroy(model);
    const grz_object object = grz_object_at_origin(mesh);
    grz_object turned = object;
    const double nowhere[3] = {0.0, 0.0, 0.0}, turn[4] = {0.3, 0.2, 0.1, 0.9};
    need(grz_pose_from_quaternion(nowhere, turn, &turned.pose, &error), &error);
    double *points = malloc((size_t)count * 3 * sizeof *points);
    grz_point_distance *answers = malloc((size_t)count * sizeof *answers);
    if (points == NULL || answers == NULL)
        return 1;
    printf("%s, %llu points, threads %u\n", argv[1], (unsigned long long)count, grz_device_threads(device));
    printf("%-28s %9s %12s %12s %12s %12s\n", "points", "inside", "distance ms", "us a point", "located ms",
           "us a point");
    need(grz_object_bounds(&object, min, max, &error), &error);
    around(min, max, points, count);
    print_row(device, "around, random order", &object, points, count, answers);
    near_surface(answers, min, max, points, count);
    print_row(device, "near the surface", &object, points, count, answers);
    on_a_grid(min, max, points, count);
    print_row(device, "on a grid", &object, points, count, answers);
    need(grz_object_bounds(&turned, min, max, &error), &error);
    around(min, max, points, count);
    print_row(device, "around the mesh turned", &turned, points, count, answers);
    free(points);
    free(answers);
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    return 0;
}
