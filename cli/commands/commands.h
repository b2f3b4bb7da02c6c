// SPDX-License-Identifier: MIT
// The table of the tool's commands.
#ifndef GRZ_CLI_COMMANDS_H
#define GRZ_CLI_COMMANDS_H

#include "command.h"

extern const command_table commands_of_graze;

#endif
