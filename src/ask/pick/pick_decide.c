// SPDX-License-Identifier: MIT
// Compares candidates by intervals of doubles where these tell, else by exact fractions; and describes a hit.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "ask/distance/user_feature.h"
#include "ask/pick/pick_search.h"
#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/exact/predicates.h"
#include "geometry/triangle/normal.h"

enum {
    CHECK_BITS = 6 // candidates between two checks of the control, as a power of two
};

// A double as a fraction.
static void time_from(double t, grz_time *out)
{
    const double *const point = &t;
    const int shift = grz_integer_common_shift(&point, 1, 1);
    grz_integer_from_double(t, shift, &out->numerator);
    out->denominator = (grz_integer){.sign = 1, .count = 1, .limb = {1}};
    out->exponent = -shift;
}

// Where a candidate is hit, exactly.
static void time_of(const grz_pick_search *s, const grz_pick_candidate *candidate, grz_time *t)
{
    grz_line_meeting meeting;
    double c[3][3];
    if (candidate->starts || candidate->low == candidate->high) { // both are exact then
        time_from(candidate->low, t);
        return;
    }
    grz_pick_corners(s->question, candidate, c);
    const bool meets = grz_line_meets(&s->line, (const double(*)[3])c, &meeting);
    assert(meets);
    (void)meets;
    *t = meeting.enter;
}

static int compare_times(const grz_pick_search *s, const grz_pick_candidate *x, const grz_pick_candidate *y)
{
    grz_time tx, ty;
    if (x->high < y->low || y->high < x->low)
        return x->high < y->low ? -1 : 1;
    if (x->low == x->high && y->low == y->high) // both are exact
        return 0;
    time_of(s, x, &tx);
    time_of(s, y, &ty);
    return grz_times_compare(&tx, &ty);
}

