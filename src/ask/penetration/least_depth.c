// SPDX-License-Identifier: MIT
// grz_penetration(): the shortest of the depths along many directions is an upper bound, and how deep points are inside
// a lower one. Directions: out of the deepest points, the normals of contacts, between the middles of the objects, the
// axes. From each, the search goes on along the axis on which the last triangles parted: for convex solids that never
// makes the depth larger.
#include <math.h>
#include <string.h>

#include "ask/penetration/balls.h"
#include "ask/penetration/convex_pair.h"
#include "ask/penetration/deepest.h"
#include "ask/penetration/depth.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/fail.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    MOST_DIRECTIONS = 96,
    FEW_TRIANGLES = 64, // of a mesh whose faces all give directions
    SMALL_SOLIDS = 400, // triangles of both: every direction is followed up to the shortest way so far
    MOST_NORMALS = 8,   // of contacts
    MOST_TURNS = 12     // from one direction on
};

static const double SAME_WAY = 0.999; // the cosine at which two directions count as one
static const double BETTER = 1.0 - 0x1p-40;

typedef struct search {
    grz_move_call *call;
    grz_object a, b;
    grz_overlapping start;
    double directions[MOST_DIRECTIONS][3];
    int count;
    double lower;
    bool is_rounded_once; // the depth of `best` is the exact least one, rounded
    grz_penetration_answer best;
} search;

static void add_direction(search *s, const double way[3])
{
    double unit[3] = {way[0], way[1], way[2]};
    if (s->count == MOST_DIRECTIONS || !grz_make_unit(unit))
        return;
    for (int i = 0; i < s->count; i++)
        if (grz_dot(s->directions[i], unit) > SAME_WAY)
            return;
    memcpy(s->directions[s->count++], unit, sizeof unit);
}

static void edge_of(const double c[3][3], int i, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = c[(i + 1) % 3][k] - c[i][k];
}

// ---- Directions ---------------------------------------------------------------------------------------------------

// Ways out of the deepest points. That they belong to the solids, and so bound the depth, is known of surfaces that do
// not meet themselves.
static grz_status add_deepest(search *s)
{
    grz_deepest of_a, of_b;
    grz_status status = grz_deepest_find(s->call, &s->a, &s->a.pose, &s->b, &of_a);
    if (status == GRZ_OK)
        status = grz_deepest_find(s->call, &s->b, &s->b.pose, &s->a, &of_b);
    if (status != GRZ_OK)
        return status;
    for (int i = 0; i < GRZ_MOST_DEEPEST; i++) {
        if (i < of_a.count) { // the point moves with A
            add_direction(s, of_a.directions[i]);
            s->lower = s->start.clean ? fmax(s->lower, of_a.depths[i]) : s->lower;
        }
        if (i < of_b.count) { // A moves away from the point
            const double back[3] = {-of_b.directions[i][0], -of_b.directions[i][1], -of_b.directions[i][2]};
            add_direction(s, back);
            s->lower = s->start.clean ? fmax(s->lower, of_b.depths[i]) : s->lower;
        }
    }
    return GRZ_OK;
}

