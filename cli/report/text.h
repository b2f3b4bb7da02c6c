// SPDX-License-Identifier: MIT
// Reports for people.
#ifndef GRZ_CLI_REPORT_TEXT_H
#define GRZ_CLI_REPORT_TEXT_H

#include "report/report.h"

#include <stdio.h>

typedef struct report_look {
    bool colours; // colour the verdict's name and the warnings
    bool times;   // write the lines that differ from run to run, too
} report_look;

// Write the verdict, then line after line. Names in it are made printable (printable.h).
//
// Write errors stay in the stream's error flag (output_finish() looks at it). If memory runs out, r->failed is true,
// and nothing was written unless a long list was under way.
void report_text(report *r, report_look look, FILE *stream);

// Write only the lines that differ from run to run.
void report_text_times(report *r, FILE *stream);

#endif
