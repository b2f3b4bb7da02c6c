// SPDX-License-Identifier: MIT
// grz_manifold_find(): puts the two bodies into an order of their own, so that exchanging them changes only signs; asks
// how they lie; and takes few of the points of contacts (touching.h) or of faces that lie opposite (facing.h).
#include <graze/locate.h>
#include <graze/manifold.h>

#include <math.h>
#include <string.h>

#include "ask/manifold/facing.h"
#include "ask/manifold/manifold_part.h"
#include "ask/touching/touching.h"
#include "ask/solids_overlap.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/fail.h"
#include "base/options.h"
#include "geometry/pose.h"

enum {
    MOST_TRIES = 256,  // choices of points, of which some may be dropped
    MOST_DROPPED = 64, // deepest points
    PLACES = 8         // between two faces, at which it is asked what is there
};

static const double SHALLOW = 0x1p-4;    // of the deepest point: points that are less deep need no push
static const double BEYOND = 0x1p-30;    // of the depth: what its rounding may be
static const double TO_MIDDLE = 0x1p-10; // the way to the middle of a pair of faces at which a point is located

static const grz_manifold_options defaults = {.size = sizeof(grz_manifold_options), .max_points = 4};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(manifold_options, defaults);

void grz_manifold_options_init(grz_manifold_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

// Read the options, and what the motions that are followed need of them.
static grz_status read_options(const grz_manifold_options *given, grz_manifold_options *options, grz_move_options *move,
                               grz_error *error)
{
    *move = grz_default_move_options();
    const grz_status status = grz_options_read(&options_type, "manifold", given, options, error);
    if (status != GRZ_OK)
        return status;
    move->limits = options->limits;
    move->method = options->method;
    move->inside_rule = options->inside_rule;
    if (options->max_points < 1 || options->max_points > GRZ_MANIFOLD_MAX_POINTS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "manifold: options.max_points is %u, must be 1 to %d", options->max_points,
                        GRZ_MANIFOLD_MAX_POINTS);
    for (int k = 0; k < 3; k++)
        if (!(fabs(options->direction[k]) <= 0x1p300)) // so that squares do not overflow
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "manifold: options.direction[%d] is %g, must be finite and at most 2^300 in magnitude", k,
                            options->direction[k]);
    return GRZ_OK;
}

// ---- Bodies that penetrate ----------------------------------------------------------------------------------------

// Is there something of the bodies all the way from A's surface to B's? Where a place is outside of both, the two faces
// look at each other through a gap, and nothing overlaps. But where they part last there is a contact in any case.
static grz_status is_within(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_parting *parting,
                            const grz_patch_point *point, bool *within)
{
    *within = point->depth >= parting->upper * (1.0 - BEYOND);
    if (*within)
        return GRZ_OK;
    grz_locate_options options = grz_default_locate_options();
    grz_location of_a[PLACES], of_b[PLACES];
    double places[PLACES][3];
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < 3; k++)
            places[i][k] = point->at[k] + TO_MIDDLE * (point->middle[k] - point->at[k]) +
                           ((i + 0.5) / PLACES - 0.5) * point->depth * parting->normal[k];
    options.inside_rule = call->options.inside_rule;
    options.limits = grz_control_limits_left(&call->frame.control);
    grz_status status = grz_locate_points(call->frame.device, a, places[0], PLACES, &options, of_a, call->frame.error);
    if (status == GRZ_OK)
        status = grz_locate_points(call->frame.device, b, places[0], PLACES, &options, of_b, call->frame.error);
    *within = status == GRZ_OK;
    for (int i = 0; i < PLACES && *within; i++)
        *within = of_a[i] != GRZ_OUTSIDE || of_b[i] != GRZ_OUTSIDE;
    return status;
}

static void drop(grz_patch *patch, size_t index)
{
    patch->points.count--;
    memmove(&patch->points.items[index], &patch->points.items[index + 1],
            (patch->points.count - index) * sizeof *patch->points.items);
}

