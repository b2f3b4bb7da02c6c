// SPDX-License-Identifier: MIT
// What each of the spatial structures costs on the same work, and that the default (bvh) is the right one: time to
// build, to follow new positions, memory, and queries. Prints a table; with --csv also a file, and with --plot a
// picture of it by gnuplot. All answers are compared.
// Usage: structures [--quick] [--csv FILE [--plot]]
#include <graze/graze.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../bench.h"

#ifndef STRUCTURES_SOURCE
#define STRUCTURES_SOURCE "bench/structures" // where plot.gp is
#endif

enum {
    METHODS = 7,
    COLUMNS = 8,
    RAYS = 2000,
    WORKS = 4
};

static const char *const methods[METHODS] = {"grid", "octree", "kdtree", "bsp", "obbtree", "kdop", "bvh"};
static const char *const columns[COLUMNS] = {"build_ms", "update_ms", "bytes",   "apart_us",
                                             "touch_us", "pairs_ms",  "self_ms", "ray_us"};

// ---- Memory -------------------------------------------------------------------------------------------------------

static long long bytes_in_use;

static void *count_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)user;
    void *moved = realloc(block, new_size);
    if (moved != NULL)
        bytes_in_use += (long long)new_size - (long long)old_size;
    return moved;
}

static void count_release(void *block, size_t size, void *user)
{
    (void)user;
    bytes_in_use -= (long long)size;
    free(block);
}

// ---- Meshes -------------------------------------------------------------------------------------------------------

typedef struct model {
    double *positions;
    uint32_t *faces;
    uint64_t vertex_count, face_count;
} model;

// A closed surface of `rings` by twice as many quads, each cut in two.
static model make_surface(uint32_t rings, void (*place)(double u, double v, double *at))
{
    const uint32_t around = 2 * rings;
    model m = {.vertex_count = (uint64_t)rings * around, .face_count = 2 * (uint64_t)rings * around};
    m.positions = bench_allocate(m.vertex_count * 3, sizeof *m.positions);
    m.faces = bench_allocate(m.face_count * 3, sizeof *m.faces);
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < around; j++)
            place((double)i / rings, (double)j / around, m.positions + 3 * ((size_t)i * around + j));
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < around; j++) {
            const uint32_t i1 = (i + 1) % rings, j1 = (j + 1) % around;
            const uint32_t corner[4] = {i * around + j, i1 * around + j, i1 * around + j1, i * around + j1};
            uint32_t *face = m.faces + 6 * ((size_t)i * around + j);
            const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
            for (int k = 0; k < 6; k++)
                face[k] = corner[order[k]];
        }
    return m;
}

static const double turn = 6.283185307179586;

// A tube around a circle, with bumps.
static void bumpy(double u, double v, double *at)
{
    const double r = 0.4 + 0.03 * sin(9.0 * turn * u) * sin(20.0 * turn * v), R = 1.0 + r * cos(turn * u);
    at[0] = R * cos(turn * v);
    at[1] = R * sin(turn * v);
    at[2] = r * sin(turn * u);
}

// The same, with triangles of very different sizes: crowded at one side.
static void crowded(double u, double v, double *at)
{
    bumpy(u, v * v * v * v, at);
}

// A block with flat sides that lies askew: a closed box profile around a large square.
static void block(double u, double v, double *at)
{
    const double c = cos(turn * u), s = sin(turn * u), size = fmax(fabs(c), fabs(s));
    const double e = cos(turn * v), f = sin(turn * v), wide = fmax(fabs(e), fabs(f));
    const double R = 1.0 + 0.4 * c / size, x = R * e / wide, y = R * f / wide, z = 0.4 * s / size;
    at[0] = 0.8 * x - 0.6 * y;
    at[1] = 0.6 * x + 0.8 * y;
    at[2] = z;
}

// Long thin triangles along the tube.
static void sliver(double u, double v, double *at)
{
    bumpy(u, v + 3.0 * u, at);
}

typedef struct work {
    const char *name;
    void (*place)(double u, double v, double *at);
} work;

static const work works[WORKS] = {{"even", bumpy}, {"crowded", crowded}, {"flat", block}, {"slivers", sliver}};

// ---- Measuring ----------------------------------------------------------------------------------------------------

