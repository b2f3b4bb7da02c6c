// SPDX-License-Identifier: MIT
// Ways to a proof. If the moved positions are doubles, the solids are classified there exactly; if not, with integers
// (moment/). If a point is certainly inside both solids, they overlap. If the surfaces are farther apart than what
// rounding moves, containment at the rounded positions is containment at the exact ones.
#include "ask/penetration/overlap.h"

#include <math.h>

#include "ask/penetration/deepest.h"
#include "ask/penetration/moment/scaled.h"
#include "ask/penetration/witness.h"
#include "ask/solids_overlap.h"
#include "base/control.h"
#include "base/rounding.h"
#include "geometry/exact/expansion.h"
#include "geometry/pose.h"

// ---- Exact positions ----------------------------------------------------------------------------------------------

// True if from + step = to, without any rounding.
static bool is_sum(double from, double step, double to)
{
    const double sum = from + step, part = sum - from;
    return sum == to && (from - (sum - part)) + (step - part) == 0.0;
}

// True if each vertex of the moved object is, as doubles, where A is at that time.
static bool is_exact(const grz_path *path, const grz_object *moved, double time)
{
    const grz_mesh *mesh = path->a->mesh;
    double step[3];
    for (int k = 0; k < 3; k++) {
        double error;
        two_product(time, path->motion.v[k], &step[k], &error);
        const bool can_underflow = fabs(step[k]) < GRZ_PRODUCT_MIN && time != 0.0 && path->motion.v[k] != 0.0;
        if (error != 0.0 || can_underflow || !(fabs(step[k]) < GRZ_PRODUCT_MAX))
            return false;
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        double from[3], to[3];
        grz_world_position(&path->a->pose, grz_mesh_position(mesh, i), from);
        grz_world_position(&moved->pose, grz_mesh_position(mesh, i), to);
        for (int k = 0; k < 3; k++)
            if (!is_sum(from[k], step[k], to[k]))
                return false;
    }
    return true;
}

static grz_status collide(grz_move_call *call, const grz_object *a, const grz_object *b, uint32_t find,
                          grz_summary *summary)
{
    grz_result *result = NULL;
    const grz_status status = grz_move_ask(call, a, b, find, &result);
    if (status == GRZ_OK)
        *summary = *grz_result_summary(result);
    grz_result_destroy(result);
    return status;
}

// If the moved positions are doubles. *exact: they are.
static grz_status decide_exactly(grz_move_call *call, const grz_path *path, double time, bool *exact,
                                 grz_overlap *overlap)
{
    const grz_moved moved = grz_moved_to(path, time, time);
    grz_summary summary;
    *exact = is_exact(path, &moved.object, time);
    if (!*exact)
        return GRZ_OK;
    const grz_status status = collide(call, &moved.object, path->b, GRZ_FIND_SOLIDS, &summary);
    if (status == GRZ_OK)
        *overlap = summary.solids == GRZ_SOLIDS_UNDECIDABLE ? GRZ_OVERLAP_UNKNOWN
                   : grz_solids_overlap(summary.solids)     ? GRZ_OVERLAP_YES
                                                            : GRZ_OVERLAP_NO;
    return status;
}

// A point that is inside both proves an overlap.
static grz_status find_witness(grz_move_call *call, const grz_path *path, double low, double high, grz_overlap *overlap)
{
    double depth;
    const grz_status status = grz_witness_find(call, path, low, high, &depth);
    if (status == GRZ_OK && depth > 0.0)
        *overlap = GRZ_OVERLAP_YES;
    return status;
}

grz_status grz_overlap_at(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                          const grz_instant *when, grz_overlap *overlap)
{
    bool exact = false;
    *overlap = GRZ_OVERLAP_UNKNOWN;
    grz_status status = GRZ_OK;
    if (grz_instant_is_double(when))
        status = decide_exactly(call, path, when->at.nearest, &exact, overlap);
    if (status == GRZ_OK && !exact)
        status = grz_overlap_at_instant(call, path, surfaces, when, overlap);
    if (status == GRZ_OK && *overlap == GRZ_OVERLAP_UNKNOWN)
        status = find_witness(call, path, when->at.lower, when->at.upper, overlap);
    if (status == GRZ_OK && *overlap == GRZ_OVERLAP_UNKNOWN)
        status = grz_overlap_of_scaled(call, path, when, overlap);
    return status;
}

// ---- Where the surfaces do not touch ------------------------------------------------------------------------------

// A double between two others, with few digits. after < before.
static double short_between(double after, double before)
{
    int exponent;
    frexp(before - after, &exponent);
    const double step = ldexp(0.5, exponent), between = (floor(after / step) + 1.0) * step;
    return after < between && between < before ? between : after + 0.5 * (before - after);
}

// Does the surface of one solid lie in the other, farther from its surface than what rounding moves? Then so does some
// of what it bounds.
static grz_status find_deep_surface(grz_move_call *call, const grz_path *path, const grz_moved *moved,
                                    grz_overlap *overlap)
{
    grz_deepest of_a, of_b = {.count = 0};
    grz_status status = grz_deepest_find(call, &moved->object, &path->a->pose, path->b, &of_a);
    if (status == GRZ_OK)
        status = grz_deepest_find(call, path->b, &path->b->pose, &moved->object, &of_b);
    if (status == GRZ_OK && ((of_a.count > 0 && of_a.depths[0] > 2.0 * moved->error) ||
                             (of_b.count > 0 && of_b.depths[0] > 2.0 * moved->error)))
        *overlap = GRZ_OVERLAP_YES;
    return status;
}

static bool are_clean(const grz_posed_surface surfaces[2])
{
    return surfaces[0].surface != NULL && surfaces[1].surface != NULL && !surfaces[0].surface->unclean &&
           !surfaces[1].surface->unclean;
}

// At rounded positions. If no part of a surface is in the other solid, the solids have no common inside. A part that is
// in it may bound nothing: a triangle without area, or two that lie on each other.
static grz_status decide_rounded(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                                 double time, grz_overlap *overlap)
{
    const grz_moved moved = grz_moved_to(path, time, time);
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer distance;
    grz_summary summary;
    options.relative_error = 0.5;
    options.limits = grz_control_limits_left(&call->frame.control);
    grz_status status =
        grz_distance(call->frame.device, &moved.object, path->b, &options, &distance, call->frame.error);
    if (status != GRZ_OK || !(distance.lower > 2.0 * moved.error))
        return status;
    status = collide(call, &moved.object, path->b, GRZ_FIND_CONTAINMENT, &summary);
    if (status != GRZ_OK || summary.containment != GRZ_CONTAINMENT_DECIDED)
        return status;
    if (summary.relation == GRZ_APART)
        *overlap = GRZ_OVERLAP_NO;
    else
        status = are_clean(surfaces) ? find_deep_surface(call, path, &moved, overlap)
                                     : find_witness(call, path, time, time, overlap);
    return status;
}

grz_status grz_overlap_between(grz_move_call *call, const grz_path *path, const grz_posed_surface surfaces[2],
                               double after, double before, grz_overlap *overlap)
{
    bool exact;
    *overlap = GRZ_OVERLAP_UNKNOWN;
    if (!(after < before))
        return GRZ_OK;
    const double time = short_between(after, before);
    if (!(after < time && time < before))
        return GRZ_OK;
    const grz_status status = decide_exactly(call, path, time, &exact, overlap);
    return status != GRZ_OK || exact ? status : decide_rounded(call, path, surfaces, time, overlap);
}
