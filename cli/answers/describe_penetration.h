// SPDX-License-Identifier: MIT
// The report of how far one mesh must go to be free of another, and how much both fill.
#ifndef GRZ_CLI_DESCRIBE_PENETRATION_H
#define GRZ_CLI_DESCRIBE_PENETRATION_H

#include <graze/gl.h>

#include "answers/query.h"
#include "report/report.h"

// All that was asked.
typedef struct penetration_answers {
    grz_penetration_answer depth;
    grz_overlap_volume_answer common;
    grz_layers_volume layers; // with --layers
} penetration_answers;

// Describe the answers to a query that query_measured() has ended. report_finish() is due.
report describe_penetration(const query *q, const penetration_answers *answers);

#endif