// Drop the deepest point until it is within the overlap, and then those that are not nearly as deep.
static grz_status keep_deep(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_parting *parting,
                            grz_patch *patch)
{
    bool within = false;
    double least = 0.0;
    size_t kept = 0;
    for (int i = 0; !within && patch->points.count > 0; i++) {
        size_t deepest = 0;
        for (size_t j = 1; j < patch->points.count; j++)
            deepest = patch->points.items[j].depth > patch->points.items[deepest].depth ? j : deepest;
        const grz_patch_point *point = &patch->points.items[deepest];
        const grz_status status = is_within(call, a, b, parting, point, &within);
        if (status != GRZ_OK)
            return status;
        least = SHALLOW * point->depth;
        if (i == MOST_DROPPED)
            patch->points.count = 0;
        else if (!within)
            drop(patch, deepest);
    }
    for (size_t i = 0; i < patch->points.count; i++)
        if (patch->points.items[i].depth >= least)
            patch->points.items[kept++] = patch->points.items[i];
    patch->points.count = kept;
    return GRZ_OK;
}

// Drop those of the chosen points that are not within the overlap.
static grz_status drop_wrong(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_parting *parting,
                             grz_patch *patch, const uint32_t *chosen, uint32_t count, bool *dropped)
{
    *dropped = false;
    for (uint32_t i = count; i > 0; i--) { // their indices rise
        bool within;
        const grz_status status = is_within(call, a, b, parting, &patch->points.items[chosen[i - 1]], &within);
        if (status != GRZ_OK)
            return status;
        if (!within)
            drop(patch, chosen[i - 1]);
        *dropped = *dropped || !within;
    }
    return GRZ_OK;
}

static void take_points(const grz_patch *patch, const uint32_t *chosen, uint32_t count, const grz_parting *parting,
                        grz_manifold_answer *answer)
{
    for (uint32_t i = 0; i < count; i++) {
        const grz_patch_point *from = &patch->points.items[chosen[i]];
        grz_manifold_point *to = &answer->points[answer->count++];
        *to = (grz_manifold_point){.face_a = from->face_a, .face_b = from->face_b};
        to->depth = fmin(from->depth, parting->upper);
        memcpy(to->position, from->at, sizeof to->position);
        memcpy(to->normal, parting->normal, sizeof to->normal);
    }
}

static grz_status overlap(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_result *result,
                          const grz_manifold_options *options, const double direction[3], grz_manifold_answer *answer)
{
    grz_parting parting;
    grz_patch patch = {.points = {0}};
    uint32_t chosen[GRZ_PATCH_MOST], count = 0;
    grz_status status = grz_parting_find(call, a, b, result, direction, &parting);
    if (status != GRZ_OK)
        return status;
    answer->depth = parting.depth;
    answer->lower = parting.lower;
    answer->upper = parting.upper;
    if (answer->certainty != GRZ_UNDECIDED)
        answer->certainty = parting.solid ? grz_certainty_of_bounds(parting.lower, parting.upper)
                                          : grz_certainty_of_estimate(parting.lower, parting.upper);
    if (answer->reason == NULL)
        answer->reason = parting.reason;
    if (!(parting.upper < HUGE_VAL))
        return GRZ_OK;
    status =
        grz_facing_find(call, a, b, parting.normal, BEYOND * parting.upper, parting.upper * (1.0 + BEYOND), &patch);
    if (status == GRZ_OK && parting.solid)
        status = keep_deep(call, a, b, &parting, &patch);
    bool dropped = true;
    for (int i = 0; i <= MOST_TRIES && status == GRZ_OK && dropped && patch.points.count > 0; i++) {
        const uint32_t most = i < MOST_TRIES ? options->max_points : 1; // the deepest is never dropped
        status = grz_patch_choose(&patch, parting.normal, most, &call->frame.control, chosen, &count);
        dropped = false;
        if (status == GRZ_OK && parting.solid)
            status = drop_wrong(call, a, b, &parting, &patch, chosen, count, &dropped);
    }
    if (status == GRZ_OK && !dropped && patch.points.count > 0)
        take_points(&patch, chosen, count, &parting, answer);
    memcpy(answer->normal, parting.normal, sizeof answer->normal);
    grz_array_finish(grz_control_allocator(&call->frame.control), &patch.points);
    return grz_call_explain(&call->frame, status);
}

