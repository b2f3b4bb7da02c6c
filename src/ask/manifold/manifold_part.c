// SPDX-License-Identifier: MIT
// A few directions are tried, and that of the least depth is taken: of the normals of the faces that meet, and the
// mean normal of all contacts, those along which these faces are the least behind each other. The best is turned while
// that makes it better. Solids are measured by grz_penetration_along(), open
// surfaces by when they touch no more. One inside the other, without contacts, is left to grz_penetration().
#include "ask/manifold/manifold_part.h"

#include <math.h>
#include <string.h>

#include "ask/manifold/facing.h"
#include "ask/penetration/depth.h"
#include "base/call.h"
#include "base/sort/sort.h"
#include "geometry/exact/powers.h"
#include "geometry/triangle/normal.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"
#include "result/result.h"

enum {
    MOST_RANKED = 64, // directions that are guessed at
    MOST_TRIED = 2,   // that are measured
    MOST_TURNS = 8    // of the best
};

static const double SAME_WAY = 1.0 - 0x1p-20; // the cosine at which two directions are one
static const double BETTER = 1.0 - 0x1p-40;   // of a depth: what counts as less
static const double BEYOND = 0x1p-20;         // of a limit: how far beyond it is looked

typedef struct weighted_normal {
    double normal[3], weight;
} weighted_normal;

typedef struct search {
    grz_move_call *call;
    const grz_object *a, *b;
    const grz_result *result;
    grz_overlapping start;
    GRZ_ARRAY(weighted_normal) normals;
    GRZ_ARRAY(double) corners_a; // of the faces that meet
    GRZ_ARRAY(double) corners_b;
    double tried[MOST_TRIED][3];
    int tried_count;
    grz_parting *best;
} search;

// ---- Measures -----------------------------------------------------------------------------------------------------

// `limit`: depths above are not of interest.
static grz_status measure_solids(search *s, const double normal[3], double limit, grz_parting *out)
{
    grz_penetration_answer answer = grz_penetration_nothing;
    uint32_t parting[2];
    const grz_status status = grz_depth_along(s->call, s->a, s->b, &s->start, normal, limit, &answer, parting);
    out->depth = answer.depth;
    out->lower = answer.lower;
    out->upper = answer.upper;
    out->reason = answer.reason;
    return status;
}

// The sizes of both, added: moved by twice that, nothing touches any more.
static double size_of(const search *s)
{
    const grz_object *a = s->a, *b = s->b;
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size += (box_a.max[k] - box_a.min[k]) + (box_b.max[k] - box_b.min[k]);
    return size;
}

// Until when do the surfaces touch, from the start on?
static grz_status measure_surfaces(search *s, const double normal[3], double limit, grz_parting *out)
{
    const double far = fmin(limit * (1.0 + BEYOND), 2.0 * size_of(s));
    grz_contact_interval first;
    uint64_t found;
    double to[3], largest = far;
    for (int k = 0; k < 3; k++) {
        to[k] = s->a->pose.m[k][3] + far * normal[k];
        largest = fmax(largest, fabs(to[k]));
    }
    grz_move_options options = s->call->options;
    options.limits = grz_control_limits_left(&s->call->frame.control);
    const grz_status status = grz_move_intervals(s->call->frame.device, s->a, to, s->b, NULL, &options, &first, 1,
                                                 &found, s->call->frame.error);
    if (status != GRZ_OK || found == 0 || first.enter > 0.0 || first.leave == 1.0)
        return status;
    // `to` was rounded twice, the normal's length and the products here once each: both bounds are widened by 8.
    const double rounding = 0x1p-50 * largest;
    out->depth = first.leave * far;
    out->lower = fmax(0.0, first.leave_lower * far - rounding);
    out->upper = first.leave_upper * far + rounding;
    return status;
}

static grz_status measure(search *s, const double normal[3], double limit, grz_parting *out)
{
    return out->solid ? measure_solids(s, normal, limit, out) : measure_surfaces(s, normal, limit, out);
}

// How far A's faces that meet any of B's are behind those, along a normal: what the way out may be.
static double guess(const search *s, const double normal[3])
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < s->corners_a.count; i += 3)
        low = fmin(low, grz_dot(normal, s->corners_a.items + i));
    for (size_t i = 0; i < s->corners_b.count; i += 3)
        high = fmax(high, grz_dot(normal, s->corners_b.items + i));
    return high - low;
}

