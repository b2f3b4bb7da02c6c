// SPDX-License-Identifier: MIT
// What all queries (pairs, a mesh with itself, scenes, batches) have in common. *begin* checks the arguments and makes
// the plan. *run* lets the filter propose and the predicates decide any number of jobs, and builds the lists. *end*
// makes sure that nothing incomplete is left.
#ifndef GRZ_QUERY_QUERY_H
#define GRZ_QUERY_QUERY_H

#include "base/call.h"
#include "query/plan.h"
#include "result/result.h"

typedef struct grz_query {
    const grz_query_kind *kind;
    grz_call call;
    grz_plan plan;
    grz_result *result;
    bool begun;            // the plan is made
    bool any_touching;     // some job's objects are known to touch
    grz_discrete discrete; // the discrete answer to all jobs so far
} grz_query;

// Begin a query: check device, result and options, make the plan and start the control. grz_query_end() must follow,
// also after a failure.
grz_status grz_query_begin(grz_query *query, const grz_query_kind *kind, grz_device *device,
                           const grz_collide_options *options, grz_result *result, grz_error *error);

// The job of objects[a] with objects[b], clipped to the overlap of their boxes, each enlarged by `reach`. The clip box
// is empty if they are farther apart. `b` may be GRZ_SELF.
grz_job grz_query_job(const grz_object *objects, uint32_t a, uint32_t b, double reach);

// True if an exact answer by the plan may take it for granted that nothing in the posed boxes of two objects touches
// (geometry/posed_boxes.h). The reference tests all pairs of triangles instead; and of a clearance it says nothing.
bool grz_query_boxes_apart(const grz_query *query, const grz_plan *plan, const grz_object *a, const grz_object *b);

// The job of the only two objects of a query. The clip box is empty also if grz_query_boxes_apart().
grz_job grz_query_job_of_pair(const grz_query *query, const grz_object objects[2]);

// Let the method give its own discrete answer to the set's only job. Fills the result and its summary.
grz_status grz_query_discrete(grz_query *query, const grz_job_set *set);

// Answer the jobs of a set by a plan. Only a job that is the only one may have an empty clip box. The set's flags are
// ignored. Lists are appended to the result, job after job; verdicts[i] says where. Times and candidates are added to
// the summary. After GRZ_ERROR_LIMIT and GRZ_ERROR_MEMORY, relations in the verdicts are GRZ_COLLIDING where that is
// known.
grz_status grz_query_run(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts);

// The same for the set's only job, whose meshes may be in the caller's buffers.
grz_status grz_query_run_pair(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdict);

// Say in the verdicts how the objects of each job lie relative to each other as solids. The result holds all pairs of
// triangles that touch.
grz_status grz_query_solids(grz_query *query, const grz_plan *plan, const grz_job_set *set, grz_verdict *verdicts);

// Complete the summary of a discrete answer whose relation is set: how reliable it is, and its statistics.
grz_status grz_query_label(grz_query *query);

// Copy an object; its mesh is read from the caller's buffers if it is not in memory (grz_mesh_in_memory()).
grz_status grz_query_in_memory(const grz_object *object, grz_control *control, grz_object *here, grz_error *error);

// End the query. After a failure, empty the lists and say in the summary what is known. Returns `status`.
grz_status grz_query_end(grz_query *query, grz_status status);

#endif
