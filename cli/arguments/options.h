// SPDX-License-Identifier: MIT
// The tool's options. One table (option_table.c) holds the name, value, help text and group of each; a command says by
// a mask which ones it takes. Every mistake on a command line is found here, before a file is opened, and is reported
// on stderr.
#ifndef GRZ_CLI_ARGUMENTS_OPTIONS_H
#define GRZ_CLI_ARGUMENTS_OPTIONS_H

#include <graze/graze.h>

#include <stdio.h>

enum {
    OPTION_JSON = 1u << 0,
    OPTION_METHOD = 1u << 1,
    OPTION_ANSWER = 1u << 2,
    OPTION_DEVICE = 1u << 3,
    OPTION_THREADS = 1u << 4,
    OPTION_POSE_A = 1u << 5,
    OPTION_POSE_B = 1u << 6,
    OPTION_PAIRS = 1u << 7,
    OPTION_CURVES = 1u << 8,
    OPTION_PICTURE = 1u << 9,
    OPTION_STRICT = 1u << 10,
    OPTION_QUIET = 1u << 11,
    OPTION_HELP = 1u << 12,
    OPTION_MAX_PAIRS = 1u << 13,
    OPTION_PRESET = 1u << 14,
    OPTION_VERSION = 1u << 15, // no command takes it: it stands without one

    OPTION_TIME = 1u << 16,
    OPTION_THICKNESS = 1u << 17,
    OPTION_REFERENCE = 1u << 18,
    OPTION_PROJECTION = 1u << 19,
    OPTION_DIRECTION = 1u << 20,
    OPTION_RESOLUTION = 1u << 21,
    OPTION_BOTH_SIDES = 1u << 22,
    OPTION_STENCIL = 1u << 23,

    // What belongs together.
    OPTIONS_REPORT = OPTION_JSON | OPTION_QUIET | OPTION_HELP, // every command that reports
    OPTIONS_MACHINE = OPTION_DEVICE | OPTION_THREADS,          // every command that computes
    OPTIONS_QUERY = OPTION_METHOD | OPTION_ANSWER | OPTION_MAX_PAIRS | OPTION_STRICT | OPTION_TIME, // every query
    OPTIONS_LISTS = OPTION_PAIRS | OPTION_CURVES, // queries that list faces
    OPTIONS_MAPS = OPTION_PROJECTION | OPTION_DIRECTION | OPTION_RESOLUTION | OPTION_BOTH_SIDES |
                   OPTION_STENCIL, // discrete answers by height maps
    OPTIONS_ALL = (1u << 24) - 1
};

enum {
    MAX_MESHES = 2, // of a query between meshes, which takes a file and a pose for each
    MAX_THREADS = 1024
};

// What a command line asks for. The strings are argv's. Not to be copied: it points into itself.
typedef struct options {
    const char *command; // its name
    char *const *files;
    size_t file_count;
    uint32_t flags;     // OPTION_… of every option that was given
    const char *method; // NULL: the library chooses
    grz_answer answer;
    grz_device_kind device;
    union {
        grz_slices_options slices;
        grz_selection_options selection;
        grz_heightmap_options heightmap;
    } of_method;                       // the options of the method that has any
    grz_method_options method_options; // where they are, and whose; `method` NULL: none are given
    const char *picture;               // file name; NULL: none is wanted
    const char *reference;             // name or number of an object; NULL: none is given
    unsigned threads;                  // 0: as many as there are cores
    uint64_t max_pairs;                // 0: the library's default
    grz_pose poses[MAX_MESHES];
} options;

struct command;

// Find the command's name in argv[1…argc-1]. Options may stand before it, with their values. Returns its place; argc
// where there is no command; 0 after a complaint about an option before it.
int options_find_command(int argc, char **argv);

// Parse a command's arguments: all of argv[0…argc-1], without the name of the command. argv's strings are put in
// another order, the files first. With --help the number of files is not checked. On failure returns false after a
// complaint.
bool options_parse(const struct command *asked, int argc, char **argv, options *out);

// Write what the options of the mask do, under a heading for each group. Only methods that work for the command are
// listed; `asked` may be NULL: all are.
void options_describe(uint32_t mask, const struct command *asked, FILE *stream);

#endif
