// SPDX-License-Identifier: MIT
// The search: intervals of time are excluded from the front, one after the other, each by a direction that separates
// the features all through it, or by volume. Where neither helps, a contact is looked for and proved, which bounds the
// search from above; then a shorter interval is tried. What is left at the tolerance is decided in big integers.
// Inclusion by interval functions: J. Snyder, "Interval analysis for computer graphics" (1992). The corners of a box
// of parameters bound a multilinear function: B. Wang et al., "A large-scale benchmark and an inclusion-based algorithm
// for continuous collision detection" (2021), sections 4 and 5. Here only time is divided: the features' whole extent
// is bounded along directions that depend on them.
#include "geometry/inclusion/inclusion.h"

#include <math.h>

#include "geometry/inclusion/distinct_corners.h"
#include "geometry/inclusion/exact_interval.h"
#include "geometry/inclusion/moving_simplices.h"
#include "geometry/inclusion/nearest_point.h"
#include "geometry/inclusion/proof.h"
#include "geometry/inclusion/volume_exclusion.h"
#include "geometry/vector.h"

enum {
    MOST_PROOFS = 12,    // attempts to prove a contact, each for all patches that are near
    MOST_DECISIONS = 24, // short intervals decided exactly
    LATER_TIMES = 25,    // times after `lower`, each four times as far, at which a contact may be proved
    STEPS_TOGETHER = 64  // for two triangles, before each pair of their features is searched by itself
};

typedef struct search {
    const grz_feature_pair *m;
    const grz_patch *patches;
    int patch_count;
    const grz_inclusion_limits *limits;
    grz_inclusion *out;
    double until; // the times left are out->lower to this
    // The shortest vectors of all patches at the last time looked at, and which is the shortest.
    grz_nearest_point nearest[GRZ_PATCHES_OF_TRIANGLES];
    int best;
    double probe;  // that time
    double stride; // the interval to decide exactly, in units of the tolerance
} search;

grz_inclusion_limits grz_inclusion_limits_until(double t_max)
{
    return (grz_inclusion_limits){.from = 0.0,
                                  .t_max = t_max,
                                  .time_tolerance = 0x1p-40, // as grz_deforming_options
                                  .space_tolerance = 0.0,
                                  .separation = 0.0,
                                  .steps = 4096};
}

static void look_at(search *s, double t)
{
    grz_moment now;
    grz_feature_pair_at(s->m, t, &now);
    s->probe = t;
    s->best = 0;
    for (int i = 0; i < s->patch_count; i++) {
        grz_nearest_of_patch(&s->patches[i], &now, &s->nearest[i]);
        if (s->nearest[i].square < s->nearest[s->best].square)
            s->best = i;
    }
    s->out->feature_a = s->patches[s->best].feature_a;
    s->out->feature_b = s->patches[s->best].feature_b;
}

// Exclude what one direction excludes from `lower` on. True if something was.
static bool advance(search *s, const double direction[3])
{
    const double reached = grz_feature_pair_separated_until(s->m, direction, s->out->lower, s->until);
    if (!(reached > s->out->lower))
        return false;
    s->out->lower = reached;
    return true;
}

static void take_proof(search *s, double time, uint8_t feature_a, uint8_t feature_b)
{
    s->out->meeting = GRZ_MEET_PROVED;
    s->out->feature_a = feature_a;
    s->out->feature_b = feature_b;
    s->until = time < s->until ? time : s->until;
    if (s->until < s->out->lower) // the contact is at `lower` exactly, where a bound was reached
        s->until = s->out->lower;
}

// Look for contacts of the patches that are nearest at the probe. True if one was proved.
static bool prove_crossings(search *s)
{
    // Chosen: each of these is proved, or not.
    const double far = 16.0 * s->nearest[s->best].square + 0x1p-20 * grz_dot(s->m->most, s->m->most);
    bool proved = false;
    for (int i = 0; i < s->patch_count; i++) {
        grz_proof proof;
        const grz_nearest_point *const n = &s->nearest[i];
        if (n->square > far || !grz_prove_crossing(s->m, &s->patches[i], s->probe, n->u, n->v, s->until, &proof))
            continue;
        take_proof(s, proof.time, proof.feature_a, proof.feature_b);
        proved = true;
        advance(s, proof.normal);
    }
    return proved;
}

