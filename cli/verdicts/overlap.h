// SPDX-License-Identifier: MIT
// What --deeper-than and --depth make of two objects: how deep their solids overlap, and whether that is too deep.
#ifndef GRZ_CLI_VERDICTS_OVERLAP_H
#define GRZ_CLI_VERDICTS_OVERLAP_H

#include "arguments/options.h"
#include "report/report.h"

#include <graze/graze.h>

enum {
    OVERLAP_MOST_PARTS = 256 // places that are listed of a pair
};

typedef enum overlap_verdict {
    OVERLAP_NOT_JUDGED, // no --deeper-than for this pair: the plain verdict holds
    OVERLAP_WITHIN,     // proved: not deeper
    OVERLAP_REPORTED,   // a mesh is open, so there is no depth; surfaces cannot cross, or --open report was given
    OVERLAP_UNKNOWN,
    OVERLAP_DEEPER, // proved
    OVERLAP_VERDICT_COUNT
} overlap_verdict;

// What is known of two objects.
typedef struct overlap_facts {
    bool asked;    // by --deeper-than or --depth
    bool limited;  // --deeper-than has a depth for this pair
    double limit;  // it
    bool open;     // a mesh is open
    bool crossing; // with `open`: the surfaces cross, or are not known not to
    bool crosses;  // with `open`: they are known to
    double length; // with `open`: of the curves in which they meet; 0: not known
    grz_overlap_depth_answer answer;
    grz_overlap_part *parts; // owned; the places that are deeper, as many as were asked for
    uint64_t part_count;
} overlap_facts;

// How the surfaces of two objects lie, where that was asked before.
typedef struct overlap_surfaces {
    grz_relation relation;
    grz_containment containment;
    grz_solids solids;
} overlap_surfaces;

// Who asks, and how.
typedef struct overlap_asking {
    const options *given;
    grz_device *device;
    grz_collide_options common; // of all queries
} overlap_asking;

// Ask how deep two objects overlap, or for open ones, along what curves they cross. `limit` NULL: --deeper-than says
// nothing of them. Places are looked for unless --quiet. overlap_finish() is due in any case.
grz_status overlap_ask(const overlap_asking *asking, const grz_object *a, const grz_object *b,
                       const overlap_surfaces *surfaces, const double *limit, overlap_facts *out, grz_error *error);
void overlap_finish(overlap_facts *facts);

// The same in two steps, for many pairs at once: what is known without the depth, and whether that is *due to be asked,
// with overlap_options(); then its answer, with as many places as it tells of, at most OVERLAP_MOST_PARTS. NULL: none
// were asked for. False without memory.
grz_status overlap_begin(const overlap_asking *asking, const grz_object *a, const grz_object *b,
                         const overlap_surfaces *surfaces, const double *limit, overlap_facts *out, bool *due,
                         grz_error *error);
grz_overlap_depth_options overlap_options(const options *given, const double *limit);
bool overlap_take(overlap_facts *facts, const grz_overlap_depth_answer *answer, const grz_overlap_part *parts);

// Add the places of one pair to those of another.
bool overlap_add_parts(overlap_facts *to, const overlap_facts *from);

overlap_verdict overlap_judge(const options *given, const overlap_facts *facts);

// Whether the two overlap, but no deeper than is allowed: for --clearance with --allow-touching they count as touching.
// `facts` may be NULL.
bool overlap_is_excused(const options *given, const overlap_facts *facts, grz_solids solids);

// The worse of two exit statuses: 1 goes before 3, and that before 0.
int overlap_worse_status(int one, int other);

// The exit status of a verdict that is not OVERLAP_NOT_JUDGED.
int overlap_status(overlap_verdict verdict);

// How a text is meant that comes with an exit status.
report_tone overlap_tone(int status);

#endif
