// SPDX-License-Identifier: MIT
// Laws of motions along straight lines: first contacts and intervals of contact, against how the surfaces lie at
// moments of the motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "fraction.h"
#include "support_fuzz_shapes.h"

#include <graze/move_deforming.h>
#include <graze/move_rigid.h>

// How far A goes: this many times d.
static int steps_of(const agree_run *run)
{
    agree_source source = run->choices;
    return agree_between(&source, 1, 9);
}

static bool same_time(const grz_move_answer *x, const grz_move_answer *y)
{
    return x->first_contact == y->first_contact && x->lower == y->lower && x->upper == y->upper &&
           x->has_contact == y->has_contact && x->started_inside == y->started_inside && x->certainty == y->certainty;
}

// Against the pieces. Of surfaces with nothing inside, the first contact of solids that are apart is theirs. The way is
// steps · 2^power · d.
static void check_truth(agree_run *run, const grz_move_answer *answer, int steps, int power)
{
    const agree_body *a = &run->now->bodies[0], *b = &run->now->bodies[1];
    agree_time t;
    if (!a->pieces.known || !b->pieces.known || !a->bare || !b->bare)
        return;
    bool meets = agree_pieces_first_contact(&a->pieces, &b->pieces, run->now->d, &t);
    meets = meets && (power > 30 || agree_time_compare(t, (agree_time){(int64_t)steps << power, 1}) <= 0);
    // Of all the way, not of d.
    const agree_time share = meets ? (agree_time){t.num, t.den * steps} : (agree_time){0, 1};
    const bool same = meets ? answer->has_contact && agree_compare_root(answer->lower, share, 1, -power) <= 0 &&
                                  agree_compare_root(answer->upper, share, 1, -power) >= 0 &&
                                  agree_is_nearest_root(answer->first_contact, share, 1, -power)
                            : !answer->has_contact;
    agree_law_holds(run, AGREE_LAW_MOVE_TRUTH, same, "contact %d in [%a, %a] of %d · 2^%d · d, and %d at %a",
                    answer->has_contact, answer->lower, answer->upper, steps, power, meets,
                    ldexp((double)share.num / (double)share.den, -power));
}

// The pair of faces is in the list of those that touch.
static bool is_listed(const agree_run *run, uint32_t face_a, uint32_t face_b)
{
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(run->result, &count);
    for (uint64_t i = 0; i < count; i++)
        if (pairs[i].face_a == face_a && pairs[i].face_b == face_b)
            return true;
    return false;
}

static void check_moments(agree_run *run, agree_source *source, const grz_move_answer *answer, int steps)
{
    agree_time t = {steps, 1};
    grz_summary summary;
    if (answer->has_contact &&
        !agree_moment_of(run->now, (long double)answer->lower, (long double)answer->upper, steps, &t))
        return;
    if (answer->has_contact && answer->face_a != GRZ_NO_FACE && agree_collide_at(run, t, GRZ_FIND_PAIRS, &summary)) {
        agree_law_holds(run, AGREE_LAW_MOVE_CONTACT, summary.pair_count > 0,
                        "first contact %.17g of %d · d, but at %lld/%lld · d nothing touches", answer->first_contact,
                        steps, (long long)t.num, (long long)t.den);
        agree_law_holds(run, AGREE_LAW_MOVE_FACES, is_listed(run, answer->face_a, answer->face_b),
                        "faces %u and %u are said to meet first, but do not touch at %lld/%lld · d", answer->face_a,
                        answer->face_b, (long long)t.num, (long long)t.den);
        if (answer->ties != 0)
            agree_law_holds(run, AGREE_LAW_MOVE_TIES, summary.pair_count == answer->ties,
                            "%llu pairs are said to meet first, %llu touch at %lld/%lld · d",
                            (unsigned long long)answer->ties, (unsigned long long)summary.pair_count, (long long)t.num,
                            (long long)t.den);
    }
    const agree_time before[2] = {{16 * t.num - 1, 16 * t.den}, {agree_between(source, 0, 15) * t.num, 16 * t.den}};
    for (int i = 0; i < 2 && t.num > 0; i++)
        if (agree_collide_at(run, before[i], GRZ_FIND_PAIRS, &summary))
            agree_law_holds(run, AGREE_LAW_MOVE_BEFORE, summary.pair_count == 0,
                            "first contact %.17g of %d · d, but at %lld/%lld · d surfaces touch", answer->first_contact,
                            steps, (long long)before[i].num, (long long)before[i].den);
}

