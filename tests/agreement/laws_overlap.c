// SPDX-License-Identifier: MIT
// Laws of the volume that two solids have in common, and of the depth of their overlap.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

// Six times the volume of the pieces.
static int64_t six_volumes(const agree_pieces *pieces)
{
    int64_t sum = 0;
    for (int i = 0; i < pieces->count; i++) {
        const agree_piece *p = &pieces->list[i];
        const int box = p->corner_count == 8, ends[3] = {1, 2, box ? 4 : 3};
        int64_t e[3][3], volume = 0;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                e[j][k] = p->corners[ends[j]][k] - p->corners[0][k];
        for (int k = 0; k < 3; k++)
            volume += e[0][k] * (e[1][(k + 1) % 3] * e[2][(k + 2) % 3] - e[1][(k + 2) % 3] * e[2][(k + 1) % 3]);
        sum += llabs(volume) * (box ? 6 : 1);
    }
    return sum;
}

// Six times `volume`, in cubes of units, is within the bounds.
static bool encloses(const agree_situation *s, const grz_overlap_volume_answer *answer, int64_t six)
{
    const long double lower = 6.0L * ldexpl((long double)answer->lower, -3 * s->exponent),
                      upper = 6.0L * ldexpl((long double)answer->upper, -3 * s->exponent);
    return lower <= (long double)six && (long double)six <= upper;
}

static void check_truth(agree_run *run, grz_solids solids, const grz_overlap_volume_answer *answer)
{
    const agree_situation *s = run->now;
    if (abs(s->exponent) > 300) // cubes of units are no doubles
        return;
    if (s->same_cells)
        agree_law_holds(run, AGREE_LAW_VOLUME_TRUTH, encloses(s, answer, 6 * s->shared_volume),
                        "volume in [%.17g, %.17g], and %lld cubes of units", answer->lower, answer->upper,
                        (long long)s->shared_volume);
    const int inner = solids == GRZ_SOLIDS_B_INSIDE_A ? 1 : 0;
    const bool holds = solids == GRZ_SOLIDS_A_INSIDE_B || solids == GRZ_SOLIDS_B_INSIDE_A || solids == GRZ_SOLIDS_SAME;
    if (holds && s->bodies[inner].pieces.known)
        agree_law_holds(run, AGREE_LAW_VOLUME_INSIDE, encloses(s, answer, six_volumes(&s->bodies[inner].pieces)),
                        "volume in [%.17g, %.17g], and that of %c is %lld sixths", answer->lower, answer->upper,
                        "AB"[inner], (long long)six_volumes(&s->bodies[inner].pieces));
}

void agree_laws_of_volume(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    const grz_solids solids = agree_collide(run, a, b, GRZ_FIND_SOLIDS).solids;
    const grz_overlap_volume_answer answer = agree_volume(run, a, b, NULL);
    if (!agree_are_solids(solids)) {
        agree_law_holds(run, AGREE_LAW_VOLUME_ZERO, answer.upper == HUGE_VAL, "no solids, but a volume in [%a, %a]",
                        answer.lower, answer.upper);
        return;
    }
    agree_law_holds(run, AGREE_LAW_VOLUME_ZERO,
                    (answer.upper == 0.0) == !agree_insides_meet(solids) && answer.upper < HUGE_VAL,
                    "solids %d, volume in [%.17g, %.17g]", (int)solids, answer.lower, answer.upper);
    const grz_overlap_volume_answer swapped = agree_volume(run, b, a, NULL), naive = agree_volume(run, a, b, "naive");
    agree_law_holds(run, AGREE_LAW_VOLUME_SWAPPED, answer.lower == swapped.lower && answer.upper == swapped.upper,
                    "[%a, %a] and [%a, %a]", answer.lower, answer.upper, swapped.lower, swapped.upper);
    agree_law_holds(run, AGREE_LAW_VOLUME_METHODS, answer.lower == naive.lower && answer.upper == naive.upper,
                    "[%a, %a], by naive [%a, %a]", answer.lower, answer.upper, naive.lower, naive.upper);
    check_truth(run, solids, &answer);
}

// ---- Depth --------------------------------------------------------------------------------------------------------

static bool bounds_meet(const grz_overlap_depth_answer *x, const grz_overlap_depth_answer *y)
{
    return x->lower <= y->upper && y->lower <= x->upper;
}

