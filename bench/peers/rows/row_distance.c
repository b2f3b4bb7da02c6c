// SPDX-License-Identifier: MIT
// Rows that ask how far two rigid meshes are apart: two cows at gaps of 0.1 % to 100 % of their size, and two large
// meshes, at the poses of poses_near(); a bumpy sphere and itself 1 % larger, a round sphere likewise, and two flat
// sheets, where nearly everything, or everything, is as near. An answer is wrong if it differs from the exact distance
// by more than a millionth of A's size; the last column is the largest error, in millionths of the exact distance.
// Then, whether the cows are nearer than a clearance that they just keep. Who cannot be asked that is asked for the
// distance; who can is asked for a clearance that they just miss, too, which is not timed. Wrong answers are counted.
#include "poses.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum gap_kind {
    COWS,
    LARGE,
    NESTED,
    SHEETS
} gap_kind;

typedef struct gap_row {
    double gap; // of the diagonal; of NESTED, how much larger B is; of SHEETS, along z
    gap_kind kind;
    double bump; // of NESTED
    bool within; // only whether they are 99 % of their distance apart, which they are; of those who can be asked that
    uint64_t seed;
    uint32_t poses, quick_poses;
    // The rest is filled in by prepare().
    peer_mesh a, b;
    pose_set set;
    double *distances; // exact, of each pose
    pose_set nearer;   // of `within`: as many poses at 1 % of the gap
} gap_row;

// Two meshes that run side by side, at one pose.
static void prepare_side_by_side(const settings *set, gap_row *r)
{
    const uint32_t n = r->kind == NESTED ? (set->quick ? 40 : 83) : (set->quick ? 60 : 200);
    const bool nested = r->kind == NESTED;
    r->a = nested ? shape_blob(n, r->bump, r->seed) : shape_sheet(n);
    r->b = nested ? shape_blob(n, r->bump, r->seed) : shape_sheet(n);
    for (uint32_t i = 0; i < r->b.vertex_count && nested; i++)
        for (int k = 0; k < 3; k++)
            r->b.positions[i][k] = (float)(r->b.positions[i][k] * (1 + r->gap));
    r->set = (pose_set){calloc(1, sizeof *r->set.items), 1};
    if (!r->set.items)
        peer_die("out of memory");
    for (int k = 0; k < 3; k++)
        r->set.items->a.m[k][k] = r->set.items->b.m[k][k] = 1;
    r->set.items->b.m[2][3] = nested ? 0 : r->gap;
}

static const void *prepare(const settings *set, void *subject, char about[256])
{
    gap_row *r = subject;
    char path[4096];
    double sum = 0;
    if (r->kind == NESTED || r->kind == SHEETS) {
        prepare_side_by_side(set, r);
    } else if (r->kind == LARGE) {
        r->a = shape_blob(set->quick ? 45 : 179, 0.12, 3);
        r->b = set->quick ? shape_tube(shape_circle, 180, 67, 0.4, 0.3, 4)
                          : shape_tube(shape_circle, 600, 320, 0.4, 0.3, 4);
    } else {
        snprintf(path, sizeof path, "%s/cow_spot.ply", set->data);
        r->a = shape_read(path);
        r->b = shape_read(path);
    }
    truth_pair *truth = truth_open(&r->a, &r->b);
    if (r->set.count == 0)
        r->set = poses_near(&(pose_meshes){&r->a, &r->b, truth}, set->quick ? r->quick_poses : r->poses,
                            r->gap * shape_diagonal(&r->a), r->seed);
    if (r->within)
        r->nearer = poses_near(&(pose_meshes){&r->a, &r->b, truth}, r->set.count, 0.01 * r->gap * shape_diagonal(&r->a),
                               r->seed);
    r->distances = calloc(r->set.count, sizeof *r->distances);
    if (!r->distances)
        peer_die("out of memory");
    for (uint32_t i = 0; i < r->set.count; i++) {
        const posed_query *q = &r->set.items[i];
        r->distances[i] = truth_distance(truth, &q->a, &q->b, "bvh");
        sum += r->distances[i];
    }
    const bool confirmed =
        r->kind == COWS && truth_distance(truth, &r->set.items[0].a, &r->set.items[0].b, "naive") == r->distances[0];
    if (r->kind == COWS && !confirmed)
        peer_die("methods naive and bvh of Graze do not agree");
    truth_close(truth);
    snprintf(about, 256, "%u and %u triangles, %u poses, %.3g apart on average, %.3g %% of the size%s",
             r->a.triangle_count, r->b.triangle_count, r->set.count, sum / r->set.count,
             100 * sum / r->set.count / shape_diagonal(&r->a),
             confirmed ? " (one confirmed by all pairs without a tree)" : "");
    return r;
}

static uint32_t queries(const void *data)
{
    return ((const gap_row *)data)->set.count;
}

static bool can(const peer *p)
{
    return p->create && p->distance;
}

typedef struct asking {
    const gap_row *row;
    const peer *peer;
    void *a, *b;
    double worst;
    double tolerance;           // world units
    uint32_t too_far, too_near; // wrong answers
} asking;

// Of the distance: a clearance that is met, just so, and one that is not.
static const double SHARE = 0.99, MISSED_SHARE = 1.01;

static bool touches(const void *context, uint32_t query)
{
    (void)context, (void)query;
    return false;
}

