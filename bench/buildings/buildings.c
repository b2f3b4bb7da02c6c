// SPDX-License-Identifier: MIT
// What solids and overlap depths cost in buildings (docs/use/solids.md, docs/use/overlap_depth.md). The parts of each
// file are a scene: it is asked for its pairs, then for its pairs with solids, each time with new meshes, so that what
// is kept with a mesh is paid for. Then the pairs that touch are asked whether they overlap deeper than allowed. Prints
// a table; times are the least of several runs; of one thread they are the processor's.
// Usage: bench_buildings [--runs N] [--threads N] [--deeper-than D] [--places 1] [--slowest N] FILE…
#include <graze/graze.h>
#include <graze/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    RUNS = 5,
    MOST_PLACES = 256
};

static grz_device *device;
static int runs = RUNS, slowest, threads = 1, places;
static double deeper_than = 0.001;

typedef struct building {
    const char *path;
    grz_io_model *model;
    grz_mesh **meshes;
    grz_scene *scene;
    grz_result *result;
} building;

// A pair of parts and the time of its question.
typedef struct slow_pair {
    double seconds;
    uint32_t a, b;
    int answer;
} slow_pair;

// With one thread the processor's time, so that other programs matter less.
static double seconds(void)
{
    struct timespec now;
    clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void need(grz_status status, const grz_error *error)
{
    if (status == GRZ_OK)
        return;
    fprintf(stderr, "bench_buildings: %s\n", error->message);
    exit(1);
}

static void make(building *b)
{
    grz_error error = {0};
    grz_io_cutter *cutter;
    need(grz_io_cutter_create(b->model, &cutter, &error), &error);
    need(grz_scene_create(device, &b->scene, &error), &error);
    need(grz_result_create(device, &b->result, &error), &error);
    for (size_t i = 0; i < b->model->part_count; i++) {
        grz_mesh_description description = grz_default_mesh_description();
        need(grz_io_cutter_cut(cutter, i, &description, &error), &error);
        need(grz_mesh_create(device, &description, &b->meshes[i], &error), &error);
        const grz_object object = grz_object_at_origin(b->meshes[i]);
        uint32_t id;
        need(grz_scene_add(b->scene, &object, &id, &error), &error);
    }
    grz_io_cutter_destroy(cutter);
}

static void unmake(building *b)
{
    grz_result_destroy(b->result);
    grz_scene_destroy(b->scene);
    for (size_t i = 0; i < b->model->part_count; i++)
        grz_mesh_destroy(b->meshes[i]);
}

// The time of one query of the scene, of new meshes.
static double ask_scene(building *b, bool solids)
{
    grz_error error = {0};
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_PAIRS | (solids ? GRZ_FIND_SOLIDS : 0u);
    make(b);
    const double start = seconds();
    need(grz_collide_scene(device, b->scene, &options, b->result, &error), &error);
    return seconds() - start;
}

static int compare_slow(const void *x, const void *y)
{
    const slow_pair *one = x, *other = y;
    return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

static void print_slowest(const building *b, slow_pair *pairs, size_t count, const char *what)
{
    qsort(pairs, count, sizeof *pairs, compare_slow);
    for (size_t i = 0; i < count && i < (size_t)slowest; i++)
        printf("  %8.3f ms  %s  %d  %s  %s\n", 1e3 * pairs[i].seconds, what, pairs[i].answer,
               b->model->parts[pairs[i].a].name, b->model->parts[pairs[i].b].name);
}

// Each pair of the scene's answer by itself: its solids, of meshes that were in use before.
static void list_slow_solids(const building *b, const grz_scene_pair *pairs, size_t count)
{
    slow_pair *times = malloc((count + 1) * sizeof *times);
    grz_error error = {0};
    grz_result *result;
    if (times == NULL)
        exit(1);
    need(grz_result_create(device, &result, &error), &error);
    for (size_t i = 0; i < count; i++) {
        const grz_object one = grz_object_at_origin(b->meshes[pairs[i].a]),
                         other = grz_object_at_origin(b->meshes[pairs[i].b]);
        grz_collide_options options = grz_default_collide_options();
        options.find |= GRZ_FIND_SOLIDS;
        const double start = seconds();
        need(grz_collide(device, &one, &other, &options, result, &error), &error);
        times[i] = (slow_pair){seconds() - start, pairs[i].a, pairs[i].b, (int)grz_result_summary(result)->solids};
    }
    print_slowest(b, times, count, "solids");
    grz_result_destroy(result);
    free(times);
}

// The depths of all pairs that touch.
static double ask_depths(const building *b, const grz_scene_pair *pairs, size_t count, bool list, size_t answers[3])
{
    slow_pair *times = malloc((count + 1) * sizeof *times);
    static grz_overlap_part parts[MOST_PLACES];
    grz_error error = {0};
    if (times == NULL)
        exit(1);
    memset(answers, 0, 3 * sizeof *answers);
    const double first = seconds();
    for (size_t i = 0; i < count; i++) {
        const grz_object one = grz_object_at_origin(b->meshes[pairs[i].a]),
                         other = grz_object_at_origin(b->meshes[pairs[i].b]);
        grz_overlap_depth_options options = grz_default_overlap_depth_options();
        grz_overlap_depth_answer answer;
        options.decide = true;
        options.measure = false;
        options.deeper_than = deeper_than;
        options.parts = places > 0 ? parts : NULL;
        options.part_capacity = places > 0 ? MOST_PLACES : 0;
        const double start = seconds();
        need(grz_overlap_depth(device, &one, &other, &options, &answer, &error), &error);
        times[i] = (slow_pair){seconds() - start, pairs[i].a, pairs[i].b, (int)answer.deeper};
        answers[answer.deeper]++;
    }
    const double taken = seconds() - first;
    if (list)
        print_slowest(b, times, count, "depth ");
    free(times);
    return taken;
}

static void measure(const char *path)
{
    grz_error error = {0};
    building b = {.path = path};
    double best[3] = {1e9, 1e9, 1e9};
    size_t answers[3] = {0, 0, 0};
    uint64_t count = 0;
    need(grz_io_load_file(path, NULL, &b.model, &error), &error);
    b.meshes = calloc(b.model->part_count + 1, sizeof *b.meshes);
    if (b.meshes == NULL)
        exit(1);
    for (int run = 0; run < runs; run++) {
        for (int solids = 0; solids < 2; solids++) {
            const double taken = ask_scene(&b, solids != 0);
            best[solids] = taken < best[solids] ? taken : best[solids];
            unmake(&b);
        }
        (void)ask_scene(&b, false);
        const grz_scene_pair *pairs = grz_result_scene_pairs(b.result, &count);
        const double taken = ask_depths(&b, pairs, (size_t)count, run == 0, answers);
        best[2] = taken < best[2] ? taken : best[2];
        if (run == 0 && slowest > 0)
            list_slow_solids(&b, pairs, (size_t)count);
        unmake(&b);
    }
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    printf("%-24s %6zu %8llu %6llu %10.2f %10.2f %7.2f %10.2f %6zu %6zu %7zu\n", name, b.model->part_count,
           (unsigned long long)b.model->face_count, (unsigned long long)count, 1e3 * best[0], 1e3 * best[1],
           best[1] / best[0], 1e3 * best[2], answers[GRZ_DEEPER_YES], answers[GRZ_DEEPER_NO],
           answers[GRZ_DEEPER_UNKNOWN]);
    free(b.meshes);
    grz_io_model_destroy(b.model);
}

int main(int argc, char **argv)
{
    grz_error error = {0};
    grz_device_options options = grz_default_device_options();
    int file = 1;
    for (; file + 1 < argc && argv[file][0] == '-'; file += 2) {
        if (strcmp(argv[file], "--runs") == 0)
            runs = atoi(argv[file + 1]);
        else if (strcmp(argv[file], "--threads") == 0)
            threads = atoi(argv[file + 1]);
        else if (strcmp(argv[file], "--deeper-than") == 0)
            deeper_than = atof(argv[file + 1]);
        else if (strcmp(argv[file], "--places") == 0)
            places = atoi(argv[file + 1]);
        else if (strcmp(argv[file], "--slowest") == 0)
            slowest = atoi(argv[file + 1]);
        else
            break;
    }
    if (file >= argc || argv[file][0] == '-' || runs < 1 || threads < 1) {
        fprintf(stderr,
                "usage: bench_buildings [--runs N] [--threads N] [--deeper-than D] [--places 1] [--slowest N] FILE…\n");
        return 2;
    }
    options.threads = (unsigned)threads;
    need(grz_device_open(&options, &device, &error), &error);
    printf("%-24s %6s %8s %6s %10s %10s %7s %10s %6s %6s %7s\n", "", "parts", "faces", "pairs", "pairs, ms",
           "solids, ms", "factor", "depth, ms", "deeper", "not", "unknown");
    for (; file < argc; file++)
        measure(argv[file]);
    grz_device_close(device);
    return 0;
}