static void check_decisions(agree_run *run, const grz_overlap_depth_answer *known)
{
    static const double factors[] = {0.25, 0.9, 1.0, 1.2, 4.0};
    agree_source *source = &run->choices;
    const double asked = (agree_one_in(source, 2) ? known->lower : known->upper) * factors[agree_below(source, 5)];
    if (!(asked > 0.0 && asked < HUGE_VAL))
        return;
    const grz_overlap_depth_answer answer = agree_depth(run, &run->objects[0], &run->objects[1], true, asked);
    agree_law_holds(run, AGREE_LAW_DEPTH_DECIDED,
                    (answer.deeper != GRZ_DEEPER_YES || known->upper > asked) &&
                        (answer.deeper != GRZ_DEEPER_NO || known->lower <= asked * (1.0 + 1.1e-6)),
                    "deeper than %.17g: %d, and the depth is in [%.17g, %.17g]", asked, (int)answer.deeper,
                    known->lower, known->upper);
    agree_law_holds(run, AGREE_LAW_DEPTH_AGREES, bounds_meet(&answer, known), "[%.17g, %.17g] and [%.17g, %.17g]",
                    answer.lower, answer.upper, known->lower, known->upper);
}

// The point of the depth: it is in both, no farther from the surfaces than the depth together, and the ball around it
// is in common.
static void check_centre(agree_run *run, const grz_overlap_depth_answer *answer)
{
    static const double pi = 3.14159265358979;
    grz_point_distance at[2];
    for (int i = 0; i < 2; i++) {
        grz_error error = {.message = ""};
        if (!agree_call(run,
                        grz_distance_points(run->device, &run->objects[i], answer->centre, 1, NULL, &at[i], &error),
                        &error, "grz_distance_points"))
            return;
    }
    const double sum = at[0].upper + at[1].upper, radius = fmin(at[0].lower, at[1].lower),
                 ball = 4.0 / 3.0 * pi * radius * radius * radius;
    agree_law_holds(run, AGREE_LAW_DEPTH_CENTRE,
                    at[0].location == GRZ_INSIDE && at[1].location == GRZ_INSIDE &&
                        answer->lower <= sum * (1.0 + 0x1p-50) &&
                        at[0].lower + at[1].lower <= answer->upper * (1.0 + 0x1p-50),
                    "depth in [%.17g, %.17g], its point is at %d and %d, %.17g and %.17g deep", answer->lower,
                    answer->upper, (int)at[0].location, (int)at[1].location, at[0].distance, at[1].distance);
    const grz_overlap_volume_answer volume = agree_volume(run, &run->objects[0], &run->objects[1], NULL);
    agree_law_holds(run, AGREE_LAW_DEPTH_VOLUME, ball <= volume.upper * (1.0 + 1e-12),
                    "a ball of radius %.17g is in both, their volume is in [%.17g, %.17g]", radius, volume.lower,
                    volume.upper);
}

// A solid with itself: twice the radius of its largest ball. Of two of them, no depth is above their middle; and none
// is below that of a solid that the other one holds.
static void check_largest(agree_run *run, grz_solids solids, const grz_overlap_depth_answer *answer)
{
    grz_overlap_depth_answer alone[2];
    for (int i = 0; i < 2; i++)
        alone[i] = agree_depth(run, &run->objects[i], &run->objects[i], false, 0.0);
    agree_law_holds(run, AGREE_LAW_DEPTH_LARGEST,
                    answer->lower <= (0.5 * alone[0].upper + 0.5 * alone[1].upper) * (1.0 + 0x1p-50),
                    "depth in [%.17g, %.17g], of each with itself up to %.17g and %.17g", answer->lower, answer->upper,
                    alone[0].upper, alone[1].upper);
    const bool a_inside = solids == GRZ_SOLIDS_A_INSIDE_B || solids == GRZ_SOLIDS_SAME,
               b_inside = solids == GRZ_SOLIDS_B_INSIDE_A || solids == GRZ_SOLIDS_SAME;
    for (int i = 0; i < 2; i++)
        if (i == 0 ? a_inside : b_inside)
            agree_law_holds(run, AGREE_LAW_DEPTH_INSIDE, answer->upper >= alone[i].lower,
                            "%c is inside, depth in [%.17g, %.17g], with itself in [%.17g, %.17g]", "AB"[i],
                            answer -> lower, answer -> upper, alone[i].lower, alone[i].upper);
}

