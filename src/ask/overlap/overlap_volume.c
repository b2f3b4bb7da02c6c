// SPDX-License-Identifier: MIT
// grz_overlap_volume(): a solid is what is below its surface's upper sides and not below its lower ones, so the common
// volume is a sum over pairs of triangles that lie over each other (docs/use/overlap.md). Whether there
// is one is decided exactly first; a solid inside the other one is measured alone.
#include <graze/overlap.h>

#include <math.h>
#include <string.h>

#include "ask/overlap/doubt.h"
#include "ask/overlap/overlap_view.h"
#include "ask/penetration/depth.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/fail.h"
#include "space/swept/swept_tree.h"

enum {
    CHECK_BITS = 8 // pairs of triangles between two checks of the control, as a power of two
};

static const char TOO_DIFFERENT[] =
    "the common box is far smaller than the objects: of the volume only bounds are known",
                  TOO_FLAT[] = "a surface meets itself in triangles that are a few roundings wide: of the volume only "
                               "bounds are known";

static const grz_overlap_volume_answer nothing_known = {.upper = HUGE_VAL, .certainty = GRZ_UNDECIDED};

static void narrow(const grz_enclosed_sum *sum, int exponent, grz_overlap_volume_answer *answer)
{
    const grz_enclosure volume = grz_enclosed_sum_value(sum, exponent);
    answer->lower = fmax(answer->lower, volume.lower);
    answer->upper = fmin(answer->upper, volume.upper);
}

// Add what leaves may have wrong, then take the sum's bounds.
static grz_status conclude(grz_move_call *call, const grz_prism_list lists[2], grz_enclosed_sum *sum, int exponent,
                           grz_overlap_volume_answer *answer)
{
    bool known;
    const grz_status status = grz_doubt_add(lists, &call->frame.control, sum, &known);
    if (status == GRZ_OK && known)
        narrow(sum, exponent, answer);
    else if (status == GRZ_OK)
        answer->reason = TOO_FLAT;
    return status;
}

typedef struct measuring {
    grz_move_call *call;
    const grz_listed_prism *upper, *lower;
    grz_enclosed_sum sum;
    uint64_t compared;
} measuring;

// ---- Two solids that cross ----------------------------------------------------------------------------------------

static bool add_pair(measuring *m, uint32_t i, uint32_t j)
{
    const grz_listed_prism *upper = &m->upper[i], *lower = &m->lower[j];
    grz_enclosure volume;
    if (grz_control_expired_at(&m->call->frame.control, m->compared++, CHECK_BITS))
        return false;
    if (grz_prism_pair(&upper->prism, &lower->prism, &volume))
        grz_enclosed_sum_add(&m->sum, &volume, upper->below == lower->below);
    return true;
}

static bool visit_pair(void *user, uint32_t i, uint32_t j)
{
    return add_pair(user, i, j);
}

// A tree of boxes, those of `lower` from their lowest point up without end: they meet the boxes of what is above them.
static grz_status build_tree(const grz_prism_list *list, bool lower, double top, grz_control *control,
                             grz_swept_tree *tree)
{
    if (!grz_swept_tree_init(tree, (uint32_t)list->prisms.count, grz_control_allocator(control)))
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < list->prisms.count; i++) {
        const grz_prism *prism = &list->prisms.items[i].prism;
        memcpy(tree->boxes[i].min, prism->min, sizeof prism->min);
        memcpy(tree->boxes[i].max, prism->max, sizeof prism->max);
        tree->boxes[i].max[2] = lower ? fmax(top, prism->max[2]) : prism->max[2];
    }
    (void)grz_swept_tree_build(tree, control);
    return grz_control_status(control);
}

