// SPDX-License-Identifier: MIT
// What rays cost: grz_pick() and grz_pick_any() on a bumpy sphere of a million triangles, one thread, beside Embree in
// its robust mode where it is installed, the same rays in turn, one at a time. Rays that certainly hit the closed mesh,
// because they begin inside it, are counted where they are lost. Prints a table, and writes it as CSV.
// Usage: bench_pick [--quick] [--set NUMBER] [--csv FILE]; bench_pick_scene is in scene.c
#include <graze/graze.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"

#ifdef WITH_EMBREE
#include <embree3/rtcore.h>
#endif

enum {
    SETS = 5
};

// From 0 to 1 (splitmix64).
static double next_random(void)
{
    static uint64_t state = 1;
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// ---- The mesh and its rays ----------------------------------------------------------------------------------------

typedef struct model {
    float *positions;
    uint32_t *indices;
    uint32_t vertices, triangles;
} model;

// A closed sphere with bumps: rows of `around` vertices, and two poles.
static model make_sphere(uint32_t around, uint32_t rows)
{
    const double pi = acos(-1.0);
    model m = {.vertices = around * rows + 2, .triangles = 2 * around * rows};
    m.positions = bench_allocate(m.vertices, 3 * sizeof *m.positions);
    m.indices = bench_allocate(m.triangles, 3 * sizeof *m.indices);
    for (uint32_t j = 0; j < rows; j++)
        for (uint32_t i = 0; i < around; i++) {
            const double u = 2.0 * pi * i / around, v = pi * (j + 1) / (rows + 1),
                         r = 1.0 + 0.05 * sin(20.0 * u) * sin(17.0 * v) + 0.002 * (next_random() - 0.5);
            float *p = m.positions + 3 * (size_t)(j * around + i);
            p[0] = (float)(r * cos(u) * sin(v));
            p[1] = (float)(r * sin(u) * sin(v));
            p[2] = (float)(r * cos(v));
        }
    const uint32_t north = around * rows, south = north + 1;
    m.positions[3 * (size_t)north + 2] = 1.0f;
    m.positions[3 * (size_t)south + 2] = -1.0f;
    uint32_t *next = m.indices;
    for (uint32_t i = 0; i < around; i++) {
        const uint32_t k = (i + 1) % around, last = around * (rows - 1);
        const uint32_t caps[6] = {north, i, k, south, last + k, last + i};
        memcpy(next, caps, sizeof caps);
        next += 6;
    }
    for (uint32_t j = 0; j + 1 < rows; j++)
        for (uint32_t i = 0; i < around; i++) {
            const uint32_t k = (i + 1) % around, a = j * around, b = a + around;
            const uint32_t quad[6] = {a + i, b + i, b + k, a + i, b + k, a + k};
            memcpy(next, quad, sizeof quad);
            next += 6;
        }
    return m;
}

static const char *const set_names[SETS] = {"camera", "random", "from inside", "to edges", "to vertices"};

// Origins and directions are floats, so that both libraries have the same rays.
static grz_ray make_ray(const model *m, int set, uint32_t i, uint32_t count)
{
    double p[3], d[3];
    const uint32_t side = (uint32_t)sqrt((double)count);
    const uint32_t *triangle = m->indices + 3 * (size_t)(uint32_t)(next_random() * m->triangles);
    for (int k = 0; k < 3; k++) {
        p[k] = set < 2 ? 6.0 * next_random() - 3.0 : 0.5 * next_random() - 0.25;
        d[k] = 2.0 * next_random() - 1.0;
    }
    if (set == 0) { // one row of pixels after the other
        const double eye[3] = {0.0, -3.0, 0.5};
        memcpy(p, eye, sizeof p);
        const uint32_t column = i % side, row = i / side;
        d[0] = 2.0 * column / side - 1.0;
        d[1] = 2.0;
        d[2] = 2.0 * row / side - 1.25;
    } else if (set == 1) { // to a random point of the box
        for (int k = 0; k < 3; k++)
            d[k] = 2.0 * next_random() - 1.0 - p[k];
    }
    for (int k = 0; k < 3; k++) {
        p[k] = (double)(float)p[k];
        // Towards a point of the surface: a vertex, or the middle of an edge, rounded as all of it.
        const double v = (double)m->positions[3 * (size_t)triangle[0] + (size_t)k],
                     w = (double)m->positions[3 * (size_t)triangle[1] + (size_t)k];
        if (set >= 3)
            d[k] = (set == 3 ? 0.5 * v + 0.5 * w : v) - p[k];
        d[k] = (double)(float)d[k];
    }
    return grz_ray_along(p, d);
}

// ---- Graze --------------------------------------------------------------------------------------------------------

typedef struct figures {
    double first, any; // microseconds a ray
    uint64_t hits;
} figures;

static figures measure_graze(grz_device *device, const grz_object *object, const grz_ray *rays, uint32_t count,
                             grz_ray_hit *hits, bool *any)
{
    grz_error error;
    figures f = {.hits = 0};
    double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    bench_need(grz_pick(device, grz_targets_of_objects(object, 1), rays, count, NULL, hits, &error), &error);
    f.first = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / count;
    start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    bench_need(grz_pick_any(device, grz_targets_of_objects(object, 1), rays, count, NULL, any, &error), &error);
    f.any = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / count;
    for (uint32_t i = 0; i < count; i++)
        f.hits += hits[i].face != GRZ_NO_FACE;
    return f;
}

// ---- Embree -------------------------------------------------------------------------------------------------------

#ifdef WITH_EMBREE
typedef struct peer {
    RTCDevice device;
    RTCScene scene;
} peer;

static peer open_peer(const model *m)
{
    peer p = {.device = rtcNewDevice("threads=1")};
    p.scene = rtcNewScene(p.device);
    rtcSetSceneFlags(p.scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(p.scene, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(p.device, RTC_GEOMETRY_TYPE_TRIANGLE);
    memcpy(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, m->vertices),
           m->positions, 12 * (size_t)m->vertices);
    memcpy(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, m->triangles), m->indices,
           12 * (size_t)m->triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(p.scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(p.scene);
    return p;
}

static struct RTCRayHit ray_of(const grz_ray *ray)
{
    struct RTCRayHit r = {.ray = {.tfar = INFINITY, .mask = UINT32_MAX}, .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    r.ray.org_x = (float)ray->origin[0];
    r.ray.org_y = (float)ray->origin[1];
    r.ray.org_z = (float)ray->origin[2];
    r.ray.dir_x = (float)ray->direction[0];
    r.ray.dir_y = (float)ray->direction[1];
    r.ray.dir_z = (float)ray->direction[2];
    return r;
}

static figures measure_peer(const peer *p, const grz_ray *rays, uint32_t count)
{
    figures f = {.hits = 0};
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (uint32_t i = 0; i < count; i++) {
        struct RTCRayHit r = ray_of(&rays[i]);
        rtcIntersect1(p->scene, &context, &r);
        f.hits += r.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    f.first = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / count;
    start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (uint32_t i = 0; i < count; i++) {
        struct RTCRayHit r = ray_of(&rays[i]);
        rtcOccluded1(p->scene, &context, &r.ray);
    }
    f.any = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / count;
    return f;
}
#endif

static void keep_least(figures *least, const figures *f, int round)
{
    if (round == 0 || f->first < least->first)
        least->first = f->first;
    if (round == 0 || f->any < least->any)
        least->any = f->any;
    least->hits = f->hits;
}

int main(int argc, char **argv)
{
    bool quick = false;
    int only = -1; // a set of rays
    const char *csv_name = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc)
            csv_name = argv[++i];
        else if (strcmp(argv[i], "--set") == 0 && i + 1 < argc)
            only = (int)strtol(argv[++i], NULL, 10);
        else {
            fprintf(stderr, "usage: bench_pick [--quick] [--set NUMBER] [--csv FILE]\n");
            return 2;
        }
    }
    FILE *csv = csv_name != NULL ? fopen(csv_name, "w") : NULL;
    if (csv_name != NULL && csv == NULL) {
        perror(csv_name);
        return 1;
    }
    const uint32_t count = quick ? 40000 : 1000000;
    const int rounds = quick ? 1 : 3;
    model m = make_sphere(1000, 500);
    grz_device_options device_options = grz_default_device_options();
    grz_device *device;
    grz_mesh *mesh;
    grz_error error;
    device_options.threads = 1;
    bench_need(grz_device_open(&device_options, &device, &error), &error);
    const grz_mesh_description d =
        grz_mesh_description_from_triangles(m.positions, GRZ_FLOAT32, m.vertices, m.indices, m.triangles);
    bench_need(grz_mesh_create(device, &d, &mesh, &error), &error);
    const grz_object object = grz_object_at_origin(mesh);
    grz_ray *rays = bench_allocate(count, sizeof *rays);
    grz_ray_hit *hits = bench_allocate(count, sizeof *hits);
    bool *any = bench_allocate(count, sizeof *any);
#ifdef WITH_EMBREE
    const peer p = open_peer(&m);
#endif
    printf("%u triangles, %u rays; microseconds a ray, one thread\n", m.triangles, count);
    printf("%-12s %8s %8s %9s %8s %8s %9s %7s %7s\n", "rays", "first", "any", "hits", "Embree", "any", "hits", "ratio",
           "any");
    if (csv != NULL)
        fprintf(csv, "rays,graze_first_us,graze_any_us,graze_hits,embree_first_us,embree_any_us,embree_hits\n");
    bench_need(grz_pick(device, grz_targets_of_objects(&object, 1), rays, 0, NULL, NULL, &error),
               &error); // builds the tree
    for (int set = 0; set < SETS; set++) {
        if (only >= 0 && only != set)
            continue;
        figures mine = {.hits = 0}, theirs = {.hits = 0};
        for (uint32_t i = 0; i < count; i++)
            rays[i] = make_ray(&m, set, i, count);
        for (int round = 0; round < rounds; round++) {
            const figures f = measure_graze(device, &object, rays, count, hits, any);
            keep_least(&mine, &f, round);
#ifdef WITH_EMBREE
            const figures g = measure_peer(&p, rays, count);
            keep_least(&theirs, &g, round);
#endif
        }
        printf("%-12s %8.3f %8.3f %9llu %8.3f %8.3f %9llu %7.2f %7.2f\n", set_names[set], mine.first, mine.any,
               (unsigned long long)mine.hits, theirs.first, theirs.any, (unsigned long long)theirs.hits,
               mine.first / theirs.first, mine.any / theirs.any);
        if (csv != NULL)
            fprintf(csv, "%s,%.4f,%.4f,%llu,%.4f,%.4f,%llu\n", set_names[set], mine.first, mine.any,
                    (unsigned long long)mine.hits, theirs.first, theirs.any, (unsigned long long)theirs.hits);
    }
    if (csv != NULL)
        fclose(csv);
#ifdef WITH_EMBREE
    rtcReleaseScene(p.scene);
    rtcReleaseDevice(p.device);
#endif
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    free(m.positions);
    free(m.indices);
    free(rays);
    free(hits);
    free(any);
    return 0;
}
