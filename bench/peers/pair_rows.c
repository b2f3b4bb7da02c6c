// SPDX-License-Identifier: MIT
// Rows about two rigid meshes: meshes and poses are made once a scene, with their exact answers; every answer of a
// library is compared with these.
#include "pair_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct pair_data {
    const scene *scene;
    bool lists;
} pair_data;

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        peer_die("out of memory");
    return block;
}

static void list_touching(scene *s)
{
    s->touching = allocate(s->poses.count + 1, sizeof *s->touching);
    for (uint32_t i = 0; i < s->poses.count; i++)
        if (s->poses.items[i].touch)
            s->touching[s->touching_count++] = i;
}

// Ask a few queries again without any tree.
static uint32_t cross_check(const scene *s, truth_pair *truth)
{
    const uint32_t wanted = (uint64_t)s->a.triangle_count * s->b.triangle_count > 100000000 ? 0 : 5;
    const uint32_t step = s->touching_count / (wanted + 1) + 1;
    peer_pairs pairs = {0};
    uint32_t checked = 0;
    for (uint32_t i = 0; i < s->touching_count && checked < wanted; i += step, checked++) {
        const posed_query *query = &s->poses.items[s->touching[i]];
        const size_t count = s->first[i + 1] - s->first[i];
        pairs.count = 0;
        truth_pairs(truth, &query->a, &query->b, "naive", &pairs);
        if (pairs.count != count || pairs_lacking(pairs.items, count, s->truth.items + s->first[i], count) > 0)
            peer_die("methods naive and bvh of Graze do not agree");
    }
    free(pairs.items);
    return checked;
}

static void list_pairs(scene *s, char about[256])
{
    truth_pair *truth = truth_open(&s->a, &s->b);
    s->first = allocate(s->touching_count + 1, sizeof *s->first);
    for (uint32_t i = 0; i < s->touching_count; i++) {
        const posed_query *query = &s->poses.items[s->touching[i]];
        truth_pairs(truth, &query->a, &query->b, "bvh", &s->truth);
        s->first[i + 1] = s->truth.count;
    }
    const uint32_t checked = cross_check(s, truth);
    snprintf(about, 256, "%u poses that touch, %.1f pairs each (%u lists confirmed by all pairs without a tree)",
             s->touching_count, (double)s->truth.count / s->touching_count, checked);
    truth_close(truth);
}

static const pair_data *prepare(const settings *set, scene *s, bool lists, char about[256])
{
    if (set->quick && s->not_in_quick)
        return NULL;
    pair_data *data = allocate(1, sizeof *data);
    if (!s->made) {
        s->make_meshes(set, s);
        truth_pair *truth = truth_open(&s->a, &s->b);
        s->make_poses(set, &(pose_meshes){&s->a, &s->b, truth}, &s->poses);
        truth_close(truth);
        list_touching(s);
        s->made = true;
    }
    snprintf(about, 256, "%u and %u triangles, %u poses, %u of them touch", s->a.triangle_count, s->b.triangle_count,
             s->poses.count, s->touching_count);
    if (lists)
        list_pairs(s, about);
    *data = (pair_data){s, lists};
    return data;
}

const void *scene_prepare_verdicts(const settings *set, void *subject, char about[256])
{
    return prepare(set, subject, false, about);
}

const void *scene_prepare_lists(const settings *set, void *subject, char about[256])
{
    return prepare(set, subject, true, about);
}

uint32_t scene_queries(const void *data)
{
    const pair_data *d = data;
    return d->lists ? d->scene->touching_count : d->scene->poses.count;
}

bool scene_can_tell(const peer *p)
{
    return p->create && p->touches;
}

bool scene_can_list(const peer *p)
{
    return p->create && p->pairs;
}

typedef struct asking {
    const pair_data *data;
    const peer *peer;
    void *a, *b;
    peer_pairs pairs;
    figures *out;
} asking;

static const posed_query *query_at(const asking *now, uint32_t query)
{
    const scene *s = now->data->scene;
    return &s->poses.items[now->data->lists ? s->touching[query] : query];
}

static bool truth_of(const void *context, uint32_t query)
{
    return query_at(context, query)->touch;
}

// The mesh at a pose, rounded to float.
static peer_mesh rounded(const peer_mesh *mesh, const peer_pose *pose)
{
    peer_mesh out = *mesh;
    out.positions = allocate(mesh->vertex_count, sizeof *out.positions);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        double world[3];
        peer_world_position(pose, mesh->positions[i], world);
        for (int j = 0; j < 3; j++)
            out.positions[i][j] = (double)(float)world[j];
    }
    return out;
}

