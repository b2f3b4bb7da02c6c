// SPDX-License-Identifier: MIT
// The tool's options. One table (option_table.c) holds the name, value, help text and group of each; a command says by
// a mask which ones it takes. Every mistake on a command line is found before a file is opened (options_check.c), and
// is reported on stderr.
#ifndef GRZ_CLI_ARGUMENTS_OPTIONS_H
#define GRZ_CLI_ARGUMENTS_OPTIONS_H

#include <graze/gl.h>
#include <graze/graze.h>

#include <stdbool.h>
#include <stddef.h>

// A bit for each option.
#define OPTION_JSON (UINT64_C(1) << 0)
#define OPTION_METHOD (UINT64_C(1) << 1)
#define OPTION_ANSWER (UINT64_C(1) << 2)
#define OPTION_DEVICE (UINT64_C(1) << 3)
#define OPTION_THREADS (UINT64_C(1) << 4)
#define OPTION_POSE_A (UINT64_C(1) << 5)
#define OPTION_POSE_B (UINT64_C(1) << 6)
#define OPTION_PAIRS (UINT64_C(1) << 7)
#define OPTION_CURVES (UINT64_C(1) << 8)
#define OPTION_PICTURE (UINT64_C(1) << 9)
#define OPTION_STRICT (UINT64_C(1) << 10)
#define OPTION_QUIET (UINT64_C(1) << 11)
#define OPTION_HELP (UINT64_C(1) << 12)
#define OPTION_MAX_PAIRS (UINT64_C(1) << 13)
#define OPTION_PRESET (UINT64_C(1) << 14)
#define OPTION_VERSION (UINT64_C(1) << 15) // no command takes it: it stands without one
#define OPTION_TIME (UINT64_C(1) << 16)
#define OPTION_THICKNESS (UINT64_C(1) << 17)
#define OPTION_REFERENCE (UINT64_C(1) << 18)
#define OPTION_PROJECTION (UINT64_C(1) << 19)
#define OPTION_DIRECTION (UINT64_C(1) << 20)
#define OPTION_RESOLUTION (UINT64_C(1) << 21)
#define OPTION_BOTH_SIDES (UINT64_C(1) << 22)
#define OPTION_STENCIL (UINT64_C(1) << 23)
#define OPTION_ALLOW_TOUCHING (UINT64_C(1) << 24)
#define OPTION_ALLOW (UINT64_C(1) << 25)
#define OPTION_ALLOW_FILE (UINT64_C(1) << 26)
#define OPTION_ALLOW_ADJACENT (UINT64_C(1) << 27)
#define OPTION_POSE (UINT64_C(1) << 28)
#define OPTION_POSES (UINT64_C(1) << 29)
#define OPTION_JOINT (UINT64_C(1) << 30)
#define OPTION_PACKAGE (UINT64_C(1) << 31)
#define OPTION_CLEARANCE (UINT64_C(1) << 32)
#define OPTION_CLEARANCE_TOLERANCE (UINT64_C(1) << 33)
#define OPTION_DEEPER_THAN (UINT64_C(1) << 34)
#define OPTION_DEPTH (UINT64_C(1) << 35)
#define OPTION_MAX_CELLS (UINT64_C(1) << 36)
#define OPTION_OPEN (UINT64_C(1) << 37)
#define OPTION_RULE (UINT64_C(1) << 38)
#define OPTION_SPLIT (UINT64_C(1) << 39)
#define OPTION_FROM (UINT64_C(1) << 40)
#define OPTION_TO (UINT64_C(1) << 41)
#define OPTION_FROM_B (UINT64_C(1) << 42)
#define OPTION_TO_B (UINT64_C(1) << 43)
#define OPTION_SCREW (UINT64_C(1) << 44)
#define OPTION_TOLERANCE (UINT64_C(1) << 45)
#define OPTION_ALONG (UINT64_C(1) << 46)
#define OPTION_DEFORM_A (UINT64_C(1) << 47)
#define OPTION_DEFORM_B (UINT64_C(1) << 48)
#define OPTION_LAYERS (UINT64_C(1) << 49)
#define OPTION_RAY (UINT64_C(1) << 50)
#define OPTION_ALL_HITS (UINT64_C(1) << 51)
#define OPTION_FORMAT (UINT64_C(1) << 52)
#define OPTION_VERBOSE (UINT64_C(1) << 53)
#define OPTION_DEPTH_TOLERANCE (UINT64_C(1) << 54) // --tolerance, too, where there is --depth
#define OPTION_UNIT (UINT64_C(1) << 55)
#define OPTION_PIXEL (UINT64_C(1) << 56)
#define OPTION_SIZE (UINT64_C(1) << 57)
#define OPTION_LOOK (UINT64_C(1) << 58)
#define OPTION_UP (UINT64_C(1) << 59)
#define OPTION_SHAPE (UINT64_C(1) << 60)
#define OPTION_POSE_SHAPE (UINT64_C(1) << 61)

