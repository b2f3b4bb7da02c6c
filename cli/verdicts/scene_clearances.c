// SPDX-License-Identifier: MIT
// The library asks a whole scene with one clearance. What is too near for the largest one is asked again, pair by pair.
#include "verdicts/scene_clearances.h"

#include "answers/query.h"

#include <stdlib.h>
#include <string.h>

bool scene_clearances_read(scene_run *run, char message[LOAD_MESSAGE_SIZE])
{
    return pair_lengths_read(run->given, OPTION_CLEARANCE, "--clearance", &run->objects, &run->clear_lengths, message);
}

double scene_clearances_largest(const scene_run *run)
{
    const double all = run->given->clearance, own = run->clear_lengths.largest;
    return clearance_least(run->given, own > all ? own : all);
}

// Keep what the answer about one pair lists.
static grz_status keep_list(scene_run *run, size_t pair, const grz_result *result)
{
    uint64_t count;
    const grz_pair *near = grz_result_near_pairs(result, &count);

    run->near_lists[pair] = malloc(((size_t)count + 1) * sizeof *near);
    if (run->near_lists[pair] == NULL)
        return GRZ_ERROR_MEMORY;
    if (count > 0)
        memcpy(run->near_lists[pair], near, (size_t)count * sizeof *near);
    return GRZ_OK;
}

static grz_status ask_pair(scene_run *run, size_t pair, double clearance, grz_result *result, grz_error *error)
{
    const grz_scene_pair *at = &run->pairs[pair];
    grz_collide_options wanted = query_common_options(run->given, NULL);

    wanted.clearance = clearance;
    if (run->counted && (run->given->flags & OPTION_QUIET) == 0)
        wanted.find |= GRZ_FIND_PAIRS;
    const grz_status status = grz_collide(run->device, grz_scene_object(run->scene, at->a),
                                          grz_scene_object(run->scene, at->b), &wanted, result, error);
    if (status != GRZ_OK)
        return status;
    const grz_summary *found = grz_result_summary(result);
    run->summary.near_count += found->near_count;
    run->summary.near_count -= run->clearances[pair].near_count;
    run->clearances[pair].clearance = clearance > 0.0 ? found->clearance : GRZ_CLEARANCE_NOT_ASKED;
    run->clearances[pair].near_count = found->near_count;
    return keep_list(run, pair, result);
}

grz_status scene_clearances_narrow(scene_run *run, grz_error *error)
{
    const double largest = scene_clearances_largest(run);
    grz_result *result;

    if (run->clear_lengths.pairs.count == 0)
        return GRZ_OK;
    run->near_lists = calloc(run->pair_count + 1, sizeof(grz_pair *));
    grz_status status = run->near_lists != NULL ? grz_result_create(run->device, &result, error) : GRZ_ERROR_MEMORY;
    if (status != GRZ_OK)
        return status;
    for (size_t i = 0; i < run->pair_count && status == GRZ_OK; i++) {
        const clearance_facts facts = scene_facts(run, i);
        const double least = clearance_least(run->given, facts.required);
        if (facts.surfaces == GRZ_CLEARANCE_NOT_MET && least < largest)
            status = ask_pair(run, i, least, result, error);
    }
    grz_result_destroy(result);
    return status;
}

void scene_clearances_finish(scene_run *run)
{
    for (size_t i = 0; run->near_lists != NULL && i < run->pair_count; i++)
        free(run->near_lists[i]);
    free(run->near_lists);
    pair_lengths_finish(&run->clear_lengths);
}
