// SPDX-License-Identifier: MIT
// What the reports of all queries have in common: words, counts, times, boxes.
#ifndef GRZ_CLI_DESCRIBE_SUMMARY_H
#define GRZ_CLI_DESCRIBE_SUMMARY_H

#include "answers/measure.h"
#include "arguments/options.h"
#include "report/report.h"

#include <graze/graze.h>

const char *describe_relation(grz_relation relation); // "a_inside_b"
const char *describe_solids(grz_solids solids);       // "touching"; NULL if not asked for
const char *describe_kind(uint32_t kind);             // "crossing"

// "3 faces": the count with its noun.
const char *describe_count(report *r, uint64_t count, const char *one, const char *many);

// "vertex 12", "edge 3 7" or "face".
const char *describe_feature(report *r, grz_feature feature);

// "more than 100 pairs of faces": there were more than --max-pairs allows, so they were not counted.
const char *describe_over_limit(report *r, const options *given);

// How sure an answer is, to stand behind it: " (exact)".
const char *describe_certainty(const grz_summary *summary);

// "enclosed": for programs.
const char *certainty_name(grz_certainty certainty);

// How sure a number is, to stand behind it in brackets: "exact", "exact, rounded once", or "enclosed: between 0.97 and
// 1, proved".
const char *describe_bounds(report *r, grz_certainty certainty, double lower, double upper);

// How the verdict about two meshes, or one, is meant.
report_tone describe_tone(const options *given, const grz_summary *summary);

// With --allow-touching, what it makes of two objects that touch, or of which one may hold the other: a line. `listed`:
// there were no more pairs of faces than --max-pairs.
void describe_allowance(report *r, const options *given, const grz_summary *summary, bool listed);

// "crossing 6, touching 0, coplanar 0".
void describe_kinds(report *r, const uint64_t kinds[GRZ_KIND_COUNT]);

const char *rule_name(grz_inside_rule rule); // "even-odd"

// With --rule: the inside rule that was asked for, in a line.
void describe_rule(report *r, const options *given);

// "time     3.7 ms (load 0.4, …), method bvh, cpu".
void describe_times(report *r, const measures *measured, const grz_summary *summary);

// "region   0 0 0 to 2 2 2".
void describe_box(report *r, const char *label, const double min[3], const double max[3]);

// For programs: relation, colliding, certainty, containment, reason, method, device. `reason` is a further reason, or
// NULL.
void put_verdict(report *r, const grz_summary *summary, const char *reason);

// For programs, of a discrete answer: may_miss and may_invent; statistics, what its method counted.
void put_how_it_may_err(report *r, const grz_summary *summary);
void put_statistics(report *r, const grz_result *result);

void put_kinds(report *r, report_value *in, const uint64_t kinds[GRZ_KIND_COUNT]);
// time_ms, peak_memory_mb. `summary` may be NULL: it is not known then which part took how long.
void put_times(report *r, const measures *measured, const grz_summary *summary);
void put_box(report *r, const char *key, const double min[3], const double max[3]);
void put_point(report *r, report_value *in, const char *key, const double point[3]);

// The number of a face; null for GRZ_NO_FACE.
void put_face(report *r, const char *key, uint32_t face);

#endif
