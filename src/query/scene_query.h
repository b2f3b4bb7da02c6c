// SPDX-License-Identifier: MIT
// The query of a scene while it runs: the overlapping pairs with what is known of each, and the jobs of one block.
#ifndef GRZ_QUERY_SCENE_QUERY_H
#define GRZ_QUERY_SCENE_QUERY_H

#include "query/nests.h"
#include "query/query.h"
#include "query/scene.h"

typedef struct grz_scene_query {
    grz_query query;
    grz_scene *scene;
    const grz_object *objects; // indexed by object number; the objects that jobs name have their meshes in memory
    const grz_sweep_pair *pairs;
    size_t count;
    unsigned char *codes; // one for each pair: GRZ_CODE_WANTED and what is known (pair_cache.h)
    size_t asked;         // pairs that this query wants and that were not known when it began
    size_t same;          // codes that were found in the scene's memory
    size_t listed;        // pairs that are listed and were known when it began
    grz_nests nests;
    bool touching, contained, undecidable, too_near; // whether some listed pair is so
    grz_scene_pair blank; // zeros, to copy: gcc clears a structure of this size by a slow instruction
    // Arrays of `room` items.
    size_t room, job_count;
    grz_job *jobs;
    grz_verdict *verdicts;
} grz_scene_query;

// True if the query asks about a pair and does not know the answer yet.
static inline bool grz_scene_asks(const grz_scene_query *scene_query, size_t pair)
{
    return scene_query->codes[pair] == (GRZ_CODE_WANTED | GRZ_CODE_UNKNOWN);
}

// Add a job for a pair. There is room.
void grz_scene_add_job(grz_scene_query *scene_query, size_t pair);

// Run the collected jobs and remove them. `verdicts` receives the answers.
grz_status grz_scene_run_jobs(grz_scene_query *scene_query, const grz_plan *plan);

// The code of a verdict.
unsigned grz_scene_code(grz_scene_query *scene_query, const grz_verdict *verdict);

// Find objects that are nested in each other, so that most of their containments follow from a few. Answers some of the
// pairs that are asked, and fills in scene_query->nests.
grz_status grz_scene_find_nests(grz_scene_query *scene_query);

#endif
