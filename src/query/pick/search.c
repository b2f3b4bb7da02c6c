// SPDX-License-Identifier: MIT
#include "query/pick/search.h"

#include <assert.h>
#include <math.h>

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

// Keep a candidate. False if memory is out.
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

// Test a triangle in integers. False if memory is out.
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

// False if memory is out.
static bool test_triangle(grz_pick_search *s, uint32_t target, uint32_t triangle)
{
    const grz_object *object = s->question->targets[target].object;
    grz_pick_candidate candidate = {.target = target, .triangle = triangle};
    double c[3][3];
    bool front;
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    switch (grz_line_crosses(&s->line, (const double(*)[3])c, &candidate.low, &candidate.high, &front)) {
    case GRZ_CROSSING_NONE:
        return true;
    case GRZ_CROSSING_OPEN:
        return test_exactly(s, (const double(*)[3])c, &candidate);
    case GRZ_CROSSING_FACE:
        break;
    }
    if (candidate.high < s->from || candidate.low > s->to || candidate.low > s->upper ||
        is_skipped(s, front ? GRZ_RAY_FRONT : GRZ_RAY_BACK))
        return true;
    if (candidate.low < s->from || candidate.high > s->to)
        return test_exactly(s, (const double(*)[3])c, &candidate);
    candidate.inside = true;
    candidate.front = front;
    return keep(s, &candidate);
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

static void prefetch_corners(const grz_pick_search *s, uint32_t triangle)
{
    const grz_mesh *mesh = s->question->targets[s->target].object->mesh;
    for (size_t i = 0; i < 3; i++)
        prefetch(grz_mesh_position(mesh, mesh->triangles[3 * (size_t)triangle + i]), 3 * sizeof(double));
}

static void set_limit(grz_pick_search *s)
{
    const float upper = grz_ray_map_upper(&s->map, s->upper);
    s->limit = upper < s->map.to ? upper : s->map.to;
}

// Begin with the next object whose box may be met. False: there is none.
static bool open_target(grz_pick_search *s)
{
    for (; s->target < s->question->target_count; s->target++) {
        const grz_pick_target *target = &s->question->targets[s->target];
        float enters[GRZ_BVH_WIDTH];
        if (target->bvh == NULL)
            return true;
        grz_ray_map_set(&s->map, &target->frames, &s->line, s->from, s->to);
        set_limit(s);
        if ((s->question->boxes(&s->map, (const float(*)[3][GRZ_BVH_WIDTH])target->bvh->whole, s->limit, enters) & 1) ==
            0)
            continue;
        s->stack[0] = (grz_pick_waiting){enters[0], 0};
        s->depth = 1;
        return true;
    }
    return false;
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
        stack[at] = (grz_pick_waiting){enters[i], node->child[i]};
    }
    s->depth += count;
}

static grz_pick_state test_all(grz_pick_search *s)
{
    const uint32_t count = s->question->targets[s->target].object->mesh->triangle_count;
    for (uint32_t t = 0; t < count && !is_done(s); t++)
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS) || !test_triangle(s, s->target, t))
            return GRZ_PICK_ENDED;
    s->target++;
    return is_done(s) || !open_target(s) ? GRZ_PICK_DONE : GRZ_PICK_GOES_ON;
}

static grz_pick_state next_target(grz_pick_search *s)
{
    s->target++;
    s->piece = 0;
    return is_done(s) || !open_target(s) ? GRZ_PICK_DONE : GRZ_PICK_GOES_ON;
}

// Test what has been gathered. False: the control says to end.
static bool test_near(grz_pick_search *s)
{
    grz_near_list_unique(&s->near);
    for (size_t i = 0; i < s->near.count && !is_done(s); i++)
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS) ||
            !test_triangle(s, s->target, s->near.items[i]))
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
    if (s->piece == s->pieces.count || s->upper < grz_pieces_time(&s->pieces, s->piece))
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
    if (!test_triangle(s, s->target, s->prefetched))
        return GRZ_PICK_ENDED;
    s->prefetched = GRZ_BVH_NONE;
    if (is_done(s))
        return GRZ_PICK_DONE;
    if (s->found.count > before && s->aim == GRZ_PICK_FIRST)
        set_limit(s);
    return GRZ_PICK_GOES_ON;
}

grz_pick_state grz_pick_search_step(grz_pick_search *s)
{
    if (s->target == s->question->target_count)
        return GRZ_PICK_DONE;
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
    while (s->depth > 0 && s->stack[s->depth - 1].enter > s->limit)
        s->depth--;
    if (s->depth == 0) {
        s->target++;
        return open_target(s) ? GRZ_PICK_GOES_ON : GRZ_PICK_DONE;
    }
    const uint32_t child = s->stack[--s->depth].child;
    if (grz_bvh_is_triangle(child)) {
        s->prefetched = grz_bvh_triangle(child);
        prefetch_corners(s, s->prefetched);
    } else {
        push_children(s, &s->question->targets[s->target].bvh->nodes[child]);
    }
    prefetch_next(s);
    return GRZ_PICK_GOES_ON;
}

void grz_pick_search_begin(grz_pick_search *s, const grz_ray *ray)
{
    grz_line_set(&s->line, ray->origin, ray->direction, ray->tail);
    s->from = ray->from;
    s->to = ray->to;
    s->upper = HUGE_VAL;
    s->found.count = 0;
    s->target = 0;
    s->prefetched = GRZ_BVH_NONE;
    s->depth = 0;
    s->piece = 0;
    s->near.count = 0;
    (void)open_target(s);
}

void grz_pick_search_finish(grz_pick_search *s)
{
    grz_array_finish(grz_control_allocator(s->control), &s->found);
    grz_array_finish(grz_control_allocator(s->control), &s->near);
}
