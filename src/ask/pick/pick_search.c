// SPDX-License-Identifier: MIT
#include "ask/pick/pick_search.h"

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8, // nodes or triangles between two checks of the control, as a power of two
    LINE = 64       // bytes that come from memory together
};

// True if faces that are met from this side are passed through.
static bool is_skipped(const grz_pick_search *s, grz_ray_side side)
{
    return side != GRZ_RAY_ALONG && s->question->skip[side];
}

// Keep a candidate. False if there is no memory.
static bool keep(grz_pick_search *s, const grz_pick_candidate *candidate)
{
    if (!grz_array_add(grz_control_allocator(s->control), &s->found)) {
        grz_control_fail(s->control, GRZ_ERROR_MEMORY);
        return false;
    }
    s->found.items[s->found.count - 1] = *candidate;
    if (s->aim == GRZ_PICK_FIRST)
        s->upper = candidate->high < s->upper ? candidate->high : s->upper;
    return true;
}

// Test a triangle in integers. False if there is no memory.
static bool test_exactly(grz_pick_search *s, const double c[3][3], grz_pick_candidate *candidate)
{
    grz_line_meeting meeting;
    if (!grz_line_meets(&s->line, c, &meeting) || grz_time_compare_to(&meeting.leave, s->from) < 0 ||
        grz_time_compare_to(&meeting.enter, s->to) > 0)
        return true;
    if (is_skipped(s, meeting.side > 0 ? GRZ_RAY_FRONT : meeting.side < 0 ? GRZ_RAY_BACK : GRZ_RAY_ALONG))
        return true;
    candidate->starts = grz_time_compare_to(&meeting.enter, s->from) < 0;
    if (candidate->starts) {
        candidate->low = candidate->high = s->from;
    } else {
        const grz_time_rounded t = grz_time_round(&meeting.enter);
        candidate->low = t.lower;
        candidate->high = t.upper;
    }
    return keep(s, candidate);
}

void grz_pick_corners(const grz_pick_question *question, const grz_pick_candidate *candidate, double c[3][3])
{
    const grz_pick_target *target = &question->targets[candidate->target];
    const grz_object *object = target->object;
    if (candidate->leaf == GRZ_BVH_NONE || target->packed->corners == NULL) {
        grz_world_corners(object->mesh, &object->pose, candidate->triangle, c);
        return;
    }
    const grz_packed_corners *corners = &target->packed->corners[candidate->leaf];
    for (int i = 0; i < 3; i++) {
        const double p[3] = {(double)corners->at[0][i], (double)corners->at[1][i], (double)corners->at[2][i]};
        grz_world_position(&object->pose, p, c[i]);
    }
}

// Take a crossing that doubles have told. False if there is no memory.
static bool take_crossing(grz_pick_search *s, grz_pick_candidate *candidate, grz_crossing crossing,
                          const grz_line_crossing *found)
{
    if (found->high < s->from || found->low > s->to || found->low > s->upper ||
        is_skipped(s, found->front ? GRZ_RAY_FRONT : GRZ_RAY_BACK))
        return true;
    if (found->low < s->from || found->high > s->to) {
        double c[3][3];
        grz_pick_corners(s->question, candidate, c);
        return test_exactly(s, (const double(*)[3])c, candidate);
    }
    candidate->crossing = crossing;
    candidate->low = found->low;
    candidate->high = found->high;
    candidate->feature = found->feature;
    candidate->front = found->front;
    return keep(s, candidate);
}

// Test the triangle of a candidate. False if there is no memory.
static bool test_candidate(grz_pick_search *s, grz_pick_candidate *candidate)
{
    double c[3][3];
    grz_line_crossing found;
    grz_pick_corners(s->question, candidate, c);
    const grz_crossing crossing = grz_line_crosses(&s->line, (const double(*)[3])c, &found);
    if (crossing == GRZ_CROSSING_NONE)
        return true;
    if (crossing == GRZ_CROSSING_OPEN)
        return test_exactly(s, (const double(*)[3])c, candidate);
    return take_crossing(s, candidate, crossing, &found);
}

