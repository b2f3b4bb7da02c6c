// SPDX-License-Identifier: MIT
#include "query/pick/search.h"

#include <assert.h>
#include <math.h>

#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8 // nodes or triangles between two checks of the control, as a power of two
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

// A node or a triangle that has yet to be looked at, and where the ray may enter its box.
typedef struct waiting {
    float enter;
    uint32_t child;
} waiting;

// Let the children of a node wait, the first on top.
static size_t push_children(const grz_pick_search *s, const grz_ray_map *map, const grz_bvh_node *node, float limit,
                            waiting *stack)
{
    float enters[GRZ_BVH_WIDTH];
    size_t count = 0;
    for (uint32_t left = s->question->boxes(map, node->bounds, limit, enters); left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        if (node->child[i] == GRZ_BVH_NONE)
            break; // all after it are empty, too
        size_t at = count++;
        for (; at > 0 && stack[at - 1].enter < enters[i]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (waiting){enters[i], node->child[i]};
    }
    return count;
}

// Boxes that the ray enters later do not matter.
static float limit_of(const grz_pick_search *s, const grz_ray_map *map)
{
    const float upper = grz_ray_map_upper(map, s->upper);
    return upper < map->to ? upper : map->to;
}

// False: the control says to end.
static bool walk(grz_pick_search *s, uint32_t target)
{
    const grz_bvh *bvh = s->question->targets[target].bvh;
    grz_ray_map map;
    waiting stack[GRZ_BVH_STACK];
    float enters[GRZ_BVH_WIDTH];
    size_t depth = 1;
    grz_ray_map_set(&map, &s->question->targets[target].frames, &s->line, s->from, s->to);
    float limit = limit_of(s, &map);
    if ((s->question->boxes(&map, (const float(*)[3][GRZ_BVH_WIDTH])bvh->whole, limit, enters) & 1) == 0)
        return true;
    stack[0] = (waiting){enters[0], 0};
    while (depth > 0) {
        const waiting next = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        if (next.enter > limit)
            continue;
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS))
            return false;
        if (!grz_bvh_is_triangle(next.child)) {
            depth += push_children(s, &map, &bvh->nodes[next.child], limit, stack + depth);
            continue;
        }
        const size_t before = s->found.count;
        if (!test_triangle(s, target, grz_bvh_triangle(next.child)))
            return false;
        if (is_done(s))
            return true;
        if (s->found.count > before && s->aim == GRZ_PICK_FIRST)
            limit = limit_of(s, &map);
    }
    return true;
}

static bool test_all(grz_pick_search *s, uint32_t target)
{
    const uint32_t count = s->question->targets[target].object->mesh->triangle_count;
    for (uint32_t t = 0; t < count && !is_done(s); t++)
        if (grz_control_expired_at(s->control, ++s->steps, CHECK_BITS) || !test_triangle(s, target, t))
            return false;
    return true;
}

bool grz_pick_search_run(grz_pick_search *s, const grz_ray *ray)
{
    grz_line_set(&s->line, ray->origin, ray->direction, ray->tail);
    s->from = ray->from;
    s->to = ray->to;
    s->upper = HUGE_VAL;
    s->found.count = 0;
    for (uint32_t i = 0; i < s->question->target_count && !is_done(s); i++)
        if (!(s->question->targets[i].bvh != NULL ? walk(s, i) : test_all(s, i)))
            return false;
    return true;
}

void grz_pick_search_finish(grz_pick_search *s)
{
    grz_array_finish(grz_control_allocator(s->control), &s->found);
}
