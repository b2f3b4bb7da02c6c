// SPDX-License-Identifier: MIT
// What check and self share: open the device, load the meshes, measure, and conclude. Between query_open() and
// query_conclude() the command asks the one question that makes it what it is. describe_query.h makes the report.
// `scene` has a frame of its own (scene.h) and shares the small functions at the end.
#ifndef GRZ_CLI_QUERY_H
#define GRZ_CLI_QUERY_H

#include "verdicts/allowance.h"
#include "answers/measure.h"
#include "arguments/options.h"
#include "load.h"
#include "verdicts/overlap.h"
#include "progress.h"

#include <graze/graze.h>

// One query of one command line.
typedef struct query {
    const options *given;
    grz_device *device;
    loaded_mesh meshes[MAX_MESHES];
    grz_object objects[MAX_MESHES]; // the meshes at their poses
    size_t mesh_count;
    grz_result *result;
    overlap_facts overlap;             // of check and self
    grz_inside_rule rules[MAX_MESHES]; // after query_find_rules(): by which rule the inside of each mesh was told
    bool balanced[MAX_MESHES];         // with --rule auto: whether that mesh is wound consistently
    bool ruled;                        // the rules are known; false: the question is not about solids
    progress *bar;
    bool listed; // false if there were more pairs than --max-pairs: then only the yes/no holds
    measures measured;
} query;

// Open the device and load every file. On failure returns false after a complaint; query_close() is due in any case.
bool query_open(query *q, const options *given);

// The library's options for what the command line asks for.
grz_collide_options query_collide_options(const query *q);

// After the library's answer: draw the picture, and find what the report tells of the meshes. Returns false after a
// complaint if the query failed, or if one of these did.
bool query_conclude(query *q, grz_status status, const grz_error *error);

// The same for a command that has an answer of its own and fills no result.
bool query_measured(query *q, grz_status status, const grz_error *error);

// Find by which rule the inside of each mesh is told, for a question about solids that is answered. On failure returns
// false after a complaint.
bool query_find_rules(query *q);
void query_close(query *q);

// Take the bar away, and complain.
void query_complain(query *q, const char *message);

// The kind of device that a command line asks for. Pictures are drawn by OpenGL, whatever computes.
grz_device_kind query_device_kind(const options *given);

// The library's options that all queries share: containment is asked for, no list is. `bar` may be NULL.
grz_collide_options query_common_options(const options *given, progress *bar);

// `overlap` may be NULL.
int query_exit_status(const options *given, const grz_summary *summary, const overlap_facts *overlap);

// The exit status with --allow-touching.
int query_allowance_status(allowance worst);

#endif
