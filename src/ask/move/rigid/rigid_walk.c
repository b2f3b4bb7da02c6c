// SPDX-License-Identifier: MIT
// Conservative advancement, for each pair of boxes by itself: a pair is apart until a time that is proved, and waits
// for it. The pair with the earliest time is next. Its boxes are looked at again at that time, or opened; two triangles
// go on until they are so near that a contact is tried to be proved shortly after. The earliest time that waits is a
// lower bound of the first contact at any moment, so whatever ends the search, something is proved.
// Sources: B. Mirtich, "Impulse-based dynamic simulation" (1996), for conservative advancement; docs/use/move_rigid.md
// has the proofs.
#include "ask/move/rigid/rigid_walk.h"

#include "base/control.h"

#include <math.h>
#include <string.h>

enum {
    CHECK_BITS = 6,        // steps between two checks of the control, as a power of two
    FACE_STEPS = 8,        // of two triangles, before others have their turn
    GROWTHS = 24,          // tries to prove a contact, each 4 times as late as the one before
    CLOSER = 12,           // tries to prove one earlier
    MOST_CERTAIN = 1 << 16 // pairs of nodes that one try may open
};

static const double KEPT_STEP = 0.25; // a pair waits again if it gets on by this share of its last step; else it opens
static const double SMALL_STEP = 0x1p-48; // of the time: no progress
static const double SHORT_STEP = 0x1p-20; // no progress where the gap is hardly more than the error

// Two children that are apart until `time`.
typedef struct waiting {
    double time;
    float step;                // how much the last look gained
    uint32_t a, b;             // as grz_bvh_node::child has them
    uint32_t place_a, place_b; // node · 8 + position in the node; GRZ_BVH_NONE for the roots
} waiting;

typedef struct walk {
    const grz_rigid_question *question;
    grz_rigid_found *found;
    grz_triangle_gap_function *gap;
    grz_moving_boxes boxes;
    bool has_look;
    double look[3];
    uint64_t steps;
    double tried;               // up to then it was tried to prove a contact soon after
    GRZ_ARRAY(waiting) waiting; // a heap, the earliest first
} walk;

// ---- The heap -----------------------------------------------------------------------------------------------------

// By time; equal times by place, so that nothing depends on the order in which pairs came.
static bool is_before(const waiting *x, const waiting *y)
{
    if (x->time != y->time)
        return x->time < y->time;
    return x->place_a != y->place_a ? x->place_a < y->place_a : x->place_b < y->place_b;
}

static bool push(walk *w, waiting next)
{
    if (!grz_array_add(grz_control_allocator(w->question->control), &w->waiting))
        return false;
    waiting *all = w->waiting.items;
    size_t at = w->waiting.count - 1;
    for (; at > 0 && is_before(&next, &all[(at - 1) / 2]); at = (at - 1) / 2)
        all[at] = all[(at - 1) / 2];
    all[at] = next;
    return true;
}

static waiting pop(walk *w)
{
    waiting *all = w->waiting.items;
    const size_t count = --w->waiting.count;
    const waiting first = all[0], last = all[count];
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_before(&all[child + 1], &all[child]))
            child++;
        if (!is_before(&all[child], &last))
            break;
        all[at] = all[child];
        at = child;
    }
    all[at] = last;
    return first;
}

// ---- Boxes --------------------------------------------------------------------------------------------------------

// From here on nothing is of interest: the end, or a contact that is proved.
static double horizon(const walk *w)
{
    return fmin(w->found->upper, w->question->until);
}

static void go_to(walk *w, double t)
{
    if (w->boxes.pair == NULL || w->boxes.t != t)
        grz_moving_boxes_set(&w->boxes, &w->question->pair, w->question->bvhs, t, w->has_look ? w->look : NULL);
}

// Let the children of a pair wait. False if there is no memory.
static bool open_pair(walk *w, const waiting *pair)
{
    const grz_bvh *const *bvhs = w->question->bvhs;
    const grz_moving_side sides[2] = {grz_moving_side_of(bvhs[0], pair->a, pair->place_a),
                                      grz_moving_side_of(bvhs[1], pair->b, pair->place_b)};
    double times[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH];
    grz_moving_boxes_ahead(&w->boxes, sides, times);
    for (uint32_t rows = sides[0].children; rows != 0; rows &= rows - 1)
        for (uint32_t columns = sides[1].children; columns != 0; columns &= columns - 1) {
            const int i = __builtin_ctz(rows), j = __builtin_ctz(columns);
            if (times[i][j] >= horizon(w))
                continue;
            const waiting next = {.time = times[i][j],
                                  .step = (float)(times[i][j] - pair->time),
                                  .a = sides[0].node->child[i],
                                  .b = sides[1].node->child[j],
                                  .place_a = grz_moving_place(bvhs[0], &sides[0], i),
                                  .place_b = grz_moving_place(bvhs[1], &sides[1], j)};
            if (!push(w, next))
                return false;
        }
    return true;
}