// What belongs together.
#define OPTIONS_REPORT (OPTION_JSON | OPTION_QUIET | OPTION_HELP) // every command that reports
#define OPTIONS_FILES (OPTION_FORMAT | OPTION_UNIT)               // every command that reads meshes
#define OPTIONS_MACHINE (OPTION_DEVICE | OPTION_THREADS)          // every command that computes
#define OPTIONS_QUERY (OPTION_METHOD | OPTION_ANSWER | OPTION_MAX_PAIRS | OPTION_STRICT | OPTION_TIME) // every query
#define OPTIONS_LISTS (OPTION_PAIRS | OPTION_CURVES) // queries that list faces
#define OPTIONS_MAPS                                                                                                   \
    (OPTION_PROJECTION | OPTION_DIRECTION | OPTION_RESOLUTION | OPTION_BOTH_SIDES |                                    \
     OPTION_STENCIL) // discrete answers by height maps
#define OPTIONS_ASSEMBLY                                                                                               \
    (OPTION_ALLOW | OPTION_ALLOW_FILE | OPTION_ALLOW_ADJACENT | OPTION_POSE | OPTION_POSES | OPTION_JOINT |            \
     OPTION_PACKAGE | OPTION_SPLIT)                                                         // scenes of named objects
#define OPTIONS_PATH (OPTION_FROM | OPTION_TO | OPTION_FROM_B | OPTION_TO_B | OPTION_SCREW) // of two moving meshes
#define OPTIONS_DEFORM (OPTION_DEFORM_A | OPTION_DEFORM_B)                                  // of meshes that deform
#define OPTIONS_SWEEP (OPTION_JOINT | OPTION_PACKAGE | OPTIONS_EXCLUDE)            // of a robot whose joints move
#define OPTIONS_EXCLUDE (OPTION_ALLOW | OPTION_ALLOW_FILE | OPTION_ALLOW_ADJACENT) // what leaves pairs out
#define OPTIONS_CAMERA (OPTION_SIZE | OPTION_LOOK | OPTION_UP)                     // of a picture
#define OPTIONS_PICTURE (OPTION_PICTURE | OPTIONS_CAMERA)
#define OPTIONS_OVERLAP                                                                                                \
    (OPTION_DEEPER_THAN | OPTION_DEPTH | OPTION_DEPTH_TOLERANCE | OPTION_MAX_CELLS | OPTION_OPEN |                     \
     OPTION_RULE) // of two solids
#define OPTIONS_CLEARANCE (OPTION_CLEARANCE | OPTION_CLEARANCE_TOLERANCE)
#define OPTIONS_ALL UINT64_MAX

enum {
    MAX_MESHES = 2, // of a query between meshes, which takes a file and a pose for each
    MAX_THREADS = 1024
};

// One value of an option that may be given several times.
typedef struct option_value {
    uint64_t option;  // OPTION_…
    const char *text; // argv's
} option_value;

// Where a motion begins or ends.
typedef struct motion_end {
    double shift[3], turn[4]; // translation; quaternion x, y, z, w
} motion_end;

// What a command line asks for. The strings are argv's. Not to be copied: it points into itself. options_finish() is
// due after options_parse(), whatever that returned.
typedef struct options {
    const char *command;               // its name
    const struct command_table *table; // the tool's commands (command.h)
    char *const *files;
    size_t file_count;
    uint64_t takes;     // OPTION_… of every option that the command takes
    uint64_t flags;     // OPTION_… of every option that was given
    const char *format; // of --format; NULL: each file tells its own
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
    double clearance;                  // of --clearance D
    bool all_clear;                    // --clearance D was given, and not only --clearance A:B=D
    double clearance_tolerance;        // of --clearance-tolerance: what may be missing of a clearance, relative
    double deeper_than;                // of --deeper-than D
    bool all_deeper;                   // --deeper-than D was given, and not only --deeper-than A:B=D
    uint64_t max_cells;                // of --max-cells; 0: the library's default
    bool open_reported;                // --open report
    grz_inside_rule rule;              // of --rule
    double along[3];                   // of --along
    double ray[6];                     // of --ray: origin, direction
    uint32_t pixel[2], size[2];        // of --pixel and --size: column and row, width and height
    double look[3], up[3];             // of --look and --up; zeros without
    grz_shape shape;                   // of --shape
    const char *shape_kind;            // "box"; NULL: none is given
    grz_pose pose_shape;               // of --pose-shape
    uint32_t layers;                   // of --layers
    double unit;                       // of --unit, in metres; 0: every file keeps its own
    double tolerance;                  // of --tolerance, of a move or relative; 0: the library's default
    grz_pose poses[MAX_MESHES];
    motion_end from[MAX_MESHES], to[MAX_MESHES];
    const char *deform[MAX_MESHES]; // of --deform-a, --deform-b: file names; NULL: the mesh keeps its shape
    option_value *values;           // of options that may be given several times, in the order of the command line
    size_t value_count;
} options;

// Free what the parsing took.
void options_finish(options *given);

// The next value of an option that may be given several times; NULL after the last. *place is 0 before the first call.
const char *options_next(const options *given, uint64_t option, size_t *place);

#endif
