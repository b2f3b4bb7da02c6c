// SPDX-License-Identifier: MIT
// Help texts are made from what the commands and the options say of themselves.

#include "arguments/help.h"

#include "arguments/option_table.h"
#include "output.h"

#include <graze/io.h>

#include <stdio.h>
#include <string.h>

static int finish(const char *name)
{
    return output_finish(name) ? STATUS_APART : STATUS_TROUBLE;
}

enum {
    LEFT_WIDTH = 28 // columns before an option's help text
};

// The methods of this build that work for a command.
static void list_methods(const command *asked, FILE *stream)
{
    grz_method method;

    fprintf(stream, "%*sauto (the default)", LEFT_WIDTH, "");
    for (size_t i = 0; grz_method_info(i, &method); i++)
        if ((asked == NULL || !asked->tests_one_mesh || method.self) &&
            (asked == NULL || !asked->without_gl || !method.gl))
            fprintf(stream, ", %s", method.name);
    fputc('\n', stream);
}

static void list_formats(FILE *stream)
{
    grz_io_format format;

    fprintf(stream, "%*s", LEFT_WIDTH, "");
    for (size_t i = 0; grz_io_format_info(i, &format); i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", format.name);
    fputc('\n', stream);
}

static void describe_option(const option_row *row, const command *asked, FILE *stream)
{
    char left[64];
    const char *line = row->help;

    snprintf(left, sizeof left, "  %s%s %s%s%s", row->letter != NULL ? row->letter : "   ",
             row->letter != NULL ? "," : "", row->name, row->value != NULL ? " " : "",
             row->value != NULL ? row->value : "");
    // A long one stands alone in its line.
    if (strlen(left) < LEFT_WIDTH)
        fprintf(stream, "%-*s", LEFT_WIDTH, left);
    else
        fprintf(stream, "%s\n%*s", left, LEFT_WIDTH, "");
    while (line != NULL) {
        const size_t length = strcspn(line, "\n");
        fprintf(stream, "%.*s\n", (int)length, line);
        line = line[length] == '\n' ? line + length + 1 : NULL;
        if (line != NULL)
            fprintf(stream, "%*s", LEFT_WIDTH, "");
    }
    if (row->lists_methods)
        list_methods(asked, stream);
    if (row->lists_formats)
        list_formats(stream);
}

// Write what the options of the mask do, under a heading for each group. Only methods that work for the command are
// listed; `asked` may be NULL: all are.
static void describe_options(uint64_t mask, const command *asked, FILE *stream)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (size_t i = 0; i < option_row_count; i++) {
            const option_row *row = &option_table[i];
            if ((row->bit & mask) == 0 || (int)row->group != group)
                continue;
            if (!titled)
                fprintf(stream, "\n%s:\n", option_group_titles[group]);
            titled = true;
            describe_option(row, asked, stream);
        }
    }
}

static void print_commands(const command_table *table)
{
    fputs("Commands:\n", stdout);
    for (size_t i = 0; i < table->count; i++) {
        const command *shown = table->commands[i];
        char left[40];
        snprintf(left, sizeof left, "%s %s", shown->name, shown->files);
        printf("  %-16s %s\n", left, shown->summary);
    }
}

int help_usage(const command_table *table)
{
    fputs("Usage: graze COMMAND [OPTION]... FILE...\n\n", stdout);
    print_commands(table);
    fputs("\n`graze help COMMAND` explains a command, `graze --help` lists all options.\n", stdout);
    return finish(NULL);
}

int help_all(const command_table *table)
{
    printf("graze %s: exact collision detection between triangle meshes\n\n", grz_version());
    fputs("Usage: graze COMMAND [OPTION]... FILE...\n\n", stdout);
    print_commands(table);
    describe_options(OPTIONS_ALL, NULL, stdout);
    fputs("\n"
          "Not every command takes every option: `graze help COMMAND` lists those that it takes. Options may\n"
          "stand before or after the command and its files; -- ends them.\n"
          "\n"
          "Files: OBJ, STL, PLY, OFF, glTF, 3MF and COLLADA are read with every digit. Others (FBX, X3D, ...) are\n"
          "read as float32, by Assimp, if the build has it. A .gz of any file of ours is read, too. A file named -\n"
          "is standard input; text of no other format is read as OBJ; --format says what it is.\n"
          "\n"
          "Exit status:\n"
          "  0  nothing touches; for commands that only inform: all went well\n"
          "  1  something touches, overlaps or is inside\n"
          "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n"
          "  3  undecided\n"
          "\n"
          "Examples:\n"
          "  graze check part.stl case.stl\n"
          "  graze scene robot.gltf\n",
          stdout);
    return finish(NULL);
}

int help_command(const command *asked)
{
    printf("graze %s: %s\n\n", asked->name, asked->summary);
    printf("Usage: graze %s [OPTION]...%s%s\n", asked->name, *asked->files != '\0' ? " " : "", asked->files);
    printf("\n%s", asked->about);
    describe_options(asked->takes, asked, stdout);
    printf("\nExit status:\n%s\nExamples:\n%s", asked->statuses, asked->examples);
    return finish(asked->name);
}
