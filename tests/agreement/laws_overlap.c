// SPDX-License-Identifier: MIT
// Laws of the volume that two solids have in common, and of the depth of their overlap.
#include <math.h>
#include <stdlib.h>

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

// Few cells: bounds hold however far a search has come.
static grz_overlap_depth_answer ask_depth(agree_run *run, const grz_object *a, const grz_object *b, bool decide,
                                          double depth)
{
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    grz_overlap_depth_answer answer;
    grz_error error = {.message = ""};
    options.max_cells = 300;
    options.tolerance = 0.05;
    options.decide = decide;
    options.measure = !decide;
    options.deeper_than = depth;
    agree_call(run, grz_overlap_depth(run->device, a, b, &options, &answer, &error), &error, "grz_overlap_depth");
    agree_law_holds(run, AGREE_LAW_CALLS, 0.0 <= answer.lower && answer.lower <= answer.upper,
                    "grz_overlap_depth: [%a, %a]", answer.lower, answer.upper);
    return answer;
}

static void check_decisions(agree_run *run, const grz_overlap_depth_answer *known)
{
    static const double factors[] = {0.25, 0.9, 1.0, 1.2, 4.0};
    agree_source *source = &run->choices;
    const double asked = (agree_one_in(source, 2) ? known->lower : known->upper) * factors[agree_below(source, 5)];
    if (!(asked > 0.0 && asked < HUGE_VAL))
        return;
    const grz_overlap_depth_answer answer = ask_depth(run, &run->objects[0], &run->objects[1], true, asked);
    agree_law_holds(run, AGREE_LAW_DEPTH_DECIDED,
                    (answer.deeper != GRZ_DEEPER_YES || known->upper > asked) &&
                        (answer.deeper != GRZ_DEEPER_NO || known->lower <= asked * (1.0 + 1.1e-6)),
                    "deeper than %.17g: %d, and the depth is in [%.17g, %.17g]", asked, (int)answer.deeper,
                    known->lower, known->upper);
    agree_law_holds(run, AGREE_LAW_DEPTH_AGREES,
                    agree_bounds_agree(answer.lower, answer.upper, known->lower, known->upper),
                    "[%.17g, %.17g] and [%.17g, %.17g]", answer.lower, answer.upper, known->lower, known->upper);
}

void agree_laws_of_depth(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    const grz_solids solids = agree_collide(run, a, b, GRZ_FIND_SOLIDS).solids;
    const grz_overlap_depth_answer answer = ask_depth(run, a, b, false, 0.0);
    if (!agree_are_solids(solids)) {
        agree_law_holds(run, AGREE_LAW_DEPTH_ZERO, answer.lower == 0.0, "no solids, but a depth in [%a, %a]",
                        answer.lower, answer.upper);
        return;
    }
    const bool meet = agree_insides_meet(solids);
    agree_law_holds(run, AGREE_LAW_DEPTH_ZERO, meet ? answer.upper > 0.0 : answer.lower == 0.0,
                    "solids %d, depth in [%.17g, %.17g]", (int)solids, answer.lower, answer.upper);
    agree_law_holds(run, AGREE_LAW_DEPTH_ZERO,
                    ask_depth(run, a, b, true, 0.0).deeper == (meet ? GRZ_DEEPER_YES : GRZ_DEEPER_NO),
                    "solids %d, deeper than 0 is not so", (int)solids);
    const grz_overlap_depth_answer swapped = ask_depth(run, b, a, false, 0.0);
    agree_law_holds(run, AGREE_LAW_DEPTH_AGREES,
                    agree_bounds_agree(answer.lower, answer.upper, swapped.lower, swapped.upper),
                    "[%.17g, %.17g] and [%.17g, %.17g]", answer.lower, answer.upper, swapped.lower, swapped.upper);
    const grz_penetration_answer least = agree_least(run, a, b);
    agree_law_holds(run, AGREE_LAW_DEPTH_LEAST, answer.lower <= least.upper,
                    "depth in [%.17g, %.17g], least way out in [%.17g, %.17g]", answer.lower, answer.upper, least.lower,
                    least.upper);
    check_decisions(run, &answer);
}
