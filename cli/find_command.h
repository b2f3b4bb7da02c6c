// SPDX-License-Identifier: MIT
// Finds a command by its name.
#ifndef GRZ_CLI_FIND_COMMAND_H
#define GRZ_CLI_FIND_COMMAND_H

#include "command.h"

// The command of this name; NULL where there is none.
const command *command_find(const command_table *table, const char *name);

// Complain that there is no such command. If it may be misspelt, the nearest name is suggested.
void command_refuse(const command_table *table, const char *name);

#endif
