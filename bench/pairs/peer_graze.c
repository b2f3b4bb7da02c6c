// SPDX-License-Identifier: MIT
// Graze's broad phases: functions inside the library.
#include <stdio.h>
#include <stdlib.h>

#include "peers.h"
#include "space/pairs/pairs.h"

typedef struct state {
    grz_pairs *pairs;
    const grz_sweep_pair *list;
    size_t count;
} state;

static void die(void)
{
    fprintf(stderr, "bench_pairs: out of memory\n");
    exit(1);
}

static void update(void *user, const body_box *boxes, const uint32_t *moved, size_t moved_count)
{
    state *s = user;
    for (size_t i = 0; i < moved_count; i++) {
        const body_box *b = &boxes[moved[i]];
        const grz_box box = {{b->min[0], b->min[1], b->min[2]}, {b->max[0], b->max[1], b->max[2]}};
        if (!grz_pairs_set(s->pairs, moved[i], &box))
            die();
    }
    if (!grz_pairs_update(s->pairs, &s->list, &s->count))
        die();
}

static void *create(grz_pairs_kind kind, const body_box *boxes, uint32_t count)
{
    const grz_allocator allocator = grz_malloc_allocator();
    grz_simd simd;
    state *s = calloc(1, sizeof *s);
    uint32_t *all = calloc(count, sizeof *all);
    if (s == NULL || all == NULL || grz_simd_choose(&simd, NULL) != GRZ_OK)
        die();
    s->pairs = grz_pairs_create(kind, &allocator, simd);
    if (s->pairs == NULL)
        die();
    for (uint32_t id = 0; id < count; id++)
        all[id] = id;
    update(s, boxes, all, count);
    free(all);
    return s;
}

static void *create_sweep(const body_box *boxes, uint32_t count)
{
    return create(GRZ_PAIRS_SWEEP, boxes, count);
}

static void *create_tree(const body_box *boxes, uint32_t count)
{
    return create(GRZ_PAIRS_TREE, boxes, count);
}

static void *create_grid(const body_box *boxes, uint32_t count)
{
    return create(GRZ_PAIRS_GRID, boxes, count);
}

static void *create_auto(const body_box *boxes, uint32_t count)
{
    return create(GRZ_PAIRS_AUTO, boxes, count);
}

static void list(void *user, pair_list *out)
{
    const state *s = user;
    for (size_t i = 0; i < s->count; i++)
        pair_list_add(out, (uint64_t)s->list[i].a << 32 | s->list[i].b);
}

static void destroy(void *user)
{
    state *s = user;
    const grz_pairs_work *work = grz_pairs_work_done(s->pairs);
    if (work != NULL && getenv("BENCH_PAIRS_WORK") != NULL)
        fprintf(stderr, "  renewed %llu, few %llu, coasted %llu, looked up %llu, filtered %llu\n",
                (unsigned long long)work->renewed, (unsigned long long)work->few, (unsigned long long)work->coasted,
                (unsigned long long)work->looked_up, (unsigned long long)work->filtered);
    grz_pairs_destroy(s->pairs);
    free(s);
}

const peer peer_sweep = {"Graze sweep", UINT32_MAX, UINT32_MAX, create_sweep, update, list, destroy};
const peer peer_tree = {"Graze tree", UINT32_MAX, UINT32_MAX, create_tree, update, list, destroy};
const peer peer_grid = {"Graze grid", UINT32_MAX, UINT32_MAX, create_grid, update, list, destroy};
const peer peer_auto = {"Graze auto", UINT32_MAX, UINT32_MAX, create_auto, update, list, destroy};
