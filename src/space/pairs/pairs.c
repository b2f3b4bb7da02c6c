// SPDX-License-Identifier: MIT
// The kinds of broad phase, and the calls that go to one of them.
#include "space/pairs/pairs.h"

#include <assert.h>

#include "space/pairs/auto.h"
#include "space/pairs/kept.h"

// What a kind can do; `state` is a grz_sweep or a grz_kept.
typedef struct pairs_type {
    const char *name;
    void *(*create)(const grz_allocator *allocator, grz_simd simd);
    void (*destroy)(void *state);
    void (*set_control)(void *state, grz_control *control);
    bool (*set)(void *state, uint32_t id, const grz_box *box);
    void (*remove)(void *state, uint32_t id);
    bool (*update)(void *state, const grz_sweep_pair **list, size_t *count);
} pairs_type;

struct grz_pairs {
    grz_allocator allocator;
    const pairs_type *type;
    void *state;
};

static void *sweep_create(const grz_allocator *allocator, grz_simd simd)
{
    (void)simd;
    return grz_sweep_create(allocator);
}

static void sweep_destroy(void *state)
{
    grz_sweep_destroy(state);
}

static void sweep_set_control(void *state, grz_control *control)
{
    grz_sweep_set_control(state, control);
}

static bool sweep_set(void *state, uint32_t id, const grz_box *box)
{
    return grz_sweep_set(state, id, box);
}

static void sweep_remove(void *state, uint32_t id)
{
    grz_sweep_remove(state, id);
}

static bool sweep_update(void *state, const grz_sweep_pair **list, size_t *count)
{
    return grz_sweep_update(state, list, count);
}

static void *tree_create(const grz_allocator *allocator, grz_simd simd)
{
    return grz_kept_create(allocator, simd, GRZ_KEPT_TREE);
}

static void *grid_create(const grz_allocator *allocator, grz_simd simd)
{
    return grz_kept_create(allocator, simd, GRZ_KEPT_GRID);
}

static void *auto_create(const grz_allocator *allocator, grz_simd simd)
{
    return grz_auto_create(allocator, simd);
}

static void auto_destroy(void *state)
{
    grz_auto_destroy(state);
}

static void auto_set_control(void *state, grz_control *control)
{
    grz_auto_set_control(state, control);
}

static bool auto_set(void *state, uint32_t id, const grz_box *box)
{
    return grz_auto_set(state, id, box);
}

static void auto_remove(void *state, uint32_t id)
{
    grz_auto_remove(state, id);
}

static bool auto_update(void *state, const grz_sweep_pair **list, size_t *count)
{
    return grz_auto_update(state, list, count);
}

static void kept_destroy(void *state)
{
    grz_kept_destroy(state);
}

static void kept_set_control(void *state, grz_control *control)
{
    grz_kept_set_control(state, control);
}

static bool kept_set(void *state, uint32_t id, const grz_box *box)
{
    return grz_kept_set(state, id, box);
}

static void kept_remove(void *state, uint32_t id)
{
    grz_kept_remove(state, id);
}

static bool kept_update(void *state, const grz_sweep_pair **list, size_t *count)
{
    return grz_kept_update(state, list, count);
}

static const pairs_type types[GRZ_PAIRS_KIND_COUNT] = {
    [GRZ_PAIRS_SWEEP] = {"sweep", sweep_create, sweep_destroy, sweep_set_control, sweep_set, sweep_remove,
                         sweep_update},
    [GRZ_PAIRS_TREE] = {"tree", tree_create, kept_destroy, kept_set_control, kept_set, kept_remove, kept_update},
    [GRZ_PAIRS_GRID] = {"uniform grid", grid_create, kept_destroy, kept_set_control, kept_set, kept_remove,
                        kept_update},
    [GRZ_PAIRS_AUTO] = {"auto", auto_create, auto_destroy, auto_set_control, auto_set, auto_remove, auto_update},
};

grz_pairs *grz_pairs_create(grz_pairs_kind kind, const grz_allocator *allocator, grz_simd simd)
{
    assert((unsigned)kind < GRZ_PAIRS_KIND_COUNT);
    grz_pairs *pairs = grz_allocate_zeroed(allocator, 1, sizeof *pairs);
    if (pairs == NULL)
        return NULL;
    pairs->allocator = *allocator;
    pairs->type = &types[kind];
    pairs->state = pairs->type->create(allocator, simd);
    if (pairs->state != NULL)
        return pairs;
    grz_release(allocator, pairs, 1, sizeof *pairs);
    return NULL;
}

void grz_pairs_destroy(grz_pairs *pairs)
{
    if (pairs == NULL)
        return;
    const grz_allocator allocator = pairs->allocator;
    pairs->type->destroy(pairs->state);
    grz_release(&allocator, pairs, 1, sizeof *pairs);
}

void grz_pairs_set_control(grz_pairs *pairs, grz_control *control)
{
    pairs->type->set_control(pairs->state, control);
}

bool grz_pairs_set(grz_pairs *pairs, uint32_t id, const grz_box *box)
{
    return pairs->type->set(pairs->state, id, box);
}

void grz_pairs_remove(grz_pairs *pairs, uint32_t id)
{
    pairs->type->remove(pairs->state, id);
}

bool grz_pairs_update(grz_pairs *pairs, const grz_sweep_pair **list, size_t *count)
{
    return pairs->type->update(pairs->state, list, count);
}

const char *grz_pairs_kind_name(grz_pairs_kind kind)
{
    assert((unsigned)kind < GRZ_PAIRS_KIND_COUNT);
    return types[kind].name;
}

void grz_pairs_force(grz_pairs *pairs, grz_pairs_way way)
{
    if (pairs->type->update == kept_update)
        grz_kept_force(pairs->state, way);
}

const grz_pairs_work *grz_pairs_work_done(const grz_pairs *pairs)
{
    return pairs->type->update == kept_update ? grz_kept_work_done(pairs->state) : NULL;
}

uint64_t grz_pairs_switches(const grz_pairs *pairs)
{
    return pairs->type->update == auto_update ? grz_auto_switches(pairs->state) : 0;
}
