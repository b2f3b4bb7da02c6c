// SPDX-License-Identifier: MIT
// What the classification of solids costs: each query without GRZ_FIND_SOLIDS and with it. Flush assemblies of boxes
// and of U-shaped parts as scenes, where most pairs touch in faces that lie over each other; and pairs of finely cut
// blocks, at a pose that is exact and at one that rounds. Prints a table; times are the least of several runs.
// Usage: bench_solids [--quick] [--threads N]
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    QUICK_RUNS = 3,
    RUNS = 9
};

static grz_device *device;
static int runs = RUNS;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void need(grz_status status, const grz_error *error)
{
    if (status == GRZ_OK)
        return;
    fprintf(stderr, "bench_solids: %s\n", error->message);
    exit(1);
}

static grz_mesh *make_mesh(const double *positions, uint64_t vertices, const uint32_t *indices, uint64_t faces,
                           uint32_t corners)
{
    grz_error error = {0};
    grz_mesh *mesh = NULL;
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = vertices;
    description.indices = indices;
    description.index_count = faces * corners;
    description.face_count = faces;
    description.corners_per_face = corners;
    need(grz_mesh_create(device, &description, &mesh, &error), &error);
    return mesh;
}

static grz_mesh *make_box(double size)
{
    static const uint32_t quads[24] = {3, 2, 1, 0, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
    double corners[24];
    for (int i = 0; i < 8; i++) {
        corners[3 * i] = i % 4 == 1 || i % 4 == 2 ? size : 0;
        corners[3 * i + 1] = i % 4 >= 2 ? size : 0;
        corners[3 * i + 2] = i >= 4 ? size : 0;
    }
    return make_mesh(corners, 8, quads, 6, 4);
}

// A prism over a U, 4 × 4 × 4.
static grz_mesh *make_u(void)
{
    static const double outline[8][2] = {{0, 0}, {4, 0}, {4, 4}, {3, 4}, {3, 1}, {1, 1}, {1, 4}, {0, 4}};
    static const uint32_t caps[3][4] = {{0, 1, 4, 5}, {1, 2, 3, 4}, {0, 5, 6, 7}};
    double corners[16][3];
    uint32_t quads[14][4];
    for (uint32_t i = 0; i < 16; i++) {
        corners[i][0] = outline[i % 8][0];
        corners[i][1] = outline[i % 8][1];
        corners[i][2] = i < 8 ? 0 : 4;
    }
    for (uint32_t i = 0; i < 12; i++) {
        quads[i / 4][i % 4] = caps[i / 4][3 - i % 4];
        quads[3 + i / 4][i % 4] = 8 + caps[i / 4][i % 4];
    }
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t next = (i + 1) % 8, side[4] = {i, next, 8 + next, 8 + i};
        memcpy(quads[6 + i], side, sizeof side);
    }
    return make_mesh(corners[0], 16, quads[0], 14, 4);
}

// A cube whose six sides are n × n squares of two triangles each.
static grz_mesh *make_block(uint32_t n)
{
    const size_t vertices = 6 * (size_t)(n + 1) * (n + 1), triangles = 12 * (size_t)n * n;
    double *positions = malloc(3 * vertices * sizeof *positions), *p = positions;
    uint32_t *indices = malloc(3 * triangles * sizeof *indices), *t = indices;
    if (positions == NULL || indices == NULL)
        exit(1);
    for (uint32_t side = 0; side < 6; side++) {
        const uint32_t axis = side / 2, up = side % 2;
        for (uint32_t i = 0; i <= n; i++)
            for (uint32_t j = 0; j <= n; j++, p += 3) {
                p[axis] = up ? n : 0;
                p[(axis + 1) % 3] = i;
                p[(axis + 2) % 3] = j;
            }
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++, t += 6) {
                const uint32_t v = (side * (n + 1) + i) * (n + 1) + j, above = v + n + 1;
                const uint32_t both[2][6] = {{v, above + 1, above, v, v + 1, above + 1},
                                             {v, above, above + 1, v, above + 1, v + 1}};
                memcpy(t, both[up], sizeof both[up]);
            }
    }
    grz_mesh *mesh = make_mesh(positions, vertices, indices, triangles, 3);
    free(positions);
    free(indices);
    return mesh;
}

