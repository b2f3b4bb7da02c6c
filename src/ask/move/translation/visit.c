// SPDX-License-Identifier: MIT
// Depth first through two trees.
#include "ask/move/translation/visit.h"

#include "base/control.h"
#include "base/device.h"

enum {
    CHECK_BITS = 5 // pairs opened between two checks of the control, as a power of two
};

typedef struct walk {
    grz_move_call *call;
    const grz_pair_visitor *visitor;
    const grz_bvh *bvh_a, *bvh_b;
    grz_translating_frames frames;
    grz_slab_times *slab_times;
    GRZ_ARRAY(grz_translating_pair) waiting;
} walk;

static bool skips(const walk *w, const grz_translating_pair *pair)
{
    return w->visitor->skip(w->visitor->context, grz_translating_frames_time(&w->frames, pair->enter),
                            grz_translating_frames_after(&w->frames, pair->leave));
}

// The triangles of an opened pair. False if there is no memory.
static bool compare(walk *w, const grz_opened_pair *o)
{
    for (uint32_t rows = grz_triangles_of(o->a.node, o->spans.rows); rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        uint32_t others[GRZ_BVH_WIDTH], count = 0;
        for (uint32_t left = grz_triangles_of(o->b.node, o->spans.within[i]); left != 0; left &= left - 1) {
            const grz_translating_pair pair = grz_opened_child(o, i, __builtin_ctz(left));
            if (!skips(w, &pair))
                others[count++] = grz_bvh_triangle(pair.b);
        }
        if (count > 0 &&
            !w->visitor->compare(w->visitor->context, grz_bvh_triangle(o->a.node->child[i]), others, count))
            return false;
    }
    return true;
}

// Let the other children of an opened pair wait. False if there is no memory.
static bool spread(walk *w, const grz_opened_pair *o)
{
    for (uint32_t rows = o->spans.rows; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        for (uint32_t columns = o->spans.within[i]; columns != 0; columns &= columns - 1) {
            const grz_translating_pair next = grz_opened_child(o, i, __builtin_ctz(columns));
            const bool compared = grz_bvh_is_triangle(next.a) && grz_bvh_is_triangle(next.b);
            if (compared || skips(w, &next))
                continue;
            if (!grz_array_add(grz_control_allocator(&w->call->frame.control), &w->waiting))
                return false;
            w->waiting.items[w->waiting.count - 1] = next;
        }
    }
    return true;
}

static grz_status visit(walk *w)
{
    grz_control *control = &w->call->frame.control;
    if (!grz_array_add(grz_control_allocator(control), &w->waiting))
        return GRZ_ERROR_MEMORY;
    w->waiting.items[0] = grz_root_pair;
    for (size_t steps = 1; w->waiting.count > 0; steps++) {
        const grz_translating_pair pair = w->waiting.items[--w->waiting.count];
        grz_opened_pair o;
        if (grz_control_expired_at(control, steps, CHECK_BITS))
            return grz_control_status(control);
        if (skips(w, &pair))
            continue;
        grz_opened_pair_set(&o, w->bvh_a, w->bvh_b, &pair);
        w->slab_times(&w->frames, &o.a, &o.b, HUGE_VALF, &o.spans);
        if (!compare(w, &o) || !spread(w, &o))
            return GRZ_ERROR_MEMORY;
    }
    return GRZ_OK;
}

grz_status grz_visit_pairs(grz_move_call *call, const grz_path *path, const grz_pair_visitor *visitor)
{
    grz_control *control = &call->frame.control;
    walk w = {.call = call, .visitor = visitor, .slab_times = grz_slab_times_for(grz_device_simd(call->frame.device))};
    if (path->from > path->to)
        return GRZ_OK;
    grz_status status = grz_mesh_bvh(path->a->mesh, control, &w.bvh_a, call->frame.error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(path->b->mesh, control, &w.bvh_b, call->frame.error);
    if (status == GRZ_OK) {
        grz_translating_frames_set(&w.frames, path, w.bvh_a, w.bvh_b);
        status = visit(&w);
    }
    grz_array_finish(grz_control_allocator(control), &w.waiting);
    return status;
}
