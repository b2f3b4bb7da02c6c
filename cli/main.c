// SPDX-License-Identifier: MIT
// graze: the command-line tool. Finds the command that is asked for and runs it.

#include "arguments/help.h"
#include "arguments/parse.h"
#include "commands/commands.h"
#include "find_command.h"
#include "interrupt.h"
#include "output.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Keep freed memory for the next allocation. By default glibc returns each large block to the system, and the next one
// costs a page fault every 4 KiB again, which takes longer than filling it (docs/internals/performance-reading.md).
static void keep_memory(void)
{
#if defined(__GLIBC__)
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
    (void)mallopt(M_ARENA_MAX, 1); // threads share it: they seldom allocate
#endif
}

// Options without a command: --help and --version mean the tool.
static int run_without_command(int argc, char **argv)
{
    const command tool = {.takes = OPTIONS_ALL};
    options given;

    const bool parsed = options_parse(&commands_of_graze, &tool, argc, argv, &given);
    options_finish(&given);
    if (!parsed)
        return STATUS_TROUBLE;
    if ((given.flags & OPTION_HELP) != 0)
        return help_all(&commands_of_graze);
    if ((given.flags & OPTION_VERSION) == 0) {
        complain(NULL, "no command is given");
        complain_hint(NULL);
        return STATUS_TROUBLE;
    }
    printf("graze %s\n", grz_version());
    return output_finish(NULL) ? STATUS_APART : STATUS_TROUBLE;
}

int main(int argc, char **argv)
{
    options given;

    keep_memory();
    if (argc <= 1)
        return help_usage(&commands_of_graze);
    const int place = options_find_command(argc, argv);
    if (place == 0)
        return STATUS_TROUBLE;
    if (place == argc)
        return run_without_command(argc - 1, argv + 1);

    const command *asked = command_find(&commands_of_graze, argv[place]);
    if (asked == NULL) {
        command_refuse(&commands_of_graze, argv[place]);
        return STATUS_TROUBLE;
    }
    // Without the command's name the options before it and the arguments behind it are one list.
    memmove(argv + 2, argv + 1, (size_t)(place - 1) * sizeof *argv);
    int status = STATUS_TROUBLE;
    if (options_parse(&commands_of_graze, asked, argc - 2, argv + 2, &given))
        status = (given.flags & OPTION_HELP) != 0 ? help_command(asked) : asked->run(&given);
    options_finish(&given);
    return interrupt_exit(status);
}
