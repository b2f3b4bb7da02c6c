// SPDX-License-Identifier: MIT
// Help texts, on stdout. Each returns the exit status.
#ifndef GRZ_CLI_ARGUMENTS_HELP_H
#define GRZ_CLI_ARGUMENTS_HELP_H

#include "command.h"

// What `graze` alone shows: how to call it, and the commands.
int help_usage(void);

// What `graze --help` shows.
int help_all(void);

// What `graze COMMAND --help` shows.
int help_command(const command *asked);

#endif