// Surfaces that do not touch: the solids are apart, or one holds the other, which is as deep as they are far apart.
static void check_distance(agree_run *run, grz_solids solids, const grz_overlap_depth_answer *answer)
{
    const grz_distance_answer apart = agree_distance(run, &run->objects[0], &run->objects[1], NULL);
    if (apart.touching)
        return;
    if (solids == GRZ_SOLIDS_APART)
        agree_law_holds(run, AGREE_LAW_DEPTH_DISTANCE, answer->lower == 0.0, "%.17g apart, but %.17g deep",
                        apart.distance, answer->lower);
    if (solids == GRZ_SOLIDS_A_INSIDE_B || solids == GRZ_SOLIDS_B_INSIDE_A)
        agree_law_holds(run, AGREE_LAW_DEPTH_DISTANCE, answer->upper >= apart.lower,
                        "inside, %.17g from the surface, but at most %.17g deep", apart.distance, answer->upper);
}

static bool same_bounds(const grz_overlap_depth_answer *x, const grz_overlap_depth_answer *y)
{
    return memcmp(&x->lower, &y->lower, sizeof x->lower) == 0 && memcmp(&x->upper, &y->upper, sizeof x->upper) == 0 &&
           x->certainty == y->certainty;
}

// Both orders asked in one call are the two single calls, bit for bit.
static void check_pairs(agree_run *run, const grz_overlap_depth_answer *answer, const grz_overlap_depth_answer *swapped)
{
    const grz_overlap_pair pairs[2] = {{0, 1, 0.0}, {1, 0, 0.0}};
    const grz_overlap_depth_options options = agree_depth_options(false, 0.0);
    grz_overlap_depth_answer many[2];
    grz_error error = {.message = ""};
    agree_call(
        run, grz_overlap_depths(run->device, grz_targets_of_objects(run->objects, 2), pairs, 2, &options, many, &error),
        &error, "grz_overlap_depths");
    agree_law_holds(run, AGREE_LAW_DEPTH_AGREES, same_bounds(&many[0], answer) && same_bounds(&many[1], swapped),
                    "alone [%a, %a] and [%a, %a], as pairs [%a, %a] and [%a, %a]", answer->lower, answer->upper,
                    swapped->lower, swapped->upper, many[0].lower, many[0].upper, many[1].lower, many[1].upper);
}

void agree_laws_of_depth(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    const grz_solids solids = agree_collide(run, a, b, GRZ_FIND_SOLIDS).solids;
    const grz_overlap_depth_answer answer = agree_depth(run, a, b, false, 0.0);
    if (!agree_are_solids(solids)) {
        agree_law_holds(run, AGREE_LAW_DEPTH_ZERO, answer.lower == 0.0, "no solids, but a depth in [%a, %a]",
                        answer.lower, answer.upper);
        return;
    }
    const bool meet = agree_insides_meet(solids);
    agree_law_holds(run, AGREE_LAW_DEPTH_ZERO, meet ? answer.upper > 0.0 : answer.lower == 0.0,
                    "solids %d, depth in [%.17g, %.17g]", (int)solids, answer.lower, answer.upper);
    agree_law_holds(run, AGREE_LAW_DEPTH_ZERO,
                    agree_depth(run, a, b, true, 0.0).deeper == (meet ? GRZ_DEEPER_YES : GRZ_DEEPER_NO),
                    "solids %d, deeper than 0 is not so", (int)solids);
    const grz_overlap_depth_answer swapped = agree_depth(run, b, a, false, 0.0);
    agree_law_holds(run, AGREE_LAW_DEPTH_AGREES, bounds_meet(&answer, &swapped), "[%.17g, %.17g] and [%.17g, %.17g]",
                    answer.lower, answer.upper, swapped.lower, swapped.upper);
    check_pairs(run, &answer, &swapped);
    const grz_penetration_answer least = agree_least(run, a, b);
    agree_law_holds(run, AGREE_LAW_DEPTH_LEAST, answer.lower <= least.upper,
                    "depth in [%.17g, %.17g], least way out in [%.17g, %.17g]", answer.lower, answer.upper, least.lower,
                    least.upper);
    check_decisions(run, &answer);
    check_distance(run, solids, &answer);
    if (answer.lower > 0.0)
        check_centre(run, &answer);
    if (meet)
        check_largest(run, solids, &answer);
}
