// SPDX-License-Identifier: MIT
// One run of `graze scene`: its files, the scene made of them, and what the query found. command_scene.c fills it,
// describe_scene.c makes the report of it.
#ifndef GRZ_CLI_SCENE_H
#define GRZ_CLI_SCENE_H

#include "verdicts/allowance.h"
#include "verdicts/clearance.h"
#include "answers/measure.h"
#include "arguments/options.h"
#include "assembly/exclusions.h"
#include "assembly/pair_lengths.h"
#include "assembly/scene_objects.h"
#include "verdicts/overlap.h"
#include "progress.h"

#include <graze/graze.h>

// Plain data.
typedef struct scene_run {
    const options *given;
    grz_device *device;
    grz_scene *scene;
    scene_objects objects;
    grz_result *result;
    // What was found. A copy: the result is used again for the counting of pair after pair.
    grz_summary summary;
    grz_scene_pair *pairs;          // owned
    grz_pair_clearance *clearances; // owned; one for each pair if a clearance was asked for, else NULL
    grz_pair_solids *solids;        // owned; one for each pair, GRZ_SOLIDS_NOT_ASKED where that is not known
    overlap_facts *overlaps;        // owned; one for each pair with --deeper-than or --depth, else NULL
    grz_pair **near_lists;          // owned; NULL where the result has them: see scene_near()
    size_t pair_count;
    progress *bar;
    uint64_t reference; // GRZ_ALL_OBJECTS unless --reference names an object
    // False if there were more pairs of faces than --max-pairs: which objects touch is known, not at how many faces.
    bool counted;
    size_t clearance_verdicts[CLEARANCE_VERDICT_COUNT]; // with --clearance: how many of the pairs stand so
    size_t allowances[ALLOWANCE_COUNT];                 // with --allow-touching: how many pairs stand so
    size_t overlap_verdicts[OVERLAP_VERDICT_COUNT];     // with --deeper-than: how many pairs stand so
    bool *thin;          // owned; with --deeper-than: objects that are all thinner; NULL: not known
    bool *nonzero;       // owned; with --rule auto: of each object, whether its rule is nonzero; else NULL
    const char *open;    // with --allow-touching --strict: the name of a tested object that is open
    exclusions excluded; // owned; the pairs that are not tested
    pair_lengths clear_lengths, deep_lengths; // owned; of --clearance A:B=D and --deeper-than A:B=D
    uint64_t asked;                           // pairs of objects, those that are excluded among them
    uint32_t shells;                          // how many objects --split would make of the only one; 0: not known
    measures measured;
} scene_run;

// What is known of a pair.
static inline clearance_facts scene_facts(const scene_run *run, size_t pair)
{
    const grz_scene_pair *at = &run->pairs[pair];
    const grz_pair_clearance *clearance = run->clearances != NULL ? &run->clearances[pair] : NULL;
    const double *own = pair_lengths_find(&run->clear_lengths, at->a, at->b);
    const bool within =
        run->overlaps != NULL && overlap_is_excused(run->given, &run->overlaps[pair], run->solids[pair].solids);
    clearance_facts facts = {.relation = at->relation,
                             .containment = at->containment,
                             .solids = run->solids[pair].solids,
                             .surfaces = clearance != NULL ? clearance->clearance : GRZ_CLEARANCE_NOT_ASKED,
                             .asked = own != NULL || run->given->all_clear,
                             .required = own != NULL ? *own : run->given->clearance,
                             .reason = at->reason != NULL ? at->reason : run->solids[pair].reason,
                             .near_count = clearance != NULL ? clearance->near_count : 0,
                             .counted = run->counted};
    clearance_excuse(&facts, within);
    return facts;
}

// Whether --deeper-than judges a pair.
static inline bool scene_is_judged(const scene_run *run, size_t pair)
{
    return run->overlaps != NULL && overlap_judge(run->given, &run->overlaps[pair]) != OVERLAP_NOT_JUDGED;
}

// Whether a pair is nearer than its clearance.
static inline bool scene_pair_is_near(const scene_run *run, size_t pair)
{
    return run->clearances != NULL && run->clearances[pair].clearance == GRZ_CLEARANCE_NOT_MET;
}

// With --pairs and --clearance: the pairs of faces of a pair of objects that are too near.
static inline const grz_pair *scene_near(const scene_run *run, size_t pair)
{
    uint64_t count;
    if (run->near_lists != NULL && run->near_lists[pair] != NULL)
        return run->near_lists[pair];
    return grz_result_near_pairs(run->result, &count) + run->clearances[pair].first_near;
}

#endif