static grz_status walk_trees(measuring *m, const grz_prism_list lists[2])
{
    const grz_allocator *allocator = grz_control_allocator(&m->call->frame.control);
    grz_swept_tree trees[2] = {{.allocator = allocator}, {.allocator = allocator}};
    double top = -HUGE_VAL;
    for (size_t i = 0; i < lists[0].prisms.count; i++)
        top = fmax(top, lists[0].prisms.items[i].prism.max[2]);
    grz_status status = build_tree(&lists[0], false, top, &m->call->frame.control, &trees[0]);
    if (status == GRZ_OK)
        status = build_tree(&lists[1], true, top, &m->call->frame.control, &trees[1]);
    if (status == GRZ_OK) {
        grz_swept_tree_pairs(&trees[0], &trees[1], visit_pair, m);
        status = grz_control_status(&m->call->frame.control);
    }
    grz_swept_tree_finish(&trees[0]);
    grz_swept_tree_finish(&trees[1]);
    return status;
}

static grz_status compare_all(measuring *m, const grz_prism_list lists[2])
{
    bool going = true;
    for (uint32_t i = 0; i < lists[0].prisms.count && going; i++)
        for (uint32_t j = 0; j < lists[1].prisms.count && going; j++)
            going = add_pair(m, i, j);
    return grz_control_status(&m->call->frame.control);
}

// What is below the surface of `upper` and above that of `lower`.
static grz_status measure_between(grz_move_call *call, const grz_measured *upper, const grz_measured *lower,
                                  const grz_volume_view *view, grz_overlap_volume_answer *answer)
{
    grz_prism_list lists[2] = {{.prisms = {NULL, 0, 0}}, {.prisms = {NULL, 0, 0}}};
    measuring m = {.call = call};
    grz_status status =
        grz_prism_list_fill(&lists[0], upper, &view->frame, &view->column, view->range, &call->frame.control);
    if (status == GRZ_OK)
        status = grz_prism_list_fill(&lists[1], lower, &view->frame, &view->column, view->range, &call->frame.control);
    m.upper = lists[0].prisms.items;
    m.lower = lists[1].prisms.items;
    if (status == GRZ_OK)
        status = call->all_pairs ? compare_all(&m, lists) : walk_trees(&m, lists);
    answer->compared += m.compared;
    if (status == GRZ_OK)
        status = conclude(call, lists, &m.sum, view->exponent, answer);
    for (int i = 0; i < 2; i++)
        grz_prism_list_finish(&lists[i], &call->frame.control);
    return status;
}

static grz_status measure_common(grz_move_call *call, const grz_measured solids[2], grz_overlap_volume_answer *answer)
{
    grz_volume_view view;
    grz_volume_view_choose(solids[0].surface.object, solids[1].surface.object, &view);
    if (!view.fits) {
        answer->reason = TOO_DIFFERENT;
        return GRZ_OK;
    }
    if (solids[0].meets_itself || solids[1].meets_itself) { // every height counts
        view.range[0] = -HUGE_VAL;
        view.range[1] = HUGE_VAL;
    }
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) // both ways if nothing tells the objects apart
        if (view.upper == i || view.upper < 0)
            status = measure_between(call, &solids[i], &solids[1 - i], &view, answer);
    return status;
}

// ---- One solid ----------------------------------------------------------------------------------------------------

static grz_status measure_one(grz_move_call *call, const grz_measured *solid, grz_overlap_volume_answer *answer)
{
    grz_volume_view view;
    grz_volume_view_of(solid->surface.object, &view);
    if (!view.fits) {
        answer->reason = TOO_DIFFERENT;
        return GRZ_OK;
    }
    grz_prism_list lists[2] = {{.prisms = {NULL, 0, 0}}, {.prisms = {NULL, 0, 0}}}; // the second one stays empty
    grz_enclosed_sum sum = {{0, 0}, {0, 0}};
    grz_status status =
        grz_prism_list_fill(&lists[0], solid, &view.frame, &view.column, view.range, &call->frame.control);
    for (size_t i = 0; i < lists[0].prisms.count; i++) {
        const grz_listed_prism *listed = &lists[0].prisms.items[i];
        const grz_enclosure volume = listed->part ? grz_prism_part_down_to(&listed->prism, view.floor)
                                                  : grz_prism_down_to(&listed->prism, view.floor);
        grz_enclosed_sum_add(&sum, &volume, !listed->below);
    }
    if (status == GRZ_OK)
        status = conclude(call, lists, &sum, view.exponent, answer);
    grz_prism_list_finish(&lists[0], &call->frame.control);
    return status;
}