static bool prove_near(search *s)
{
    const grz_nearest_point *const n = &s->nearest[s->best];
    const grz_patch *const patch = &s->patches[s->best];
    if (!(s->m->separation > 0.0) || !grz_prove_near(s->m, patch, s->probe, n->u, n->v))
        return false;
    take_proof(s, s->probe, patch->feature_a, patch->feature_b);
    return true;
}

// Decide a short interval after `lower` exactly. True if that excluded it or proved a contact in it.
static bool decide_exactly(search *s)
{
    const double widths[4] = {s->stride, 1.0, 0x1p-10, 64.0}; // of the tolerance, chosen by what ended searches
    grz_inclusion *const out = s->out;
    if (s->m->separation > 0.0)
        return false;
    // A contact at the start is at 0, not in a short interval. It may be an edge inside a face, which no patch has.
    if (out->lower == 0.0 && grz_prove_touch(s->m, 0.0)) {
        take_proof(s, 0.0, out->feature_a, out->feature_b);
        return true;
    }
    for (int w = s->stride == 1.0; w < 4; w++) {
        const double to = fmin(out->lower + widths[w] * s->limits->time_tolerance, s->until);
        bool all_free = true;
        for (int i = 0; i < s->patch_count && out->lower < to; i++) {
            const grz_interval_answer answer = grz_decide_interval(s->m, &s->patches[i], out->lower, to);
            if (answer == GRZ_INTERVAL_CONTACT) {
                take_proof(s, to, s->patches[i].feature_a, s->patches[i].feature_b);
                s->stride = fmax(1.0, s->stride * 0x1p-5); // chosen
                return true;
            }
            all_free = all_free && answer == GRZ_INTERVAL_FREE;
        }
        if (all_free && out->lower < to) {
            out->lower = to;
            s->stride *= 1024.0;
            return true;
        }
    }
    return false;
}

// The time with the fewest binary digits in [from, to].
static double simplest_time(double from, double to)
{
    for (int digits = 0; digits <= 30; digits++) {
        const double grid = ldexp(1.0, digits);
        const double t = ceil(from * grid) / grid;
        if (t <= to)
            return t;
    }
    return from;
}

// The last resort, where `lower` cannot be moved: contacts that touch the rim of a feature, decided at single times.
static void prove_at_times(search *s)
{
    grz_inclusion *const out = s->out;
    // Chosen: any time may be tried.
    const double close = fmax(out->lower + 8.0 * s->limits->time_tolerance, out->lower + 0x1p-30);
    const double times[3] = {out->lower, simplest_time(out->lower, fmin(close, s->until)), s->until};
    for (int i = 0; i < 3; i++) {
        if (grz_prove_touch(s->m, times[i])) {
            take_proof(s, times[i], out->feature_a, out->feature_b);
            return;
        }
    }
    for (int i = 0; i < LATER_TIMES; i++) {
        uint8_t feature_a, feature_b;
        const double t = out->lower + ldexp(s->limits->time_tolerance, 2 * i);
        if (t > s->until)
            return;
        if (s->patch_count > 1 && grz_prove_piercing(s->m, t, &feature_a, &feature_b)) {
            take_proof(s, t, feature_a, feature_b);
            return;
        }
        if (s->m->separation > 0.0) {
            look_at(s, t);
            if (prove_near(s))
                return;
        }
    }
}

// Nothing is left to do.
static bool is_narrow(const grz_inclusion *out, double until, const grz_inclusion_limits *limits)
{
    return out->meeting == GRZ_MEET_NEVER ||
           (out->meeting == GRZ_MEET_PROVED && until - out->lower <= limits->time_tolerance);
}

