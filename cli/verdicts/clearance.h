// SPDX-License-Identifier: MIT
// What --clearance makes of an answer: the surfaces must be so far apart, and the solids disjoint.
#ifndef GRZ_CLI_VERDICTS_CLEARANCE_H
#define GRZ_CLI_VERDICTS_CLEARANCE_H

#include "arguments/options.h"
#include "report/report.h"

#include <graze/graze.h>

typedef enum clearance_verdict {
    CLEARANCE_MET,
    CLEARANCE_EXCUSED, // not met, but the solids only touch, and --allow-touching was given
    CLEARANCE_UNKNOWN, // a mesh is open, so it is not known whether one holds the other, or whether they only touch
    CLEARANCE_NOT_MET,
    CLEARANCE_VERDICT_COUNT
} clearance_verdict;

// What is known of two objects.
typedef struct clearance_facts {
    grz_relation relation;
    grz_containment containment;
    grz_solids solids; // GRZ_SOLIDS_NOT_ASKED counts as undecidable
    grz_clearance surfaces;
    bool within;        // the solids overlap no deeper than --deeper-than allows; `solids` is then GRZ_SOLIDS_TOUCHING
    bool asked;         // for these two
    double required;    // what --clearance says of them; 0 where it says nothing
    const char *reason; // why something is undecidable, or NULL
    uint64_t near_count;
    bool counted; // near_count holds
} clearance_facts;

// The library's options for a command line: the clearance, and solids where the verdict needs them.
void clearance_ask(const options *given, grz_collide_options *wanted);

clearance_facts clearance_of_summary(const options *given, const grz_summary *summary, bool counted);

// What meets a clearance: less than that by --clearance-tolerance.
double clearance_least(const options *given, double required);
// `within`: the two overlap no deeper than is allowed, and count as touching.
void clearance_excuse(clearance_facts *facts, bool within);

clearance_verdict clearance_judge(const options *given, const clearance_facts *facts);

// The exit status of the worst verdict, and how a text is meant.
int clearance_status(clearance_verdict worst);
report_tone clearance_tone(clearance_verdict worst);

// In describe_clearance.c. What a verdict is, as text that follows "clearance 0.25: "; for one pair of objects.
const char *clearance_text(const options *given, const clearance_facts *facts, report *r);

// What --clearance-tolerance forgives: ", less 1e-06 of it"; "" where it is 0.
const char *clearance_tolerance_text(const options *given, report *r);

// A line about two objects.
void clearance_describe(const options *given, const clearance_facts *facts, report *r);

// For programs: `clearance`, null if it was not asked for.
void clearance_put(const options *given, const clearance_facts *facts, report *r, report_value *in);

#endif
