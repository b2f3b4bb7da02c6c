// SPDX-License-Identifier: MIT
// Help texts are made from what the commands and the options say of themselves.

#include "arguments/help.h"

#include "commands/commands.h"
#include "output.h"

#include <stdio.h>

static int finish(const char *name)
{
    return output_finish(name) ? STATUS_APART : STATUS_TROUBLE;
}

static void print_commands(void)
{
    fputs("Commands:\n", stdout);
    for (size_t i = 0; commands_at(i) != NULL; i++) {
        const command *shown = commands_at(i);
        char left[40];
        snprintf(left, sizeof left, "%s %s", shown->name, shown->files);
        printf("  %-16s %s\n", left, shown->summary);
    }
}

int help_usage(void)
{
    fputs("Usage: graze COMMAND [OPTION]... FILE...\n\n", stdout);
    print_commands();
    fputs("\n`graze help COMMAND` explains a command, `graze --help` lists all options.\n", stdout);
    return finish(NULL);
}

int help_all(void)
{
    printf("graze %s: exact collision detection between triangle meshes\n\n", grz_version());
    fputs("Usage: graze COMMAND [OPTION]... FILE...\n\n", stdout);
    print_commands();
    options_describe(OPTIONS_ALL, NULL, stdout);
    fputs("\n"
          "Not every command takes every option: `graze help COMMAND` lists those that it takes. Options may\n"
          "stand before or after the command and its files; -- ends them.\n"
          "\n"
          "Files: OBJ, STL, PLY and OFF are read with every digit. Other formats (glTF, DAE, 3MF, ...) are read\n"
          "as float32, by Assimp, if the build has it. A file named - is standard input; text of no other\n"
          "format is read as OBJ.\n"
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
    options_describe(asked->takes, asked, stdout);
    printf("\nExit status:\n%s\nExamples:\n%s", asked->statuses, asked->examples);
    return finish(asked->name);
}
