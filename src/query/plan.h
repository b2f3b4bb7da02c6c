// SPDX-License-Identifier: MIT
// A plan says what a query does. It is made from the options before the query runs, and never changes. A part of a
// query that is done differently, such as containment alone, has a plan of its own.
#ifndef GRZ_QUERY_PLAN_H
#define GRZ_QUERY_PLAN_H

#include <graze/collide.h>

#include "query/methods.h"

enum {
    GRZ_FIND_LISTS = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES
};

// A kind of query: one for each public function.
typedef struct grz_query_kind {
    const char *name;  // name of the function, for error texts, for example "collide scene"
    uint32_t allowed;  // the GRZ_FIND_… bits that it accepts
    uint32_t exact;    // the GRZ_CAN_… bits that a filter needs for an exact answer
    uint32_t discrete; // the same for a discrete answer; 0: there is no discrete answer
    bool clearance;    // options.clearance may be set
} grz_query_kind;

typedef struct grz_plan {
    const grz_filter *filter;
    const void *filter_options; // the options of the filter; NULL: its defaults
    uint32_t find;              // GRZ_FIND_…
    uint64_t reference;         // a scene's object whose pairs alone are tested; GRZ_ALL_OBJECTS: all pairs
    uint64_t max_pairs;
    grz_inside_rule inside_rule;
    double clearance;       // pairs nearer than this are wanted as well; 0: not asked
    bool discrete;          // a discrete answer was requested
    bool asked_containment; // the caller asked for containment, even if a discrete answer cannot give it
    bool warm_start;
} grz_plan;

// Check the options and make the plan.
grz_status grz_plan_make(grz_plan *plan, const grz_query_kind *kind, const grz_collide_options *options,
                         grz_error *error);

// True if a discrete answer is given by filter->propose_discrete: the filter proposes candidates as its paper does, and
// the predicates decide them.
static inline bool grz_plan_samples(const grz_plan *plan)
{
    return plan->discrete && plan->filter->discrete == NULL;
}

// True if the solids are to be classified: exact answers only.
static inline bool grz_plan_finds_solids(const grz_plan *plan)
{
    return (plan->find & GRZ_FIND_SOLIDS) != 0 && !plan->discrete;
}

// The same plan with the general exact filter, to find something else.
grz_plan grz_plan_exact_part(const grz_plan *plan, uint32_t find);

#endif
