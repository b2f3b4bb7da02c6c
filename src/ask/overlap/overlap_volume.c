// SPDX-License-Identifier: MIT
// grz_overlap_volume(): a solid is what is below its surface's upper sides and not below its lower ones, so the common
// volume is a sum over pairs of triangles that lie over each other (docs/use/overlap.md). Whether there
// is one is decided exactly first; a solid inside the other one is measured alone.
#include <graze/overlap.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "ask/overlap/doubt.h"
#include "ask/overlap/overlap_view.h"
#include "ask/penetration/depth.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "geometry/pose.h"
#include "space/swept/swept_tree.h"

static const char TOO_DIFFERENT[] =
    "the common box is far smaller than the objects: of the volume only bounds are known",
                  TOO_FLAT[] = "a surface meets itself in triangles that are a few roundings wide: of the volume only "
                               "bounds are known";

static const double HIGHEST = GRZ_PRISM_MOST; // what is above all
static const double MOST_MOVED = 0x1p-46;     // of the box, so that volumes are as close as others

static const grz_overlap_volume_answer nothing_known = {.upper = HUGE_VAL, .certainty = GRZ_UNDECIDED};

static void narrow(const grz_enclosed_sum *sum, int exponent, grz_overlap_volume_answer *answer)
{
    const grz_enclosure volume = grz_enclosed_sum_value(sum, exponent);
    answer->lower = fmax(answer->lower, volume.lower);
    answer->upper = fmin(answer->upper, volume.upper);
}

// Add what leaves may have wrong, then take the sum's bounds.
static grz_status conclude(grz_move_call *call, const grz_prism_list *one, const grz_prism_list *other,
                           grz_enclosed_sum *sum, int exponent, grz_overlap_volume_answer *answer)
{
    bool known;
    const grz_status status = grz_doubt_add(one, other, &call->frame.control, sum, &known);
    if (status == GRZ_OK && known)
        narrow(sum, exponent, answer);
    else if (status == GRZ_OK)
        answer->reason = TOO_FLAT;
    return status;
}

// ---- Two solids that cross ----------------------------------------------------------------------------------------

enum {
    TASK_PAIRS = 1024, // that one task compares
    MOST_TASKS = 64    // of one round
};

// Pairs are collected, and compared on all threads: sums do not depend on the order.
typedef struct measuring {
    grz_move_call *call;
    const grz_listed_prism *upper, *lower;
    grz_enclosed_sum sums[MOST_TASKS];
    uint32_t (*pairs)[2]; // room for those of a round
    size_t count;
    uint64_t compared;
} measuring;

static void compare_some(size_t task, void *context)
{
    measuring *m = context;
    const size_t end = m->count < (task + 1) * TASK_PAIRS ? m->count : (task + 1) * TASK_PAIRS;
    grz_enclosed_sum sum = m->sums[task];
    if (grz_control_expired(&m->call->frame.control))
        return;
    for (size_t i = task * TASK_PAIRS; i < end; i++) {
        const grz_listed_prism *upper = &m->upper[m->pairs[i][0]], *lower = &m->lower[m->pairs[i][1]];
        grz_enclosure volume;
        if (grz_prism_pair(&upper->prism, &lower->prism, &volume))
            grz_enclosed_sum_add(&sum, &volume, upper->below == lower->below);
    }
    m->sums[task] = sum;
}

// False: the control says to end.
static bool compare_collected(measuring *m)
{
    const size_t tasks = (m->count + TASK_PAIRS - 1) / TASK_PAIRS;
    if (tasks == 1)
        compare_some(0, m);
    else
        grz_parallel(m->call->frame.device, tasks, compare_some, m);
    m->compared += m->count;
    m->count = 0;
    return !grz_control_expired(&m->call->frame.control);
}

static bool add_pair(void *user, uint32_t i, uint32_t j)
{
    measuring *m = user;
    m->pairs[m->count][0] = i;
    m->pairs[m->count++][1] = j;
    return m->count < (size_t)MOST_TASKS * TASK_PAIRS || compare_collected(m);
}

// The prisms of one of the two, and a tree of their boxes; of the lower one, from their lowest point up without end:
// they meet the boxes of what is above them.
typedef struct listing {
    grz_move_call *call;
    const grz_measured *solid;
    const grz_volume_view *view;
    bool is_lower;
    grz_prism_list list;
    grz_swept_tree tree;
    grz_status status;
} listing;

static grz_status build_tree(listing *l)
{
    grz_control *control = &l->call->frame.control;
    const size_t count = l->list.prisms.count;
    if (!grz_swept_tree_init(&l->tree, (uint32_t)count, grz_control_allocator(control)))
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const grz_prism *prism = &l->list.prisms.items[i].prism;
        memcpy(l->tree.boxes[i].min, prism->min, sizeof prism->min);
        memcpy(l->tree.boxes[i].max, prism->max, sizeof prism->max);
        l->tree.boxes[i].max[2] = l->is_lower ? HIGHEST : prism->max[2];
    }
    (void)grz_swept_tree_build(&l->tree, control);
    return grz_control_status(control);
}

static void list_one(size_t number, void *context)
{
    listing *l = (listing *)context + number;
    l->status = grz_prism_list_fill(&l->list, l->solid, &l->view->frame, &l->view->column, l->view->range,
                                    &l->call->frame.control);
    if (l->status == GRZ_OK && !l->call->all_pairs)
        l->status = build_tree(l);
}