static void check_distance(agree_run *run, const grz_move_answer *answer, const double to[3])
{
    double way = 0.0;
    if (!answer->has_contact || answer->started_inside)
        return;
    const grz_distance_answer distance = agree_distance(run, &run->objects[0], &run->objects[1], NULL);
    const double unit = distance.lower;
    for (int k = 0; k < 3 && unit > 0.0; k++)
        way = hypot(way, (to[k] - run->objects[0].pose.m[k][3]) / unit * answer->upper);
    agree_law_holds(run, AGREE_LAW_MOVE_DISTANCE, unit == 0.0 || way >= 1.0 - 0x1p-40,
                    "first contact %.17g, on %.17g times the distance %.17g", answer->first_contact, way, unit);
}

// d = x - y without a rounding: what is lost of either is 0.
static bool is_difference(double d, double x, double y)
{
    const double rest = x - d, lost_of_x = x - (d + rest), lost_of_y = rest - y;
    return lost_of_x == 0.0 && lost_of_y == 0.0;
}

// B goes the other way, and A rests.
static void check_swapped(agree_run *run, const grz_move_answer *answer, const double to[3])
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    double back[3];
    for (int k = 0; k < 3; k++) {
        const double step = to[k] - a->pose.m[k][3];
        back[k] = b->pose.m[k][3] - step;
        if (!is_difference(step, to[k], a->pose.m[k][3]) || !is_difference(back[k], b->pose.m[k][3], step))
            return; // another motion, by a rounding
    }
    const grz_move_answer other = agree_move(run, b, back, a, true, NULL);
    agree_law_holds(run, AGREE_LAW_MOVE_SWAPPED,
                    same_time(answer, &other) && answer->face_a == other.face_b && answer->face_b == other.face_a &&
                        answer->ties == other.ties,
                    "contact at %a of faces %u and %u, and at %a of %u and %u", answer->first_contact, answer->face_a,
                    answer->face_b, other.first_contact, other.face_b, other.face_a);
}

// A straight way as a path of the caller's, which is not known to be one.
typedef struct straight_way {
    double from[3], to[3];
} straight_way;

static void pose_on_way(void *user, double t, grz_pose *pose)
{
    const straight_way *way = user;
    *pose = grz_pose_identity();
    for (int k = 0; k < 3; k++)
        pose->m[k][3] = way->from[k] + t * (way->to[k] - way->from[k]);
}

static double travel_on_way(void *user, double from, double to)
{
    const straight_way *way = user;
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += fabs(way->to[k] - way->from[k]);
    return sum * (to - from) * (1.0 + 0x1p-40);
}

static grz_move_answer move_rigid(agree_run *run, const grz_motion *motion)
{
    const grz_motion rest = grz_motion_rest(run->objects[1].pose);
    grz_rigid_options options = grz_default_rigid_options();
    grz_move_answer rigid;
    grz_error error = {.message = ""};
    options.max_steps = 20000;
    agree_call(run,
               grz_move_rigid(run->device, &run->objects[0], motion, &run->objects[1], &rest, &options, &rigid, &error),
               &error, "grz_move_rigid");
    return rigid;
}

static void check_straight(agree_run *run, const grz_move_answer *answer, const grz_motion *motion)
{
    const grz_move_answer rigid = move_rigid(run, motion);
    bool same = same_time(answer, &rigid) && rigid.has_contact == answer->has_contact &&
                rigid.started_touching == answer->started_touching && rigid.started_inside == answer->started_inside &&
                rigid.face_a == answer->face_a && rigid.face_b == answer->face_b && rigid.ties == answer->ties;
    for (int k = 0; k < 3; k++)
        same = same && rigid.normal[k] == answer->normal[k];
    agree_law_holds(run, AGREE_LAW_MOVE_STRAIGHT, same, "contact %d at %a; rigid: contact %d at %a",
                    answer->has_contact, answer->first_contact, rigid.has_contact, rigid.first_contact);
}