static bool test_triangle(grz_pick_search *s, uint32_t triangle)
{
    grz_pick_candidate candidate = {
        .target = s->target, .triangle = triangle, .leaf = GRZ_BVH_NONE, .crossing = GRZ_CROSSING_OPEN};
    return test_candidate(s, &candidate);
}

// Test the triangle of a packed leaf. False if there is no memory.
static bool test_leaf(grz_pick_search *s, uint32_t leaf)
{
    const grz_packed_tree *tree = s->walk.tree;
    grz_pick_candidate candidate = {.target = s->target, .leaf = leaf, .crossing = GRZ_CROSSING_OPEN};
    grz_line_crossing found;
    if (tree->corners == NULL) {
        candidate.triangle = tree->vertices[leaf].triangle;
        return test_candidate(s, &candidate);
    }
    candidate.triangle = tree->corners[leaf].triangle;
    const grz_crossing crossing = s->question->crosses(&s->line, &s->question->targets[s->target].object->pose,
                                                       (const float(*)[3])tree->corners[leaf].at, &found);
    if (crossing == GRZ_CROSSING_NONE)
        return true;
    if (crossing == GRZ_CROSSING_OPEN)
        return test_candidate(s, &candidate);
    return take_crossing(s, &candidate, crossing, &found);
}

static bool is_done(const grz_pick_search *s)
{
    return s->aim == GRZ_PICK_ANY && s->found.count > 0;
}

// ---- The walk -----------------------------------------------------------------------------------------------------

// Have memory that is needed soon brought to the cache.
static inline void prefetch(const void *block, size_t size)
{
#if defined(__GNUC__)
    for (size_t at = 0; at < size; at += LINE)
        __builtin_prefetch((const char *)block + at);
    __builtin_prefetch((const char *)block + size - 1);
#else
    (void)block;
    (void)size;
#endif
}

// Prefetch what waits on top of the stack.
static void prefetch_next(const grz_pick_search *s)
{
    const grz_pick_target *target = &s->question->targets[s->target];
    if (s->depth == 0)
        return;
    const uint32_t child = s->stack[s->depth - 1].child;
    if (grz_bvh_is_triangle(child))
        prefetch(target->object->mesh->triangles + 3 * (size_t)grz_bvh_triangle(child), 3 * sizeof(uint32_t));
    else
        prefetch(&target->bvh->nodes[child], sizeof target->bvh->nodes[child]);
}

static void prefetch_corners(const grz_pick_search *s, const uint32_t vertex[3])
{
    const grz_mesh *mesh = s->question->targets[s->target].object->mesh;
    for (size_t i = 0; i < 3; i++)
        prefetch(grz_mesh_position(mesh, vertex[i]), 3 * sizeof(double));
}

static void set_limit(grz_pick_search *s)
{
    const float upper = grz_ray_map_upper(&s->map, s->upper);
    s->limit = upper < s->map.to ? upper : s->map.to;
    s->walk.limit = s->limit;
}

// Begin with a target. False: the ray does not meet its box.
static bool open_target(grz_pick_search *s)
{
    const grz_pick_target *target = &s->question->targets[s->target];
    float enters[GRZ_BVH_WIDTH];
    s->piece = 0;
    if (target->bvh == NULL)
        return true;
    s->walk.tree = target->packed;
    s->walk.stack = s->stack;
    s->is_packed = target->packed != NULL && target->frame.is_straight &&
                   s->question->steps->begin(&s->walk, &s->map, &target->frame, &s->line, s->from, s->to);
    if (s->is_packed) {
        set_limit(s);
        return true;
    }
    grz_ray_map_set(&s->map, &target->frames, &s->line, s->from, s->to);
    set_limit(s);
    s->stack[0] = (grz_pick_waiting){.enter = s->map.from, .child = 0};
    s->depth =
        (s->question->boxes(&s->map, (const float(*)[3][GRZ_BVH_WIDTH])target->bvh->whole, s->limit, enters) & 1) != 0;
    return s->depth > 0;
}

