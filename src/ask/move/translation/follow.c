// SPDX-License-Identifier: MIT
// Follows one motion: the walk (or all pairs, for the reference), the exact decision, and whether the objects overlap
// at the start.
#include "ask/move/translation/follow.h"

#include <math.h>
#include <string.h>

#include "ask/move/start_normal.h"
#include "ask/move/translation/translation_walk.h"
#include "ask/move/unknown.h"
#include "ask/solids_overlap.h"
#include "base/call.h"
#include "base/device.h"
#include "geometry/pose.h"

enum {
    CHECK_BITS = 8 // pairs compared between two checks of the control, as a power of two
};

static grz_status compare_all(grz_first_pairs *pairs, double *lower)
{
    grz_control *control = pairs->control;
    const uint32_t count_a = pairs->path->a->mesh->triangle_count, count_b = pairs->path->b->mesh->triangle_count;
    size_t steps = 0;
    bool going = true;
    for (uint32_t i = 0; i < count_a && going; i++)
        for (uint32_t j = 0; j < count_b && going; j++) {
            going = !grz_control_expired_at(control, ++steps, CHECK_BITS);
            if (going && !grz_first_pairs_compare(pairs, i, &j, 1)) {
                grz_control_fail(control, GRZ_ERROR_MEMORY);
                going = false;
            }
        }
    *lower = going ? HUGE_VAL : 0.0;
    return grz_control_status(control);
}

static grz_status walk_trees(grz_first_pairs *pairs, const grz_move_call *call, double *lower)
{
    const grz_path *path = pairs->path;
    const grz_bvh *bvh_a, *bvh_b;
    *lower = HUGE_VAL;
    if (path->from > path->to)
        return GRZ_OK;
    grz_status status = grz_mesh_bvh(path->a->mesh, pairs->control, &bvh_a, call->frame.error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(path->b->mesh, pairs->control, &bvh_b, call->frame.error);
    if (status == GRZ_OK)
        status = grz_move_walk(pairs, bvh_a, bvh_b, grz_device_simd(call->frame.device), lower);
    return status;
}

// What is proved where the search ended early.
static void answer_bounds(const grz_first_pairs *pairs, double lower, grz_move_answer *answer)
{
    answer->lower = fmin(fmin(lower, grz_first_pairs_lower(pairs)), pairs->upper);
    answer->upper = pairs->upper;
    answer->has_contact = pairs->upper < HUGE_VAL;
    answer->started_touching = pairs->upper == 0.0;
    answer->first_contact = answer->lower;
}

grz_status grz_move_follow(grz_move_call *call, const grz_path *path, grz_move_answer *answer)
{
    grz_first_pairs pairs;
    double lower = 0.0;
    *answer = grz_move_unknown;
    grz_first_pairs_init(&pairs, path, grz_device_simd(call->frame.device), &call->frame.control);
    grz_status status = call->all_pairs ? compare_all(&pairs, &lower) : walk_trees(&pairs, call, &lower);
    const bool decided = status == GRZ_OK && grz_first_pairs_decide(&pairs, answer);
    if (status == GRZ_OK)
        status = grz_control_status(&call->frame.control);
    if (!decided && (status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_CANCELLED))
        answer_bounds(&pairs, lower, answer);
    answer->compared = pairs.compared;
    grz_first_pairs_finish(&pairs);
    return grz_call_explain(&call->frame, status);
}

// ---- The start ----------------------------------------------------------------------------------------------------

grz_status grz_move_ask(grz_move_call *call, const grz_object *a, const grz_object *b, uint32_t find,
                        grz_result **result)
{
    grz_collide_options asked = grz_default_collide_options();
    asked.find = find;
    asked.inside_rule = call->options.inside_rule;
    asked.limits = grz_control_limits_left(&call->frame.control);
    asked.max_pairs = UINT64_MAX;
    grz_status status = *result == NULL ? grz_result_create(call->frame.device, result, call->frame.error) : GRZ_OK;
    if (status == GRZ_OK)
        status = grz_collide(call->frame.device, a, b, &asked, *result, call->frame.error);
    return status;
}

static bool boxes_overlap(const grz_path *path)
{
    const grz_object *a = path->a, *b = path->b;
    if (a->mesh->triangle_count == 0 || b->mesh->triangle_count == 0)
        return false;
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    return grz_boxes_overlap(&box_a, &box_b);
}

grz_status grz_move_start(grz_move_call *call, const grz_path *path, bool *inside)
{
    grz_result *result = NULL;
    *inside = false;
    if (!call->options.inside || !boxes_overlap(path))
        return GRZ_OK;
    const uint32_t find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS; // pairs: for their kinds
    const grz_status status = grz_move_ask(call, path->a, path->b, find, &result);
    *inside = status == GRZ_OK && grz_summary_overlaps(grz_result_summary(result));
    grz_result_destroy(result);
    return status;
}

grz_status grz_move_normal_at_start(grz_move_call *call, const grz_path *path, grz_move_answer *answer)
{
    grz_collide_options asked = grz_default_collide_options();
    asked.inside_rule = call->options.inside_rule;
    asked.limits = grz_control_limits_left(&call->frame.control);
    return grz_move_start_normal(call->frame.device, path->a, path->b, &asked, &call->frame.control, answer,
                                 call->frame.error);
}

void grz_move_start_inside(grz_move_answer *answer)
{
    const bool touching = answer->has_contact && answer->upper == 0.0;
    if (!touching) { // whatever surfaces meet, they do so later
        const uint64_t compared = answer->compared;
        *answer = grz_move_unknown;
        answer->compared = compared;
    }
    answer->certainty = GRZ_EXACT;
    answer->has_contact = answer->started_inside = true;
    answer->first_contact = answer->lower = answer->upper = 0.0;
    answer->reason = NULL;
    memset(answer->normal, 0, sizeof answer->normal);
}
