// SPDX-License-Identifier: MIT
// Of the pairs that the scene's answer lists: all others are apart. They are asked in blocks, each on all threads.
#include "verdicts/scene_overlaps.h"

#include "answers/query.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    BLOCK = 256,     // pairs that are asked at once
    THIN_CELLS = 256 // an object that is not proved to be thin after so many is not called so
};

static bool is_asked(const options *given)
{
    return (given->flags & (OPTION_DEEPER_THAN | OPTION_DEPTH)) != 0;
}

bool scene_overlaps_read(scene_run *run, char message[LOAD_MESSAGE_SIZE])
{
    return pair_lengths_read(run->given, OPTION_DEEPER_THAN, "--deeper-than", &run->objects, &run->deep_lengths,
                             message);
}

// The depth that two objects may have; NULL: no --deeper-than is about them.
static const double *limit_of(const scene_run *run, uint32_t a, uint32_t b)
{
    const double *own = pair_lengths_find(&run->deep_lengths, a, b);
    return own != NULL || !run->given->all_deeper ? own : &run->given->deeper_than;
}

static grz_status begin_pair(scene_run *run, size_t pair, bool *due, grz_error *error)
{
    const options *given = run->given;
    const grz_scene_pair *at = &run->pairs[pair];
    const grz_object *a = grz_scene_object(run->scene, at->a), *b = grz_scene_object(run->scene, at->b);
    const overlap_surfaces surfaces = {
        .relation = at->relation, .containment = at->containment, .solids = run->solids[pair].solids};
    const overlap_asking asking = {given, run->device, query_common_options(given, NULL)};

    return overlap_begin(&asking, a, b, &surfaces, limit_of(run, at->a, at->b), &run->overlaps[pair], due, error);
}

// What is asked at once: pairs that have a limit, or those that have none.
typedef struct block {
    grz_overlap_pair asked[BLOCK];
    size_t pairs[BLOCK]; // of the scene's list
    size_t count;
    grz_overlap_depth_answer answers[BLOCK];
    grz_overlap_part *parts; // room for OVERLAP_MOST_PARTS of each; NULL: no places are asked for
} block;

static grz_status ask_block(scene_run *run, block *b, bool limited, grz_error *error)
{
    const double limit = 0.0; // each pair has its own
    grz_overlap_depth_options wanted = overlap_options(run->given, limited ? &limit : NULL);
    grz_overlap_part *parts = limited ? b->parts : NULL;
    bool taken = true;

    if (parts != NULL) {
        wanted.parts = parts;
        wanted.part_capacity = OVERLAP_MOST_PARTS;
    }
    const grz_status status = grz_overlap_depths(run->device, grz_targets_of_scene(run->scene), b->asked, b->count,
                                                 &wanted, b->answers, error);
    for (size_t i = 0; i < b->count && taken; i++)
        taken = overlap_take(&run->overlaps[b->pairs[i]], &b->answers[i],
                             parts != NULL ? parts + i * OVERLAP_MOST_PARTS : NULL);
    b->count = 0;
    return taken ? status : GRZ_ERROR_MEMORY;
}

// Those pairs that have a limit, or those that have none.
static grz_status ask_pairs(scene_run *run, block *b, bool limited, const bool *due, grz_error *error)
{
    grz_status status = GRZ_OK;

    for (size_t i = 0; i < run->pair_count && status == GRZ_OK; i++) {
        const overlap_facts *facts = &run->overlaps[i];
        if (!due[i] || facts->limited != limited)
            continue;
        b->pairs[b->count] = i;
        b->asked[b->count++] = (grz_overlap_pair){run->pairs[i].a, run->pairs[i].b, facts->limit};
        if (b->count == BLOCK) {
            status = ask_block(run, b, limited, error);
            progress_share((double)(i + 1) / (double)run->pair_count, run->bar);
        }
    }
    return status == GRZ_OK && b->count > 0 ? ask_block(run, b, limited, error) : status;
}