// The mean of all contacts' normals, and some that differ.
static grz_status add_normals(search *s)
{
    grz_result *result = NULL;
    double mean[3] = {0.0, 0.0, 0.0};
    uint64_t count = 0;
    const grz_status status = grz_move_ask(s->call, &s->a, &s->b, GRZ_FIND_CONTACTS, &result);
    const grz_contact *contacts = status == GRZ_OK ? grz_result_contacts(result, &count) : NULL;
    for (uint64_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            mean[k] += contacts[i].normal[k];
    add_direction(s, mean);
    const int most = s->count + MOST_NORMALS;
    for (uint64_t i = 0; i < count && s->count < most; i++)
        add_direction(s, contacts[i * 7919 % count].normal);
    grz_result_destroy(result);
    return status;
}

// The normals of a small mesh's faces, either way.
static void add_faces(search *s, const grz_object *object)
{
    const uint32_t count = object->mesh->triangle_count;
    for (uint32_t i = 0; i < count && count <= FEW_TRIANGLES; i++) {
        double c[3][3], u[3], v[3], n[3];
        grz_world_corners(object->mesh, &object->pose, i, c);
        edge_of((const double(*)[3])c, 0, u);
        edge_of((const double(*)[3])c, 1, v);
        grz_cross(u, v, n);
        add_direction(s, n);
        for (int k = 0; k < 3; k++)
            n[k] = -n[k];
        add_direction(s, n);
    }
}

static void add_axes(search *s)
{
    const grz_box a = grz_world_box(&s->a.pose, &s->a.mesh->bounds), b = grz_world_box(&s->b.pose, &s->b.mesh->bounds);
    double between[3];
    for (int k = 0; k < 3; k++)
        between[k] = 0.5 * (a.min[k] - b.min[k]) + 0.5 * (a.max[k] - b.max[k]);
    add_direction(s, between);
    for (int i = 0; i < 6; i++) {
        double axis[3] = {0.0, 0.0, 0.0};
        axis[i / 2] = i % 2 == 0 ? 1.0 : -1.0;
        add_direction(s, axis);
    }
}

// ---- Depths -------------------------------------------------------------------------------------------------------

// If the ranges of two triangles along an axis part earlier than along others so far, keep the axis.
static void offer_axis(const double a[3][3], const double b[3][3], const double axis[3], const double way[3],
                       double *time, double best[3])
{
    double n[3] = {axis[0], axis[1], axis[2]};
    if (!grz_make_unit(n))
        return;
    double along = grz_dot(n, way);
    for (int k = 0; k < 3 && along < 0.0; k++)
        n[k] = -n[k];
    along = fabs(along);
    const double last_b = fmax(fmax(grz_dot(n, b[0]), grz_dot(n, b[1])), grz_dot(n, b[2])),
                 first_a = fmin(fmin(grz_dot(n, a[0]), grz_dot(n, a[1])), grz_dot(n, a[2]));
    if (along > 1e-6 && (last_b - first_a) / along < *time) {
        *time = (last_b - first_a) / along;
        memcpy(best, n, sizeof n);
    }
}

// The axis along which two triangles part, if A moves that way. False if there is none.
static bool parting_axis(const search *s, const uint32_t parting[2], const double way[3], double axis[3])
{
    double c[2][3][3], u[3], v[3], n[3], time = HUGE_VAL;
    if (parting[0] == UINT32_MAX)
        return false;
    grz_world_corners(s->a.mesh, &s->a.pose, parting[0], c[0]);
    grz_world_corners(s->b.mesh, &s->b.pose, parting[1], c[1]);
    for (int i = 0; i < 2; i++) {
        edge_of((const double(*)[3])c[i], 0, u);
        edge_of((const double(*)[3])c[i], 1, v);
        grz_cross(u, v, n);
        offer_axis((const double(*)[3])c[0], (const double(*)[3])c[1], n, way, &time, axis);
    }
    for (int i = 0; i < 9; i++) {
        edge_of((const double(*)[3])c[0], i / 3, u);
        edge_of((const double(*)[3])c[1], i % 3, v);
        grz_cross(u, v, n);
        offer_axis((const double(*)[3])c[0], (const double(*)[3])c[1], n, way, &time, axis);
    }
    return time < HUGE_VAL;
}

// Do the solids overlap after the shortest way so far along another direction? Then that is probably not better; but it
// may be, where A is free on the way there and not at its end, as a peg is in a hole. So small solids are not asked.
static grz_status overlap_at_best(const search *s, const double way[3], bool *overlap)
{
    grz_object moved = s->a;
    grz_overlapping there;
    *overlap = false;
    if (!(s->best.upper < HUGE_VAL) || s->a.mesh->triangle_count + s->b.mesh->triangle_count <= SMALL_SOLIDS)
        return GRZ_OK;
    for (int k = 0; k < 3; k++)
        moved.pose.m[k][3] += way[k] * s->best.upper * BETTER;
    const grz_status status = grz_overlapping_find(s->call, &moved, &s->b, &there);
    *overlap = status == GRZ_OK && grz_solids_overlap(there.solids);
    return status;
}

// Try a direction, and turn it while that makes the depth smaller.
static grz_status try_direction(search *s, const double direction[3])
{
    double way[3] = {direction[0], direction[1], direction[2]};
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        grz_penetration_answer answer = {.face_a = GRZ_NO_FACE, .face_b = GRZ_NO_FACE};
        uint32_t parting[2];
        bool overlap;
        grz_status status = overlap_at_best(s, way, &overlap);
        if (status != GRZ_OK || overlap)
            return status;
        status = grz_depth_along(s->call, &s->a, &s->b, &s->start, way, s->best.upper, &answer, parting);
        if (status != GRZ_OK)
            return status;
        if (!(answer.upper < s->best.upper * BETTER))
            return GRZ_OK;
        s->best = answer;
        if (!parting_axis(s, parting, way, way))
            return GRZ_OK;
    }
    return GRZ_OK;
}