static void run(search *s)
{
    grz_inclusion *const out = s->out;
    const grz_inclusion_limits *const limits = s->limits;
    double length = s->until; // of the interval to exclude next
    int proofs = 0, decisions = 0;
    bool moved = true; // since the last attempt to prove a contact
    for (;;) {
        const double room = s->until - out->lower;
        if (is_narrow(out, s->until, limits))
            return;
        if (out->steps >= limits->steps) {
            out->out_of_steps = true;
            return;
        }
        out->steps++;
        length = fmin(length, room);
        const double before = out->lower;
        look_at(s, before + 0.5 * length);
        bool gained = advance(s, s->nearest[s->best].direction);
        if (out->lower < before + length && s->patch_count == 1 && s->m->separation == 0.0) {
            const double to = fmin(s->until, before + 4.0 * length);
            const double reached = grz_volume_until(s->m, s->patches, out->lower, to);
            gained = gained || reached > out->lower;
            out->lower = fmax(out->lower, reached);
        }
        if (gained) {
            if (out->lower >= limits->t_max && out->meeting != GRZ_MEET_PROVED) {
                out->meeting = GRZ_MEET_NEVER;
                return;
            }
            const double gone = out->lower - before;
            length = gone >= 0.5 * length ? 2.0 * gone : 0.5 * length;
            moved = true;
            if (!(s->nearest[s->best].square * (1.0 / (s->m->scale * s->m->scale)) <
                  limits->space_tolerance * limits->space_tolerance))
                continue;
            return;
        }
        if (prove_near(s))
            moved = false;
        else if (moved && proofs < MOST_PROOFS) {
            proofs++;
            moved = prove_crossings(s) && out->lower > before;
        }
        length *= 0.25;
        if (length < 0.125 * limits->time_tolerance) {
            if (decisions++ >= MOST_DECISIONS || !decide_exactly(s))
                return;
            if (out->lower >= limits->t_max && out->meeting != GRZ_MEET_PROVED) {
                out->meeting = GRZ_MEET_NEVER;
                return;
            }
            length = 4.0 * (out->lower - before);
            moved = true;
        }
    }
}

// Times before `from` are known to be free.
static grz_inclusion include(grz_feature_pair *m, const grz_inclusion_limits *limits, double from)
{
    grz_inclusion out = {.meeting = GRZ_MEET_UNDECIDED, .lower = from};
    if (grz_feature_pair_apart_by_axis(m)) {
        out.meeting = GRZ_MEET_NEVER;
        out.lower = out.upper = limits->t_max;
        return out;
    }
    grz_feature_pair_prepare(m);
    search s;
    s.m = m;
    s.limits = limits;
    s.out = &out;
    s.until = limits->t_max;
    s.stride = 1.0;
    s.patch_count = grz_patches_of(m, &s.patches);
    run(&s);
    if (out.meeting == GRZ_MEET_UNDECIDED || !is_narrow(&out, s.until, limits))
        prove_at_times(&s);
    out.upper = s.until;
    if (out.meeting == GRZ_MEET_NEVER)
        out.feature_a = out.feature_b = 0;
    return out;
}

// Simplices that do not touch at time 0 first touch with a corner and a face or with two edges: search each pair of
// these by itself, from what is known.
static void search_features(const grz_feature_pair *m, const grz_inclusion_limits *limits, grz_inclusion *out)
{
    const grz_patch *patches;
    const int count = grz_patches_of(m, &patches);
    grz_inclusion_limits rest = *limits;
    grz_inclusion all = *out;
    all.lower = rest.t_max = out->upper;
    for (int i = 0; i < count; i++) {
        double a[2][3][3], b[2][3][3];
        const double(*const ends_a[2])[3] = {a[0], a[1]}, (*const ends_b[2])[3] = {b[0], b[1]};
        const int count_a = grz_patch_corners(m, &patches[i], true, a);
        const int count_b = grz_patch_corners(m, &patches[i], false, b);
        const bool exchange = count_a > count_b; // the corner comes first
        grz_feature_pair one;
        grz_feature_pair_init(&one, exchange ? ends_b : ends_a, exchange ? count_b : count_a,
                              exchange ? ends_a : ends_b, exchange ? count_a : count_b, limits->separation);
        const grz_inclusion found = include(&one, &rest, out->lower);
        all.steps += found.steps;
        all.out_of_steps = all.out_of_steps || found.out_of_steps;
        if (found.meeting == GRZ_MEET_NEVER)
            continue;
        if (found.meeting == GRZ_MEET_PROVED) {
            all.meeting = GRZ_MEET_PROVED;
            all.upper = rest.t_max = found.upper;
        }
        if (found.meeting == GRZ_MEET_PROVED || all.meeting == GRZ_MEET_UNDECIDED) {
            all.feature_a = patches[i].feature_a;
            all.feature_b = patches[i].feature_b;
        }
        all.lower = fmin(all.lower, found.lower);
    }
    if (all.meeting == GRZ_MEET_UNDECIDED && all.lower >= limits->t_max)
        all.meeting = GRZ_MEET_NEVER;
    all.lower = fmin(all.lower, all.upper);
    *out = all;
}

