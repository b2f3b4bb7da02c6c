// SPDX-License-Identifier: MIT
// Depth first through two trees, and of the children of a pair the one that may meet first is opened first. A pair that
// cannot meet before the best contact so far is dropped.
#include "ask/move/translation/translation_walk.h"

#include "ask/move/translation/opening.h"
#include "base/control.h"

#include <math.h>

enum {
    CHECK_BITS = 5 // pairs opened between two checks of the control, as a power of two
};

typedef struct walk {
    grz_first_pairs *pairs;
    const grz_bvh *bvh_a, *bvh_b;
    grz_translating_frames frames;
    grz_slab_times *slab_times;
    double for_limit; // the contact from which the limit was made
    float limit;      // in the frames' time: what meets later is dropped
    GRZ_ARRAY(grz_translating_pair) waiting;
} walk;

static void update_limit(walk *w)
{
    if (w->pairs->upper == w->for_limit)
        return;
    w->for_limit = w->pairs->upper;
    w->limit = grz_translating_frames_limit(&w->frames, w->pairs->upper);
}

// Let a pair wait above `from`, where the one that may meet first is on top. False if there is no memory.
static bool push(walk *w, size_t from, grz_translating_pair next)
{
    if (!grz_array_add(grz_control_allocator(w->pairs->control), &w->waiting))
        return false;
    grz_translating_pair *all = w->waiting.items;
    size_t at = w->waiting.count - 1;
    for (; at > from && all[at - 1].enter < next.enter; at--)
        all[at] = all[at - 1];
    all[at] = next;
    return true;
}

// Compare the triangles of an opened pair. False if there is no memory.
static bool compare_triangles(walk *w, const grz_opened_pair *o)
{
    bool has_room = true;
    for (uint32_t rows = grz_triangles_of(o->a.node, o->spans.rows); rows != 0 && has_room; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        uint32_t others[GRZ_BVH_WIDTH], count = 0;
        for (uint32_t left = grz_triangles_of(o->b.node, o->spans.within[i]); left != 0; left &= left - 1) {
            const int j = __builtin_ctz(left);
            if (o->spans.enter[i][j] <= w->limit)
                others[count++] = grz_bvh_triangle(o->b.node->child[j]);
        }
        if (count > 0)
            has_room = grz_first_pairs_compare(w->pairs, grz_bvh_triangle(o->a.node->child[i]), others, count);
        update_limit(w);
    }
    return has_room;
}

// Let the children of an opened pair wait, but for pairs of triangles. False if there is no memory.
static bool spread(walk *w, const grz_opened_pair *o)
{
    const size_t from = w->waiting.count;
    for (uint32_t rows = o->spans.rows; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        for (uint32_t columns = o->spans.within[i]; columns != 0; columns &= columns - 1) {
            const int j = __builtin_ctz(columns);
            const grz_translating_pair pair = grz_opened_child(o, i, j);
            const bool compared = grz_bvh_is_triangle(pair.a) && grz_bvh_is_triangle(pair.b);
            if (!compared && pair.enter <= w->limit && !push(w, from, pair))
                return false;
        }
    }
    return true;
}

// Open the pair on top. False if there is no memory.
static bool step(walk *w)
{
    const grz_translating_pair pair = w->waiting.items[--w->waiting.count];
    grz_opened_pair o;
    if (pair.enter > w->limit)
        return true;
    grz_opened_pair_set(&o, w->bvh_a, w->bvh_b, &pair);
    w->slab_times(&w->frames, &o.a, &o.b, w->limit, &o.spans);
    return compare_triangles(w, &o) && spread(w, &o);
}

// The earliest time at which anything that waits may meet.
static double find_lower(const walk *w)
{
    float time = HUGE_VALF;
    for (size_t i = 0; i < w->waiting.count; i++)
        time = fminf(time, w->waiting.items[i].enter);
    return grz_translating_frames_time(&w->frames, time);
}

grz_status grz_move_walk(grz_first_pairs *pairs, const grz_bvh *bvh_a, const grz_bvh *bvh_b, grz_simd simd,
                         double *lower)
{
    walk w = {.pairs = pairs,
              .bvh_a = bvh_a,
              .bvh_b = bvh_b,
              .slab_times = grz_slab_times_for(simd),
              .for_limit = HUGE_VAL,
              .limit = HUGE_VALF};
    size_t steps = 0;
    grz_translating_frames_set(&w.frames, pairs->path, bvh_a, bvh_b);
    w.limit = grz_translating_frames_limit(&w.frames, pairs->path->to);
    bool has_room = push(&w, 0, grz_root_pair), going = has_room;
    while (w.waiting.count > 0 && going) {
        going = !grz_control_expired_at(pairs->control, ++steps, CHECK_BITS);
        has_room = !going || step(&w);
        going = going && has_room;
    }
    if (!has_room)
        grz_control_fail(pairs->control, GRZ_ERROR_MEMORY);
    *lower = has_room ? find_lower(&w) : 0.0;
    grz_array_finish(grz_control_allocator(pairs->control), &w.waiting);
    return grz_control_status(pairs->control);
}
