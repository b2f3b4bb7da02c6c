// SPDX-License-Identifier: MIT
// The options that commands share: one table says their names, values and help; each command says by a mask which it takes.
// Everything wrong with a command line is found here, before any file is opened, and told on stderr.
#ifndef GRZ_CLI_OPTIONS_H
#define GRZ_CLI_OPTIONS_H

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
    OPTION_PRESET = 1u << 14
};

enum {
    MAX_MESHES = 2, // of a query between meshes, which takes a file and a pose for each
    MAX_THREADS = 1024
};

// What a command line asks for. The strings are argv's.
typedef struct options {
    const char *command;
    char *const *files;
    size_t file_count;
    uint32_t flags;     // OPTION_… of every option that was given
    const char *method; // NULL: the library chooses
    grz_answer answer;
    grz_device_kind device;
    grz_slices_options slices; // size 0: the library's default
    const char *picture;       // file name; NULL: none is wanted
    unsigned threads;          // 0: as many as there are cores
    uint64_t max_pairs;        // 0: the library's default
    grz_pose poses[MAX_MESHES];
} options;

// Stands for "one or more" in command::file_count.
#define ANY_FILES SIZE_MAX

// What the parser needs to know of a command.
typedef struct command {
    const char *name;
    const char *files;                // as the usage line shows them: "A B"
    size_t file_count;                // exactly so many, or ANY_FILES
    uint32_t takes;                   // OPTION_…
    int (*run)(const options *given); // NULL: the name is kept for a later version
    const char *summary;              // one line
    const char *help;                 // what follows the summary in the command's own help; ends with a newline
} command;

// Parse what follows the command's name; argv's strings are put in another order, the files first. With --help the number of files
// is not looked at. On failure returns false, and stderr says what is wrong.
bool options_parse(const command *asked, int argc, char **argv, options *out);

// Write one line for every option in the mask.
void options_describe(uint32_t mask, FILE *stream);

#endif