static void check_rigid(agree_run *run, const grz_move_answer *answer, const double to[3])
{
    static const double no_turn[4] = {0.0, 0.0, 0.0, 1.0};
    const agree_situation *s = run->now;
    const grz_pose *pose = &run->objects[0].pose;
    straight_way way;
    for (int i = 0; i < 9; i++)
        if (pose->m[i / 3][i % 3] != (i % 4 == 0 ? 1.0 : 0.0))
            return;
    if (abs(s->exponent) > 0)
        return;
    grz_motion_path path = {.pose = pose_on_way, .travel = travel_on_way, .user = &way};
    for (int k = 0; k < 3; k++) {
        way.from[k] = pose->m[k][3];
        way.to[k] = to[k];
        path.error += 0x1p-48 * (fabs(way.from[k]) + fabs(to[k]));
    }
    const grz_motion slerp = grz_motion_slerp(way.from, no_turn, to, no_turn), along = grz_motion_along(&path);
    check_straight(run, answer, &slerp);
    const grz_move_answer rigid = move_rigid(run, &along);
    const bool before =
        rigid.lower <= answer->upper && (rigid.certainty == GRZ_UNDECIDED || rigid.upper >= answer->lower);
    agree_law_holds(run, AGREE_LAW_MOVE_RIGID,
                    before && (rigid.certainty == GRZ_UNDECIDED || rigid.has_contact == answer->has_contact),
                    "contact %d at %a; rigid: certainty %d, contact %d in [%a, %a]", answer->has_contact,
                    answer->first_contact, (int)rigid.certainty, rigid.has_contact, rigid.lower, rigid.upper);
}

// The vertices of A in the world, all moved by the same: positions at the end, if none of them is rounded. The caller
// frees them.
static double *moved_alike(const agree_run *run, const test_mesh *world, const double to[3])
{
    const uint64_t count = 3 * world->vertex_count;
    double *end = malloc((count + 1) * sizeof *end);
    bool exact = true;
    if (end == NULL)
        abort();
    for (uint64_t i = 0; i < count && exact; i++) {
        const double from = run->objects[0].pose.m[i % 3][3], way = to[i % 3] - from;
        end[i] = world->positions[i] + way;
        exact = is_difference(way, to[i % 3], from) && is_difference(way, end[i], world->positions[i]) &&
                fmax(fabs(world->positions[i]), fabs(end[i])) <= 0x1p300;
    }
    if (exact)
        return end;
    free(end);
    return NULL;
}

static void compare_deforming(agree_run *run, const grz_move_answer *straight, const grz_move_answer *deforming)
{
    const bool undecided = deforming->certainty == GRZ_UNDECIDED;
    const bool same_time = deforming->lower <= straight->upper && (undecided || deforming->upper >= straight->lower);
    agree_law_holds(run, AGREE_LAW_MOVE_DEFORMING,
                    same_time && deforming->started_touching == straight->started_touching &&
                        (undecided || deforming->has_contact == straight->has_contact) &&
                        (straight->has_contact || !deforming->has_contact),
                    "contact %d in [%a, %a]; deforming: certainty %d, contact %d in [%a, %a]", straight->has_contact,
                    straight->lower, straight->upper, (int)deforming->certainty, deforming->has_contact,
                    deforming->lower, deforming->upper);
}

static void check_deforming(agree_run *run, const double to[3])
{
    test_mesh world = run->now->bodies[0].mesh;
    world.positions = fuzz_world(world.positions, world.vertex_count, &run->objects[0].pose);
    double *end = moved_alike(run, &world, to);
    if (end != NULL) {
        const grz_object a = grz_object_at_origin(test_mesh_upload(run->device, &world));
        grz_deforming_options options = grz_default_deforming_options();
        grz_move_answer deforming;
        grz_error error = {.message = ""};
        options.max_steps = 512;
        if (agree_call(run,
                       grz_move_deforming(run->device, &a, end, &run->objects[1], NULL, &options, &deforming, &error),
                       &error, "grz_move_deforming")) {
            const grz_move_answer straight = agree_move(run, &run->objects[0], to, &run->objects[1], false, NULL);
            compare_deforming(run, &straight, &deforming);
        }
        grz_mesh_destroy((grz_mesh *)a.mesh);
    }
    free(end);
    free(world.positions);
}

// Convex bodies that touch at the start: A is beyond B along the normal, or there is none, for a reason.
static void check_start(agree_run *run, const grz_move_answer *answer)
{
    const agree_body *bodies = run->now->bodies;
    if (!answer->started_touching || answer->started_inside || !bodies[0].convex || !bodies[1].convex ||
        !run->now->whole)
        return;
    const double *n = answer->normal;
    const bool has_normal = n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0;
    double *worlds[2] = {agree_world(&bodies[0]), agree_world(&bodies[1])};
    double low = HUGE_VAL, high = -HUGE_VAL, size = 0.0;
    for (int i = 0; i < 2; i++)
        for (uint64_t v = 0; v < bodies[i].mesh.vertex_count; v++) {
            const double *p = worlds[i] + 3 * v, along = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
            low = i == 0 ? fmin(low, along) : low;
            high = i == 1 ? fmax(high, along) : high;
            size = fmax(size, fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))));
        }
    agree_law_holds(run, AGREE_LAW_MOVE_START,
                    has_normal == (answer->reason == NULL) && (!has_normal || low >= high - (1e-12 * size + 0x1p-1071)),
                    "normal %g %g %g (%s): A begins at %a, B ends at %a", n[0], n[1], n[2],
                    answer->reason != NULL ? answer->reason : "no reason", low, high);
    free(worlds[0]);
    free(worlds[1]);
}

