// SPDX-License-Identifier: MIT
// Every method that gives exact answers on the CPU gives the same bytes: pairs, contacts and curves.
#include "ask.h"

#include "support_queries.h"

static test_answer ask(agree_run *run, const char *method, double clearance)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error = {.message = ""};
    options.method = method;
    options.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT;
    options.clearance = clearance;
    agree_call(run, grz_collide(run->device, &run->objects[0], &run->objects[1], &options, run->result, &error), &error,
               method);
    return test_answer_of(run->result);
}

void agree_laws_of_methods(agree_run *run)
{
    agree_source source = run->choices;
    const double distance = agree_distance(run, &run->objects[0], &run->objects[1], NULL).distance;
    test_answer one = ask(run, test_exact_method(1), distance);
    const size_t turn = agree_below(&source, 60);
    for (size_t i = 0; test_exact_method_in_turn(i, turn) != NULL; i++) {
        if (i == 1)
            continue;
        const char *method = test_exact_method_in_turn(i, turn);
        test_answer other = ask(run, method, distance);
        agree_law_holds(run, AGREE_LAW_METHODS,
                        test_answers_equal(method, &one, &other) && one.summary.clearance == other.summary.clearance &&
                            one.summary.near_count == other.summary.near_count,
                        "%s and %s answer differently", test_exact_method(1), method);
        test_answer_finish(&other);
    }
    test_answer_finish(&one);
}
