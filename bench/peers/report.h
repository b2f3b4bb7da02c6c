// SPDX-License-Identifier: MIT
// The output of the benchmark: a table on stdout, a CSV file, and a plot of it by gnuplot.
#ifndef GRZ_BENCH_PEERS_REPORT_H
#define GRZ_BENCH_PEERS_REPORT_H

#include "rows.h"

#include <stdio.h>

// Machine, compiler, commit, date, how it was run.
void report_heading(const settings *set);

// A row's title and the heading of its table.
void report_row(const row *r, const char *about);

void report_figures(const row *r, const peer *p, const figures *f);

// The mistakes over all rows, one line for each way. `f` holds sums; only ways with `asked` above 0 are listed.
void report_truth_heading(void);
void report_truth(const peer *p, const figures *f);

// Open the CSV file and write its heading; NULL where none is wanted.
FILE *report_csv_open(const settings *set);
void report_csv(FILE *csv, const settings *set, const row *r, const peer *p, const figures *f);

// Plot the CSV file's ratios. If gnuplot is missing, prints that and returns true; false if gnuplot fails.
bool report_plot(const settings *set);

#endif
