// SPDX-License-Identifier: MIT
// Help texts, on stdout. Each returns the exit status.
#ifndef GRZ_CLI_ARGUMENTS_HELP_H
#define GRZ_CLI_ARGUMENTS_HELP_H

#include "command.h"

// What `graze` alone shows: how to call it, and the commands of the table.
int help_usage(const command_table *table);

// What `graze --help` shows.
int help_all(const command_table *table);

// What `graze COMMAND --help` shows.
int help_command(const command *asked);

#endif
