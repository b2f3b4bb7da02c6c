// SPDX-License-Identifier: MIT
// What a command of the tool is. Each command describes itself in its own file, command_NAME.c: a constant
// `command_NAME` of this type. commands.c lists them; nothing else names a command. Whoever needs the list, such as
// the help, is given it.
#ifndef GRZ_CLI_COMMAND_H
#define GRZ_CLI_COMMAND_H

#include "arguments/options.h"

// Exit status, as `diff` has it. Scripts rely on the numbers.
enum {
    STATUS_APART = 0, // nothing touches; for commands that only inform: all went well
    STATUS_TOUCHES = 1,
    STATUS_TROUBLE = 2,
    STATUS_UNDECIDED = 3
};

// Stands for "no upper limit" in command::most_files.
#define ANY_FILES SIZE_MAX

typedef struct command {
    const char *name;
    const char *files;              // the arguments, as the usage line shows them: "A B"
    size_t least_files, most_files; // how many of them there must be
    uint64_t takes;                 // OPTION_… and OPTIONS_… (arguments/options.h)
    bool tests_one_mesh;            // it needs a method that can test a mesh with itself
    bool without_gl;                // none of its methods works through OpenGL

    // The options were parsed, and the command takes each of them. Writes the report to stdout and complaints to
    // stderr, and returns the exit status.
    int (*run)(const options *given);

    // For the help. Every text but the summary consists of whole lines, each with its newline.
    const char *summary;  // one line
    const char *about;    // what a user should know
    const char *statuses; // lines "  0  meaning"
    const char *examples; // one example a line, indented by two spaces
} command;

// All commands of a tool, in the order of the help.
typedef struct command_table {
    const command *const *commands;
    size_t count;
} command_table;

#endif