typedef struct measured {
    double value[COLUMNS];
    uint64_t pairs, self_pairs, ray_hits;
    double ray_sum; // of the distances
} measured;

typedef struct bench {
    grz_device *device;
    grz_result *result;
    double least; // seconds that a measurement takes
} bench;

static grz_mesh *upload(const bench *b, const model *m)
{
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = m->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = m->vertex_count;
    description.indices = m->faces;
    description.index_count = 3 * m->face_count;
    description.face_count = m->face_count;
    grz_error error;
    grz_mesh *mesh;
    bench_need(grz_mesh_create(b->device, &description, &mesh, &error), &error);
    return mesh;
}

// Seconds of one query.
static double ask(const bench *b, const char *method, uint32_t find, const grz_object *a, const grz_object *other)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.method = method;
    options.find = find;
    unsigned times = 0;
    const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    double end;
    do {
        bench_need(other != NULL ? grz_collide(b->device, a, other, &options, b->result, &error)
                                 : grz_collide_self(b->device, a, &options, b->result, &error),
                   &error);
        times++;
        end = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    } while (end - start < b->least);
    return (end - start) / times;
}

// Seconds of one ray: from points on a ball around the mesh through points in its box.
static double cast_rays(const bench *b, const char *method, const grz_object *object, measured *out)
{
    static grz_ray rays[RAYS];
    static grz_ray_hit hits[RAYS];
    grz_pick_options options = grz_default_pick_options();
    grz_error error;
    uint64_t state = 3;
    options.method = method;
    for (int i = 0; i < RAYS; i++) {
        double from[3], to[3], length = 0.0;
        for (int k = 0; k < 6; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            (k < 3 ? from : to)[k % 3] = (double)(state >> 11) * 0x1p-52 - 1.0;
        }
        for (int k = 0; k < 3; k++)
            length = hypot(length, from[k]);
        for (int k = 0; k < 3; k++) {
            from[k] *= 3.0 / length;
            to[k] *= k == 2 ? 0.4 : 1.4;
        }
        rays[i] = grz_ray_between(from, to);
        rays[i].to = HUGE_VAL;
    }
    unsigned times = 0;
    const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    double end;
    do {
        bench_need(grz_pick(b->device, grz_targets_of_objects(object, 1), rays, RAYS, &options, hits, &error), &error);
        times++;
        end = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    } while (end - start < b->least);
    for (int i = 0; i < RAYS; i++)
        if (hits[i].object == 0) {
            out->ray_hits++;
            out->ray_sum += hits[i].distance;
        }
    return (end - start) / times / RAYS;
}

static measured measure(const bench *b, const char *method, const model *m)
{
    measured out = {.pairs = 0};
    grz_error error;
    double build = 0.0, update = 0.0;
    unsigned times = 0;
    do {
        grz_mesh *mesh = upload(b, m);
        const long long before = bytes_in_use;
        double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        bench_need(grz_mesh_prepare(mesh, method, &error), &error);
        build += bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        out.value[2] = (double)(bytes_in_use - before) / (double)m->face_count;
        bench_need(grz_mesh_set_positions(mesh, m->positions, &error), &error);
        start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        bench_need(grz_mesh_prepare(mesh, method, &error), &error);
        update += bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        times++;
        grz_mesh_destroy(mesh);
    } while (build < b->least);
    out.value[0] = 1e3 * build / times;
    out.value[1] = 1e3 * update / times;
    grz_mesh *mesh_a = upload(b, m), *mesh_b = upload(b, m);
    bench_need(grz_mesh_prepare(mesh_a, method, &error), &error);
    bench_need(grz_mesh_prepare(mesh_b, method, &error), &error);
    const double half[4] = {0.3, 0.2, 0.5, 0.8}, deep[3] = {0.9, 0.3, 0.1}, far[3] = {2.2, 2.2, 0.45};
    grz_object a = grz_object_at_origin(mesh_a), other = grz_object_at_origin(mesh_b);
    bench_need(grz_pose_from_quaternion(far, half, &other.pose, &error), &error);
    out.value[3] = 1e6 * ask(b, method, 0, &a, &other);
    bench_need(grz_pose_from_quaternion(deep, half, &other.pose, &error), &error);
    out.value[4] = 1e6 * ask(b, method, 0, &a, &other);
    out.value[5] = 1e3 * ask(b, method, GRZ_FIND_PAIRS, &a, &other);
    out.pairs = grz_result_summary(b->result)->pair_count;
    out.value[6] = 1e3 * ask(b, method, GRZ_FIND_PAIRS, &a, NULL);
    out.self_pairs = grz_result_summary(b->result)->pair_count;
    out.value[7] = 1e6 * cast_rays(b, method, &a, &out);
    grz_mesh_destroy(mesh_a);
    grz_mesh_destroy(mesh_b);
    return out;
}

