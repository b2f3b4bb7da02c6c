// SPDX-License-Identifier: MIT
// The same call as in bench/python/calls.py, from C: prints the processor seconds of the best of some runs of many
// poses in one call, and how many of them collide.
// Usage: bench_python_poses A B POSES RUNS   POSES: 16 doubles each, a row after the other
#include <graze/graze.h>
#include <graze/io.h>

#include <string.h>

#include "../bench.h"

static grz_mesh *load(grz_device *device, const char *path)
{
    grz_error error;
    grz_io_model *model;
    grz_mesh *mesh;
    grz_mesh_description description = grz_default_mesh_description();
    bench_need(grz_io_load_file(path, NULL, &model, &error), &error);
    bench_need(grz_io_describe(model, &description, &error), &error);
    bench_need(grz_mesh_create(device, &description, &mesh, &error), &error);
    grz_io_model_destroy(model);
    return mesh;
}

// Read all poses; `count` receives how many.
static grz_pose *read_poses(const char *path, uint64_t *count)
{
    FILE *file = fopen(path, "rb");
    double rows[16];
    uint64_t room = 1024;
    grz_pose *poses = bench_allocate(room, sizeof *poses);
    *count = 0;
    while (file != NULL && fread(rows, sizeof rows, 1, file) == 1) {
        if (*count == room) {
            room *= 2;
            poses = realloc(poses, room * sizeof *poses);
            if (poses == NULL)
                exit(1);
        }
        memcpy(poses[(*count)++].m, rows, sizeof poses->m);
    }
    if (file == NULL || *count == 0) {
        fprintf(stderr, "bench: %s: no poses\n", path);
        exit(1);
    }
    (void)fclose(file);
    return poses;
}

int main(int argc, char **argv)
{
    grz_device *device;
    grz_error error;
    uint64_t count;
    if (argc != 5) {
        fprintf(stderr, "usage: bench_python_poses A B POSES RUNS\n");
        return 2;
    }
    bench_need(grz_device_open(NULL, &device, &error), &error);
    grz_mesh *a = load(device, argv[1]), *b = load(device, argv[2]);
    grz_pose *poses = read_poses(argv[3], &count);
    grz_pose_answer *answers = bench_allocate(count, sizeof *answers);
    const grz_object fixed = grz_object_at_origin(a);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_CONTAINMENT; // what find="any" asks for
    double best = 1e300;
    uint64_t colliding = 0;
    for (long run = 0; run < strtol(argv[4], NULL, 10); run++) {
        const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        bench_need(grz_collide_poses(device, &fixed, b, poses, count, &options, answers, &error), &error);
        const double took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        best = took < best ? took : best;
    }
    for (uint64_t i = 0; i < count; i++)
        colliding += answers[i].colliding;
    printf("%.9f %llu\n", best, (unsigned long long)colliding);
    free(answers);
    free(poses);
    grz_mesh_destroy(a);
    grz_mesh_destroy(b);
    grz_device_close(device);
    return 0;
}