// Look at a pair again at its time. True if that was enough: it waits for a later time, or is done.
static bool advance_pair(walk *w, waiting pair, bool *room)
{
    if (pair.place_a == GRZ_BVH_NONE || !(pair.step > 0.0f))
        return false;
    const grz_moving_side sides[2] = {grz_moving_one_child(w->question->bvhs[0], pair.place_a),
                                      grz_moving_one_child(w->question->bvhs[1], pair.place_b)};
    double times[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH];
    grz_moving_boxes_ahead(&w->boxes, sides, times);
    const double end = times[__builtin_ctz(sides[0].children)][__builtin_ctz(sides[1].children)];
    if (end >= horizon(w))
        return true;
    const double step = end - pair.time;
    if (!(step > KEPT_STEP * (double)pair.step))
        return false;
    pair.time = end;
    pair.step = (float)step;
    *room = push(w, pair);
    return true;
}

// ---- Triangles ----------------------------------------------------------------------------------------------------

static double travel(const walk *w, double from, double to)
{
    const grz_moving *sides = w->question->pair.sides;
    return grz_moving_travel(&sides[0], from, to) + grz_moving_travel(&sides[1], from, to);
}

// The time until which the objects may travel as far as the tolerance, about: never more.
static double tolerance_end(const walk *w, double t)
{
    const double until = w->question->until;
    double step = until - t, good = 0.0;
    if (travel(w, t, until) <= w->question->tolerance)
        return until;
    for (int i = 0; i < 60 && t + step > t; i++) {
        step *= 0.5;
        if (t + (good + step) > t && travel(w, t, t + (good + step)) <= w->question->tolerance)
            good += step;
        if (good > 0.0 && step < good * 0x1p-3) // chosen: an eighth is near enough
            break;
    }
    return t + good;
}

static bool is_near_enough(const walk *w)
{
    const grz_rigid_found *found = w->found;
    return found->upper <= found->lower ||
           (found->upper <= 1.0 && travel(w, found->lower, found->upper) <= w->question->tolerance);
}

// Whether there is a contact at t or before. Triangles that may be the first to meet are the pair that is near and
// those that wait for a time up to t.
static bool has_contact_by(walk *w, double t)
{
    uint32_t triangles[2][GRZ_RIGID_NEAR] = {{w->found->near_a}, {w->found->near_b}};
    int count = 1;
    if (grz_rigid_certain_contact(w->question, t, MOST_CERTAIN, &w->found->compared))
        return true;
    for (size_t i = 0; i < w->waiting.count && count < GRZ_RIGID_NEAR; i++) {
        const waiting *pair = &w->waiting.items[i];
        if (pair->time > t || !grz_bvh_is_triangle(pair->a) || !grz_bvh_is_triangle(pair->b))
            continue;
        triangles[0][count] = grz_bvh_triangle(pair->a);
        triangles[1][count++] = grz_bvh_triangle(pair->b);
    }
    return grz_rigid_certain_point(w->question, t, count, (const uint32_t(*)[GRZ_RIGID_NEAR])triangles);
}

// `near` has a pair.
static bool prove_at(walk *w, double t)
{
    if (t >= w->found->upper)
        return true;
    if (!has_contact_by(w, t))
        return false;
    w->found->upper = t;
    return true;
}

// Two triangles cannot get on at t. Try to prove a contact soon after, then later and later; then earlier again.
static void prove_contact(walk *w, double t, const grz_moving_faces *faces)
{
    const double until = w->question->until, error = w->question->pair.error,
                 deep = fmax(faces->gap, 0.0) + 256.0 * error;
    double step = faces->rate > 0.0 ? deep / faces->rate : 0.0, missed = t;
    step = fmax(step, 0x1p-40); // of the whole time; chosen: GROWTHS tries get from there to 2^8 times the whole
    for (int i = 0; i < GROWTHS && !grz_control_expired(w->question->control); i++) {
        const double later = fmin(t + step, until);
        if (prove_at(w, later))
            break;
        missed = later;
        step *= 4.0;
        if (later >= until)
            break;
    }
    for (int i = 0; i < CLOSER && w->found->upper <= 1.0 && !is_near_enough(w); i++) {
        const double middle = missed + 0.5 * (w->found->upper - missed);
        if (!(middle > missed && middle < w->found->upper))
            break;
        if (!has_contact_by(w, middle))
            missed = middle;
        else
            w->found->upper = middle;
    }
}

