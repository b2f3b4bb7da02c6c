// SPDX-License-Identifier: MIT
// The report of a robot whose joints move.
#ifndef GRZ_CLI_SWEEP_DESCRIBE_SWEEP_H
#define GRZ_CLI_SWEEP_DESCRIBE_SWEEP_H

#include "report/report.h"
#include "sweep/sweep.h"

// Describe it; the sweep must outlive the report. report_finish() is due.
report describe_sweep(const sweep *s);

#endif