static void write_row(FILE *file, const char *format, const char *name, uint64_t faces, const char *method,
                      const measured *m)
{
    fprintf(file, format, name, (unsigned long long)faces, method);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(file, *format == '%' && format[1] == '-' ? " %10.4g" : ",%.6g", m->value[c]);
    fprintf(file, "\n");
}

static void plot(const char *csv)
{
    char variables[1200];
    snprintf(variables, sizeof variables, "csv='%s'; png='%.*s.png'", csv, (int)(strlen(csv) - strlen(".csv")), csv);
    const pid_t child = fork();
    if (child == 0) {
        execlp("gnuplot", "gnuplot", "-e", variables, STRUCTURES_SOURCE "/plot.gp", (char *)NULL);
        _exit(127);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        fprintf(stderr, "structures: gnuplot failed or is not installed, so there is no plot\n");
}

int main(int argc, char **argv)
{
    const char *csv = NULL;
    bool quick = false, plotted = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (strcmp(argv[i], "--plot") == 0) {
            plotted = true;
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc && strstr(argv[i + 1], ".csv") != NULL) {
            csv = argv[++i];
        } else {
            fprintf(stderr, "usage: structures [--quick] [--csv FILE.csv [--plot]]\n");
            return 2;
        }
    }
    FILE *file = csv != NULL ? fopen(csv, "w") : NULL;
    if (csv != NULL && file == NULL) {
        fprintf(stderr, "structures: %s cannot be written\n", csv);
        return 1;
    }
    grz_device_options options = grz_default_device_options();
    grz_error error;
    bench b = {.least = quick ? 0.02 : 0.1};
    options.threads = 1;
    options.allocator = (grz_allocator){.reallocate = count_reallocate, .release = count_release};
    bench_need(grz_device_open(&options, &b.device, &error), &error);
    bench_need(grz_result_create(b.device, &b.result, &error), &error);
    printf("%-8s %8s %-8s", "mesh", "faces", "method");
    for (int c = 0; c < COLUMNS; c++)
        printf(" %10s", columns[c]);
    printf("\n");
    if (file != NULL)
        fprintf(file, "mesh,faces,method,build_ms,update_ms,bytes,apart_us,touch_us,pairs_ms,self_ms,ray_us\n");
    bool same = true;
    for (int w = 0; w < WORKS; w++) {
        const model m = make_surface(quick ? 40 : 140, works[w].place);
        measured first = {.pairs = 0};
        for (int i = METHODS - 1; i >= 0; i--) {
            const measured got = measure(&b, methods[i], &m);
            first = i == METHODS - 1 ? got : first;
            same = same && got.pairs == first.pairs && got.self_pairs == first.self_pairs &&
                   got.ray_hits == first.ray_hits && got.ray_sum == first.ray_sum;
            write_row(stdout, "%-8s %8llu %-8s", works[w].name, m.face_count, methods[i], &got);
            fflush(stdout);
            if (file != NULL)
                write_row(file, "%s,%llu,%s", works[w].name, m.face_count, methods[i], &got);
        }
        printf("%-8s %8s %llu pairs of faces, %llu with itself, %llu of %d rays hit\n", works[w].name, "",
               (unsigned long long)first.pairs, (unsigned long long)first.self_pairs,
               (unsigned long long)first.ray_hits, RAYS);
        free(m.positions);
        free(m.faces);
    }
    grz_result_destroy(b.result);
    grz_device_close(b.device);
    if (file != NULL && fclose(file) != 0) {
        fprintf(stderr, "structures: %s cannot be written\n", csv);
        return 1;
    }
    if (plotted && csv != NULL)
        plot(csv);
    if (!same)
        fprintf(stderr, "structures: the methods answer differently\n");
    return same ? 0 : 1;
}
