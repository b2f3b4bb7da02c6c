// SPDX-License-Identifier: MIT
#include "find_command.h"

#include "arguments/nearest.h"
#include "output.h"

#include <string.h>

const command *command_find(const command_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(name, table->commands[i]->name) == 0)
            return table->commands[i];
    return NULL;
}

void command_refuse(const command_table *table, const char *name)
{
    nearest near = nearest_begin(name);

    for (size_t i = 0; i < table->count; i++)
        nearest_try(&near, table->commands[i]->name);
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
