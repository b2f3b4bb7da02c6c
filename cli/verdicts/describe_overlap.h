// SPDX-License-Identifier: MIT
// What --deeper-than and --depth make of two objects, as text and for programs.
#ifndef GRZ_CLI_VERDICTS_DESCRIBE_OVERLAP_H
#define GRZ_CLI_VERDICTS_DESCRIBE_OVERLAP_H

#include "verdicts/overlap.h"

// "the overlap is at least 0.01 deep, near 0.99 0.5 0.5": what is known of a depth.
const char *overlap_text(const overlap_facts *facts, report *r);

// "; the overlap is between 0 and 0.01 deep": what is known although it was not decided; "" where that is nothing.
const char *overlap_bounds_text(const overlap_facts *facts, report *r);

// Lines about two objects.
void overlap_describe(const options *given, const overlap_facts *facts, report *r);

// One line for each place that is deeper, to `into`.
void overlap_describe_parts(const overlap_facts *facts, report *r, report_value *into);

// For programs: `overlap`, null if it was not asked for. `facts` may be NULL.
void overlap_put(const overlap_facts *facts, report *r, report_value *in);

// Why there is no answer: "a mesh is open: …, its surface crosses that of the other along 1.2 of curves".
const char *overlap_reason(const overlap_facts *facts, report *r);

#endif
