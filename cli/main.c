// SPDX-License-Identifier: MIT
// graze: the command-line tool. The first argument names a command; one table holds what each command takes, how its help reads
// and which function runs it. Names that a later version will fill are known already, so that they are told from typing errors.

#include "commands.h"
#include "output.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

enum {
    TAKES_ALWAYS = OPTION_JSON | OPTION_QUIET | OPTION_HELP,
    TAKES_INFO = TAKES_ALWAYS | OPTION_DEVICE | OPTION_THREADS,
    TAKES_SELF = TAKES_INFO | OPTION_METHOD | OPTION_ANSWER | OPTION_POSE_A | OPTION_PAIRS | OPTION_CURVES | OPTION_PICTURE |
                 OPTION_MAX_PAIRS | OPTION_STRICT,
    TAKES_CHECK = TAKES_SELF | OPTION_POSE_B | OPTION_PRESET,
    TAKES_SCENE = TAKES_INFO | OPTION_METHOD | OPTION_ANSWER | OPTION_PICTURE | OPTION_MAX_PAIRS | OPTION_STRICT
};

// Help texts stay at the left margin.
// clang-format off
static const char help_check[] =
    "Faces are numbered from 0 in file order; a polygon is one face. Touching counts: meshes\n"
    "that share a single point collide. Where nothing touches, graze tells whether one mesh,\n"
    "or a part of it, lies inside the other; that needs a container without holes.\n"
    "Poses take numbers as C does (1, -0.5, 1e-3), with commas and without spaces between them.\n"
    "\n"
    "Exit status:\n"
    "  0  apart: nothing touches, and nothing is known to lie inside\n"
    "  1  they touch, or one or a part of one lies inside the other\n"
    "  2  trouble: usage, unreadable file, bad mesh, a method that cannot do this\n"
    "  3  undecided; with --strict also where inside cannot be told because a mesh is open\n"
    "\n"
    "Examples:\n"
    "  graze check part.stl case.stl\n"
    "  graze check --json --pairs part.stl case.stl > answer.json\n"
    "  graze check --pose-b 0,0,2.5 part.stl part.stl\n"
    "  graze check --pose-b 0,0,0,0,0,0.7071,0.7071 --curves part.stl case.stl\n"
    "  if graze check --quiet a.obj b.obj; then echo free; fi\n";

static const char help_self[] =
    "Two faces collide unless they meet only in corners and edges that they share; corners at\n"
    "equal positions count as shared. A fold that lies on itself collides. It is decided where\n"
    "the file puts the mesh: --pose-a only moves the points that are reported. --strict is taken\n"
    "for the sake of scripts and changes nothing: inside has no meaning for one mesh.\n"
    "\n"
    "Exit status:\n"
    "  0  apart: the mesh does not touch itself\n"
    "  1  it does\n"
    "  2  trouble: usage, unreadable file, bad mesh, a method that cannot do this\n"
    "  3  undecided\n"
    "\n"
    "Examples:\n"
    "  graze self cloth.ply\n"
    "  graze self --pairs --curves cloth.ply\n";

static const char help_scene[] =
    "Each part of a file is an object, named FILE:PART: an o or g of OBJ, a solid of STL, a node of\n"
    "glTF, DAE, 3MF and others with its transforms, depth first. A file without parts is one object,\n"
    "named FILE. A part without a name has its place for one: \"solid 3\", \"nodes[3]\", \"node 3\". Names\n"
    "may repeat: objects are numbered from 0, file after file. Every object is tested against every\n"
    "other, those of its own file included. Nodes that show one mesh share it.\n"
    "\n"
    "Listed are the pairs that touch, with the number of touching pairs of faces, and those of which\n"
    "one lies inside the other, whole or in part. With --json: {\"objects\": [names], \"pairs\":\n"
    "[{\"a\", \"b\", \"relation\", \"pair_count\", \"kinds\"}], ...}, where a < b count the objects.\n"
    "Faces, curves and poses of two files: `graze check`.\n"
    "\n"
    "Exit status:\n"
    "  0  nothing touches, and nothing is known to lie inside\n"
    "  1  two objects touch, or one or a part of one lies inside another\n"
    "  2  trouble: usage, unreadable file, bad mesh, a method that cannot do this\n"
    "  3  undecided; with --strict also where inside cannot be told because a mesh is open\n"
    "\n"
    "Examples:\n"
    "  graze scene robot.gltf\n"
    "  graze scene --json fixture.obj parts/*.stl > answer.json\n"
    "  if graze scene --quiet assembly.3mf; then echo free; fi\n";

static const char help_info[] =
    "It counts vertices, faces, components and edges, tells whether the mesh is closed,\n"
    "manifold and oriented, and lists what may surprise: holes, faces without area or given\n"
    "twice, polygons that are not flat, unused vertices, what the file holds that is no face.\n"
    "Vertices at equal positions count as one for edges and components.\n"
    "--device and --threads are taken for the sake of scripts and change nothing: counting is\n"
    "done on one core of the CPU.\n"
    "\n"
    "Exit status:\n"
    "  0  the file could be read, whatever was found in it\n"
    "  2  trouble: usage, unreadable file, bad mesh\n"
    "\n"
    "Examples:\n"
    "  graze info part.stl\n"
    "  graze info --json part.stl\n";