static grz_inclusion include_pair(grz_feature_pair *m, const grz_inclusion_limits *limits)
{
    const grz_patch *patches;
    if (grz_patches_of(m, &patches) == 1)
        return include(m, limits, limits->from);
    grz_inclusion_limits few = *limits;
    few.steps = limits->steps < STEPS_TOGETHER ? limits->steps : STEPS_TOGETHER;
    grz_inclusion out = include(m, &few, limits->from);
    if (is_narrow(&out, out.upper, limits) || limits->steps <= STEPS_TOGETHER)
        return out;
    if (out.lower == 0.0 && grz_prove_touch(m, 0.0))
        return out;
    out.out_of_steps = false;
    search_features(m, limits, &out);
    return out;
}

// Two simplices; a face without area is searched as the segment or the point that it is.
static grz_inclusion include_simplices(const double (*const a[2])[3], int count_a, const double (*const b[2])[3],
                                       int count_b, const grz_inclusion_limits *limits)
{
    grz_feature_pair m;
    grz_feature_pair_init(&m, a, count_a, b, count_b, limits->separation);
    if (grz_feature_pair_apart_by_axis(&m))
        return (grz_inclusion){.meeting = GRZ_MEET_NEVER, .lower = limits->t_max, .upper = limits->t_max};
    grz_moving_corners corners[2];
    grz_moving_corners_init(&corners[0], a, count_a);
    grz_moving_corners_init(&corners[1], b, count_b);
    for (int i = 0; i < 2; i++)
        grz_moving_corners_reduce(&corners[i]);
    if (corners[0].count == count_a && corners[1].count == count_b)
        return include_pair(&m, limits);
    const bool exchange = corners[0].count > corners[1].count; // the one with fewer corners comes first
    const grz_moving_corners *const first = &corners[exchange], *const second = &corners[!exchange];
    const double(*const x[2])[3] = {first->at[0], first->at[1]}, (*const y[2])[3] = {second->at[0], second->at[1]};
    grz_feature_pair_init(&m, x, first->count, y, second->count, limits->separation);
    grz_inclusion out = include_pair(&m, limits);
    const uint8_t feature_a = exchange ? out.feature_b : out.feature_a;
    const uint8_t feature_b = exchange ? out.feature_a : out.feature_b;
    out.feature_a = grz_given_feature(&corners[0], feature_a);
    out.feature_b = grz_given_feature(&corners[1], feature_b);
    return out;
}

grz_inclusion grz_include_vertex_face(const double x[2][4][3], const grz_inclusion_limits *limits)
{
    const double(*const a[2])[3] = {&x[0][0], &x[1][0]}, (*const b[2])[3] = {&x[0][1], &x[1][1]};
    return include_simplices(a, 1, b, 3, limits);
}

grz_inclusion grz_include_edges(const double x[2][4][3], const grz_inclusion_limits *limits)
{
    const double(*const a[2])[3] = {&x[0][0], &x[1][0]}, (*const b[2])[3] = {&x[0][2], &x[1][2]};
    return include_simplices(a, 2, b, 2, limits);
}

grz_inclusion grz_include_triangles(const double a[2][3][3], const double b[2][3][3],
                                    const grz_inclusion_limits *limits)
{
    const double(*const corners_a[2])[3] = {a[0], a[1]}, (*const corners_b[2])[3] = {b[0], b[1]};
    return include_simplices(corners_a, 3, corners_b, 3, limits);
}
