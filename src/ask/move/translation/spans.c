// SPDX-License-Identifier: MIT
// Each pair of triangles touches from one time to another. The union of these intervals is found as they come: what
// lies strictly inside of times that are certainly covered cannot be an end, so pairs, and whole nodes, are dropped.
// What is left is sorted and joined exactly.
#include "ask/move/translation/spans.h"

#include <assert.h>
#include <math.h>

#include "ask/move/translation/cross.h"
#include "ask/move/translation/flush.h"
#include "ask/move/translation/visit.h"
#include "base/call.h"
#include "base/device.h"
#include "base/sort/sort.h"
#include "geometry/interval/interval.h"
#include "geometry/sweep/meeting_filter.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 5,   // pairs compared between two checks of the control, as a power of two
    FIRST_LOOK = 1024 // pairs
};

#define CORNERS(c) ((const double(*)[3])(c))

// A pair of triangles that may be at an end of an interval; or a part of the times that are certainly covered, whose
// ends are these doubles.
typedef struct piece {
    uint32_t a, b;                                       // NO_PAIR: a part
    double enter_low, enter_high, leave_low, leave_high; // enclose the times at which they touch, if they do
} piece;

#define NO_PAIR UINT32_MAX

typedef struct search {
    grz_move_call *call;
    const grz_path *path;
    const grz_posed_surface *surfaces; // NULL: all pairs that touch count; else those that prove an overlap
    grz_interval_ends ends;            // closed; of overlaps, open
    grz_meeting_filter *filter;
    grz_interval_set cover; // certain times; they begin at -infinity and end at infinity where they go beyond the path
    GRZ_ARRAY(piece) pairs;
    size_t next_look; // drop covered pairs when there are this many
    uint64_t compared;
} search;

static void drop_covered(search *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->pairs.count; i++) {
        const piece *pair = &s->pairs.items[i];
        if (!grz_interval_set_surrounds(&s->cover, pair->enter_low, pair->leave_high))
            s->pairs.items[kept++] = *pair;
    }
    s->pairs.count = kept;
    s->next_look = 2 * kept > FIRST_LOOK ? 2 * kept : FIRST_LOOK;
}

static void set_meeting(const grz_path *path, uint32_t a, uint32_t b, grz_meeting *m)
{
    double corners[2][3][3];
    grz_world_corners(path->a->mesh, &path->a->pose, a, corners[0]);
    grz_world_corners(path->b->mesh, &path->b->pose, b, corners[1]);
    grz_meeting_set(m, CORNERS(corners[0]), CORNERS(corners[1]), &path->motion);
}

// The meeting of two triangles that are known to touch at some time.
static void set_sure(const grz_path *path, uint32_t a, uint32_t b, grz_meeting *m)
{
    set_meeting(path, a, b, m);
    const bool happens = grz_meeting_happens(m);
    assert(happens);
    (void)happens;
}

static piece pair_of(uint32_t a, uint32_t b, const grz_meeting *m)
{
    if (m->always)
        return (piece){a, b, -HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL};
    return (piece){a, b, m->enter_low, m->enter_high, m->leave_low, m->leave_high};
}

// Are the same sides of two triangles in one plane inside?
static bool have_same_inside(const search *s, uint32_t a, uint32_t b, const grz_meeting *m)
{
    int turn;
    const int axis = grz_projection_axis(CORNERS(m->b), &turn);
    const bool same = grz_orient_projected(axis, m->a[0], m->a[1], m->a[2]) == turn;
    for (int normal = 0; normal < 2; normal++)
        if (grz_side_is_inside(&s->surfaces[0], a, normal == 1) &&
            grz_side_is_inside(&s->surfaces[1], b, (normal == 1) == same))
            return true;
    return false;
}

// True if the triangles certainly prove an overlap at every time strictly between entering and leaving. They do if they
// do at one: the translations at which their insides meet are the inside of a convex set, of space or of the plane.
static bool overlaps(const search *s, uint32_t a, uint32_t b, const grz_meeting *m)
{
    const double from = fmax(m->enter_high, 0.0), to = fmin(m->leave_low, s->path->end),
                 middle = from + 0.5 * (to - from), *v = s->path->motion.v;
    if (m->always || !(from < to) || s->surfaces[0].surface->shell[a] == GRZ_NO_SHELL ||
        s->surfaces[1].surface->shell[b] == GRZ_NO_SHELL)
        return false;
    return grz_cross_certainly(CORNERS(m->a), CORNERS(m->b), v, middle) ||
           (grz_slides_in_plane(CORNERS(m->a), CORNERS(m->b), &s->path->motion) &&
            grz_flush_certainly(CORNERS(m->a), CORNERS(m->b), v, middle) && have_same_inside(s, a, b, m));
}

// A pair that touches for certain. False if there is no memory.
static bool cover(search *s, const piece *pair)
{
    double from = pair->enter_high, to = pair->leave_low;
    if (from > to || to < 0.0 || from > s->path->end)
        return true;
    if (from <= 0.0)
        from = -HUGE_VAL;
    if (to >= s->path->end)
        to = HUGE_VAL;
    return grz_interval_set_add(&s->cover, grz_control_allocator(&s->call->frame.control), from, to);
}

