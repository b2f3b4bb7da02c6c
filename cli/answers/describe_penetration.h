// SPDX-License-Identifier: MIT
// The report of how far one mesh must go to be free of another, and how much both fill.
#ifndef GRZ_CLI_DESCRIBE_PENETRATION_H
#define GRZ_CLI_DESCRIBE_PENETRATION_H

#include "answers/query.h"
#include "report/report.h"

// Describe the answer to a query that query_measured() has ended. report_finish() is due.
report describe_penetration(const query *q, const grz_penetration_answer *answer,
                            const grz_overlap_volume_answer *common);

#endif
