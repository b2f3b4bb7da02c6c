// SPDX-License-Identifier: MIT
// A row that asks for the distance of two rigid meshes at 1,000 poses of one of them: two cows at gaps of 0.1 %, 1 %,
// 10 % and 100 % of their size in turn, B turned at random, from a random side. Graze is asked once for all poses; the
// others once for each. Times are those of the whole batch, divided by its poses. Wrong answers and the last column are
// as in row_distance.c.
#include "poses.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    GAPS = 4,
    POSES = 1000,
    QUICK_POSES = 100
};

typedef struct batch {
    peer_mesh a, b;
    uint32_t count;
    peer_pose *poses;  // of B; A stays at the origin
    double *distances; // exact, of each pose
} batch;

static const peer_pose IDENTITY = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

// The pose of B as A sees it; both are rotations and translations.
static peer_pose relative(const peer_pose *a, const peer_pose *b)
{
    peer_pose out = {.m = {{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++)
                out.m[i][j] += a->m[k][i] * (b->m[k][j] - (j == 3 ? a->m[k][3] : 0));
    return out;
}

static const void *prepare(const settings *set, void *subject, char about[256])
{
    static const double gaps[GAPS] = {0.001, 0.01, 0.1, 1};
    batch *all = subject;
    char path[4096];
    snprintf(path, sizeof path, "%s/cow_spot.ply", set->data);
    *all = (batch){.a = shape_read(path), .b = shape_read(path), .count = set->quick ? QUICK_POSES : POSES};
    all->poses = calloc(all->count, sizeof *all->poses);
    all->distances = calloc(all->count, sizeof *all->distances);
    if (!all->poses || !all->distances)
        peer_die("out of memory");
    truth_pair *truth = truth_open(&all->a, &all->b);
    double least = HUGE_VAL, most = 0;
    for (uint32_t gap = 0; gap < GAPS; gap++) {
        pose_set some = poses_near(&(pose_meshes){&all->a, &all->b, truth}, all->count / GAPS,
                                   gaps[gap] * shape_diagonal(&all->a), 31 + gap);
        for (uint32_t i = 0; i < some.count; i++)
            all->poses[GAPS * i + gap] = relative(&some.items[i].a, &some.items[i].b);
        poses_free(&some);
    }
    for (uint32_t i = 0; i < all->count; i++) {
        all->distances[i] = truth_distance(truth, &IDENTITY, &all->poses[i], "bvh");
        least = fmin(least, all->distances[i]);
        most = fmax(most, all->distances[i]);
    }
    truth_close(truth);
    snprintf(about, 256, "%u and %u triangles, %u poses, %.3g to %.3g %% of the size apart; times a pose",
             all->a.triangle_count, all->b.triangle_count, all->count, 100 * least / shape_diagonal(&all->a),
             100 * most / shape_diagonal(&all->a));
    return all;
}

static uint32_t queries(const void *data)
{
    (void)data;
    return 1;
}

static bool can(const peer *p)
{
    return p->create && (p->distances || p->distance);
}

typedef struct asking {
    const batch *batch;
    const peer *peer;
    void *a, *b;
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
    const batch *all = now->batch;
    (void)query, (void)judged;
    const stopwatch start = measure_start();
    if (now->peer->distances)
        now->peer->distances(now->a, &IDENTITY, now->b, all->poses, all->count, now->answers);
    else
        for (uint32_t i = 0; i < all->count; i++)
            now->answers[i] = now->peer->distance(now->a, &IDENTITY, now->b, &all->poses[i]);
    return measure_stop(start);
}

static void judge(const asking *now, figures *out)
{
    const batch *all = now->batch;
    const double tolerance = distance_tolerance(&all->a);
    double worst = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const double answer = now->answers[i], exact = all->distances[i];
        worst = fmax(worst, fabs(answer - exact) / exact);
        out->wrong_no += answer > exact + tolerance;
        out->wrong_yes += answer < exact - tolerance;
    }
    out->part = 1e6 * worst;
}

static void measure(const row_work *work, figures *out)
{
    const batch *all = work->data;
    asking now = {.batch = all, .peer = work->peer, .answers = calloc(all->count, sizeof *now.answers)};
    if (!now.answers)
        peer_die("out of memory for answers");
    const stopwatch start = measure_start();
    now.a = work->peer->create(&all->a, false);
    now.b = work->peer->create(&all->b, false);
    out->build_ms = 1e3 * measure_stop(start);
    out->build_ns = 1e6 * out->build_ms / ((double)all->a.triangle_count + all->b.triangle_count);
    measure_queries(work->set, ask, touches, &now, 1, work->reference, work->is_reference, out);
    judge(&now, out);
    out->mean /= all->count;
    out->clear /= all->count;
    out->first /= all->count;
    out->asked = out->total = all->count;
    free(now.answers);
}

row_list rows_batch(void)
{
    static batch poses;
    static const row rows[] = {{"distance", "Dposes",
                                "1,000 poses (quick: 100) of one model of D1% beside another: distance",
                                "worst error, 1e-6", &poses, prepare, queries, can, measure}};
    return (row_list){rows, 1};
}
