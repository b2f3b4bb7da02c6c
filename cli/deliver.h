// SPDX-License-Identifier: MIT
// Hands a report to the user in the form that the command line asks for.
#ifndef GRZ_CLI_DELIVER_H
#define GRZ_CLI_DELIVER_H

#include "arguments/options.h"
#include "report/report.h"

// Write the report to stdout as text or JSON; nothing with --quiet. Returns `status`, or STATUS_TROUBLE after a
// complaint if the report could not be written.
int deliver(report *r, const options *given, int status);

#endif
