// SPDX-License-Identifier: MIT
// Movers over a floor of many objects: what grz_mover_step() costs without grz_mover_options::ground (it compares the
// boxes of all objects) and with it, by each search of <graze/flat.h>. Also what it costs that the set follows a
// quarter of the objects. The positions must be the same, bit for bit: else the program ends with 1. Times are the
// least of some runs, in seconds of the processor.
// Usage: bench_floor [LARGEST [CSV]]
#include <graze/flat.h>
#include <graze/mover.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../bench.h"

enum {
    SEARCHES = 4,
    WALKERS = 32,
    STEPS = 20,
    RUNS = 5
};

static const char *const names[SEARCHES] = {"naive", "grid", "quadtree", "sweep"};
static const double TILE = 4.0, RADIUS = 0.3;

// From 0 to 1 (splitmix64).
static double next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// A level: tiles of floor side by side, a crate on every third.
typedef struct level {
    uint32_t count, side;
    grz_mesh *tile, *crate;
    grz_object *objects;
    grz_flat_item *items;
} level;

static grz_mesh *make_box(grz_device *device, const double min[3], const double max[3])
{
    static const uint32_t quads[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
    double corners[24];
    for (size_t i = 0; i < 8; i++) {
        corners[3 * i] = i % 4 == 1 || i % 4 == 2 ? max[0] : min[0];
        corners[3 * i + 1] = i % 4 >= 2 ? max[1] : min[1];
        corners[3 * i + 2] = i >= 4 ? max[2] : min[2];
    }
    grz_mesh_description d = grz_default_mesh_description();
    grz_mesh *mesh = NULL;
    grz_error error;
    d.positions = corners;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = 8;
    d.indices = quads;
    d.index_count = 24;
    d.face_count = 6;
    d.corners_per_face = 4;
    bench_need(grz_mesh_create(device, &d, &mesh, &error), &error);
    return mesh;
}

// The box of an object in the plane of the floor.
static grz_flat_item footprint(const grz_object *object)
{
    double min[3], max[3];
    grz_error error;
    bench_need(grz_object_bounds(object, min, max, &error), &error);
    return grz_flat_box(min[0], min[1], max[0], max[1]);
}

static level make_level(grz_device *device, uint32_t count)
{
    static const double tile_min[3] = {-2.0, -2.0, -0.5}, tile_max[3] = {2.0, 2.0, 0.0},
                        crate_min[3] = {-0.5, -0.5, 0.0}, crate_max[3] = {0.5, 0.5, 1.0};
    level l = {.count = count, .side = (uint32_t)ceil(sqrt(0.75 * count))};
    uint64_t state = 3;
    l.tile = make_box(device, tile_min, tile_max);
    l.crate = make_box(device, crate_min, crate_max);
    l.objects = bench_allocate(count, sizeof *l.objects);
    l.items = bench_allocate(count, sizeof *l.items);
    uint32_t tiles = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i % 4 == 3) { // a crate, on one of the tiles before
            const uint32_t row = tiles / l.side;
            const double turn[4] = {0.0, 0.0, next_random(&state), 1.0},
                         at[3] = {TILE * (tiles % l.side) + next_random(&state), TILE * row + next_random(&state), 0.0};
            grz_pose pose;
            grz_error error;
            bench_need(grz_pose_from_quaternion(at, turn, &pose, &error), &error);
            l.objects[i] = grz_object_at(l.crate, pose);
        } else {
            const uint32_t row = tiles / l.side;
            l.objects[i] = grz_object_at(l.tile, grz_pose_from_translation(TILE * (tiles % l.side), TILE * row, 0.0));
            tiles++;
        }
        l.items[i] = footprint(&l.objects[i]);
    }
    return l;
}

typedef struct walker {
    double position[3], way[3];
    grz_mover_floor floor;
} walker;

static void begin_walk(const level *l, walker walkers[WALKERS])
{
    uint64_t state = 9;
    for (int i = 0; i < WALKERS; i++) {
        walker *w = &walkers[i];
        memset(w, 0, sizeof *w);
        for (int k = 0; k < 2; k++) {
            w->position[k] = 1.5 + (double)(uint32_t)(next_random(&state) * 0.8 * l->side) * TILE;
            w->way[k] = 0.2 * (next_random(&state) - 0.5);
        }
        w->position[2] = 1.0;
        w->way[2] = -0.02;
    }
}

