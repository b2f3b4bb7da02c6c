// SPDX-License-Identifier: MIT
// A command line, taken apart into options, their values and files. Nothing is checked here (options_check.h).
#ifndef GRZ_CLI_ARGUMENTS_COMMAND_LINE_H
#define GRZ_CLI_ARGUMENTS_COMMAND_LINE_H

#include "arguments/option_row.h"

// An option as it was given. The strings are argv's.
typedef struct given_option {
    const option_row *row; // NULL: no option is called so
    const char *argument;  // as typed: "--threads=2"
    const char *value;     // NULL: it takes none, or there is none
} given_option;

typedef struct command_line {
    given_option *options; // in their order
    size_t option_count;
    char *const *files;
    size_t file_count;
} command_line;

// Find the command's name in argv[1…argc-1]. Options may stand before it, with their values. Returns its place; argc
// where there is no command; 0 where *wrong stands before it: `--`, or an option that there is not.
int command_line_find_command(int argc, char **argv, const char **wrong);

// Take argv[0…argc-1] apart, which is without the name of the command. argv's strings are put in another order, the
// files first. False without memory; command_line_finish() is due in any case.
bool command_line_split(int argc, char **argv, command_line *out);

void command_line_finish(command_line *line);

#endif
