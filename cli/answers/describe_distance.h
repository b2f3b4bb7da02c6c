// SPDX-License-Identifier: MIT
// The report of a distance between two meshes.
#ifndef GRZ_CLI_DESCRIBE_DISTANCE_H
#define GRZ_CLI_DESCRIBE_DISTANCE_H

#include "verdicts/clearance.h"
#include "answers/query.h"
#include "report/report.h"

// Describe the answer to a query that query_measured() has ended. report_finish() is due.
report describe_distance(const query *q, const grz_distance_answer *answer, const clearance_facts *facts);

#endif