static void take_step(grz_device *device, const level *l, const grz_flat *flat, walker *w)
{
    const double up[3] = {0.0, 0.0, 1.0}, low[3] = {0.0, 0.0, -0.4}, high[3] = {0.0, 0.0, 0.4};
    const grz_shape shape = grz_shape_capsule(low, high, RADIUS);
    grz_mover_options options = grz_default_mover_options();
    grz_mover_answer answer;
    grz_error error;
    options.walk = true;
    options.step_up = 0.2;
    options.step_down = 0.2;
    memcpy(options.up, up, sizeof up);
    options.floor = w->floor;
    options.ground = flat;
    bench_need(grz_mover_step(device, l->objects, l->count, &shape, w->position, w->way, &options, &answer, &error),
               &error);
    memcpy(w->position, answer.position, sizeof w->position);
    w->floor = answer.floor;
}

// Seconds a step. flat NULL: all objects.
static double walk(grz_device *device, const level *l, const grz_flat *flat, walker walkers[WALKERS])
{
    begin_walk(l, walkers);
    const double begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int step = 0; step < STEPS; step++)
        for (int i = 0; i < WALKERS; i++)
            take_step(device, l, flat, &walkers[i]);
    return (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) / (STEPS * WALKERS);
}

typedef struct row {
    double build, follow, step;
} row;

// follow: seconds to give the set the new boxes of all crates.
static row measure(grz_device *device, const level *l, int search, walker walkers[WALKERS])
{
    row r = {0.0, 0.0, 1e30};
    grz_flat *flat = NULL;
    grz_error error;
    if (search >= 0) {
        grz_flat_options options = grz_default_flat_options();
        options.search = (grz_flat_search)search;
        double begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        bench_need(grz_flat_create(device, l->items, l->count, &options, &flat, &error), &error);
        r.build = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
        const uint32_t crates = l->count / 4;
        uint32_t *numbers = bench_allocate(crates + 1, sizeof *numbers);
        grz_flat_item *items = bench_allocate(crates + 1, sizeof *items);
        begin = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (uint32_t i = 0; i < crates; i++) {
            numbers[i] = 4 * i + 3;
            items[i] = footprint(&l->objects[numbers[i]]);
        }
        bench_need(grz_flat_move(flat, numbers, items, crates, NULL, &error), &error);
        r.follow = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
        free(numbers);
        free(items);
    }
    for (int run = 0; run < RUNS; run++)
        r.step = fmin(r.step, walk(device, l, flat, walkers));
    grz_flat_destroy(flat);
    return r;
}

static bool compare(grz_device *device, uint32_t count, FILE *csv)
{
    level l = make_level(device, count);
    static walker wanted[WALKERS], walkers[WALKERS];
    const row all = measure(device, &l, -1, wanted);
    bool same = true;
    printf("%8" PRIu32 " %-12s %10s %10s %10.3g\n", count, "all objects", "-", "-", 1e6 * all.step);
    if (csv != NULL)
        fprintf(csv, "%" PRIu32 ",all,,,%.6g\n", count, all.step);
    for (int search = 0; search < SEARCHES; search++) {
        const row r = measure(device, &l, search, walkers);
        printf("%8" PRIu32 " %-12s %10.3g %10.3g %10.3g\n", count, names[search], 1e6 * r.build, 1e6 * r.follow,
               1e6 * r.step);
        if (csv != NULL)
            fprintf(csv, "%" PRIu32 ",%s,%.6g,%.6g,%.6g\n", count, names[search], r.build, r.follow, r.step);
        for (int i = 0; i < WALKERS; i++) {
            if (memcmp(walkers[i].position, wanted[i].position, sizeof wanted[i].position) == 0 &&
                walkers[i].floor.object == wanted[i].floor.object)
                continue;
            fprintf(stderr, "bench_floor: %s: other positions than among all objects\n", names[search]);
            same = false;
        }
    }
    fflush(stdout);
    grz_mesh_destroy(l.tile);
    grz_mesh_destroy(l.crate);
    free(l.objects);
    free(l.items);
    return same;
}

int main(int argc, char **argv)
{
    const uint64_t largest = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    grz_device_options options = grz_default_device_options();
    grz_device *device = NULL;
    grz_error error;
    FILE *csv = argc > 2 ? fopen(argv[2], "w") : NULL;
    if (largest < 10 || largest > 10000000 || (argc > 2 && csv == NULL)) {
        fprintf(stderr, "usage: bench_floor [LARGEST [CSV]]\n");
        return 2;
    }
    options.threads = 1;
    bench_need(grz_device_open(&options, &device, &error), &error);
    printf("%8s %-12s %10s %10s %10s\n", "objects", "search", "build us", "follow us", "step us");
    if (csv != NULL)
        fprintf(csv, "objects,search,build,follow,step\n");
    bool same = true;
    for (uint64_t count = 10; count <= largest; count *= 10) {
        same = compare(device, (uint32_t)count, csv) && same;
        if (3 * count <= largest)
            same = compare(device, (uint32_t)(3 * count), csv) && same;
    }
    if (csv != NULL && fclose(csv) != 0)
        same = false;
    grz_device_close(device);
    return same ? 0 : 1;
}
