// SPDX-License-Identifier: MIT
// Options may stand before the command and before, between and after the files, with their value behind `=` or as the
// next argument; `--` ends them.
#include "arguments/command_line.h"

#include "arguments/option_table.h"

#include <stdlib.h>
#include <string.h>

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

// "--threads=2": the name is the part before `=`. A value needs the long name.
static const option_row *find_option(const char *argument)
{
    const size_t length = strcspn(argument, "=");

    for (size_t i = 0; i < option_row_count; i++) {
        const option_row *row = &option_table[i];
        if (strlen(row->name) == length && memcmp(row->name, argument, length) == 0)
            return row;
        if (row->letter != NULL && strcmp(row->letter, argument) == 0)
            return row;
    }
    return NULL;
}

// The value of the option at argv[*index], which takes one. Moves *index to the last argument that belongs to the
// option. Returns NULL where there is none.
static const char *find_value(int argc, char **argv, int *index)
{
    const char *equals = strchr(argv[*index], '=');

    if (equals != NULL)
        return equals[1] != '\0' ? equals + 1 : NULL;
    // Another option in its place means that the value was forgotten. A single dash may begin a number.
    if (*index + 1 < argc && strncmp(argv[*index + 1], "--", 2) != 0 && argv[*index + 1][0] != '\0')
        return argv[++*index];
    return NULL;
}

int command_line_find_command(int argc, char **argv, const char **wrong)
{
    for (int i = 1; i < argc; i++) {
        if (!is_option(argv[i]))
            return i;
        const option_row *row = find_option(argv[i]);
        if (row == NULL) { // as `--` is
            *wrong = argv[i];
            return 0;
        }
        if (row->value != NULL)
            find_value(argc, argv, &i);
    }
    return argc;
}

bool command_line_split(int argc, char **argv, command_line *out)
{
    bool only_files = false;

    *out = (command_line){.files = argv, .options = calloc((size_t)argc + 1, sizeof *out->options)};
    if (out->options == NULL)
        return false;
    for (int i = 0; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else if (only_files || !is_option(argv[i])) {
            argv[out->file_count++] = argv[i]; // never past what has been read
        } else {
            given_option *given = &out->options[out->option_count++];
            given->argument = argv[i];
            given->row = find_option(argv[i]);
            if (given->row != NULL && given->row->value != NULL)
                given->value = find_value(argc, argv, &i);
        }
    }
    return true;
}

void command_line_finish(command_line *line)
{
    free(line->options);
    *line = (command_line){.options = NULL};
}