// Compare two triangles. False if there is no memory.
static bool compare(search *s, uint32_t a, uint32_t b)
{
    const grz_allocator *allocator = grz_control_allocator(&s->call->frame.control);
    grz_meeting m;
    s->compared++;
    set_meeting(s->path, a, b, &m);
    if (!grz_meeting_happens(&m)) // exactly: only what is certain can be covered
        return true;
    const piece pair = pair_of(a, b, &m);
    if (pair.leave_high < 0.0 || pair.enter_low > s->path->end ||
        grz_interval_set_surrounds(&s->cover, pair.enter_low, pair.leave_high))
        return true;
    if (s->surfaces != NULL && !overlaps(s, a, b, &m))
        return true;
    if (!cover(s, &pair))
        return false;
    if (s->pairs.count >= s->next_look)
        drop_covered(s);
    if (!grz_array_add(allocator, &s->pairs))
        return false;
    s->pairs.items[s->pairs.count - 1] = pair;
    return true;
}

// ---- All pairs ----------------------------------------------------------------------------------------------------

// True if all that a pair may say is covered.
static bool is_covered(void *context, double enter, double leave)
{
    const search *s = context;
    return grz_interval_set_surrounds(&s->cover, enter, leave);
}

// A triangle of A with triangles of B, through the filter. False if there is no memory.
static bool compare_row(void *context, uint32_t triangle, const uint32_t *numbers, uint32_t count)
{
    search *s = context;
    const grz_object *a = s->path->a, *b = s->path->b;
    double corners[3][3], others[GRZ_MEETING_LANES][3][3], enter[GRZ_MEETING_LANES], leave[GRZ_MEETING_LANES];
    grz_meeting_mover mover;
    grz_meeting_packet packet;
    grz_world_corners(a->mesh, &a->pose, triangle, corners);
    grz_meeting_mover_set(&mover, CORNERS(corners), s->path->motion.v);
    for (uint32_t first = 0; first < count; first += GRZ_MEETING_LANES) {
        const uint32_t lanes = count - first < GRZ_MEETING_LANES ? count - first : GRZ_MEETING_LANES;
        for (uint32_t i = 0; i < lanes; i++)
            grz_world_corners(b->mesh, &b->pose, numbers[first + i], others[i]);
        grz_meeting_packet_set(&packet, lanes, (const double(*)[3][3])others);
        uint32_t kept = s->filter(&mover, &packet, s->path->end, enter, leave) & ((1u << lanes) - 1u);
        for (; kept != 0; kept &= kept - 1)
            if (!compare(s, triangle, numbers[first + (uint32_t)__builtin_ctz(kept)]))
                return false;
    }
    return true;
}

static grz_status compare_all(search *s)
{
    grz_control *control = &s->call->frame.control;
    const uint32_t count_a = s->path->a->mesh->triangle_count, count_b = s->path->b->mesh->triangle_count;
    size_t steps = 0;
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t j = 0; j < count_b; j++) {
            if (grz_control_expired_at(control, ++steps, CHECK_BITS))
                return grz_control_status(control);
            if (!compare(s, i, j))
                return GRZ_ERROR_MEMORY;
        }
    return GRZ_OK;
}

// ---- The union ----------------------------------------------------------------------------------------------------

// Compare an end of one piece with an end of another.
static int compare_ends(const search *s, const piece *x, grz_meeting_end x_end, const piece *y, grz_meeting_end y_end)
{
    const double x_low = x_end == GRZ_MEETING_ENTER ? x->enter_low : x->leave_low,
                 x_high = x_end == GRZ_MEETING_ENTER ? x->enter_high : x->leave_high,
                 y_low = y_end == GRZ_MEETING_ENTER ? y->enter_low : y->leave_low,
                 y_high = y_end == GRZ_MEETING_ENTER ? y->enter_high : y->leave_high;
    grz_meeting at_x, at_y;
    if (x_high < y_low || y_high < x_low)
        return x_high < y_low ? -1 : 1;
    if (x_low == x_high && y_low == y_high)
        return 0;
    if (x->a != NO_PAIR)
        set_sure(s->path, x->a, x->b, &at_x);
    if (y->a != NO_PAIR)
        set_sure(s->path, y->a, y->b, &at_y);
    if (x->a == NO_PAIR) // not both: the ends of parts are doubles
        return -grz_meeting_compare_to(&at_y, y_end, x_low);
    return y->a == NO_PAIR ? grz_meeting_compare_to(&at_x, x_end, y_low)
                           : grz_meeting_compare(&at_x, x_end, &at_y, y_end);
}

// By the time of entering; parts come after pairs.
static int compare_pieces(const void *x, const void *y, void *context)
{
    const piece *p = x, *q = y;
    const int order = compare_ends(context, p, GRZ_MEETING_ENTER, q, GRZ_MEETING_ENTER);
    if (order != 0)
        return order;
    return p->a != q->a ? (p->a < q->a ? -1 : 1) : (p->b > q->b) - (p->b < q->b);
}

