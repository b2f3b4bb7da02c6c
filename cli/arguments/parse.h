// SPDX-License-Identifier: MIT
// From a command line to options.
#ifndef GRZ_CLI_ARGUMENTS_PARSE_H
#define GRZ_CLI_ARGUMENTS_PARSE_H

#include "command.h"

// Find the command's name in argv[1…argc-1]. Options may stand before it, with their values. Returns its place; argc
// where there is no command; 0 after a complaint about an option before it.
int options_find_command(int argc, char **argv);

// Parse the arguments of a command of the table: all of argv[0…argc-1], without the name of the command. argv's strings
// are put in another order, the files first. With --help the number of files is not checked. On failure returns false
// after a complaint.
bool options_parse(const command_table *table, const command *asked, int argc, char **argv, options *out);

#endif