// Begin with the next target whose box may be met, if there is one.
static grz_pick_state next_target(grz_pick_search *s)
{
    const grz_pick_question *q = s->question;
    if (is_done(s))
        return GRZ_PICK_DONE;
    do {
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
            return GRZ_PICK_ENDED;
        if (q->crowd == NULL)
            s->target++;
        else
            s->target = grz_crowd_next(q->crowd, &s->crowd, &s->line, s->upper);
        if (s->target >= q->target_count)
            return GRZ_PICK_DONE;
    } while (!open_target(s));
    return GRZ_PICK_GOES_ON;
}

// Let the children of a node wait, the first on top.
static void push_children(grz_pick_search *s, const grz_bvh_node *node)
{
    float enters[GRZ_BVH_WIDTH];
    grz_pick_waiting *stack = s->stack + s->depth;
    size_t count = 0;
    assert(s->depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
    for (uint32_t left = s->question->boxes(&s->map, node->bounds, s->limit, enters); left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        if (node->child[i] == GRZ_BVH_NONE)
            break; // all after it are empty, too
        size_t at = count++;
        for (; at > 0 && stack[at - 1].enter < enters[i]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (grz_pick_waiting){.enter = enters[i], .child = node->child[i]};
    }
    s->depth += count;
}

static grz_pick_state test_all(grz_pick_search *s)
{
    const uint32_t count = s->question->targets[s->target].object->mesh->triangle_count;
    for (uint32_t t = 0; t < count && !is_done(s); t++)
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS) || !test_triangle(s, t))
            return GRZ_PICK_ENDED;
    return next_target(s);
}

// Test what has been gathered. False: the control says to end.
static bool test_near(grz_pick_search *s)
{
    grz_near_list_unique(&s->near);
    for (size_t i = 0; i < s->near.count && !is_done(s); i++)
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS) || !test_triangle(s, s->near.items[i]))
            return false;
    s->near.count = 0;
    return true;
}

// Look up the next piece of the ray. Where all hits are wanted, what all pieces find is tested once, in the end.
static grz_pick_state test_piece(grz_pick_search *s)
{
    const grz_pick_target *target = &s->question->targets[s->target];
    const bool at_once = s->aim != GRZ_PICK_ALL;
    if (s->piece == 0)
        grz_pieces_cut(target->object, &target->structure, &s->line, s->from, s->to, &s->pieces);
    // A hit at the same time as the first counts, too; all of those before a piece begins have been found.
    if (s->piece == s->pieces.count || grz_pieces_begin_after(&s->pieces, s->piece, s->upper))
        return test_near(s) ? next_target(s) : GRZ_PICK_ENDED;
    if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
        return GRZ_PICK_ENDED;
    if (!grz_pieces_gather(target->object, &target->structure, &s->line, &s->pieces, s->piece,
                           grz_control_allocator(s->control), &s->near)) {
        grz_control_fail(s->control, GRZ_ERROR_MEMORY);
        return GRZ_PICK_ENDED;
    }
    s->piece++;
    if (at_once && !test_near(s))
        return GRZ_PICK_ENDED;
    return is_done(s) ? GRZ_PICK_DONE : GRZ_PICK_GOES_ON;
}

// Test the triangle whose corners have been prefetched.
static grz_pick_state test_prefetched(grz_pick_search *s)
{
    const size_t before = s->found.count;
    if (!(s->is_packed ? test_leaf(s, s->prefetched) : test_triangle(s, s->prefetched)))
        return GRZ_PICK_ENDED;
    s->prefetched = GRZ_BVH_NONE;
    if (is_done(s))
        return GRZ_PICK_DONE;
    if (s->found.count > before && s->aim == GRZ_PICK_FIRST)
        set_limit(s);
    return GRZ_PICK_GOES_ON;
}