// ---- The call -----------------------------------------------------------------------------------------------------

static void turn(double normal[3])
{
    for (int k = 0; k < 3; k++)
        normal[k] = 0.0 - normal[k];
}

static void exchange(grz_manifold_answer *answer)
{
    turn(answer->normal);
    for (uint32_t i = 0; i < answer->count; i++) {
        grz_manifold_point *point = &answer->points[i];
        const uint32_t face = point->face_a;
        point->face_a = point->face_b;
        point->face_b = face;
        turn(point->normal);
    }
}

static grz_status find_ordered(grz_move_call *call, const grz_object *a, const grz_object *b,
                               const grz_manifold_options *options, const double direction[3],
                               grz_manifold_answer *answer)
{
    grz_result *result = NULL;
    bool ignored;
    const uint32_t find =
        options->surfaces ? GRZ_FIND_CONTACTS : GRZ_FIND_CONTACTS | GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS;
    grz_status status = grz_move_ask(call, a, b, find, &result);
    if (status == GRZ_OK) {
        const grz_summary *summary = grz_result_summary(result);
        answer->certainty = summary->solids == GRZ_SOLIDS_UNDECIDABLE ? GRZ_UNDECIDED : GRZ_EXACT;
        answer->reason = summary->solids_reason;
        answer->penetrating = grz_summary_overlaps(summary);
        answer->depth = answer->upper = 0.0;
        if (answer->penetrating) {
            status = overlap(call, a, b, result, options, direction, answer);
        } else {
            status = grz_call_explain(&call->frame, grz_manifold_of_contacts(result, a, b, options->max_points,
                                                                             &call->frame.control, answer, &ignored));
            memcpy(answer->normal, answer->points[0].normal, sizeof answer->normal);
        }
    }
    grz_result_destroy(result);
    return status;
}

static const grz_manifold_answer nothing = {.certainty = GRZ_UNDECIDED, .depth = HUGE_VAL, .upper = HUGE_VAL};

static grz_status find(grz_move_call *call, const grz_object *a, const grz_object *b, grz_manifold_options *options,
                       grz_manifold_answer *answer)
{
    grz_object here[2];
    grz_status status = grz_move_check(call, a, NULL, "A", 0, &here[0]);
    if (status == GRZ_OK)
        status = grz_move_check(call, b, NULL, "B", 1, &here[1]);
    if (status != GRZ_OK)
        return status;
    const bool exchanged = grz_touching_is_exchanged(&here[0], &here[1]);
    if (exchanged)
        turn(options->direction);
    status = find_ordered(call, &here[exchanged], &here[!exchanged], options, options->direction, answer);
    if (exchanged)
        exchange(answer);
    return status;
}

grz_status grz_manifold_find(grz_device *device, const grz_object *a, const grz_object *b,
                             const grz_manifold_options *options, grz_manifold_answer *answer, grz_error *error)
{
    grz_move_call call;
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "manifold: the answer is NULL");
    *answer = nothing;
    grz_manifold_options read;
    grz_move_options move;
    const grz_status refused = read_options(options, &read, &move, error);
    if (refused != GRZ_OK)
        return refused;
    grz_status status = grz_move_begin(&call, "manifold", device, &move, error);
    if (status == GRZ_OK)
        status = find(&call, a, b, &read, answer);
    if (status != GRZ_OK)
        *answer = nothing;
    return grz_call_end(&call.frame, status);
}