static void print_row(const char *name, uint64_t pairs, const double best[2], double first)
{
    printf("%-44s %9llu %10.3f %10.3f %8.2f %10.3f\n", name, (unsigned long long)pairs, 1e3 * best[0], 1e3 * best[1],
           best[1] / best[0], 1e3 * first);
    fflush(stdout);
}

// A cube of side³ parts, a new scene for each query; `pairs` are pairs of objects.
static void measure_scene(const char *name, grz_mesh *mesh, int side, double step)
{
    double best[2] = {1e9, 1e9}, first = 0;
    uint64_t pairs = 0;
    for (int run = 0; run < runs; run++)
        for (int solids = 0; solids < 2; solids++) {
            grz_error error = {0};
            grz_scene *scene = NULL;
            grz_result *result = NULL;
            grz_collide_options options = grz_default_collide_options();
            need(grz_scene_create(device, &scene, &error), &error);
            need(grz_result_create(device, &result, &error), &error);
            for (int i = 0; i < side * side * side; i++) {
                const grz_object object =
                    grz_object_at(mesh, grz_pose_from_translation(step * (i % side), step * (i / side % side),
                                                                  step * (i / side / side)));
                uint32_t id;
                need(grz_scene_add(scene, &object, &id, &error), &error);
            }
            options.find |= solids ? GRZ_FIND_SOLIDS : 0u;
            const double start = seconds();
            need(grz_collide_scene(device, scene, &options, result, &error), &error);
            const double taken = seconds() - start;
            first = solids && run == 0 ? taken : first;
            best[solids] = taken < best[solids] ? taken : best[solids];
            (void)grz_result_scene_pairs(result, &pairs);
            grz_result_destroy(result);
            grz_scene_destroy(scene);
        }
    print_row(name, pairs, best, first);
}

// Two objects; `pairs` are pairs of faces.
static void measure_pair(const char *name, grz_mesh *mesh, double x, double y)
{
    grz_error error = {0};
    grz_result *result = NULL;
    const grz_object a = grz_object_at_origin(mesh), b = grz_object_at(mesh, grz_pose_from_translation(x, y, 0));
    double best[2] = {1e9, 1e9}, first = 0;
    need(grz_result_create(device, &result, &error), &error);
    for (int solids = 0; solids < 2; solids++)
        for (int run = 0; run < runs; run++) {
            grz_collide_options options = grz_default_collide_options();
            options.find |= solids ? GRZ_FIND_SOLIDS : 0u;
            const double start = seconds();
            need(grz_collide(device, &a, &b, &options, result, &error), &error);
            const double taken = seconds() - start;
            first = solids && run == 0 ? taken : first;
            best[solids] = taken < best[solids] ? taken : best[solids];
        }
    print_row(name, grz_result_summary(result)->pair_count, best, first);
    grz_result_destroy(result);
}

int main(int argc, char **argv)
{
    grz_error error = {0};
    grz_device_options options = grz_default_device_options();
    bool quick = false;
    options.threads = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            options.threads = (unsigned)atoi(argv[++i]);
        } else {
            fprintf(stderr, "usage: bench_solids [--quick] [--threads N]\n");
            return 2;
        }
    }
    runs = quick ? QUICK_RUNS : RUNS;
    need(grz_device_open(&options, &device, &error), &error);
    printf("%-44s %9s %10s %10s %8s %10s\n", "", "pairs", "plain, ms", "solids, ms", "factor", "first, ms");
    grz_mesh *box = make_box(1), *small = make_box(0.1), *u = make_u();
    measure_scene("1,000 boxes, flush", box, 10, 1);
    measure_scene("1,000 boxes, poses that round", small, 10, 0.1);
    measure_scene("1,000 U-shaped parts, flush", u, 10, 4);
    measure_pair("two boxes, flush", box, 1, 0);
    measure_pair("two U-shaped parts, flush", u, 4, 0);
    for (uint32_t n = 20; n <= (quick ? 80u : 160u); n *= 2) {
        grz_mesh *block = make_block(n);
        char name[64];
        snprintf(name, sizeof name, "two blocks of %u triangles, flush", 12 * n * n);
        measure_pair(name, block, n, 0);
        snprintf(name, sizeof name, "the same, a pose that rounds");
        measure_pair(name, block, n, 0.1);
        grz_mesh_destroy(block);
    }
    grz_mesh_destroy(box);
    grz_mesh_destroy(small);
    grz_mesh_destroy(u);
    grz_device_close(device);
    return 0;
}