// Against how the solids lie at times of the way.
static void check_overlap(agree_run *run, agree_source *source, const grz_move_answer *touch, const double to[3],
                          int steps)
{
    grz_overlap_time overlap;
    grz_error error = {.message = ""};
    if (!agree_call(
            run,
            grz_move_first_overlap(run->device, &run->objects[0], to, &run->objects[1], NULL, NULL, &overlap, &error),
            &error, "grz_move_first_overlap") ||
        overlap.certainty == GRZ_UNDECIDED)
        return;
    agree_law_holds(run, AGREE_LAW_MOVE_OVERLAP,
                    overlap.started_inside == touch->started_inside &&
                        (!overlap.overlaps || (touch->has_contact && touch->lower <= overlap.upper)),
                    "started inside %d and %d, overlap at %a, contact at %a", overlap.started_inside,
                    touch->started_inside, overlap.first_overlap, touch->first_contact);
    for (int i = 0; i < 4; i++) {
        const int part = agree_between(source, 0, 64);
        grz_summary summary;
        if (!agree_collide_at(run, (agree_time){(int64_t)part * steps, 64}, GRZ_FIND_SOLIDS, &summary))
            continue;
        agree_law_holds(run, AGREE_LAW_MOVE_OVERLAP,
                        !agree_insides_meet(summary.solids) || overlap.started_inside ||
                            (overlap.overlaps && overlap.lower < part / 64.0),
                        "overlap from %a on, but at %d/64 of the way the insides meet", overlap.first_overlap, part);
    }
}

// Much farther: times are then small, down to below the smallest doubles.
static void check_far(agree_run *run, agree_source *source, int steps)
{
    static const int powers[] = {20, 100, 250, 700, 1200};
    const int power = powers[agree_below(source, sizeof powers / sizeof *powers)];
    double to[3];
    for (int k = 0; k < 3; k++) {
        const double from = run->objects[0].pose.m[k][3],
                     way = ldexp((double)(steps * run->now->d[k]), run->now->exponent + power);
        to[k] = from + way;
        if (!is_difference(way, to[k], from) || !(fabs(to[k]) <= 0x1p299))
            return; // another motion, by a rounding
    }
    const grz_move_answer answer = agree_move(run, &run->objects[0], to, &run->objects[1], true, NULL);
    check_truth(run, &answer, steps, power);
}

void agree_laws_of_motion(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    const int steps = steps_of(run);
    agree_source source = run->choices;
    double to[3];
    agree_way(run, steps, to);
    const grz_move_answer answer = agree_move(run, a, to, b, true, NULL),
                          naive = agree_move(run, a, to, b, true, "naive");
    agree_law_holds(run, AGREE_LAW_MOVE_METHODS,
                    same_time(&answer, &naive) && answer.face_a == naive.face_a && answer.face_b == naive.face_b &&
                        answer.ties == naive.ties && memcmp(answer.point, naive.point, sizeof answer.point) == 0,
                    "contact at %a of faces %u and %u, by naive at %a of %u and %u", answer.first_contact,
                    answer.face_a, answer.face_b, naive.first_contact, naive.face_a, naive.face_b);
    const grz_solids solids = agree_collide(run, a, b, GRZ_FIND_SOLIDS).solids;
    if (agree_are_solids(solids))
        agree_law_holds(run, AGREE_LAW_MOVE_STARTED, answer.started_inside == agree_insides_meet(solids),
                        "started inside %d, solids %d", answer.started_inside, (int)solids);
    check_truth(run, &answer, steps, 0);
    check_far(run, &source, steps);
    if (!answer.started_inside)
        check_moments(run, &source, &answer, steps);
    check_start(run, &answer);
    if (agree_one_in(&source, 3))
        check_overlap(run, &source, &answer, to, steps);
    check_distance(run, &answer, to);
    check_swapped(run, &answer, to);
    if (agree_one_in(&source, 4))
        check_rigid(run, &answer, to);
    if (agree_one_in(&source, 4))
        check_deforming(run, to);
}

