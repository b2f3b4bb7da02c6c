// SPDX-License-Identifier: MIT
// grz_overlap_depth(): checks what was asked, and whether there are solids; has the depth decided, then measured.
#include "ask/overlap/depth/overlap_depth.h"

#include <math.h>
#include <string.h>

#include "ask/overlap/depth/depth_places.h"
#include "ask/overlap/depth/depth_seeds.h"
#include "ask/overlap/depth/exact_way.h"
#include "ask/penetration/depth.h"
#include "ask/penetration/witness.h"
#include "base/certainty.h"
#include "base/fail.h"
#include "base/rounding.h"

static const grz_overlap_depth_options defaults = {.size = sizeof(grz_overlap_depth_options),
                                                   .inside_rule = GRZ_EVEN_ODD,
                                                   .measure = true,
                                                   .tolerance = 0.001,
                                                   .max_cells = 100000};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(overlap_depth_options, defaults);

static const grz_overlap_depth_answer nothing_known = {.upper = HUGE_VAL, .certainty = GRZ_UNDECIDED};

enum {
    FIRST_CELLS = 256,
    PLACE_CELLS = 512 // where places are, need not be known better than these show it
};

static const double PLACE_SHARE = 0x1p-3; // of the common box: cells of places are not longer

static const double BORDER_SHARE = 0.5, // of the size of places: cells at their border
    MAYBE_SHARE = 0.25; // of the size of cells at the border: that of doubtful ones that are cut further

static const double BAND = 1e-6; // what is deeper by less, relative to the depth asked for, is not deeper

static const char TOO_MANY_CELLS[] = "the search for the depth has used all its cells: it is between the bounds",
                  TOO_CLOSE[] = "the depth is too close to rounding: it is between the bounds",
                  IS_OPEN[] = "a mesh is open: the depth of its overlap is not defined",
                  BAD_WINDING[] =
                      "a mesh is not wound consistently: by the nonzero rule the depth of its overlap is not defined";

