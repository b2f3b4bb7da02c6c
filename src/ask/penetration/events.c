// SPDX-License-Identifier: MIT
// A walk through two trees for the pairs of triangles that touch at a time or soon after. Their corners and edges are
// followed as triangles without area. It suffices to follow corners with edges and faces, and edges with edges: where
// anything larger begins or ends to touch, one of these does.
#include "ask/penetration/events.h"

#include <math.h>
#include <string.h>

#include "ask/move/translation/visit.h"
#include "base/call.h"
#include "mesh/triangles.h"

#define CORNERS(c) ((const double(*)[3])(c))

typedef struct search {
    const grz_path *path;
    const grz_instant *after;
    double until;     // the first event so far is not later
    grz_meeting best; // whose end is the first event so far, if there is one
    grz_meeting_end best_end;
    bool any;
} search;

void grz_feature_set(const double corners[3][3], int feature, double out[3][3])
{
    const int first = grz_feature_first_corner(feature), count = grz_feature_corner_count(feature);
    for (int i = 0; i < 3; i++) // the last corner stands for those that are left
        memcpy(out[i], corners[(first + (i < count ? i : count - 1)) % 3], sizeof out[i]);
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
    double of_a[GRZ_TRIANGLE_FEATURES][3][3], of_b[GRZ_TRIANGLE_FEATURES][3][3];
    grz_meeting m;
    if (!grz_meeting_set(&m, a, b, &s->path->motion) || m.leave_high < s->after->at.lower || m.enter_low > s->until)
        return;
    for (int i = 0; i < GRZ_TRIANGLE_FEATURES; i++) {
        grz_feature_set(a, i, of_a[i]);
        grz_feature_set(b, i, of_b[i]);
    }
    for (int i = 0; i < GRZ_TRIANGLE_FEATURES; i++)
        for (int j = 0; j < GRZ_TRIANGLE_FEATURES; j++) {
            if (!grz_features_are_followed(i, j) ||
                !grz_meeting_set(&m, CORNERS(of_a[i]), CORNERS(of_b[j]), &s->path->motion) || m.always)
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

static bool is_other_time(void *context, double enter, double leave)
{
    const search *s = context;
    return enter > s->until || leave < s->after->at.lower;
}

static bool compare_row(void *context, uint32_t triangle, const uint32_t *others, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        compare_triangles(context, triangle, others[i]);
    return true;
}

grz_status grz_event_after(grz_move_call *call, const grz_path *path, const grz_instant *after, grz_instant *event,
                           bool *any)
{
    search s = {.path = path, .after = after, .until = path->end};
    const grz_pair_visitor visitor = {.context = &s, .skip = is_other_time, .compare = compare_row};
    const grz_status status = grz_visit_pairs(call, path, &visitor);
    *any = status == GRZ_OK && s.any;
    if (*any) {
        event->at = grz_meeting_round(&s.best, s.best_end);
        grz_meeting_time(&s.best, s.best_end, &event->exact);
    }
    return grz_call_explain(&call->frame, status);
}