static grz_status compare_all(measuring *m, const listing of[2])
{
    bool going = true;
    for (uint32_t i = 0; i < of[0].list.prisms.count && going; i++)
        for (uint32_t j = 0; j < of[1].list.prisms.count && going; j++)
            going = add_pair(m, i, j);
    if (going)
        (void)compare_collected(m);
    return grz_control_status(&m->call->frame.control);
}

static grz_status walk_trees(measuring *m, const listing of[2])
{
    if (grz_swept_tree_pairs(&of[0].tree, &of[1].tree, add_pair, m))
        (void)compare_collected(m);
    return grz_control_status(&m->call->frame.control);
}

// What is below the surface of `upper` and above that of `lower`.
static grz_status measure_between(grz_move_call *call, const grz_measured *upper, const grz_measured *lower,
                                  const grz_volume_view *view, grz_overlap_volume_answer *answer)
{
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    listing of[2] = {{.call = call, .solid = upper, .view = view, .tree = {.allocator = allocator}},
                     {.call = call, .solid = lower, .view = view, .is_lower = true, .tree = {.allocator = allocator}}};
    measuring m = {.call = call, .pairs = grz_allocate(allocator, (size_t)MOST_TASKS * TASK_PAIRS, sizeof *m.pairs)};
    grz_status status = GRZ_ERROR_MEMORY;
    if (m.pairs != NULL) {
        grz_parallel(call->frame.device, 2, list_one, of);
        status = of[0].status != GRZ_OK ? of[0].status : of[1].status;
    }
    m.upper = of[0].list.prisms.items;
    m.lower = of[1].list.prisms.items;
    if (status == GRZ_OK)
        status = call->all_pairs ? compare_all(&m, of) : walk_trees(&m, of);
    answer->compared += m.compared;
    for (int i = 1; i < MOST_TASKS; i++)
        grz_enclosed_sum_join(&m.sums[0], &m.sums[i]);
    if (status == GRZ_OK)
        status = conclude(call, &of[0].list, &of[1].list, &m.sums[0], view->exponent, answer);
    for (int i = 0; i < 2; i++) {
        grz_prism_list_finish(&of[i].list, &call->frame.control);
        grz_swept_tree_finish(&of[i].tree);
    }
    grz_release(allocator, m.pairs, (size_t)MOST_TASKS * TASK_PAIRS, sizeof *m.pairs);
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
    grz_prism_list list = {.prisms = {NULL, 0, 0}};
    const grz_prism_list none = {.prisms = {NULL, 0, 0}};
    grz_enclosed_sum sum = {{0, 0}, {0, 0}};
    grz_status status = grz_prism_list_fill(&list, solid, &view.frame, &view.column, view.range, &call->frame.control);
    for (size_t i = 0; i < list.prisms.count; i++) {
        const grz_listed_prism *listed = &list.prisms.items[i];
        const grz_enclosure volume = listed->part ? grz_prism_part_down_to(&listed->prism, view.floor)
                                                  : grz_prism_down_to(&listed->prism, view.floor);
        grz_enclosed_sum_add(&sum, &volume, !listed->below);
    }
    if (status == GRZ_OK)
        status = conclude(call, &list, &none, &sum, view.exponent, answer);
    grz_prism_list_finish(&list, &call->frame.control);
    return status;
}

// ---- The call -----------------------------------------------------------------------------------------------------

// Which surfaces are measured, as bits: both if the solids cross or are the same, or the one inside.
static unsigned measured_of(grz_solids solids)
{
    return solids == GRZ_SOLIDS_A_INSIDE_B ? 1 : solids == GRZ_SOLIDS_B_INSIDE_A ? 2 : 3;
}

// How far a pose's rounding moves positions along an axis of the world, at most: of four sums, and of three products.
static double rounding_of(const grz_object *object, int axis)
{
    const double *m = object->pose.m[axis];
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += fabs(m[k]) * object->mesh->max_abs[k];
    return (4.0 * sum + fabs(m[3])) * (0.5 * DBL_EPSILON) * GRZ_MORE(8192) + GRZ_UNDERFLOWS;
}

// A pose that rounds so little that the surface where the mesh was made, which is kept with it, tells the sides.
// *found: it does not meet itself, so it can be used.
static grz_status prepare_moved(grz_move_call *call, const grz_object *object, grz_measured *solid, bool *found)
{
    const grz_object at_rest = grz_object_at_origin(object->mesh);
    const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
    *found = false;
    for (int i = 0; i < 3; i++) {
        solid->moved[i] = rounding_of(object, i);
        if (!(solid->moved[i] <= MOST_MOVED * (box.max[i] - box.min[i])))
            return GRZ_OK;
    }
    const grz_status status = grz_posed_surface_init(&solid->surface, &at_rest, call->options.inside_rule,
                                                     &call->frame.control, call->frame.error);
    *found = status == GRZ_OK && !solid->surface.surface->unclean;
    if (*found) {
        solid->surface.object = object;
        solid->surface.mirrored = grz_pose_turn(&object->pose) < 0;
        solid->is_moved = true;
    } else {
        grz_posed_surface_finish(grz_control_allocator(&call->frame.control), &solid->surface);
    }
    return status;
}

static grz_status prepare(grz_move_call *call, const grz_object *object, grz_measured *solid)
{
    const grz_inside_rule rule = call->options.inside_rule;
    grz_status status = GRZ_OK;
    bool mirrored, found = false;
    if (!grz_pose_is_exact(object, &mirrored) && grz_pose_turn(&object->pose) != 0)
        status = prepare_moved(call, object, solid, &found);
    if (status != GRZ_OK || found)
        return status;
    status = grz_posed_surface_init(&solid->surface, object, rule, &call->frame.control, call->frame.error);
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
