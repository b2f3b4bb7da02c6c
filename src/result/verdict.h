// SPDX-License-Identifier: MIT
// What a query has found for one job.
#ifndef GRZ_RESULT_VERDICT_H
#define GRZ_RESULT_VERDICT_H

#include <graze/collide.h>

typedef struct grz_verdict {
    grz_relation relation;
    grz_containment containment;
    const char *reason; // why containment is undecidable, else NULL; static text
    grz_solids solids;
    const char *solids_reason; // why the solids are undecidable, else NULL; static text
    grz_clearance clearance;
    uint64_t pair_count, kinds[GRZ_KIND_COUNT], near_count;
    // The job's ranges in the result's lists of pairs, contacts, curves and near pairs.
    uint64_t first_pair, first_contact, contact_count, first_curve, curve_count, first_near;
} grz_verdict;

#endif
