// SPDX-License-Identifier: MIT
// Makes plans: checks options, and chooses a filter by its capabilities.
#include "query/plan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

enum {
    MOST_METHOD_OPTIONS = 64 // entries of the list; a longer one is taken for a circle
};

static grz_status check_values(const grz_query_kind *kind, const grz_collide_options *options, grz_error *error)
{
    const char *name = kind->name;
    if ((options->find & ~kind->allowed) != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: bits in options.find that it does not take: 0x%x", name, options->find & ~kind->allowed);
    if (!(options->clearance >= 0.0 && options->clearance < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: options.clearance is %g; it must be 0 or above, and finite", name, options->clearance);
    if (options->clearance > 0.0 && !kind->clearance)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: options.clearance is for two objects, scenes and batches", name);
    if (options->clearance > 0.0 && options->answer == GRZ_ANSWER_DISCRETE)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: options.clearance: a discrete answer proves no clearance", name);
    if ((unsigned)options->inside_rule > GRZ_INSIDE_AUTO)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: options.inside_rule is %d", name,
                        (int)options->inside_rule);
    if (options->answer != GRZ_ANSWER_EXACT && options->answer != GRZ_ANSWER_DISCRETE)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: options.answer is %d", name,
                        (int)options->answer);
    int entries = 0;
    for (const grz_method_options *of = options->method_options; of != NULL; of = of->next) {
        if (++entries > MOST_METHOD_OPTIONS)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "%s: options.method_options has more than %d entries, or leads back to itself", name,
                            (int)MOST_METHOD_OPTIONS);
        if (of->method == NULL || of->options == NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "%s: an entry of options.method_options has no method, or no options", name);
        if (grz_filter_find(of->method) == NULL)
            return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                            "%s: options.method_options: no method is called \"%s\" in this build", name, of->method);
    }
    return GRZ_OK;
}

static const char *described(uint32_t capabilities)
{
    if ((capabilities & GRZ_CAN_SELF) != 0)
        return "a mesh with itself";
    return (capabilities & GRZ_CAN_MANY) != 0 ? "many pairs of objects" : "a pair of objects";
}

// For error texts: what a filter has discrete answers for.
static const char *described_discrete(uint32_t capabilities)
{
    switch (capabilities & GRZ_CAN_DISCRETE) {
    case GRZ_CAN_DISCRETE_PAIR:
        return "two objects";
    case GRZ_CAN_DISCRETE_SELF:
        return "a mesh with itself";
    case GRZ_CAN_DISCRETE_SCENE:
        return "scenes";
    case GRZ_CAN_DISCRETE_PAIR | GRZ_CAN_DISCRETE_SELF:
        return "two objects, or a mesh with itself";
    case GRZ_CAN_DISCRETE_PAIR | GRZ_CAN_DISCRETE_SCENE:
        return "two objects, or scenes";
    default:
        return "single queries";
    }
}

static grz_status check_filter(const grz_filter *filter, const grz_query_kind *kind, const grz_plan *plan,
                               grz_error *error)
{
    if (filter->capabilities == GRZ_USES_GL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "method %s needs OpenGL, which is not in this build", filter->name);
    if (!plan->discrete) {
        if (!grz_filter_can(filter, kind->exact & ~(uint32_t)GRZ_CAN_MANY))
            return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s cannot test %s", filter->name,
                            described(kind->exact & ~(uint32_t)GRZ_CAN_MANY));
        if (!grz_filter_can(filter, kind->exact))
            return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s cannot test %s", filter->name,
                            described(kind->exact));
        if (plan->clearance > 0.0 && !grz_filter_can(filter, GRZ_CAN_MARGIN))
            return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                            "method %s finds what touches, but not what is nearer than a clearance", filter->name);
        return GRZ_OK;
    }
    if ((filter->capabilities & GRZ_CAN_DISCRETE) == 0)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s has no discrete answer", filter->name);
    if (kind->discrete == 0 || !grz_filter_can(filter, kind->discrete))
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "%s: method %s has a discrete answer for %s only",
                        kind->name, filter->name, described_discrete(filter->capabilities));
    return GRZ_OK;
}

// Choose the filter: the one with the given name, or the first one that is able to do it.
static grz_status choose_filter(grz_plan *plan, const grz_query_kind *kind, const char *method, grz_error *error)
{
    const bool any = method == NULL || strcmp(method, "auto") == 0;
    const uint32_t exact = kind->exact | (plan->clearance > 0.0 ? GRZ_CAN_MARGIN : 0u);
    if (any && plan->discrete && kind->discrete == 0)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "%s: there is no discrete answer to this query",
                        kind->name);
    plan->filter = any ? grz_filter_choose(plan->discrete ? kind->discrete : exact) : grz_filter_find(method);
    if (plan->filter == NULL && any && plan->discrete) // for the error text: a method that has discrete answers to
                                                       // other questions
        plan->filter = grz_filter_choose(GRZ_CAN_DISCRETE_PAIR);
    if (plan->filter == NULL && any)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "%s: no method of this build has %s answer",
                        kind->name, plan->discrete ? "a discrete" : "an exact");
    if (plan->filter == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "no method is called \"%s\" in this build",
                        method);
    return check_filter(plan->filter, kind, plan, error);
}

// The options of a filter, from the list of method options; NULL: its defaults.
static const void *options_of(const grz_filter *filter, const grz_collide_options *options)
{
    for (const grz_method_options *of = options->method_options; of != NULL; of = of->next)
        if (strcmp(of->method, filter->name) == 0)
            return of->options;
    return NULL;
}

grz_status grz_plan_make(grz_plan *plan, const grz_query_kind *kind, const grz_collide_options *options,
                         grz_error *error)
{
    *plan =
        (grz_plan){.find = options->find,
                   .reference = (kind->discrete & GRZ_CAN_DISCRETE_SCENE) != 0 ? options->reference : GRZ_ALL_OBJECTS,
                   .max_pairs = options->max_pairs,
                   .inside_rule = options->inside_rule,
                   .clearance = options->clearance,
                   .discrete = options->answer == GRZ_ANSWER_DISCRETE,
                   .asked_containment = (options->find & GRZ_FIND_CONTAINMENT) != 0,
                   .warm_start = options->warm_start};
    grz_status status = check_values(kind, options, error);
    if (status == GRZ_OK)
        status = choose_filter(plan, kind, options->method, error);
    if (status != GRZ_OK)
        return status;
    assert(plan->discrete ? (plan->filter->discrete != NULL) != (plan->filter->propose_discrete != NULL)
                          : plan->filter->propose != NULL);
    plan->filter_options = options_of(plan->filter, options);
    if (plan->filter->check_options != NULL)
        status = plan->filter->check_options(plan->filter_options, error);
    if (grz_plan_samples(plan)) {
        const grz_filter *filter = plan->filter;
        const uint32_t lists = options->find & GRZ_FIND_LISTS;
        plan->find = (options->find & GRZ_FIND_CHANGED) |
                     (filter->discrete_lists != NULL ? filter->discrete_lists(plan->filter_options, lists) : 0);
    }
    return status;
}

grz_plan grz_plan_exact_part(const grz_plan *plan, uint32_t find)
{
    grz_plan part = *plan;
    part.filter = grz_filter_choose(GRZ_CAN_PAIR | GRZ_CAN_SELF);
    assert(part.filter != NULL);
    part.filter_options = NULL;
    part.find = find;
    part.discrete = false;
    return part;
}