static grz_status ask_all(scene_run *run, grz_error *error)
{
    const bool places = (run->given->flags & (OPTION_DEEPER_THAN | OPTION_QUIET)) == OPTION_DEEPER_THAN;
    bool *due = calloc(run->pair_count + 1, sizeof *due);
    block *b = calloc(1, sizeof *b);
    grz_status status = due != NULL && b != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;

    if (status == GRZ_OK && places) {
        b->parts = malloc((size_t)BLOCK * OVERLAP_MOST_PARTS * sizeof *b->parts);
        status = b->parts != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    }
    for (size_t i = 0; i < run->pair_count && status == GRZ_OK; i++)
        status = begin_pair(run, i, &due[i], error);
    for (int limited = 0; limited < 2 && status == GRZ_OK; limited++)
        status = ask_pairs(run, b, limited == 1, due, error);
    if (b != NULL)
        free(b->parts);
    free(b);
    free(due);
    return status;
}

// Whether all of an object is thinner than a depth: its overlap with itself is no deeper.
static grz_status is_thin(const scene_run *run, uint32_t object, double depth, bool *thin, grz_error *error)
{
    grz_overlap_depth_options wanted = grz_default_overlap_depth_options();
    grz_overlap_depth_answer answer;
    const grz_object *at = grz_scene_object(run->scene, object);

    wanted.inside_rule = run->given->rule;
    wanted.measure = false;
    wanted.decide = true;
    wanted.deeper_than = depth;
    wanted.max_cells = THIN_CELLS;
    const grz_status status = grz_overlap_depth(run->device, at, at, &wanted, &answer, error);
    *thin = answer.deeper == GRZ_DEEPER_NO;
    return status;
}

// Objects that overlap, of which even the whole would not be deep.
static grz_status find_thin(scene_run *run, grz_error *error)
{
    grz_status status = GRZ_OK;

    run->thin = calloc(run->objects.count + 1, sizeof *run->thin);
    bool *known = calloc(run->objects.count + 1, sizeof *known);
    if (run->thin == NULL || known == NULL)
        status = GRZ_ERROR_MEMORY;
    for (size_t i = 0; status == GRZ_OK && i < run->pair_count; i++) {
        const uint32_t both[2] = {run->pairs[i].a, run->pairs[i].b};
        const overlap_facts *overlap = &run->overlaps[i];
        if (overlap_judge(run->given, overlap) != OVERLAP_WITHIN || overlap->answer.upper == 0.0)
            continue;
        for (int k = 0; status == GRZ_OK && k < 2; k++)
            if (!known[both[k]]) {
                known[both[k]] = true;
                status = is_thin(run, both[k], overlap->limit, &run->thin[both[k]], error);
            }
    }
    free(known);
    return status;
}

grz_status scene_overlaps_ask(scene_run *run, grz_error *error)
{
    grz_status status = GRZ_OK;

    if (!is_asked(run->given))
        return GRZ_OK;
    run->overlaps = calloc(run->pair_count + 1, sizeof *run->overlaps);
    if (run->overlaps == NULL) {
        snprintf(error->message, sizeof error->message, "out of memory for the depths");
        return GRZ_ERROR_MEMORY;
    }
    progress_phase(run->bar, "depths", NULL);
    status = ask_all(run, error);
    for (size_t i = 0; i < run->pair_count && status == GRZ_OK; i++)
        run->overlap_verdicts[overlap_judge(run->given, &run->overlaps[i])]++;
    if (status == GRZ_OK && (run->given->flags & (OPTION_DEEPER_THAN | OPTION_QUIET)) == OPTION_DEEPER_THAN)
        status = find_thin(run, error);
    if (status == GRZ_ERROR_MEMORY && error->message[0] == '\0')
        snprintf(error->message, sizeof error->message, "out of memory for the depths");
    return status;
}

int scene_overlaps_status(const scene_run *run)
{
    if (run->overlap_verdicts[OVERLAP_DEEPER] > 0)
        return overlap_status(OVERLAP_DEEPER);
    return overlap_status(run->overlap_verdicts[OVERLAP_UNKNOWN] > 0 ? OVERLAP_UNKNOWN : OVERLAP_WITHIN);
}

void scene_overlaps_finish(scene_run *run)
{
    for (size_t i = 0; run->overlaps != NULL && i < run->pair_count; i++)
        overlap_finish(&run->overlaps[i]);
    free(run->overlaps);
    free(run->thin);
    pair_lengths_finish(&run->deep_lengths);
}
