// SPDX-License-Identifier: MIT
// Checks a command line that was taken apart: each option, the files, and whether the options fit each other.
#ifndef GRZ_CLI_ARGUMENTS_OPTIONS_CHECK_H
#define GRZ_CLI_ARGUMENTS_OPTIONS_CHECK_H

#include "arguments/command_line.h"
#include "command.h"

// Check all in the order of the command line, and store it. `out` holds the defaults and the files. With --help the
// number of files is not checked. Returns false after a complaint about the first mistake.
bool options_check(const command *asked, const command_line *line, options *out);

// Complain of an argument before the command: `--`, or an option that there is not. Returns false.
bool options_refuse_before(const char *wrong);

#endif
