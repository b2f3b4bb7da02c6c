// SPDX-License-Identifier: MIT
// The table of commands. To add a command: write cli/commands/command_NAME.c, which defines `const command
// command_NAME`, and add one line to this table. tests/cli/toy/run.sh does so with a toy command.

#include "commands/commands.h"

// clang-format off
#define COMMANDS(X) \
    X(check)        \
    X(self)         \
    X(scene)        \
    X(distance)     \
    X(move)         \
    X(penetration)  \
    X(pick)         \
    X(shape)        \
    X(info)         \
    X(fit)          \
    X(devices)      \
    X(help)
// clang-format on

#define DECLARE(name) extern const command command_##name;
COMMANDS(DECLARE)

#define ENTRY(name) &command_##name,
static const command *const table[] = {COMMANDS(ENTRY)};

const command_table commands_of_graze = {table, sizeof table / sizeof table[0]};