static double ask(void *context, uint32_t query, bool judged)
{
    asking *now = context;
    const posed_query *q = &now->row->set.items[query];
    const stopwatch start = measure_start();
    const double distance = now->peer->distance(now->a, &q->a, now->b, &q->b);
    const double seconds = measure_stop(start), exact = now->row->distances[query];
    if (judged) {
        now->worst = fmax(now->worst, fabs(distance - exact) / exact);
        now->too_far += distance > exact + now->tolerance;
        now->too_near += distance < exact - now->tolerance;
    }
    return seconds;
}

static double ask_within(void *context, uint32_t query, bool judged)
{
    asking *now = context;
    const posed_query *q = &now->row->set.items[query];
    const double clearance = SHARE * now->row->distances[query];
    const stopwatch start = measure_start();
    const bool nearer = now->peer->nearer(now->a, &q->a, now->b, &q->b, clearance);
    const double seconds = measure_stop(start);
    if (judged) {
        now->too_near += nearer;
        now->too_far += !now->peer->nearer(now->a, &q->a, now->b, &q->b, MISSED_SHARE * now->row->distances[query]);
    }
    return seconds;
}

static double ask_yes_or_no(void *context, uint32_t query, bool judged)
{
    const asking *now = context;
    const posed_query *q = &now->row->nearer.items[query];
    (void)judged;
    const stopwatch start = measure_start();
    now->peer->touches(now->a, &q->a, now->b, &q->b);
    return measure_stop(start);
}

// Whether they are so far apart; `part` becomes the time of yes or no at poses with 1 % of the gap.
static void measure_within(const row_work *work, asking *now, figures *out)
{
    figures plain = {.total = 0};
    double *times = calloc(now->row->nearer.count, sizeof *times);
    if (!times)
        peer_die("out of memory for times");
    measure_queries(work->set, ask_yes_or_no, touches, now, now->row->nearer.count, times, true, &plain);
    measure_queries(work->set, ask_within, touches, now, now->row->set.count, work->reference, work->is_reference, out);
    out->part = plain.mean;
    free(times);
}

static void measure(const row_work *work, figures *out)
{
    const gap_row *r = work->data;
    asking now = {.row = r, .peer = work->peer, .tolerance = distance_tolerance(&r->a)};
    const stopwatch start = measure_start();
    now.a = work->peer->create(&r->a, false);
    now.b = work->peer->create(&r->b, false);
    out->build_ms = 1e3 * measure_stop(start);
    out->build_ns = 1e6 * out->build_ms / ((double)r->a.triangle_count + r->b.triangle_count);
    if (r->within && work->peer->nearer) {
        measure_within(work, &now, out);
    } else {
        measure_queries(work->set, ask, touches, &now, r->set.count, work->reference, work->is_reference, out);
        out->part = r->within ? (double)NAN : 1e6 * now.worst;
    }
    out->wrong_no = now.too_far;
    out->wrong_yes = now.too_near;
}

row_list rows_distance(void)
{
    static gap_row rows_of[] = {{.gap = 0.001, .seed = 21, .poses = 300, .quick_poses = 40},
                                {.gap = 0.01, .seed = 22, .poses = 300, .quick_poses = 40},
                                {.gap = 0.1, .seed = 23, .poses = 300, .quick_poses = 40},
                                {.gap = 1.0, .seed = 24, .poses = 300, .quick_poses = 40},
                                {.gap = 0.01, .kind = LARGE, .seed = 25, .poses = 60, .quick_poses = 20},
                                {.gap = 0.01, .kind = NESTED, .bump = 0.1, .seed = 3},
                                {.gap = 0.01, .kind = NESTED, .seed = 3},
                                {.gap = 0.01, .kind = SHEETS},
                                {.gap = 0.01, .within = true, .seed = 22, .poses = 300, .quick_poses = 40},
                                {.gap = 0.1, .within = true, .seed = 23, .poses = 300, .quick_poses = 40},
                                {.gap = 1.0, .within = true, .seed = 24, .poses = 300, .quick_poses = 40}};
#define GAP_ROW(label, title, index)                                                                                   \
    {                                                                                                                  \
        "distance", label, title, "worst error, 1e-6", &rows_of[index], prepare, queries, can, measure                 \
    }
#define WITHIN_ROW(label, title, index)                                                                                \
    {                                                                                                                  \
        "distance", label, title, "yes or no at 1 % of it", &rows_of[index], prepare, queries, can, measure            \
    }
    static const row rows[] = {
        GAP_ROW("D0.1%", "two models of 5.8K triangles, 0.1 % of the diagonal apart: distance", 0),
        GAP_ROW("D1%", "the same, 1 %: distance", 1),
        GAP_ROW("D10%", "the same, 10 %: distance", 2),
        GAP_ROW("D100%", "the same, 100 %: distance", 3),
        GAP_ROW("Dlarge", "two large models (384K triangles; quick: 24K), 1 % apart: distance", 4),
        GAP_ROW("Dbumpy", "a bumpy sphere (82K triangles; quick: 19K) and itself 1 % larger: distance", 5),
        GAP_ROW("Dround", "a round sphere (82K triangles; quick: 19K) and itself 1 % larger: distance", 6),
        GAP_ROW("Dsheets", "two flat sheets (80K triangles; quick: 7,200), everything ties: distance", 7),
        WITHIN_ROW("N1%", "the models of D1%: are they 99 % of their distance apart (others: distance)", 8),
        WITHIN_ROW("N10%", "the models of D10%: likewise", 9),
        WITHIN_ROW("N100%", "the models of D100%: likewise", 10),
    };
#undef WITHIN_ROW
#undef GAP_ROW
    return (row_list){rows, sizeof rows / sizeof *rows};
}
