// SPDX-License-Identifier: MIT
// A walk through two trees for the pairs of triangles that touch at a time or soon after. Their corners and edges are
// followed as triangles without area. It suffices to follow corners with edges and faces, and edges with edges: where
// anything larger begins or ends to touch, one of these does.
#include "motion/penetration/events.h"

#include <math.h>
#include <string.h>

#include "base/device.h"
#include "mesh/triangles.h"
#include "motion/translate/opening.h"

enum {
    CHECK_BITS = 4, // pairs opened between two checks of the control, as a power of two
    FEATURES = 7    // of a triangle: itself, three edges, three corners
};

#define CORNERS(c) ((const double(*)[3])(c))

typedef struct search {
    grz_move_call *call;
    const grz_path *path;
    const grz_bvh *bvh_a, *bvh_b;
    grz_translating_frames frames;
    grz_slab_times *slab_times;
    const grz_instant *after;
    double until; // the first event so far is not later
    GRZ_ARRAY(grz_translating_pair) waiting;
    grz_meeting best; // whose end is the first event so far, if there is one
    grz_meeting_end best_end;
    bool any;
} search;

// Feature 0 of a triangle is the triangle, 1 to 3 are its edges, 4 to 6 its corners.
static void set_feature(const double corners[3][3], int feature, double out[3][3])
{
    const int first = feature == 0 ? 0 : (feature - 1) % 3;
    for (int i = 0; i < 3; i++) {
        const int corner = feature == 0 ? i : feature <= 3 ? (first + (i > 0)) % 3 : first;
        memcpy(out[i], corners[corner], sizeof out[i]);
    }
}

static bool comes_after(grz_meeting *m, grz_meeting_end end, const grz_instant *after)
{
    grz_instant time;
    time.at = grz_meeting_round(m, end);
    if (!grz_instant_is_double(&time))
        grz_meeting_time(m, end, &time.exact);
    return grz_instants_compare(&time, after) > 0;
}

// Keep an end of a meeting if it comes after `after` and before the best.
static void offer(search *s, grz_meeting *m, grz_meeting_end end)
{
    const double low = end == GRZ_MEETING_ENTER ? m->enter_low : m->leave_low,
                 high = end == GRZ_MEETING_ENTER ? m->enter_high : m->leave_high;
    if (high <= s->after->at.lower || low > s->until || !grz_meeting_happens(m) || !comes_after(m, end, s->after))
        return;
    if (s->any && grz_meeting_compare(m, end, &s->best, s->best_end) >= 0)
        return;
    const grz_time_rounded time = grz_meeting_round(m, end);
    s->best = *m;
    s->best_end = end;
    s->any = true;
    s->until = time.upper;
}

static void compare(search *s, const double a[3][3], const double b[3][3])
{
    double of_a[FEATURES][3][3], of_b[FEATURES][3][3];
    grz_meeting m;
    if (!grz_meeting_set(&m, a, b, &s->path->motion) || m.leave_high < s->after->at.lower || m.enter_low > s->until)
        return;
    for (int i = 0; i < FEATURES; i++) {
        set_feature(a, i, of_a[i]);
        set_feature(b, i, of_b[i]);
    }
    for (int i = 0; i < FEATURES; i++)
        for (int j = 0; j < FEATURES; j++) {
            const bool counts = i >= 4 ? j <= 3 : j >= 4 ? i <= 3 : i >= 1 && j >= 1;
            if (!counts || !grz_meeting_set(&m, CORNERS(of_a[i]), CORNERS(of_b[j]), &s->path->motion) || m.always)
                continue;
            offer(s, &m, GRZ_MEETING_ENTER);
            offer(s, &m, GRZ_MEETING_LEAVE);
        }
}

static void compare_triangles(search *s, uint32_t a, uint32_t b)
{
    double corners[2][3][3];
    grz_world_corners(s->path->a->mesh, &s->path->a->pose, a, corners[0]);
    grz_world_corners(s->path->b->mesh, &s->path->b->pose, b, corners[1]);
    compare(s, CORNERS(corners[0]), CORNERS(corners[1]));
}

// Open the pair on top: compare its triangles, and let its other children wait. False if memory is out.
static bool step(search *s)
{
    const grz_translating_pair pair = s->waiting.items[--s->waiting.count];
    const float limit = grz_translating_frames_limit(&s->frames, s->until),
                from = grz_translating_frames_floor(&s->frames, s->after->at.lower);
    grz_opened_pair o;
    if (pair.enter > limit)
        return true;
    grz_opened_pair_set(&o, s->bvh_a, s->bvh_b, &pair);
    s->slab_times(&s->frames, &o.a, &o.b, from, limit, &o.spans);
    for (uint32_t rows = o.spans.rows; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        for (uint32_t columns = o.spans.within[i]; columns != 0; columns &= columns - 1) {
            const grz_translating_pair next = grz_opened_child(&o, i, __builtin_ctz(columns));
            if (grz_bvh_is_triangle(next.a) && grz_bvh_is_triangle(next.b)) {
                compare_triangles(s, grz_bvh_triangle(next.a), grz_bvh_triangle(next.b));
                continue;
            }
            if (!grz_array_add(grz_control_allocator(&s->call->control), &s->waiting))
                return false;
            s->waiting.items[s->waiting.count - 1] = next;
        }
    }
    return true;
}

static grz_status walk(search *s)
{
    grz_control *control = &s->call->control;
    grz_status status = grz_mesh_bvh(s->path->a->mesh, control, &s->bvh_a, s->call->error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(s->path->b->mesh, control, &s->bvh_b, s->call->error);
    if (status != GRZ_OK)
        return status;
    grz_translating_frames_set(&s->frames, s->path, s->bvh_a, s->bvh_b);
    if (!grz_array_add(grz_control_allocator(control), &s->waiting))
        return GRZ_ERROR_MEMORY;
    s->waiting.items[0] = grz_root_pair;
    for (size_t steps = 1; s->waiting.count > 0; steps++) {
        if (grz_control_expired_at(control, steps, CHECK_BITS))
            return grz_control_status(control);
        if (!step(s))
            return GRZ_ERROR_MEMORY;
    }
    return GRZ_OK;
}

grz_status grz_event_after(grz_move_call *call, const grz_path *path, const grz_instant *after, grz_instant *event,
                           bool *any)
{
    search s = {.call = call,
                .path = path,
                .slab_times = grz_slab_times_for(grz_device_simd(call->device)),
                .after = after,
                .until = path->end};
    *any = false;
    grz_status status = path->from <= path->to ? walk(&s) : GRZ_OK;
    grz_array_finish(grz_control_allocator(&call->control), &s.waiting);
    if (status == GRZ_OK && s.any) {
        *any = true;
        event->at = grz_meeting_round(&s.best, s.best_end);
        grz_meeting_time(&s.best, s.best_end, &event->exact);
    }
    return grz_move_explain(call, status);
}