static grz_status try_way(search *s, const double direction[3])
{
    grz_parting here = {.depth = HUGE_VAL, .upper = HUGE_VAL, .solid = s->best->solid};
    double normal[3] = {direction[0], direction[1], direction[2]};
    if (s->tried_count == MOST_TRIED || !grz_make_unit(normal))
        return GRZ_OK;
    for (int i = 0; i < s->tried_count; i++)
        if (grz_dot(s->tried[i], normal) >= SAME_WAY)
            return GRZ_OK;
    memcpy(s->tried[s->tried_count++], normal, sizeof normal);
    memcpy(here.normal, normal, sizeof normal);
    const double guessed = s->corners_a.count > 0 ? 2.0 * guess(s, normal) : HUGE_VAL,
                 limit = fmin(s->best->upper, guessed > 0.0 ? guessed : HUGE_VAL);
    grz_status status = measure(s, normal, limit, &here);
    if (status == GRZ_OK && !(here.upper < HUGE_VAL) && limit < s->best->upper) // the guess was too small
        status = measure(s, normal, s->best->upper, &here);
    if (status == GRZ_OK && here.upper < s->best->upper * BETTER)
        *s->best = here;
    return status;
}

// Turn the best direction to the axis along which the deepest faces or edges part, while that makes the way shorter.
static grz_status turn(search *s)
{
    for (int i = 0; i < MOST_TURNS && s->best->upper < HUGE_VAL; i++) {
        const double before = s->best->upper;
        double axis[3];
        bool any;
        grz_status status = grz_facing_axis(s->call, s->a, s->b, s->best->normal, before, axis, &any);
        if (status == GRZ_OK && any) {
            s->tried_count = 0;
            status = try_way(s, axis);
        }
        if (status != GRZ_OK || !any || !(s->best->upper < before))
            return status;
    }
    return GRZ_OK;
}

static void rank(const search *s, const double normal[3], weighted_normal ranked[MOST_TRIED], int *count)
{
    const weighted_normal here = {{normal[0], normal[1], normal[2]}, guess(s, normal)};
    int at = *count < MOST_TRIED ? *count : MOST_TRIED - 1;
    if (*count == MOST_TRIED && !(here.weight < ranked[at].weight))
        return;
    for (; at > 0 && here.weight < ranked[at - 1].weight; at--)
        ranked[at] = ranked[at - 1];
    ranked[at] = here;
    *count += *count < MOST_TRIED;
}

// ---- Directions ---------------------------------------------------------------------------------------------------

