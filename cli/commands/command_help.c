// SPDX-License-Identifier: MIT
// graze help [COMMAND]: the same as `graze --help` and `graze COMMAND --help`.

#include "arguments/help.h"
#include "find_command.h"

static int run(const options *given)
{
    if (given->file_count == 0)
        return help_all(given->table);
    const command *asked = command_find(given->table, given->files[0]);
    if (asked != NULL)
        return help_command(asked);
    command_refuse(given->table, given->files[0]);
    return STATUS_TROUBLE;
}

const command command_help = {
    .name = "help",
    .files = "[COMMAND]",
    .least_files = 0,
    .most_files = 1,
    .takes = OPTION_HELP,
    .run = run,
    .summary = "explain the tool, or a command",
    .about = "`graze help COMMAND` shows the same as `graze COMMAND --help`: what the command does, the options\n"
             "that it takes, its exit status, and two examples.\n",
    .statuses = "  0  the help was shown\n"
                "  2  there is no such command\n",
    .examples = "  graze help\n"
                "  graze help check\n",
};
