// SPDX-License-Identifier: MIT
// Rows that ask about two rigid meshes at many poses, for yes or no or for all touching pairs: W1, W1N, W1a, W2 and W4,
// and parts of machines: gears, stacked boxes, boxes of 12 triangles, one mesh inside another.
#include "poses.h"
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>

// Two meshes and their poses; made once for all rows that use them.
typedef struct scene {
    peer_mesh a, b;
    pose_set poses;
    uint32_t *touching; // the queries that touch
    uint32_t touching_count;
    // Of the touching queries: query i's pairs are truth.items[first[i]] up to first[i + 1]. Empty until a row asks for
    // lists.
    peer_pairs truth;
    size_t *first;
    bool made;
} scene;

static scene cows, near_cows, large, tunnel, gears, stack, tiny, nested;

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

static void read_cows(const settings *set, scene *s)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/cow_spot.ply", set->data);
    s->a = shape_read(path);
    s->b = shape_read(path);
}

static void make_cows(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_random(&meshes, set->quick ? 300 : 2000, 0.3, 1);
}

static void make_near_cows(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_near(&meshes, set->quick ? 100 : 500, 0.001 * shape_diagonal(&s->a), 2);
}

static void read_large(const settings *set, scene *s)
{
    if (set->large) {
        s->a = shape_read(set->large);
        s->b = shape_read(set->large);
        return;
    }
    s->a = shape_blob(set->quick ? 45 : 179, 0.12, 3);
    s->b =
        set->quick ? shape_tube(shape_circle, 180, 67, 0.4, 0.3, 4) : shape_tube(shape_circle, 600, 320, 0.4, 0.3, 4);
}

static void make_large(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_random(&meshes, set->quick ? 100 : 500, 0.3, 5);
}

static void read_tunnel(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_tube(shape_winding, 700, 50, 0.2, 0.1, 6);
    s->b = shape_tube(shape_circle, 70, 69, 0.4, 0.3, 7);
    shape_scale(&s->b, 0.09);
}

static void make_tunnel(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_along(&meshes, shape_winding, set->quick ? 200 : 800, 0.075);
}

static void read_gears(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_gear(24, 3);
    s->b = shape_gear(24, 3);
}

static void make_gears(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_meshing(&meshes, set->quick ? 50 : 500, 1.9);
}

static void read_stack(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_box(64);
    s->b = shape_box(64);
}

static void make_stack(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_stacked(&meshes, set->quick ? 3 : 20, 8);
}

static void read_tiny(const settings *set, scene *s)
{
    (void)set;
    s->a = shape_box(1);
    s->b = shape_box(1);
}

static void make_tiny(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_random(&meshes, set->quick ? 1000 : 10000, 0.3, 9);
}

static void read_nested(const settings *set, scene *s)
{
    read_cows(set, s);
    s->a = shape_blob(45, 0.12, 3);
    shape_scale(&s->b, 0.1);
}

static void make_nested(const settings *set, scene *s, truth_pair *truth)
{
    const pose_meshes meshes = {&s->a, &s->b, truth};
    s->poses = poses_inside(&meshes, set->quick ? 200 : 2000, 0.3, 10);
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

static const pair_data *prepare(const settings *set, scene *s, bool lists, void (*read)(const settings *, scene *),
                                void (*make)(const settings *, scene *, truth_pair *), char about[256])
{
    pair_data *data = allocate(1, sizeof *data);
    if (!s->made) {
        read(set, s);
        truth_pair *truth = truth_open(&s->a, &s->b);
        make(set, s, truth);
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

static const void *prepare_w1(const settings *set, char about[256])
{
    return prepare(set, &cows, false, read_cows, make_cows, about);
}

static const void *prepare_w1n(const settings *set, char about[256])
{
    return prepare(set, &near_cows, false, read_cows, make_near_cows, about);
}

static const void *prepare_w1a(const settings *set, char about[256])
{
    return prepare(set, &cows, true, read_cows, make_cows, about);
}

static const void *prepare_w2(const settings *set, char about[256])
{
    return prepare(set, &large, false, read_large, make_large, about);
}

static const void *prepare_w2a(const settings *set, char about[256])
{
    return prepare(set, &large, true, read_large, make_large, about);
}

static const void *prepare_w4(const settings *set, char about[256])
{
    return prepare(set, &tunnel, false, read_tunnel, make_tunnel, about);
}

static const void *prepare_gears(const settings *set, char about[256])
{
    return prepare(set, &gears, true, read_gears, make_gears, about);
}

static const void *prepare_stack(const settings *set, char about[256])
{
    return prepare(set, &stack, true, read_stack, make_stack, about);
}

static const void *prepare_tiny(const settings *set, char about[256])
{
    return prepare(set, &tiny, false, read_tiny, make_tiny, about);
}

static const void *prepare_nested(const settings *set, char about[256])
{
    return prepare(set, &nested, false, read_nested, make_nested, about);
}

static uint32_t queries(const void *data)
{
    const pair_data *d = data;
    return d->lists ? d->scene->touching_count : d->scene->poses.count;
}

static bool can_tell(const peer *p)
{
    return p->create && p->touches;
}

static bool can_list(const peer *p)
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

static void measure(const row_work *work, figures *out)
{
    const pair_data *data = work->data;
    const scene *s = data->scene;
    const peer *p = work->peer;
    asking now = {.data = data, .peer = p, .out = out};
    const size_t before = p->memory ? p->memory() : measure_malloc();
    const stopwatch start = measure_start();
    now.a = p->create(&s->a, false);
    now.b = p->create(&s->b, false);
    out->build_ms = 1e3 * (measure_stop(start));
    out->bytes =
        (double)((p->memory ? p->memory() : measure_malloc()) - before) / (s->a.triangle_count + s->b.triangle_count);
    out->lists = data->lists;
    measure_queries(work->set, ask, truth_of, &now, queries(data), work->reference, work->is_reference, out);
}

row_list rows_pairs(void)
{
    static const row rows[] = {
        {"W1", "W1", "two models of 5.8K triangles, boxes overlap, 30 % touch: yes or no", NULL, prepare_w1, queries,
         can_tell, measure},
        {"W1N", "W1N", "the same models 0.1 % of the diagonal apart: yes or no", NULL, prepare_w1n, queries, can_tell,
         measure},
        {"W1a", "W1a", "the poses of W1 that touch: all touching pairs", NULL, prepare_w1a, queries, can_list, measure},
        {"W2", "W2", "two large models (384K triangles; quick: 24K), 30 % touch: yes or no", NULL, prepare_w2, queries,
         can_tell, measure},
        {"W2", "W2 pairs", "the poses of W2 that touch: all touching pairs", NULL, prepare_w2a, queries, can_list,
         measure},
        {"W4", "W4", "9.7K triangles through a tunnel of 70K: yes or no", NULL, prepare_w4, queries, can_tell, measure},
        {"gears", "gears", "two gears side by side, flat sides in one plane: all touching pairs", NULL, prepare_gears,
         queries, can_list, measure},
        {"stack", "stack", "a box of 49K triangles upon another: all touching pairs", NULL, prepare_stack, queries,
         can_list, measure},
        {"tiny", "tiny", "two boxes of 12 triangles, 30 % touch: yes or no", NULL, prepare_tiny, queries, can_tell,
         measure},
        {"nested", "nested", "5.8K triangles inside 24K, free of contact: yes or no", NULL, prepare_nested, queries,
         can_tell, measure},
    };
    return (row_list){rows, sizeof rows / sizeof *rows};
}
