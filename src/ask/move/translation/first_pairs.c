// SPDX-License-Identifier: MIT
// Collects pairs of triangles that may meet before the earliest contact that is certain, and finds the first of them by
// comparing fractions.
#include "ask/move/translation/first_pairs.h"

#include <math.h>
#include <string.h>

#include "ask/distance/tied_pairs.h"
#include "ask/distance/user_feature.h"
#include "base/certainty.h"
#include "base/control.h"
#include "geometry/distance/common_point.h"
#include "geometry/sweep/meeting.h"
#include "mesh/triangles.h"

enum {
    FIRST_LOOK = 4096, // pairs
    CHECK_BITS = 4     // pairs decided between two checks of the control, as a power of two
};

#define CORNERS(c) ((const double(*)[3])(c))

void grz_first_pairs_init(grz_first_pairs *pairs, const grz_path *path, grz_simd simd, grz_control *control)
{
    *pairs = (grz_first_pairs){.path = path,
                               .control = control,
                               .filter = grz_meeting_filter_for(simd),
                               .upper = HUGE_VAL,
                               .until = 1.0,
                               .next_look = FIRST_LOOK};
}

void grz_first_pairs_finish(grz_first_pairs *pairs)
{
    grz_array_finish(grz_control_allocator(pairs->control), &pairs->pairs);
}

static void drop_late_pairs(grz_first_pairs *pairs)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->pairs.count; i++)
        if (pairs->pairs.items[i].lower <= pairs->until)
            pairs->pairs.items[kept++] = pairs->pairs.items[i];
    pairs->pairs.count = kept;
    pairs->next_look = 2 * kept > FIRST_LOOK ? 2 * kept : FIRST_LOOK;
}

// The pair certainly meets, from `enter` on, which is at most `high`, until `leave` or later.
static void set_upper(grz_first_pairs *pairs, const grz_meeting *m)
{
    const double upper = m->always ? 0.0 : fmax(0.0, m->enter_high);
    if (!(upper < pairs->upper))
        return;
    pairs->upper = upper;
    pairs->until = fmin(upper, 1.0);
}

// Keep a pair that may meet first, and find out what it says of the first contact. False if there is no memory.
static bool keep(grz_first_pairs *pairs, uint32_t a, uint32_t b, const double corners_a[3][3],
                 const double corners_b[3][3])
{
    grz_meeting m;
    if (!grz_meeting_set(&m, corners_a, corners_b, &pairs->path->motion))
        return true;
    const double lower = m.always ? 0.0 : fmax(0.0, m.enter_low);
    if (lower > pairs->until || m.leave_high < 0.0)
        return true;
    // If this pair may be the first, the doubts of the doubles are worth settling: whatever meets later can be dropped.
    if (m.state == GRZ_MEETING_OPEN && lower < pairs->until && !grz_meeting_happens(&m))
        return true;
    if (m.state == GRZ_MEETING_SURE && (m.always || (m.leave_low >= 0.0 && m.enter_high <= 1.0)))
        set_upper(pairs, &m);
    if (pairs->pairs.count >= pairs->next_look)
        drop_late_pairs(pairs);
    if (!grz_array_add(grz_control_allocator(pairs->control), &pairs->pairs))
        return false;
    pairs->pairs.items[pairs->pairs.count - 1] = (grz_first_pair){a, b, lower};
    return true;
}

static void set_mover(grz_first_pairs *pairs, uint32_t triangle)
{
    const grz_object *a = pairs->path->a;
    if (pairs->has_mover && pairs->mover_triangle == triangle)
        return;
    grz_world_corners(a->mesh, &a->pose, triangle, pairs->mover_corners);
    grz_meeting_mover_set(&pairs->mover, CORNERS(pairs->mover_corners), pairs->path->motion.v);
    pairs->mover_triangle = triangle;
    pairs->has_mover = true;
}

// At most GRZ_MEETING_LANES triangles of B.
static bool compare_packet(grz_first_pairs *pairs, uint32_t triangle, const uint32_t *others, uint32_t count)
{
    const grz_object *b = pairs->path->b;
    double corners[GRZ_MEETING_LANES][3][3], enter[GRZ_MEETING_LANES], leave[GRZ_MEETING_LANES];
    grz_meeting_packet packet;
    bool has_room = true;
    for (uint32_t i = 0; i < count; i++)
        grz_world_corners(b->mesh, &b->pose, others[i], corners[i]);
    grz_meeting_packet_set(&packet, count, (const double(*)[3][3])corners);
    uint32_t lanes = pairs->filter(&pairs->mover, &packet, pairs->until, enter, leave) & ((1u << count) - 1u);
    for (; lanes != 0 && has_room; lanes &= lanes - 1) {
        const int i = __builtin_ctz(lanes);
        if (enter[i] <= pairs->until)
            has_room = keep(pairs, triangle, others[i], CORNERS(pairs->mover_corners), CORNERS(corners[i]));
    }
    return has_room;
}

bool grz_first_pairs_compare(grz_first_pairs *pairs, uint32_t triangle, const uint32_t *others, uint32_t count)
{
    bool has_room = true;
    set_mover(pairs, triangle);
    pairs->compared += count;
    for (uint32_t i = 0; i < count && has_room; i += GRZ_MEETING_LANES)
        has_room =
            compare_packet(pairs, triangle, others + i, count - i < GRZ_MEETING_LANES ? count - i : GRZ_MEETING_LANES);
    return has_room;
}