// Follow two triangles from their time on. False if they cannot get on: the search is over.
static bool follow_triangles(walk *w, waiting pair, bool *room)
{
    const grz_rigid_question *q = w->question;
    grz_moving_faces faces;
    grz_moving_state states[2];
    for (int i = 0; i < FACE_STEPS; i++) {
        for (int s = 0; s < 2; s++)
            grz_moving_at(&q->pair.sides[s], pair.time, &states[s]);
        grz_moving_faces_ahead(&q->pair, w->gap, pair.time, states, grz_bvh_triangle(pair.a), grz_bvh_triangle(pair.b),
                               &faces);
        w->found->compared++;
        if (faces.end >= horizon(w))
            return true;
        w->found->lower = fmin(pair.time, w->waiting.count > 0 ? w->waiting.items[0].time : 1.0);
        if (faces.gap > 0.0) {
            memcpy(w->look, faces.way, sizeof w->look);
            w->has_look = true;
        }
        const double step = faces.end - pair.time;
        const bool stuck = !(step > SMALL_STEP) || (faces.gap <= 4.0 * q->pair.error && step < SHORT_STEP);
        const bool first = w->waiting.count == 0 || pair.time <= w->waiting.items[0].time;
        if (first && (stuck || faces.gap <= 0.5 * q->tolerance)) {
            w->found->has_near = true;
            w->found->near_a = grz_bvh_triangle(pair.a);
            w->found->near_b = grz_bvh_triangle(pair.b);
            if (pair.time >= w->tried) { // once for each distance of this size
                const double later = tolerance_end(w, pair.time);
                if (later > pair.time)
                    prove_at(w, later);
                w->tried = later;
            }
            if (w->found->upper <= 1.0 && is_near_enough(w))
                return false;
        }
        if (stuck && first) {
            prove_contact(w, pair.time, &faces);
            return false;
        }
        if (stuck)
            break; // others are earlier
        pair.step = (float)step;
        pair.time = faces.end;
        if (w->waiting.count > 0 && w->waiting.items[0].time < pair.time)
            break;
    }
    *room = push(w, pair);
    return true;
}

// ---- The walk -----------------------------------------------------------------------------------------------------

grz_status grz_rigid_walk(const grz_rigid_question *question, grz_rigid_found *found)
{
    const grz_allocator *allocator = grz_control_allocator(question->control);
    walk w = {.question = question, .found = found, .gap = grz_triangle_gap_for(question->simd)};
    *found = (grz_rigid_found){.upper = HUGE_VAL};
    bool room = push(&w, (waiting){.place_a = GRZ_BVH_NONE, .place_b = GRZ_BVH_NONE}), going = room,
         near_enough = false;
    while (going && w.waiting.count > 0) {
        if (w.waiting.items[0].time >= horizon(&w))
            break;
        found->lower = w.waiting.items[0].time;
        if (found->upper <= 1.0 && is_near_enough(&w)) {
            near_enough = true;
            break;
        }
        going = !grz_control_expired_at(question->control, ++w.steps, CHECK_BITS) && w.steps <= question->max_steps;
        if (!going)
            break;
        const waiting pair = pop(&w);
        if (grz_bvh_is_triangle(pair.a) && grz_bvh_is_triangle(pair.b)) {
            going = follow_triangles(&w, pair, &room);
        } else {
            go_to(&w, pair.time);
            if (!advance_pair(&w, pair, &room))
                room = room && open_pair(&w, &pair);
        }
        going = going && room;
    }
    if (!room)
        grz_control_fail(question->control, GRZ_ERROR_MEMORY);
    const grz_status status = grz_control_status(question->control);
    if (going && !near_enough && status == GRZ_OK) { // nothing waits before the horizon
        found->lower = found->upper <= 1.0 ? found->upper : HUGE_VAL;
        found->done = true;
    } else {
        found->lower = fmin(found->lower, found->upper);
        found->done = status == GRZ_OK && found->upper <= 1.0;
    }
    grz_array_finish(allocator, &w.waiting);
    return status;
}
