// SPDX-License-Identifier: MIT
// Reports for programs: one JSON object.
#ifndef GRZ_CLI_REPORT_JSON_H
#define GRZ_CLI_REPORT_JSON_H

#include "report/report.h"

#include <stdio.h>

// Write what the report has for programs. Numbers are the shortest decimals that read back to the same double; reals
// always have a dot or an exponent, so that readers that tell integers from reals keep -0.0. Bytes of text that are not
// UTF-8 become U+FFFD.
//
// Write errors stay in the stream's error flag (output_finish() looks at it). If memory runs out, r->failed is true,
// and nothing was written unless a long list was under way.
void report_json(report *r, FILE *stream);

#endif