// The number of mistakes in an answer: a wrong verdict, or missing and invented pairs.
static uint64_t wrong_with(const asking *now, bool answer, bool truth, const peer_pair *list, size_t count)
{
    if (!now->data->lists)
        return answer != truth;
    return pairs_lacking(list, count, now->pairs.items, now->pairs.count) +
           pairs_lacking(now->pairs.items, now->pairs.count, list, count);
}

// How many mistakes disappear if the query is about the moved positions rounded to float.
static uint64_t by_rounding(const asking *now, const posed_query *q, bool answer, uint64_t wrong)
{
    static const peer_pose at_origin = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    peer_mesh a = rounded(&now->data->scene->a, &q->a), b = rounded(&now->data->scene->b, &q->b);
    truth_pair *truth = truth_open(&a, &b);
    peer_pairs pairs = {0};
    truth_pairs(truth, &at_origin, &at_origin, "bvh", &pairs);
    const uint64_t left = wrong_with(now, answer, pairs.count > 0, pairs.items, pairs.count);
    truth_close(truth);
    free(pairs.items);
    free(a.positions);
    free(b.positions);
    return left < wrong ? wrong - left : 0;
}

static void judge(asking *now, uint32_t query, bool answer)
{
    const scene *s = now->data->scene;
    const bool truth = truth_of(now, query);
    const peer_pair *list = now->data->lists ? s->truth.items + s->first[query] : NULL;
    const size_t count = now->data->lists ? s->first[query + 1] - s->first[query] : 0;
    now->out->wrong_yes += answer && !truth;
    now->out->wrong_no += !answer && truth;
    if (now->data->lists) {
        pairs_sort(&now->pairs);
        figures_add_pairs(now->out, list, count, &now->pairs);
    }
    const uint64_t wrong = wrong_with(now, answer, truth, list, count);
    // Rounding changes few pairs of a list; to examine more would take longer than the rest of the benchmark.
    if (wrong > 0 && wrong <= 4 && (now->peer->flags & (PEER_SINGLE | PEER_CULLS)) == PEER_SINGLE)
        now->out->by_rounding += by_rounding(now, query_at(now, query), answer, wrong);
}

static double ask(void *context, uint32_t query, bool judged)
{
    asking *now = context;
    const posed_query *q = query_at(now, query);
    const peer *p = now->peer;
    if (p->place) {
        p->place(now->a, &q->a);
        p->place(now->b, &q->b);
    }
    bool answer;
    now->pairs.count = 0;
    const stopwatch start = measure_start();
    if (now->data->lists) {
        p->pairs(now->a, &q->a, now->b, &q->b, &now->pairs);
        answer = now->pairs.count > 0;
    } else {
        answer = p->touches(now->a, &q->a, now->b, &q->b);
    }
    const double seconds = measure_stop(start);
    if (judged)
        judge(now, query, answer);
    return seconds;
}

// Build both meshes `builds` times, and keep the last. @return the median, or the first where only one is asked for; ms
static double build(asking *now, uint32_t builds)
{
    enum {
        MAX_BUILDS = 9,
        MAX_BUILD_SECONDS = 5
    };
    const scene *s = now->data->scene;
    double times[MAX_BUILDS], sum = 0;
    uint32_t count = 0;
    do {
        if (count > 0) {
            now->peer->destroy(now->a);
            now->peer->destroy(now->b);
        }
        const stopwatch start = measure_start();
        now->a = now->peer->create(&s->a, false);
        now->b = now->peer->create(&s->b, false);
        sum += times[count++] = measure_stop(start);
    } while (count < builds && count < MAX_BUILDS && sum < MAX_BUILD_SECONDS);
    return 1e3 * measure_median(times, (int)count);
}

void scene_measure(const row_work *work, figures *out)
{
    const pair_data *data = work->data;
    const scene *s = data->scene;
    const peer *p = work->peer;
    const double triangles = (double)s->a.triangle_count + s->b.triangle_count;
    asking now = {.data = data, .peer = p, .out = out};
    const size_t before = p->memory ? p->memory() : measure_malloc();
    out->build_ms = build(&now, s->builds);
    out->build_ns = 1e6 * out->build_ms / triangles;
    out->bytes = (double)((p->memory ? p->memory() : measure_malloc()) - before) / triangles;
    out->lists = data->lists;
    measure_queries(work->set, ask, truth_of, &now, scene_queries(data), work->reference, work->is_reference, out);
}