// By t, then by object, then by triangle, which are in the order of their faces.
static int compare_candidates(const void *left, const void *right, void *context)
{
    const grz_pick_candidate *x = left, *y = right;
    const int order = compare_times(context, x, y);
    if (order != 0)
        return order;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

// ---- Description --------------------------------------------------------------------------------------------------

void grz_pick_write_crossing(const grz_pick_question *question, const grz_pick_candidate *candidate,
                             const grz_line_hit *known, grz_ray_hit *hit)
{
    const grz_pick_target *target = &question->targets[candidate->target];
    const grz_mesh *mesh = target->object->mesh;
    hit->t = known->t;
    hit->lower = known->lower;
    hit->upper = known->upper;
    hit->distance = known->distance;
    for (int k = 0; k < 3; k++) {
        hit->point[k] = known->point[k];
        hit->normal[k] = known->unit[k] + 0.0; // no -0
    }
    hit->object = target->number;
    hit->face = grz_mesh_triangle_face(mesh, candidate->triangle);
    hit->feature = grz_user_feature(mesh, candidate->triangle, candidate->feature);
    hit->side = candidate->front ? GRZ_RAY_FRONT : GRZ_RAY_BACK;
}

// The feature at which a ray begins that runs along a triangle.
static uint8_t feature_at_start(double from, const grz_line_meeting *meeting)
{
    return grz_time_compare_to(&meeting->leave, from) == 0 ? meeting->at_leave : meeting->between;
}

// In integers. `starts`: the hit is where the ray begins.
static void describe_exactly(const grz_pick_question *question, const grz_line *line, double from,
                             const grz_pick_candidate *candidate, grz_ray_hit *hit)
{
    const grz_pick_target *target = &question->targets[candidate->target];
    const grz_mesh *mesh = target->object->mesh;
    grz_unit_normal normal;
    grz_line_meeting meeting;
    grz_time t;
    double corners[3][3];
    grz_pick_corners(question, candidate, corners);
    const double(*c)[3] = (const double(*)[3])corners;
    const bool meets = grz_line_meets(line, c, &meeting);
    assert(meets);
    (void)meets;
    if (candidate->starts)
        time_from(from, &t);
    else
        t = meeting.enter;
    const grz_time_rounded rounded = grz_time_round(&t);
    hit->t = rounded.nearest;
    hit->lower = rounded.lower;
    hit->upper = rounded.upper;
    hit->distance = grz_line_length_at(line, &t);
    hit->side = meeting.side > 0 ? GRZ_RAY_FRONT : meeting.side < 0 ? GRZ_RAY_BACK : GRZ_RAY_ALONG;
    grz_line_point(line, &t, c, hit->point);
    grz_triangle_normal(c, &normal);
    for (int k = 0; k < 3; k++)
        hit->normal[k] = normal.unit[k] + 0.0; // no -0
    hit->object = target->number;
    hit->face = grz_mesh_triangle_face(mesh, candidate->triangle);
    hit->feature = grz_user_feature(mesh, candidate->triangle,
                                    candidate->starts ? feature_at_start(from, &meeting) : meeting.at_enter);
}

// A hit where the parameter and the point's coordinates are doubles, which are known.
static void write_doubles(const grz_pick_question *question, const grz_line *line, const grz_pick_candidate *candidate,
                          const double c[3][3], double t, const double point[3], grz_ray_hit *hit)
{
    grz_unit_normal normal;
    grz_triangle_normal(c, &normal);
    grz_line_hit known = {.t = t, .lower = t, .upper = t, .distance = grz_line_length(line, (dd){t, 0.0})};
    for (int k = 0; k < 3; k++) {
        known.point[k] = point[k] + 0.0; // no -0
        known.unit[k] = normal.unit[k];
    }
    grz_pick_write_crossing(question, candidate, &known, hit);
}

// Describe a crossing whose t and point are exactly doubles. The double nearest to t is t itself if its point has no
// rounding and lies in the triangle's plane. False: that is not proved.
static bool describe_in_doubles(const grz_pick_question *question, const grz_line *line,
                                const grz_pick_candidate *candidate, const double c[3][3], grz_ray_hit *hit)
{
    grz_bounded t;
    double point[3];
    if (!grz_line_crossing_at(line, c, &t) || !grz_line_has_doubles_at(line, t.at.high, point) ||
        grz_orient3d(c[0], c[1], c[2], point) != 0)
        return false;
    write_doubles(question, line, candidate, c, t.at.high + 0.0, point, hit);
    return true;
}

void grz_pick_describe_crossing(const grz_pick_question *question, const grz_line *line,
                                const grz_pick_candidate *candidate, grz_ray_hit *hit)
{
    grz_line_hit known;
    double c[3][3];
    grz_pick_corners(question, candidate, c);
    if (question->describe(line, (const double(*)[3])c, &known))
        grz_pick_write_crossing(question, candidate, &known, hit);
    else if (!describe_in_doubles(question, line, candidate, (const double(*)[3])c, hit))
        describe_exactly(question, line, 0.0, candidate, hit);
}

static void describe_corner(const grz_pick_search *s, const grz_pick_candidate *candidate, grz_ray_hit *hit)
{
    double c[3][3];
    grz_pick_corners(s->question, candidate, c);
    write_doubles(s->question, &s->line, candidate, (const double(*)[3])c, candidate->low,
                  c[candidate->feature - GRZ_CORNER_0], hit);
}

void grz_pick_describe(const grz_pick_search *s, const grz_pick_candidate *candidate, grz_ray_hit *hit)
{
    switch (candidate->crossing) {
    case GRZ_CROSSING_FACE:
        grz_pick_describe_crossing(s->question, &s->line, candidate, hit);
        return;
    case GRZ_CROSSING_CORNER:
        describe_corner(s, candidate, hit);
        return;
    default:
        describe_exactly(s->question, &s->line, s->from, candidate, hit);
    }
}

const grz_pick_candidate *grz_pick_first(grz_pick_search *s)
{
    const grz_pick_candidate *best = NULL;
    for (size_t i = 0; i < s->found.count; i++) {
        const grz_pick_candidate *candidate = &s->found.items[i];
        if (candidate->low > s->upper)
            continue;
        if (best != NULL && grz_control_expired(s->control))
            return NULL;
        if (best == NULL || compare_candidates(candidate, best, s) < 0)
            best = candidate;
    }
    assert(best != NULL);
    return best;
}

// ---- All ------------------------------------------------------------------------------------------------------------

static uint32_t face_of(const grz_pick_search *s, const grz_pick_candidate *candidate)
{
    return grz_mesh_triangle_face(s->question->targets[candidate->target].object->mesh, candidate->triangle);
}

// By object, then by face, then by t.
static int compare_by_face(const void *left, const void *right, void *context)
{
    const grz_pick_candidate *x = left, *y = right;
    const uint32_t faces[2] = {face_of(context, x), face_of(context, y)};
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (faces[0] != faces[1])
        return faces[0] < faces[1] ? -1 : 1;
    return compare_candidates(x, y, context);
}

// Where the ray leaves the candidate's triangle.
static void leave_of(const grz_pick_search *s, const grz_pick_candidate *candidate, grz_time *t)
{
    grz_line_meeting meeting;
    double c[3][3];
    grz_pick_corners(s->question, candidate, c);
    const bool meets = grz_line_meets(&s->line, (const double(*)[3])c, &meeting);
    assert(meets);
    (void)meets;
    *t = meeting.leave;
}

// Candidates are sorted by face. Of those that the ray meets without leaving their face in between, keep the first.
// False: the control says to end.
static bool join_stretches(grz_pick_search *s)
{
    grz_pick_candidate *items = s->found.items;
    grz_time leave, enter, end;
    size_t kept = 0;
    bool has_leave = false;
    for (size_t i = 0; i < s->found.count; i++) {
        const bool same = kept > 0 && items[kept - 1].target == items[i].target &&
                          face_of(s, &items[kept - 1]) == face_of(s, &items[i]);
        if (grz_control_expired_at(s->control, i, CHECK_BITS))
            return false;
        if (same && !has_leave)
            leave_of(s, &items[kept - 1], &leave);
        has_leave = same;
        if (same) {
            time_of(s, &items[i], &enter);
            leave_of(s, &items[i], &end);
        }
        if (same && grz_times_compare(&enter, &leave) <= 0) {
            if (grz_times_compare(&end, &leave) > 0)
                leave = end;
            continue;
        }
        if (same)
            leave = end;
        items[kept++] = items[i];
    }
    s->found.count = kept;
    return true;
}

bool grz_pick_order_all(grz_pick_search *s)
{
    grz_status status =
        grz_sort(s->found.items, s->found.count, sizeof *s->found.items, compare_by_face, s, s->control);
    if (status == GRZ_OK && !join_stretches(s))
        return false;
    if (status == GRZ_OK)
        status = grz_sort(s->found.items, s->found.count, sizeof *s->found.items, compare_candidates, s, s->control);
    if (status != GRZ_OK)
        grz_control_fail(s->control, status);
    return status == GRZ_OK;
}