static const char help_devices[] =
    "The CPU, and what OpenGL can be had without a screen. With --json: {\"command\": \"devices\",\n"
    "\"devices\": [{\"name\": \"cpu\", \"threads\", \"simd\", \"methods\"}, {\"name\": \"gl\", \"index\", \"vendor\",\n"
    "\"renderer\", \"version\", \"platform\", \"software\", \"problem\"}, ...]}; problem is null where it works.\n"
    "\n"
    "Exit status:\n"
    "  0  there is at least one device\n"
    "  2  trouble\n"
    "\n"
    "Examples:\n"
    "  graze devices\n"
    "  graze devices --json\n";
// clang-format on

static const command commands[] = {
    {"check", "A B", 2, TAKES_CHECK, command_check, "do two meshes touch, and where", help_check},
    {"self", "A", 1, TAKES_SELF, command_self, "does a mesh touch itself", help_self},
    {"scene", "FILE...", ANY_FILES, TAKES_SCENE, command_scene, "every touching pair among many parts", help_scene},
    {"info", "A", 1, TAKES_INFO, command_info, "what is in the file, what is wrong", help_info},
    {"devices", "", 0, TAKES_ALWAYS, command_devices, "what can be used here", help_devices},
    {"move", "A B", 2, 0, NULL, "when does A, moving, first touch B", NULL},
    {"pick", "A", 1, 0, NULL, "what does a ray hit first", NULL},
    {"distance", "A B", 2, 0, NULL, "how far apart, and between which points", NULL},
};

enum {
    COMMAND_COUNT = sizeof commands / sizeof commands[0]
};

static void list_commands(bool built)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char left[40];
        if ((commands[i].run != NULL) != built)
            continue;
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].files);
        printf("  %-16s %s\n", left, commands[i].summary);
    }
}

static int print_help(void)
{
    printf("graze %s: exact collision detection between triangle meshes\n\n", grz_version());
    fputs("Usage: graze COMMAND [OPTION]... FILE...\n\nCommands:\n", stdout);
    list_commands(true);
    fputs("\nNot built yet in this version:\n", stdout);
    list_commands(false);
    fputs("\nOptions:\n", stdout);
    options_describe(TAKES_CHECK, stdout);
    fputs("  --version                show the version\n"
          "\n"
          "Not every command takes every option: `graze COMMAND --help` tells. -- ends the options.\n"
          "\n"
          "Files: OBJ, STL, PLY and OFF are read with every digit; other formats, where Assimp is built in,\n"
          "as float32. A file named - is standard input; text of no other format is read as OBJ.\n"
          "\n"
          "Exit status:\n"
          "  0  nothing touches; for info and devices: all went well\n"
          "  1  something touches, overlaps or is inside\n"
          "  2  trouble: usage, unreadable file, bad mesh, a method that cannot do this\n"
          "  3  undecided\n"
          "\n"
          "Examples:\n"
          "  graze check part.stl case.stl\n"
          "  graze self --pairs cloth.ply\n"
          "  graze scene robot.gltf\n"
          "  graze info --json part.stl\n",
          stdout);
    return output_finish(NULL) ? STATUS_APART : STATUS_TROUBLE;
}

static int print_command_help(const command *asked)
{
    printf("graze %s: %s\n\n", asked->name, asked->summary);
    printf("Usage: graze %s [OPTION]...%s%s\n\nOptions:\n", asked->name, asked->file_count > 0 ? " " : "", asked->files);
    options_describe(asked->takes, stdout);
    printf("\n%s", asked->help);
    return output_finish(asked->name) ? STATUS_APART : STATUS_TROUBLE;
}

static int run(const command *asked, int argc, char **argv)
{
    options given;

    if (asked->run == NULL) {
        complain(asked->name, "not built yet in this version (%s)", grz_version());
        return STATUS_TROUBLE;
    }
    if (!options_parse(asked, argc, argv, &given))
        return STATUS_TROUBLE;
    if ((given.flags & OPTION_HELP) != 0)
        return print_command_help(asked);
    return asked->run(&given);
}

// Memory that was given back serves again. By default glibc returns each large block to the system, and the next one costs a page
// fault every 4 KiB again, which takes longer than filling it (docs/performance-reading.md).
static void keep_memory(void)
{
#if defined(__GLIBC__)
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
    (void)mallopt(M_ARENA_MAX, 1); // threads share it: they ask seldom
#endif
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;

    keep_memory();

    if (word == NULL) {
        complain(NULL, "no command is given; try `graze --help`");
        return STATUS_TROUBLE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "--version") == 0) {
        if (argc > 2) {
            complain(NULL, "%s stands alone, got %s; try `graze --help`", word, argv[2]);
            return STATUS_TROUBLE;
        }
        if (strcmp(word, "--help") == 0)
            return print_help();
        printf("graze %s\n", grz_version());
        return output_finish(NULL) ? STATUS_APART : STATUS_TROUBLE;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].name) == 0)
            return run(&commands[i], argc - 2, argv + 2);
    }
    complain(NULL, "%s %s; try `graze --help`", word[0] == '-' ? "the command comes first, got option" : "unknown command", word);
    return STATUS_TROUBLE;
}
