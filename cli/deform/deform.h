// SPDX-License-Identifier: MIT
// graze move A B --deform-a FILE: every vertex of A goes along a line to where FILE has it. With A alone: A and itself.
#ifndef GRZ_CLI_DEFORM_H
#define GRZ_CLI_DEFORM_H

#include "arguments/options.h"

// Whether the options fit together. False after a complaint.
bool deform_check(const options *given);

// Ask, report, and return the exit status.
int deform_run(const options *given);

#endif
