// SPDX-License-Identifier: MIT
// The tool's commands and what their exit status means: one function a command, one file each. A command gets options that were
// parsed and found legal for it, writes its report to stdout and its complaints to stderr, and returns the process's exit status.
#ifndef GRZ_CLI_COMMANDS_H
#define GRZ_CLI_COMMANDS_H

#include "options.h"

// As `diff` has it; scripts rely on the numbers.
enum {
    STATUS_APART = 0, // nothing touches; for info and devices: all went well
    STATUS_TOUCHES = 1,
    STATUS_TROUBLE = 2,
    STATUS_UNDECIDED = 3
};

int command_check(const options *given);
int command_self(const options *given);
int command_scene(const options *given);
int command_info(const options *given);
int command_devices(const options *given);

#endif
