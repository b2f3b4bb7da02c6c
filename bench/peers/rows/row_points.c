// SPDX-License-Identifier: MIT
// A row that asks how far many points are from a mesh, a cow: half of them anywhere in a box twice as wide, half beside
// the surface, by up to a thousandth of the size, all in a random order. Times are those of all points, divided by
// their number. Whether a point is inside is not asked. Wrong answers are as in row_distance.c; the last column is the
// largest error in millionths of the mesh's size, as some points are very near.
#include "rows.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    POINTS = 100000,
    QUICK_POINTS = 5000
};

typedef struct cloud {
    peer_mesh mesh;
    uint32_t count;
    double (*points)[3];
    double *distances; // exact
} cloud;

// A point of a face, moved.
static void beside(const peer_mesh *mesh, shape_random *random, double away, double point[3])
{
    const uint32_t *t = mesh->triangles[shape_random_bits(random) % mesh->triangle_count];
    double s = shape_random_in(random, 0, 1), u = shape_random_in(random, 0, 1);
    if (s + u > 1)
        s = 1 - s, u = 1 - u;
    for (int k = 0; k < 3; k++)
        point[k] = (1 - s - u) * mesh->positions[t[0]][k] + s * mesh->positions[t[1]][k] +
                   u * mesh->positions[t[2]][k] + shape_random_in(random, -away, away);
}

static const void *prepare(const settings *set, void *subject, char about[256])
{
    cloud *all = subject;
    char path[4096];
    shape_random random = {41};
    snprintf(path, sizeof path, "%s/cow_spot.ply", set->data);
    *all = (cloud){.mesh = shape_read(path), .count = set->quick ? QUICK_POINTS : POINTS};
    all->points = calloc(all->count, sizeof *all->points);
    all->distances = calloc(all->count, sizeof *all->distances);
    if (!all->points || !all->distances)
        peer_die("out of memory");
    const double size = shape_diagonal(&all->mesh);
    const peer_box box = shape_bounds(&all->mesh);
    for (uint32_t i = 0; i < all->count; i++) {
        if (i % 2 == 1) {
            beside(&all->mesh, &random, 0.001 * size, all->points[i]);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const double half = (box.max[k] - box.min[k]) / 2;
            all->points[i][k] = shape_random_in(&random, box.min[k] - half, box.max[k] + half);
        }
    }
    truth_point_distances(&all->mesh, (const double(*)[3])all->points, all->count, all->distances);
    snprintf(about, 256, "%u triangles, %u points; times a point", all->mesh.triangle_count, all->count);
    return all;
}

static uint32_t queries(const void *data)
{
    (void)data;
    return 1;
}

static bool can(const peer *p)
{
    return p->create && p->point_distances;
}

typedef struct asking {
    const cloud *cloud;
    const peer *peer;
    void *model;
    double *answers;
} asking;

static bool touches(const void *context, uint32_t query)
{
    (void)context, (void)query;
    return false;
}

static double ask(void *context, uint32_t query, bool judged)
{
    const asking *now = context;
    (void)query, (void)judged;
    const stopwatch start = measure_start();
    now->peer->point_distances(now->model, (const double(*)[3])now->cloud->points, now->cloud->count, now->answers);
    return measure_stop(start);
}

static void measure(const row_work *work, figures *out)
{
    const cloud *all = work->data;
    const double tolerance = distance_tolerance(&all->mesh), size = shape_diagonal(&all->mesh);
    asking now = {.cloud = all, .peer = work->peer, .answers = calloc(all->count, sizeof *now.answers)};
    if (!now.answers)
        peer_die("out of memory for answers");
    const stopwatch start = measure_start();
    now.model = work->peer->create(&all->mesh, false);
    out->build_ms = 1e3 * measure_stop(start);
    out->build_ns = 1e6 * out->build_ms / all->mesh.triangle_count;
    measure_queries(work->set, ask, touches, &now, 1, work->reference, work->is_reference, out);
    out->part = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const double error = now.answers[i] - all->distances[i];
        out->part = fmax(out->part, 1e6 * fabs(error) / size);
        out->wrong_no += error > tolerance;
        out->wrong_yes += error < -tolerance;
    }
    out->mean /= all->count;
    out->clear /= all->count;
    out->first /= all->count;
    out->asked = out->total = all->count;
    free(now.answers);
}

row_list rows_points(void)
{
    static cloud points;
    static const row rows[] = {{"distance", "Dpoints",
                                "100,000 points (quick: 5,000) and a model of 5.8K triangles: distance",
                                "worst error, 1e-6 of the size", &points, prepare, queries, can, measure}};
    return (row_list){rows, 1};
}
