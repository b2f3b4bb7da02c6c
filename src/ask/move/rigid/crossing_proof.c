// SPDX-License-Identifier: MIT
// A contact that is proved: at one time, an edge of one mesh goes through a triangle of the other, by more than the
// error of all positions. A walk of both trees, depth first, until the first such pair.
#include <string.h>

#include "ask/move/rigid/rigid_walk.h"
#include "base/control.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 6 // pairs of nodes between two checks of the control, as a power of two
};

typedef struct both {
    uint32_t a, b; // as grz_bvh_node::child has them
    uint32_t place_a, place_b;
} both;

typedef struct search {
    const grz_rigid_question *question;
    grz_moving_boxes boxes;
    uint64_t compared;
    GRZ_ARRAY(both) waiting;
} search;

static bool triangles_cross(search *s, uint32_t a, uint32_t b)
{
    const grz_moving_pair *pair = &s->question->pair;
    double corners[2][3][3];
    grz_world_corners(pair->sides[0].mesh, &s->boxes.states[0].pose, a, corners[0]);
    grz_world_corners(pair->sides[1].mesh, &s->boxes.states[1].pose, b, corners[1]);
    s->compared++;
    return grz_faces_cross((const double(*)[3])corners[0], (const double(*)[3])corners[1], pair->error);
}

// Look at the children of a pair of nodes. *room: false if there is no memory.
static bool open_pair(search *s, const both *pair, bool *room)
{
    const grz_bvh *const *bvhs = s->question->bvhs;
    const grz_moving_side sides[2] = {grz_moving_side_of(bvhs[0], pair->a, pair->place_a),
                                      grz_moving_side_of(bvhs[1], pair->b, pair->place_b)};
    double times[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH];
    grz_moving_boxes_ahead(&s->boxes, sides, times);
    for (uint32_t rows = sides[0].children; rows != 0; rows &= rows - 1)
        for (uint32_t columns = sides[1].children; columns != 0; columns &= columns - 1) {
            const int i = __builtin_ctz(rows), j = __builtin_ctz(columns);
            if (times[i][j] > s->boxes.t)
                continue; // apart
            const both next = {sides[0].node->child[i], sides[1].node->child[j],
                               grz_moving_place(bvhs[0], &sides[0], i), grz_moving_place(bvhs[1], &sides[1], j)};
            if (grz_bvh_is_triangle(next.a) && grz_bvh_is_triangle(next.b)) {
                if (triangles_cross(s, grz_bvh_triangle(next.a), grz_bvh_triangle(next.b)))
                    return true;
                continue;
            }
            *room = grz_array_add(grz_control_allocator(s->question->control), &s->waiting);
            if (!*room)
                return false;
            s->waiting.items[s->waiting.count - 1] = next;
        }
    return false;
}

bool grz_rigid_certain_contact(const grz_rigid_question *question, double t, uint64_t most, uint64_t *compared)
{
    search s = {.question = question};
    const grz_allocator *allocator = grz_control_allocator(question->control);
    bool found = false, room = grz_array_add(allocator, &s.waiting);
    if (room) {
        grz_moving_boxes_set(&s.boxes, &question->pair, question->bvhs, t, NULL);
        s.waiting.items[0] = (both){.place_a = GRZ_BVH_NONE, .place_b = GRZ_BVH_NONE};
    }
    for (size_t steps = 0; room && !found && s.waiting.count > 0 && steps < most; steps++) {
        if (grz_control_expired_at(question->control, steps + 1, CHECK_BITS))
            break;
        const both next = s.waiting.items[--s.waiting.count];
        found = open_pair(&s, &next, &room);
    }
    if (!room)
        grz_control_fail(question->control, GRZ_ERROR_MEMORY);
    *compared += s.compared;
    grz_array_finish(allocator, &s.waiting);
    return found;
}
