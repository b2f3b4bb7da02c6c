// SPDX-License-Identifier: MIT
// The report of what a ray hits.
#ifndef GRZ_CLI_DESCRIBE_PICK_H
#define GRZ_CLI_DESCRIBE_PICK_H

#include "answers/query.h"
#include "report/report.h"

// Describe the hits that a query found, `count` of them in order, once query_measured() has ended it. report_finish()
// is due.
report describe_pick(const query *q, const grz_ray_hit *hits, uint64_t count);

#endif