void grz_overlap_depth_options_init(grz_overlap_depth_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

const grz_options_type *grz_overlap_depth_options_type(void)
{
    return &options_type;
}

grz_status grz_overlap_depth_check(const grz_overlap_depth_options *options, const char *call, grz_error *error)
{
    if ((unsigned)options->inside_rule > GRZ_INSIDE_AUTO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: options.inside_rule is %d", call,
                        (int)options->inside_rule);
    if (!(options->deeper_than >= 0.0 && options->deeper_than < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: options.deeper_than is %g, need a depth of 0 or more, finite", call, options->deeper_than);
    if (!(options->tolerance > 0.0 && options->tolerance <= 1.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: options.tolerance is %g, need more than 0, at most 1", call, options->tolerance);
    if (options->parts == NULL && options->part_capacity > 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: options.parts is NULL, with room for %llu parts", call,
                        (unsigned long long)options->part_capacity);
    return GRZ_OK;
}

typedef struct question {
    grz_move_call *call;
    grz_overlap_depth_options options;
    grz_object objects[2];
    grz_depth_side sides[2];
    grz_cover cover;
    grz_overlap_depth_answer *answer;
    bool is_apart;      // proved: the insides have no common point
    bool is_known;      // is_apart says whether they have
    double moved_upper; // proved, by a move of all of A
} question;

// The exact decision about the insides, once.
static grz_status find_solids(question *q)
{
    grz_overlapping overlapping;
    if (q->is_known)
        return GRZ_OK;
    const grz_status status = grz_overlapping_find(q->call, &q->objects[0], &q->objects[1], &overlapping);
    if (status != GRZ_OK)
        return status;
    q->is_known = overlapping.solids != GRZ_SOLIDS_UNDECIDABLE;
    q->is_apart = q->is_known && !grz_solids_overlap(overlapping.solids);
    if (!q->is_known)
        q->answer->reason = overlapping.reason;
    return GRZ_OK;
}

static void take_bounds(question *q)
{
    grz_overlap_depth_answer *answer = q->answer;
    answer->lower = q->cover.best.depth;
    answer->upper = q->is_apart ? 0.0 : fmax(fmin(grz_cover_upper(&q->cover), q->moved_upper), answer->lower);
    memcpy(answer->centre, q->cover.best.at, sizeof answer->centre);
    answer->cells = q->cover.cell_count;
    answer->compared = q->cover.parted.compared;
}

static const char *why_not(const question *q)
{
    return q->cover.cell_count >= q->options.max_cells ? TOO_MANY_CELLS : TOO_CLOSE;
}

// Points between contacts.
static grz_status try_contacts(question *q, double enough)
{
    double points[GRZ_MOST_CANDIDATES][3];
    size_t count = 0;
    const grz_status status = grz_witness_candidates(q->call, &q->objects[0], &q->objects[1], points, &count);
    if (status != GRZ_OK || grz_cover_try_points(&q->cover, (const double(*)[3])points, count, enough))
        return status;
    return grz_call_explain(&q->call->frame, grz_control_status(&q->call->frame.control));
}

static bool is_undecided(const question *q, const grz_cover_goal *goal)
{
    return grz_cover_upper(&q->cover) > goal->depth && q->cover.best.depth <= goal->depth;
}

// Points below faces.
static grz_status try_seeds(question *q, double depth)
{
    double seeds[GRZ_MOST_SEEDS][3];
    const size_t count = grz_depth_seeds_list(q->sides, depth, seeds);
    if (grz_cover_measure_points(&q->cover, (const double(*)[3])seeds, count))
        return GRZ_OK;
    return grz_call_explain(&q->call->frame, grz_control_status(&q->call->frame.control));
}

// Points first, then some cells; then A is moved as a whole, exactly: cells need some room for rounding. Then all
// cells.
static grz_status search_or_move(question *q, const grz_cover_goal *goal)
{
    grz_cover_goal some = *goal;
    if (some.max_cells > FIRST_CELLS)
        some.max_cells = FIRST_CELLS;
    grz_status status = is_undecided(q, goal) ? try_seeds(q, goal->depth) : GRZ_OK;
    if (status == GRZ_OK)
        status = grz_cover_search(&q->cover, &some);
    if (status != GRZ_OK || !is_undecided(q, goal))
        return status;
    bool parts = false;
    status = try_contacts(q, goal->depth);
    if (status != GRZ_OK || q->cover.best.depth > goal->depth)
        return status;
    status = grz_parted_exactly(q->call, q->objects, q->sides, &q->cover.recent, goal->depth, &parts);
    if (status == GRZ_OK && parts)
        q->moved_upper = goal->depth;
    else if (status == GRZ_OK && goal->max_cells > some.max_cells)
        status = grz_cover_search(&q->cover, goal);
    return status;
}

// Cells at the border of a place need not be cut until they are proved to be less deep: they belong to it. Those that
// may be deeper, and of which no neighbour is known to be, are cut further.
static grz_status search_places(grz_cover *cover, grz_cover_goal *goal)
{
    grz_status status = grz_cover_search(cover, goal);
    while (status == GRZ_OK && goal->maybe_size > 0.0 && cover->cell_count < goal->max_cells) {
        bool any = false;
        status = grz_places_open_doubtful(cover, goal->depth, &any);
        if (status != GRZ_OK || !any)
            return status;
        goal->maybe_size *= MAYBE_SHARE;
        if (goal->maybe_size < GRZ_COVER_FINEST * cover->size)
            goal->maybe_size = 0.0;
        status = grz_cover_search(cover, goal);
    }
    return status;
}

// For places the search begins anew: it does not end at the first point that is deeper.
static grz_status find_places(question *q)
{
    grz_cover cover;
    const double asked = q->options.deeper_than;
    grz_cover_goal goal = {.decide = true,
                           .find_places = true,
                           .depth = asked * (1.0 + BAND) * GRZ_LESS(4),
                           .max_cells = q->options.max_cells < PLACE_CELLS ? q->options.max_cells : PLACE_CELLS};
    grz_status status = grz_cover_init(&cover, &q->call->frame, q->sides);
    if (status == GRZ_OK) {
        cover.best = q->cover.best;
        cover.recent = q->cover.recent;
        for (int k = 0; k < 3; k++)
            goal.place_size =
                fmax(goal.place_size, PLACE_SHARE * (cover.open.items[0].box.max[k] - cover.open.items[0].box.min[k]));
        goal.place_size = fmax(goal.place_size, asked);
        goal.depth = fmax(goal.depth, GRZ_COVER_FINEST * cover.size); // what is less deep may be rounding
        goal.maybe_size = BORDER_SHARE * goal.place_size;
        status = search_places(&cover, &goal);
        if (status == GRZ_OK)
            status = grz_places_list(&cover, q->options.parts, q->options.part_capacity, &q->answer->part_count);
        q->cover.best = cover.best; // at least as deep as before
    }
    grz_cover_finish(&cover);
    return status;
}

static grz_status decide(question *q)
{
    grz_overlap_depth_answer *answer = q->answer;
    const double asked = q->options.deeper_than;
    if (asked == 0.0) {
        const grz_status status = find_solids(q);
        answer->deeper = !q->is_known ? GRZ_DEEPER_UNKNOWN : q->is_apart ? GRZ_DEEPER_NO : GRZ_DEEPER_YES;
        return status;
    }
    const grz_cover_goal goal = {
        .decide = true, .depth = asked * (1.0 + BAND) * GRZ_LESS(4), .max_cells = q->options.max_cells};
    grz_status status = search_or_move(q, &goal);
    take_bounds(q);
    if (status == GRZ_OK && answer->upper > goal.depth && answer->lower == 0.0) {
        status = find_solids(q);
        take_bounds(q);
    }
    if (answer->upper <= goal.depth)
        answer->deeper = GRZ_DEEPER_NO;
    else if (answer->lower > goal.depth)
        answer->deeper = GRZ_DEEPER_YES;
    else
        answer->reason = why_not(q);
    return status;
}

// Where no common point was found in some cells, it is decided exactly whether there is one, before all cells are used.
static grz_status search_bounds(question *q, const grz_cover_goal *goal)
{
    grz_cover_goal some = *goal;
    if (some.max_cells > FIRST_CELLS)
        some.max_cells = FIRST_CELLS;
    grz_status status = grz_cover_search(&q->cover, &some);
    if (status == GRZ_OK && q->cover.best.depth == 0.0 && grz_cover_upper(&q->cover) > 0.0)
        status = find_solids(q);
    const bool ended = q->is_apart || q->cover.cell_count < some.max_cells || goal->max_cells == some.max_cells;
    if (status == GRZ_OK && !ended)
        status = try_contacts(q, HUGE_VAL);
    if (status == GRZ_OK && !ended)
        status = grz_cover_search(&q->cover, goal);
    return status;
}

static grz_status measure(question *q)
{
    grz_overlap_depth_answer *answer = q->answer;
    if (q->is_apart)
        return GRZ_OK;
    const grz_cover_goal goal = {.tolerance = q->options.tolerance, .max_cells = q->options.max_cells};
    const grz_status status = search_bounds(q, &goal);
    take_bounds(q);
    // A little more than what the search asks for: its sums are rounded.
    const double near = fmax(goal.tolerance * GRZ_MORE(8192) * answer->lower, 2.0 * GRZ_COVER_FINEST * q->cover.size);
    if (answer->upper - answer->lower > near + GRZ_COVER_FINEST * answer->upper)
        answer->reason = why_not(q);
    return status;
}

static grz_status search(question *q)
{
    grz_call *frame = &q->call->frame;
    grz_overlap_depth_answer *answer = q->answer;
    grz_status status = grz_depth_side_init(&q->sides[0], &q->objects[0], q->options.inside_rule, frame);
    if (status == GRZ_OK)
        status = grz_depth_side_init(&q->sides[1], &q->objects[1], q->options.inside_rule, frame);
    if (status != GRZ_OK)
        return status;
    for (int i = 0; i < 2; i++)
        if (q->sides[i].solid.fault != GRZ_FAULT_NONE) {
            answer->reason = q->sides[i].solid.fault == GRZ_FAULT_OPEN ? IS_OPEN : BAD_WINDING;
            return GRZ_OK;
        }
    status = grz_cover_init(&q->cover, frame, q->sides);
    if (status == GRZ_OK && q->options.decide)
        status = decide(q);
    if (status == GRZ_OK && q->options.parts != NULL && answer->deeper == GRZ_DEEPER_YES)
        status = find_places(q);
    if (status == GRZ_OK && q->options.measure)
        status = measure(q);
    take_bounds(q);
    grz_cover_finish(&q->cover);
    return status;
}

static grz_status find(question *q, const grz_object *a, const grz_object *b)
{
    grz_move_call *call = q->call;
    grz_overlap_depth_answer *answer = q->answer;
    grz_status status = grz_overlap_depth_check(&q->options, call->frame.name, call->frame.error);
    if (status == GRZ_OK)
        status = grz_move_check(call, a, NULL, "A", 0, &q->objects[0]);
    if (status == GRZ_OK)
        status = grz_move_check(call, b, NULL, "B", 1, &q->objects[1]);
    if (status != GRZ_OK)
        return status;
    if (q->objects[0].mesh->triangle_count == 0 || q->objects[1].mesh->triangle_count == 0) {
        answer->upper = 0.0; // no inside, as grz_collide() has it
        answer->deeper = q->options.decide ? GRZ_DEEPER_NO : GRZ_DEEPER_UNKNOWN;
    } else {
        status = search(q);
        grz_depth_side_finish(&q->sides[0]);
        grz_depth_side_finish(&q->sides[1]);
    }
    if (answer->reason == NULL && status == GRZ_OK)
        answer->certainty = grz_certainty_of_bounds(answer->lower, answer->upper);
    return status;
}

grz_status grz_overlap_depth(grz_device *device, const grz_object *a, const grz_object *b,
                             const grz_overlap_depth_options *options, grz_overlap_depth_answer *answer,
                             grz_error *error)
{
    grz_move_call call = {.options = {.inside_rule = GRZ_EVEN_ODD}};
    question q = {.call = &call, .answer = answer, .moved_upper = HUGE_VAL};
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "overlap depth: the answer is NULL");
    *answer = nothing_known;
    grz_status status = grz_call_begin(&call.frame, "overlap depth", device, &options_type, options, &q.options, error);
    call.options = grz_default_move_options();
    call.options.inside_rule = q.options.inside_rule;
    if (status == GRZ_OK)
        status = find(&q, a, b);
    if (status != GRZ_OK)
        answer->certainty = GRZ_UNDECIDED;
    if (status != GRZ_OK && status != GRZ_ERROR_DEADLINE && status != GRZ_ERROR_CANCELLED)
        *answer = nothing_known;
    return grz_call_end(&call.frame, status);
}
