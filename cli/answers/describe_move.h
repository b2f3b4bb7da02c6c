// SPDX-License-Identifier: MIT
// The report of a motion of two meshes.
#ifndef GRZ_CLI_DESCRIBE_MOVE_H
#define GRZ_CLI_DESCRIBE_MOVE_H

#include "answers/query.h"
#include "report/report.h"

// Describe it; the query must outlive the report. report_finish() is due. `overlap`: of --allow-touching, else NULL.
report describe_move(const query *q, const grz_move_answer *answer, const grz_overlap_time *overlap);

// The same where meshes deform; of one mesh, with itself. Only surfaces count: `started_inside` is not known.
report describe_deforming(const query *q, const grz_move_answer *answer);

// The exit status.
int describe_move_status(const grz_move_answer *answer, const grz_overlap_time *overlap);

// "0.250000000 and 0.250000123", rounded outwards: what encloses the first contact.
const char *describe_enclosure(report *r, double lower, double upper);

// For programs: first_contact, lower, upper, exact, certainty.
void put_enclosure(report *r, report_value *in, const grz_move_answer *answer);

#endif