// ---- Intervals ----------------------------------------------------------------------------------------------------

// At the ends of intervals and in their middle surfaces touch; between two intervals they do not.
static void check_interval_moments(agree_run *run, const agree_intervals *all, int steps)
{
    agree_time end = {0, 1};
    for (uint64_t i = 0; i < all->found && i < 4; i++) {
        const grz_contact_interval *one = &all->list[i];
        agree_time enter, leave;
        grz_summary summary;
        if (!agree_moment_of(run->now, (long double)one->enter_lower, (long double)one->enter_upper, steps, &enter) ||
            !agree_moment_of(run->now, (long double)one->leave_lower, (long double)one->leave_upper, steps, &leave))
            return;
        const int64_t den = enter.den * leave.den;
        const agree_time moments[] = {enter, {enter.num * leave.den + leave.num * enter.den, 2 * den}, leave};
        for (int k = 0; k < 3; k++)
            if (agree_collide_at(run, moments[k], GRZ_FIND_PAIRS, &summary))
                agree_law_holds(run, AGREE_LAW_INTERVALS_INSIDE, summary.pair_count > 0,
                                "contact from %.17g to %.17g of %d · d, but at %lld/%lld · d nothing touches",
                                one->enter, one->leave, steps, (long long)moments[k].num, (long long)moments[k].den);
        const agree_time gap = {end.num * enter.den + enter.num * end.den, 2 * end.den * enter.den};
        if (agree_time_compare(end, enter) < 0 && agree_collide_at(run, gap, GRZ_FIND_PAIRS, &summary))
            agree_law_holds(run, AGREE_LAW_INTERVALS_OUTSIDE, summary.pair_count == 0,
                            "contact from %.17g on, but before it, at %lld/%lld · d, surfaces touch", one->enter,
                            (long long)gap.num, (long long)gap.den);
        end = leave;
    }
}

// From where A went back to where it was.
static void check_back(agree_run *run, const agree_intervals *all, const double to[3])
{
    if (!run->now->whole || all->found > AGREE_MOST_INTERVALS)
        return;
    grz_object there = run->objects[0];
    double from[3];
    for (int k = 0; k < 3; k++) {
        from[k] = there.pose.m[k][3];
        there.pose.m[k][3] = to[k];
    }
    const agree_intervals back = agree_intervals_of(run, &there, from, &run->objects[1], NULL);
    bool same = back.found == all->found;
    for (uint64_t i = 0; i < all->found && same; i++) {
        const grz_contact_interval *x = &all->list[i], *y = &back.list[all->found - 1 - i];
        same = fabs(x->enter - (1.0 - y->leave)) <= 0x1p-50 && fabs(x->leave - (1.0 - y->enter)) <= 0x1p-50;
    }
    agree_law_holds(
        run, AGREE_LAW_INTERVALS_BACK, same, "%llu intervals, first [%.17g, %.17g]; back %llu, last [%.17g, %.17g]",
        (unsigned long long)all->found, all->list[0].enter, all->list[0].leave, (unsigned long long)back.found,
        back.found > 0 ? back.list[back.found - 1].enter : 0.0, back.found > 0 ? back.list[back.found - 1].leave : 0.0);
}

void agree_laws_of_intervals(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    const int steps = steps_of(run);
    double to[3];
    agree_way(run, steps, to);
    const agree_intervals all = agree_intervals_of(run, a, to, b, NULL),
                          naive = agree_intervals_of(run, a, to, b, "naive");
    agree_law_holds(run, AGREE_LAW_INTERVALS_METHODS, memcmp(&all, &naive, sizeof all) == 0,
                    "%llu intervals, first [%a, %a]; by naive %llu, first [%a, %a]", (unsigned long long)all.found,
                    all.list[0].enter, all.list[0].leave, (unsigned long long)naive.found, naive.list[0].enter,
                    naive.list[0].leave);
    const grz_move_answer first = agree_move(run, a, to, b, false, NULL);
    const bool same =
        all.found == 0 || (first.lower == all.list[0].enter_lower && first.upper == all.list[0].enter_upper);
    agree_law_holds(run, AGREE_LAW_INTERVALS_FIRST, same && first.has_contact == (all.found > 0),
                    "first contact [%a, %a], %llu intervals, first from [%a, %a]", first.lower, first.upper,
                    (unsigned long long)all.found, all.list[0].enter_lower, all.list[0].enter_upper);
    check_interval_moments(run, &all, steps);
    check_back(run, &all, to);
}