// ---- The call -----------------------------------------------------------------------------------------------------

// Which surfaces are measured, as bits: both if the solids cross or are the same, or the one inside.
static unsigned measured_of(grz_solids solids)
{
    return solids == GRZ_SOLIDS_A_INSIDE_B ? 1 : solids == GRZ_SOLIDS_B_INSIDE_A ? 2 : 3;
}

static grz_status prepare(grz_move_call *call, const grz_object *object, grz_measured *solid)
{
    const grz_inside_rule rule = call->options.inside_rule;
    const grz_status status =
        grz_posed_surface_init(&solid->surface, object, rule, &call->frame.control, call->frame.error);
    if (status != GRZ_OK || !solid->surface.surface->unclean)
        return status;
    solid->meets_itself = true;
    return grz_posed_border_init(&solid->border, object, rule, &call->frame.control, call->frame.error);
}

static grz_status measure(grz_move_call *call, const grz_object here[2], grz_solids solids,
                          grz_overlap_volume_answer *answer)
{
    const unsigned measured = measured_of(solids);
    grz_measured of[2] = {{.meets_itself = false}, {.meets_itself = false}};
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++)
        if ((measured >> i & 1) != 0)
            status = prepare(call, &here[i], &of[i]);
    if (status == GRZ_OK && solids == GRZ_SOLIDS_PENETRATING)
        status = measure_common(call, of, answer);
    for (int i = 0; i < 2 && status == GRZ_OK && answer->reason == NULL && solids != GRZ_SOLIDS_PENETRATING; i++)
        if ((measured >> i & 1) != 0)
            status = measure_one(call, &of[i], answer);
    for (int i = 0; i < 2; i++) {
        grz_posed_surface_finish(grz_control_allocator(&call->frame.control), &of[i].surface);
        grz_posed_border_finish(grz_control_allocator(&call->frame.control), &of[i].border);
    }
    return grz_call_explain(&call->frame, status);
}

static grz_status find(grz_move_call *call, const grz_object *a, const grz_object *b, grz_overlap_volume_answer *answer)
{
    grz_object here[2];
    grz_overlapping start;
    grz_status status = grz_move_check(call, a, NULL, "A", 0, &here[0]);
    if (status == GRZ_OK)
        status = grz_move_check(call, b, NULL, "B", 1, &here[1]);
    if (status != GRZ_OK)
        return status;
    answer->upper = grz_common_box_volume(&here[0], &here[1]);
    status = grz_overlapping_find(call, &here[0], &here[1], &start);
    if (status != GRZ_OK)
        return status;
    if (start.solids == GRZ_SOLIDS_UNDECIDABLE) {
        answer->upper = HUGE_VAL;
        answer->reason = start.reason;
        return GRZ_OK;
    }
    if (!grz_solids_overlap(start.solids))
        answer->upper = 0.0;
    else
        status = measure(call, here, start.solids, answer);
    if (status == GRZ_OK && answer->reason == NULL)
        answer->certainty = grz_certainty_of_bounds(answer->lower, answer->upper);
    return status;
}

grz_status grz_overlap_volume(grz_device *device, const grz_object *a, const grz_object *b,
                              const grz_move_options *options, grz_overlap_volume_answer *answer, grz_error *error)
{
    grz_move_call call;
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "overlap volume: the answer is NULL");
    *answer = nothing_known;
    grz_status status = grz_move_begin(&call, "overlap volume", device, options, error);
    if (status == GRZ_OK)
        status = find(&call, a, b, answer);
    if (status != GRZ_OK)
        answer->certainty = GRZ_UNDECIDED;
    if (status != GRZ_OK && status != GRZ_ERROR_DEADLINE && status != GRZ_ERROR_CANCELLED)
        *answer = nothing_known;
    return grz_call_end(&call.frame, status);
}