// Keep the pairs that touch within the path, with the times that are now known exactly, and add what is covered.
static grz_status settle(search *s)
{
    grz_control *control = &s->call->frame.control;
    size_t kept = 0;
    drop_covered(s);
    for (size_t i = 0; i < s->pairs.count; i++) {
        const piece pair = s->pairs.items[i];
        grz_meeting m;
        if (grz_control_expired_at(control, i + 1, CHECK_BITS))
            return grz_control_status(control);
        set_meeting(s->path, pair.a, pair.b, &m);
        if (!grz_meeting_within(&m, 0.0, s->path->end))
            continue;
        if (!m.always) { // for the enclosures
            (void)grz_meeting_round(&m, GRZ_MEETING_ENTER);
            (void)grz_meeting_round(&m, GRZ_MEETING_LEAVE);
        }
        s->pairs.items[kept++] = pair_of(pair.a, pair.b, &m);
    }
    s->pairs.count = kept;
    for (size_t i = 0; i < s->cover.parts.count; i++) {
        const grz_interval part = s->cover.parts.items[i];
        if (!grz_array_add(grz_control_allocator(control), &s->pairs))
            return GRZ_ERROR_MEMORY;
        s->pairs.items[s->pairs.count - 1] = (piece){NO_PAIR, 0, part.from, part.from, part.to, part.to};
    }
    return grz_sort(s->pairs.items, s->pairs.count, sizeof *s->pairs.items, compare_pieces, s, control);
}

// An end of an interval. Beyond the path, where a part may be at the end, too, no pair of triangles counts.
static grz_span_end end_of(const search *s, const piece *at, grz_meeting_end end)
{
    const bool enters = end == GRZ_MEETING_ENTER;
    const double limit = enters ? 0.0 : s->path->end;
    const grz_span_end beyond = {.a = NO_PAIR, .b = NO_PAIR, .time = {limit, limit, limit}};
    grz_meeting m;
    if (at->a == NO_PAIR)
        return beyond;
    set_sure(s->path, at->a, at->b, &m);
    const int order = m.always ? 0 : grz_meeting_compare_to(&m, end, limit);
    if (m.always || (enters ? order <= 0 : order >= 0))
        return beyond;
    return (grz_span_end){.a = at->a, .b = at->b, .time = grz_meeting_round(&m, end)};
}

static grz_status join(search *s, grz_spans *spans)
{
    const piece *pieces = s->pairs.items;
    for (size_t i = 0; i < s->pairs.count;) {
        size_t last = i, next = i + 1; // the piece that leaves last
        for (; next < s->pairs.count; next++) {
            const int gap = compare_ends(s, &pieces[next], GRZ_MEETING_ENTER, &pieces[last], GRZ_MEETING_LEAVE);
            if (!grz_ends_join(s->ends, gap))
                break;
            const int order = compare_ends(s, &pieces[next], GRZ_MEETING_LEAVE, &pieces[last], GRZ_MEETING_LEAVE);
            if (order > 0 || (order == 0 && pieces[last].a == NO_PAIR))
                last = next;
        }
        if (!grz_array_add(grz_control_allocator(&s->call->frame.control), &spans->found))
            return GRZ_ERROR_MEMORY;
        spans->found.items[spans->found.count - 1] =
            (grz_span){end_of(s, &pieces[i], GRZ_MEETING_ENTER), end_of(s, &pieces[last], GRZ_MEETING_LEAVE)};
        i = next;
    }
    return GRZ_OK;
}

grz_status grz_spans_find(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                          grz_spans *spans)
{
    const grz_interval_ends ends = surfaces == NULL ? GRZ_ENDS_CLOSED : GRZ_ENDS_OPEN;
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    const grz_simd simd = grz_device_simd(call->frame.device);
    search s = {.call = call,
                .path = path,
                .surfaces = surfaces,
                .ends = ends,
                .cover = {.ends = ends},
                .filter = grz_meeting_filter_for(simd),
                .next_look = FIRST_LOOK};
    grz_status status = GRZ_OK;
    *spans = (grz_spans){.compared = 0};
    const grz_pair_visitor visitor = {.context = &s, .skip = is_covered, .compare = compare_row};
    if (path->from <= path->to)
        status = call->all_pairs ? compare_all(&s) : grz_visit_pairs(call, path, &visitor);
    if (status == GRZ_OK)
        status = settle(&s);
    if (status == GRZ_OK)
        status = join(&s, spans);
    spans->compared = s.compared;
    grz_array_finish(allocator, &s.pairs);
    grz_interval_set_finish(&s.cover, allocator);
    return grz_call_explain(&call->frame, status);
}

void grz_span_end_time(const grz_path *path, const grz_span_end *at, grz_meeting_end end, grz_time *time)
{
    grz_meeting m;
    set_sure(path, at->a, at->b, &m);
    grz_meeting_time(&m, end, time);
}

void grz_spans_finish(grz_spans *spans, grz_move_call *call)
{
    grz_array_finish(grz_control_allocator(&call->frame.control), &spans->found);
}
