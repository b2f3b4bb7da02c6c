// SPDX-License-Identifier: MIT
// The worst verdict of all pairs. --deeper-than takes the place of the plain verdict, and of --allow-touching, for the
// pairs that it is about; --clearance stands beside it.
#include "verdicts/scene_status.h"

#include "answers/query.h"
#include "command.h"
#include "verdicts/scene_overlaps.h"

// Whether an object is tested against any other.
static bool is_asked(const scene_run *run, uint32_t object)
{
    const bool only_one = run->reference != GRZ_ALL_OBJECTS && run->reference != object;
    for (uint32_t i = 0; i < run->objects.count; i++)
        if (i != object && (!only_one || i == run->reference) &&
            !exclusions_hold(&run->excluded, i < object ? i : object, i < object ? object : i))
            return true;
    return false;
}

// With --clearance: how the pairs stand.
static void judge_clearances(scene_run *run)
{
    if ((run->given->flags & OPTION_CLEARANCE) == 0)
        return;
    for (size_t i = 0; i < run->pair_count; i++) {
        const clearance_facts facts = scene_facts(run, i);
        run->clearance_verdicts[clearance_judge(run->given, &facts)]++;
    }
}

// A pair that is listed only because of --clearance.
static bool is_only_near(const grz_scene_pair *pair)
{
    return pair->relation == GRZ_APART && pair->containment != GRZ_CONTAINMENT_UNDECIDABLE;
}

grz_status scene_judge(scene_run *run, grz_error *error)
{
    const bool strict = (run->given->flags & OPTION_STRICT) != 0;
    grz_status status = GRZ_OK;

    judge_clearances(run);
    if ((run->given->flags & OPTION_ALLOW_TOUCHING) == 0)
        return GRZ_OK;
    for (size_t i = 0; i < run->pair_count; i++)
        if (!is_only_near(&run->pairs[i]) && !scene_is_judged(run, i))
            run->allowances[allowance_of(run->pairs[i].relation, run->pairs[i].containment, run->solids[i].solids)]++;
    for (size_t i = 0; strict && run->asked > 0 && run->open == NULL && status == GRZ_OK && i < run->objects.count;
         i++) {
        bool closed;
        status = grz_mesh_is_closed(grz_scene_object(run->scene, (uint32_t)i)->mesh, &closed, error);
        if (status == GRZ_OK && !closed && is_asked(run, (uint32_t)i))
            run->open = run->objects.names[i];
    }
    return status;
}

static int clearance_exit_status(const scene_run *run)
{
    const size_t *verdicts = run->clearance_verdicts;
    const bool strict = (run->given->flags & OPTION_STRICT) != 0, unknown = verdicts[CLEARANCE_UNKNOWN] > 0;

    if (run->summary.certainty == GRZ_UNDECIDED || (strict && (unknown || run->open != NULL)))
        return STATUS_UNDECIDED;
    return clearance_status(verdicts[CLEARANCE_NOT_MET] > 0 ? CLEARANCE_NOT_MET
                            : unknown                       ? CLEARANCE_UNKNOWN
                                                            : CLEARANCE_MET);
}

// Of the pairs that --deeper-than does not judge, where there is no --clearance.
static int plain_exit_status(const scene_run *run)
{
    const bool strict = (run->given->flags & OPTION_STRICT) != 0, unknown = run->allowances[ALLOWANCE_UNKNOWN] > 0;

    if ((run->given->flags & OPTION_ALLOW_TOUCHING) == 0)
        return query_exit_status(run->given, &run->summary, NULL);
    if (run->summary.certainty == GRZ_UNDECIDED || (strict && (unknown || run->open != NULL)))
        return STATUS_UNDECIDED;
    if (run->allowances[ALLOWANCE_REFUSED] > 0)
        return query_allowance_status(ALLOWANCE_REFUSED);
    return query_allowance_status(unknown ? ALLOWANCE_UNKNOWN : ALLOWANCE_FINE);
}

// What is left to the plain verdict: pairs that have no depth of their own, where there is none for all.
static bool is_left_to_plain(const scene_run *run, size_t pair)
{
    return !scene_is_judged(run, pair) && run->pairs[pair].relation != GRZ_APART;
}

// With --deeper-than.
static int overlap_exit_status(const scene_run *run)
{
    const bool strict = (run->given->flags & OPTION_STRICT) != 0;
    int worst = scene_overlaps_status(run);

    if (strict && (run->summary.containment == GRZ_CONTAINMENT_UNDECIDABLE || run->open != NULL))
        return STATUS_UNDECIDED;
    if ((run->given->flags & OPTION_CLEARANCE) != 0)
        return overlap_worse_status(worst, clearance_exit_status(run));
    if ((run->given->flags & OPTION_ALLOW_TOUCHING) != 0)
        return overlap_worse_status(worst, plain_exit_status(run));
    for (size_t i = 0; i < run->pair_count; i++)
        if (is_left_to_plain(run, i))
            worst = overlap_worse_status(worst, STATUS_TOUCHES);
    return worst;
}

int scene_status(const scene_run *run)
{
    if ((run->given->flags & OPTION_DEEPER_THAN) != 0)
        return overlap_exit_status(run);
    return (run->given->flags & OPTION_CLEARANCE) != 0 ? clearance_exit_status(run) : plain_exit_status(run);
}