double grz_first_pairs_lower(const grz_first_pairs *pairs)
{
    double lower = HUGE_VAL;
    for (size_t i = 0; i < pairs->pairs.count; i++)
        lower = fmin(lower, pairs->pairs.items[i].lower);
    return lower;
}

// ---- The first ----------------------------------------------------------------------------------------------------

// The first pair so far.
typedef struct first {
    bool any, at_start; // at_start: it meets at time 0 already
    grz_first_pair pair;
    grz_meeting meeting;
} first;

static int compare_ties(const grz_first_pairs *pairs, const grz_first_pair *x, const grz_meeting *at_x,
                        const grz_first_pair *y, const grz_meeting *at_y)
{
    const grz_tied_pair tied_x = {x->a, x->b, CORNERS(at_x->a), CORNERS(at_x->b)},
                        tied_y = {y->a, y->b, CORNERS(at_y->a), CORNERS(at_y->b)};
    return grz_tied_pairs_compare(pairs->path->a->mesh, pairs->path->b->mesh, &tied_x, &tied_y);
}

// Keep the earlier of two pairs, `best` and this one. Returns how this one compares: -1 earlier, 0 at the same time, 1
// later or never.
static int consider(const grz_first_pairs *pairs, const grz_first_pair *pair, first *best)
{
    const grz_path *path = pairs->path;
    grz_meeting m;
    double corners[2][3][3];
    grz_world_corners(path->a->mesh, &path->a->pose, pair->a, corners[0]);
    grz_world_corners(path->b->mesh, &path->b->pose, pair->b, corners[1]);
    if (!grz_meeting_set(&m, CORNERS(corners[0]), CORNERS(corners[1]), &path->motion) ||
        !grz_meeting_within(&m, 0.0, 1.0))
        return 1;
    const bool at_start = m.always || grz_meeting_compare_to(&m, GRZ_MEETING_ENTER, 0.0) <= 0;
    int order = -1;
    if (best->any && (at_start || best->at_start))
        order = (int)best->at_start - (int)at_start;
    else if (best->any)
        order = grz_meeting_compare(&m, GRZ_MEETING_ENTER, &best->meeting, GRZ_MEETING_ENTER);
    if (order < 0 || (order == 0 && compare_ties(pairs, pair, &m, &best->pair, &best->meeting) < 0))
        *best = (first){true, at_start, *pair, m};
    return order;
}

// Fill in what the first pair says. A contact that was there before the start has no normal; if there is no motion, no
// time of contact either, but a point.
static void describe(const grz_first_pairs *pairs, first *best, grz_move_answer *answer)
{
    const grz_path *path = pairs->path;
    const grz_mesh *mesh_a = path->a->mesh, *mesh_b = path->b->mesh;
    uint8_t features[2];
    grz_meeting_contact contact;
    answer->face_a = grz_mesh_triangle_face(mesh_a, best->pair.a);
    answer->face_b = grz_mesh_triangle_face(mesh_b, best->pair.b);
    if (grz_meeting_contact_at_enter(&best->meeting, &contact)) {
        features[0] = contact.a;
        features[1] = contact.b;
        memcpy(answer->normal, contact.normal, sizeof answer->normal);
        for (int k = 0; k < 3; k++)
            answer->point[k] = contact.point[k] + answer->first_contact * path->moved_b[k];
    } else {
        const grz_nearest common = grz_common_point(CORNERS(best->meeting.a), CORNERS(best->meeting.b), answer->point);
        features[0] = common.a;
        features[1] = common.b;
    }
    answer->feature_a = grz_user_feature(mesh_a, best->pair.a, features[0]);
    answer->feature_b = grz_user_feature(mesh_b, best->pair.b, features[1]);
}

bool grz_first_pairs_decide(grz_first_pairs *pairs, grz_move_answer *answer)
{
    first best = {.any = false};
    size_t ties = 0;
    drop_late_pairs(pairs);
    for (size_t i = 0; i < pairs->pairs.count; i++) {
        if (grz_control_expired_at(pairs->control, i, CHECK_BITS))
            return false;
        const grz_first_pair pair = pairs->pairs.items[i];
        const int order = consider(pairs, &pair, &best);
        ties = order < 0 ? 0 : ties;
        if (order <= 0)
            pairs->pairs.items[ties++] = pair;
    }
    answer->certainty = GRZ_EXACT; // of no contact
    answer->has_contact = best.any;
    answer->first_contact = answer->lower = answer->upper = HUGE_VAL;
    if (!best.any)
        return true;
    const grz_time_rounded time =
        best.at_start ? (grz_time_rounded){0.0, 0.0, 0.0} : grz_meeting_round(&best.meeting, GRZ_MEETING_ENTER);
    answer->first_contact = time.nearest;
    answer->lower = time.lower;
    answer->upper = time.upper;
    answer->started_touching = time.upper == 0.0;
    answer->certainty = grz_certainty_of_bounds(time.lower, time.upper);
    describe(pairs, &best, answer);
    pairs->pairs.count = 0;
    answer->ties = grz_count_face_pairs(pairs->path->a->mesh, pairs->path->b->mesh, pairs->pairs.items,
                                        sizeof(grz_first_pair), ties);
    return true;
}
