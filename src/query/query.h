// SPDX-License-Identifier: MIT
// A query under way: what pairs, self, scenes and batches have in common. Begin checks what was asked, run lets the filter propose
// and the predicates decide any number of jobs and assembles what they found, end leaves nothing half-written.
#ifndef GRZ_QUERY_QUERY_H
#define GRZ_QUERY_QUERY_H

#include "base/fp_guard.h"
#include "query/result.h"

// What kind of query it is.
typedef struct grz_query_kind {
    const char *name;        // of the function, as texts of errors begin with it: "collide scene"
    uint32_t allowed, needs; // the GRZ_FIND_… that it takes, and what the filter must be capable of
    bool discrete, sampled;  // whether there are discrete answers to it: by grz_filter::discrete, by grz_filter::sample
} grz_query_kind;

typedef struct grz_query {
    const grz_query_kind *kind;
    grz_device *device;
    grz_collide_options options;
    const grz_filter *filter;
    grz_control control;
    grz_result *result;
    grz_error *error;
    grz_fp_state fp;
    bool begun;         // the control is in force
    bool any_touching;  // some job's objects touch, as far as is known
    bool sampled;       // by grz_filter::sample
    bool asks_inside;   // which samples do not tell
    grz_discrete worth; // of what was sampled, the last time
} grz_query;

// The filters of this build, by number; NULL past the last.
const grz_filter *grz_filter_at(size_t index);

// The filter of a name; "auto" and NULL name the one for general use, for such an answer. NULL where there is none.
const grz_filter *grz_filter_find(const char *name, grz_answer answer);

// Check device, result and options, and put the control in force. grz_query_end() is due in any case.
grz_status grz_query_begin(grz_query *query, const grz_query_kind *kind, grz_device *device, const grz_collide_options *options,
                           grz_result *result, grz_error *error);

// Check an object's mesh and pose; `name` is as in grz_query_kind, `what` names the object in the text ("object A"), `element` is
// its number there.
grz_status grz_query_check_object(const char *name, const grz_object *object, const char *what, uint64_t element, grz_error *error);

// The job of a with b (b NULL: with itself), clipped to where the boxes overlap. The clip box is empty where they do not.
grz_job grz_query_job(const grz_object *a, const grz_object *b);

// The method's own answer to a job, into the result and its summary.
grz_status grz_query_discrete(grz_query *query, const grz_job *job);

// Answer the jobs, fewer than 2^32. Their clip boxes must not be empty, but for a job that is the only one. Lists are appended to
// the result job after job; verdicts[i] says where. The summary gains times and candidates. On GRZ_ERROR_LIMIT, and
// GRZ_ERROR_MEMORY, the verdicts' relations are GRZ_COLLIDING where that is known.
grz_status grz_query_run(grz_query *query, const grz_job *jobs, size_t count, grz_verdict *verdicts);

// What a discrete answer by samples is worth, into the summary, which says the rest.
void grz_query_label(grz_query *query);

// Answer the one job of two objects, wherever their meshes lie.
grz_status grz_query_run_pair(grz_query *query, const grz_job *job, grz_verdict *verdict);

// The object with a mesh in memory (grz_mesh_here()).
grz_status grz_query_here(const grz_object *object, grz_control *control, grz_object *here, grz_error *error);

// Close the query: on failure empty the lists and say in the summary what is known. Returns `status`.
grz_status grz_query_end(grz_query *query, grz_status status);

#endif