// A step of the walk through a packed tree.
static grz_pick_state step_packed(grz_pick_search *s)
{
    const grz_packed_tree *tree = s->walk.tree;
    const uint32_t leaf = s->question->steps->next(&s->walk);
    if (leaf == GRZ_PACKED_LATER)
        return GRZ_PICK_GOES_ON;
    if (leaf == GRZ_PACKED_DONE)
        return next_target(s);
    s->prefetched = leaf;
    if (tree->corners != NULL)
        return test_prefetched(s); // the leaf holds them
    prefetch_corners(s, tree->vertices[leaf].vertex);
    return GRZ_PICK_GOES_ON;
}

// A step of the walk through a tree that is not packed.
static grz_pick_state step_plain(grz_pick_search *s)
{
    const grz_pick_target *target = &s->question->targets[s->target];
    while (s->depth > 0 && s->stack[s->depth - 1].enter > s->limit)
        s->depth--;
    if (s->depth == 0)
        return next_target(s);
    const uint32_t child = s->stack[--s->depth].child;
    if (grz_bvh_is_triangle(child)) {
        s->prefetched = grz_bvh_triangle(child);
        prefetch_corners(s, target->object->mesh->triangles + 3 * (size_t)s->prefetched);
    } else {
        push_children(s, &target->bvh->nodes[child]);
    }
    prefetch_next(s);
    return GRZ_PICK_GOES_ON;
}

static grz_pick_state begin_targets(grz_pick_search *s)
{
    s->has_target = true;
    s->target = UINT32_MAX; // before the first
    if (s->question->crowd != NULL)
        grz_crowd_begin(s->question->crowd, &s->crowd, &s->line, s->from, s->to);
    return s->question->target_count > 0 ? next_target(s) : GRZ_PICK_DONE;
}

grz_pick_state grz_pick_search_step(grz_pick_search *s)
{
    if (!s->has_target)
        return begin_targets(s);
    if (s->question->targets[s->target].structure.type != NULL)
        return test_piece(s);
    if (s->question->targets[s->target].bvh == NULL)
        return test_all(s);
    if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
        return GRZ_PICK_ENDED;
    if (s->prefetched != GRZ_BVH_NONE) {
        const grz_pick_state state = test_prefetched(s);
        if (state != GRZ_PICK_GOES_ON)
            return state;
    }
    return s->is_packed ? step_packed(s) : step_plain(s);
}

void grz_pick_search_enter(grz_pick_search *s, double start, double speed)
{
    assert(s->question->target_count == 1 && s->question->targets[0].packed != NULL);
    s->has_target = true;
    s->target = 0;
    s->piece = 0;
    s->is_packed = true;
    s->walk.tree = s->question->targets[0].packed;
    s->map.exponent = 0;
    s->map.start = start;
    s->map.speed = speed;
    grz_ray_map_set_ends(&s->map, s->from, s->to);
    s->walk.from = s->map.from;
    set_limit(s);
}

grz_pick_state grz_pick_search_leaf(grz_pick_search *s, uint32_t leaf)
{
    if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
        return GRZ_PICK_ENDED;
    s->prefetched = leaf;
    return test_prefetched(s);
}

// All but the walk, which is large, and set where it begins.
void grz_pick_search_init(grz_pick_search *s, const grz_pick_question *question, grz_control *control, grz_pick_aim aim)
{
    s->question = question;
    s->control = control;
    s->aim = aim;
    s->steps = 0;
    s->found.items = NULL;
    s->found.count = s->found.capacity = 0;
    s->near.items = NULL;
    s->near.count = s->near.capacity = 0;
}

void grz_pick_search_begin(grz_pick_search *s, const grz_ray *ray)
{
    grz_line_set(&s->line, ray->origin, ray->direction, ray->tail);
    s->from = ray->from;
    s->to = ray->to;
    s->upper = HUGE_VAL;
    s->found.count = 0;
    s->has_target = false;
    s->is_packed = false;
    s->prefetched = GRZ_BVH_NONE;
    s->depth = 0;
    s->near.count = 0;
}

void grz_pick_search_finish(grz_pick_search *s)
{
    grz_array_finish(grz_control_allocator(s->control), &s->found);
    grz_array_finish(grz_control_allocator(s->control), &s->near);
}
