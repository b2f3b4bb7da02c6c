// SPDX-License-Identifier: MIT
// The table of commands. To add a command: write cli/commands/command_NAME.c, which defines `const command
// command_NAME`, and add one line to this table. tests/cli/toy/run.sh does so with a toy command.

#include "commands/commands.h"

#include "arguments/nearest.h"
#include "output.h"

#include <graze/graze.h>

#include <string.h>

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

enum {
    COMMAND_COUNT = sizeof table / sizeof table[0]
};

const command *commands_at(size_t index)
{
    return index < COMMAND_COUNT ? table[index] : NULL;
}

const command *commands_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, table[i]->name) == 0)
            return table[i];
    return NULL;
}

void commands_refuse(const char *name)
{
    nearest near = nearest_begin(name);

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        nearest_try(&near, table[i]->name);
    if (*name == '\0')
        complain(NULL, "the name of the command is empty");
    else if (near.best == NULL && strpbrk(name, "./") != NULL)
        complain(NULL, "%s is not a command; the command comes before the files", name);
    else if (near.best != NULL)
        complain(NULL, "unknown command %s; did you mean %s?", name, near.best);
    else
        complain(NULL, "unknown command %s", name);
    complain_hint(NULL);
}
