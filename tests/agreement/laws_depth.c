// SPDX-License-Identifier: MIT
// Laws of the depth of overlaps.
#include <math.h>

#include "ask.h"

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