static int compare_normals(const void *x, const void *y, void *context)
{
    const weighted_normal *a = x, *b = y;
    (void)context;
    for (int k = 0; k < 3; k++)
        if (a->normal[k] != b->normal[k])
            return a->normal[k] < b->normal[k] ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static int compare_weights(const void *x, const void *y, void *context)
{
    const weighted_normal *a = x, *b = y;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return compare_normals(x, y, context);
}

static grz_status add(search *s, const double normal[3], double sign, double weight)
{
    if (!grz_array_add(grz_control_allocator(&s->call->frame.control), &s->normals))
        return grz_call_explain(&s->call->frame, GRZ_ERROR_MEMORY);
    weighted_normal *to = &s->normals.items[s->normals.count - 1];
    to->weight = weight;
    for (int k = 0; k < 3; k++)
        to->normal[k] = sign * normal[k] + 0.0; // no -0
    return GRZ_OK;
}

// Of points times 2^shift.
static double weight_of(const double *points, uint32_t count, int shift)
{
    double square = 0.0;
    for (uint32_t i = 1; i < count; i++) { // the longest way across
        double d[3];
        for (uint32_t k = 0; k < 3; k++)
            d[k] = grz_times_power(points[3 * i + k] - points[k], shift);
        square = fmax(square, grz_dot(d, d));
    }
    return sqrt(square);
}

static grz_status face_normal(search *s, const grz_object *object, uint32_t triangle, double sign, double weight)
{
    const grz_allocator *allocator = grz_control_allocator(&s->call->frame.control);
    double c[3][3];
    grz_unit_normal normal;
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    for (int i = 0; i < 9; i++) {
        const bool any = sign < 0.0 ? grz_array_add(allocator, &s->corners_a) : grz_array_add(allocator, &s->corners_b);
        if (!any)
            return grz_call_explain(&s->call->frame, GRZ_ERROR_MEMORY);
        if (sign < 0.0)
            s->corners_a.items[s->corners_a.count - 1] = c[i / 3][i % 3];
        else
            s->corners_b.items[s->corners_b.count - 1] = c[i / 3][i % 3];
    }
    grz_triangle_normal((const double(*)[3])c, &normal);
    return normal.direction.zero ? GRZ_OK : add(s, normal.unit, sign, weight);
}

// Equal normals become one, the sum of their weights; the heaviest first.
static grz_status merge(search *s)
{
    grz_control *control = &s->call->frame.control;
    size_t kept = 0;
    grz_status status =
        grz_sort(s->normals.items, s->normals.count, sizeof *s->normals.items, compare_normals, NULL, control);
    for (size_t i = 0; i < s->normals.count && status == GRZ_OK; i++) {
        const weighted_normal *next = &s->normals.items[i];
        if (kept > 0 && memcmp(s->normals.items[kept - 1].normal, next->normal, sizeof next->normal) == 0)
            s->normals.items[kept - 1].weight += next->weight;
        else
            s->normals.items[kept++] = *next;
    }
    if (status == GRZ_OK) {
        s->normals.count = kept;
        status = grz_sort(s->normals.items, kept, sizeof *s->normals.items, compare_weights, NULL, control);
    }
    return grz_call_explain(&s->call->frame, status);
}

// Contact i is that of the i-th pair of triangles found.
static grz_status collect(search *s, bool faces)
{
    uint64_t count;
    const grz_contact *contacts = grz_result_contacts(s->result, &count);
    const double *points = grz_result_points(s->result, NULL);
    const int shift = grz_facing_shift(s->a, s->b);
    grz_status status = GRZ_OK;
    s->normals.count = 0;
    for (uint64_t i = 0; i < count && status == GRZ_OK; i++) {
        const double weight = weight_of(points + 3 * contacts[i].first_point, contacts[i].point_count, shift);
        if (!faces) {
            status = add(s, contacts[i].normal, 1.0, weight);
            continue;
        }
        const grz_found *found = &s->result->found.items[i];
        status = face_normal(s, s->b, found->triangle_b, 1.0, weight);
        if (status == GRZ_OK)
            status = face_normal(s, s->a, found->triangle_a, -1.0, weight);
    }
    return status == GRZ_OK ? merge(s) : status;
}

static grz_status search_ways(search *s)
{
    double mean[3] = {0.0, 0.0, 0.0};
    grz_status status = collect(s, false);
    for (size_t i = 0; i < s->normals.count && status == GRZ_OK; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += s->normals.items[i].weight * s->normals.items[i].normal[k];
    if (status == GRZ_OK)
        status = collect(s, true);
    weighted_normal ranked[MOST_TRIED];
    int count = 0;
    for (size_t i = 0; i < s->normals.count && i < MOST_RANKED && status == GRZ_OK; i++)
        rank(s, s->normals.items[i].normal, ranked, &count);
    if (status == GRZ_OK && grz_make_unit(mean))
        rank(s, mean, ranked, &count);
    for (int i = 0; i < count && status == GRZ_OK; i++)
        status = try_way(s, ranked[i].normal);
    return status == GRZ_OK ? turn(s) : status;
}

static grz_status ask_least(search *s)
{
    grz_penetration_answer answer;
    grz_move_options options = s->call->options;
    options.limits = grz_control_limits_left(&s->call->frame.control);
    const grz_status status =
        grz_penetration(s->call->frame.device, s->a, s->b, &options, &answer, s->call->frame.error);
    if (status != GRZ_OK || !(answer.upper < HUGE_VAL))
        return status;
    return try_way(s, answer.direction);
}

grz_status grz_parting_find(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_result *result,
                            const double direction[3], grz_parting *parting)
{
    search s = {.call = call, .a = a, .b = b, .result = result, .best = parting};
    const grz_summary *summary = grz_result_summary(result);
    grz_status status = GRZ_OK;
    *parting = (grz_parting){.depth = HUGE_VAL, .upper = HUGE_VAL};
    s.start.solids = summary->solids;
    s.start.reason = summary->solids_reason;
    parting->solid = summary->solids != GRZ_SOLIDS_UNDECIDABLE && summary->solids != GRZ_SOLIDS_NOT_ASKED;
    if (parting->solid)
        status = grz_overlapping_find_surfaces(call, a, b, &s.start);
    if (status != GRZ_OK)
        ; // nothing more is asked
    else if (direction[0] != 0.0 || direction[1] != 0.0 || direction[2] != 0.0)
        status = try_way(&s, direction);
    else if (summary->pair_count > 0)
        status = search_ways(&s);
    else if (parting->solid)
        status = ask_least(&s);
    grz_overlapping_finish(call, &s.start);
    grz_array_finish(grz_control_allocator(&call->frame.control), &s.normals);
    grz_array_finish(grz_control_allocator(&call->frame.control), &s.corners_a);
    grz_array_finish(grz_control_allocator(&call->frame.control), &s.corners_b);
    return status;
}
