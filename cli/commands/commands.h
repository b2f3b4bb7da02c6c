// SPDX-License-Identifier: MIT
// The table of the tool's commands.
#ifndef GRZ_CLI_COMMANDS_H
#define GRZ_CLI_COMMANDS_H

#include "command.h"

// The command at this place of the table; NULL past its end. The order is that of the help.
const command *commands_at(size_t index);

// The command of this name; NULL where there is none.
const command *commands_find(const char *name);

// Complain that there is no such command. If it may be misspelt, the nearest name is suggested.
void commands_refuse(const char *name);

#endif