static grz_status add_balls(search *s)
{
    const double any[3] = {1.0, 0.0, 0.0};
    double sum;
    grz_path path;
    grz_path_along(&path, &s->a, any, HUGE_VAL, &s->b);
    const grz_status status = grz_balls_find(s->call, &path, &sum);
    s->lower = fmax(s->lower, sum);
    return status;
}

// The mean of the normals first: it is soon there and gives an upper bound, which a deadline leaves to the caller.
static grz_status search_directions(search *s)
{
    int tried = 0;
    grz_status status = add_normals(s);
    if (status == GRZ_OK && s->count > 0)
        status = try_direction(s, s->directions[tried++]);
    if (status == GRZ_OK)
        status = add_deepest(s);
    if (status == GRZ_OK)
        status = add_balls(s);
    add_axes(s);
    add_faces(s, &s->a);
    add_faces(s, &s->b);
    for (; tried < s->count && status == GRZ_OK; tried++)
        status = try_direction(s, s->directions[tried]);
    return status;
}

static void conclude(const search *s, grz_penetration_answer *answer)
{
    *answer = s->best;
    answer->penetrating = true;
    answer->lower = s->lower; // both bounds are proved: if they contradict each other, that must not be hidden
    if (!s->is_rounded_once) {
        answer->certainty = grz_certainty_of_estimate(answer->lower, answer->upper);
        answer->depth = answer->upper;
    }
    answer->reason = NULL;
}

static grz_status find(search *s, const grz_object *a, const grz_object *b, grz_penetration_answer *answer)
{
    grz_move_call *call = s->call;
    grz_status status = grz_move_check(call, a, NULL, "A", 0, &s->a);
    if (status == GRZ_OK)
        status = grz_move_check(call, b, NULL, "B", 1, &s->b);
    if (status == GRZ_OK)
        status = grz_overlapping_find(call, &s->a, &s->b, &s->start);
    if (status != GRZ_OK)
        return status;
    if (!grz_solids_overlap(s->start.solids)) {
        uint32_t parting[2];
        const double any[3] = {1.0, 0.0, 0.0};
        return grz_depth_along(call, &s->a, &s->b, &s->start, any, HUGE_VAL, answer, parting);
    }
    s->best.upper = HUGE_VAL;
    status = grz_overlapping_find_surfaces(call, &s->a, &s->b, &s->start);
    bool found = false;
    if (status == GRZ_OK)
        status = grz_convex_pair_depth(call, &s->start, &s->best, &found);
    if (found) {
        s->lower = s->best.lower;
        s->is_rounded_once = s->best.certainty == GRZ_EXACT;
    }
    if (status == GRZ_OK && !found)
        status = search_directions(s);
    if (status == GRZ_OK || status == GRZ_ERROR_DEADLINE || status == GRZ_ERROR_CANCELLED)
        conclude(s, answer);
    if (status != GRZ_OK)
        answer->certainty = GRZ_UNDECIDED;
    grz_overlapping_finish(call, &s->start);
    return status;
}

grz_status grz_penetration(grz_device *device, const grz_object *a, const grz_object *b,
                           const grz_move_options *options, grz_penetration_answer *answer, grz_error *error)
{
    grz_move_call call;
    search s = {.call = &call, .best = grz_penetration_nothing};
    if (answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "penetration: the answer is NULL");
    *answer = grz_penetration_nothing;
    grz_status status = grz_move_begin(&call, "penetration", device, options, error);
    if (status == GRZ_OK)
        status = find(&s, a, b, answer);
    return grz_call_end(&call.frame, status);
}
