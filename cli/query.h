// SPDX-License-Identifier: MIT
// What check and self share: open the device, load the meshes, measure, and turn a query's end into a report and an exit status.
// Between open and report the command asks the one question that makes it what it is. `scene` has a frame of its own (scene.h) and
// shares the small things at the end.
#ifndef GRZ_CLI_QUERY_H
#define GRZ_CLI_QUERY_H

#include "load.h"
#include "options.h"
#include "progress.h"

#include <graze/graze.h>

// One query of one command line. Plain data; the reports read it.
typedef struct query {
    const options *given;
    grz_device *device;
    loaded_mesh meshes[MAX_MESHES];
    grz_object objects[MAX_MESHES]; // the meshes at their poses
    size_t mesh_count;
    grz_result *result;
    progress *bar;
    bool drawn;  // the picture is written
    bool listed; // false where the answer was too long to list: only the yes/no holds
    double start_ms;
    double load_ms, total_ms;
    double peak_memory_mb;
} query;

// Open the device and load every file. On failure returns false after a complaint; query_close() is due in any case.
bool query_open(query *q, const options *given);

// The kind of device that a command line asks for. Pictures are drawn by OpenGL, whatever computes.
grz_device_kind query_device_kind(const options *given);

// The library's options for what the command line asks for.
grz_collide_options query_collide_options(const query *q);

// Report how the query ended, on stdout or, in trouble, on stderr. Returns the exit status.
int query_report(query *q, grz_status status, const grz_error *error);

void query_close(query *q);

// The clock, and what the process has taken of memory at most.
double query_now_ms(void);
double query_peak_memory_mb(void);

// The library's options that command lines have in common: containment is asked for, no list is. `bar` may be NULL.
grz_collide_options query_common_options(const options *given, progress *bar);

// Whether the result lists pairs of faces: they are not too many, and the method names them.
bool query_lists(const query *q);

// The box around where two meshes touch, as far as it is known.
bool query_region(const query *q, double min[3], double max[3]);

int query_exit_status(const options *given, const grz_summary *summary);

#endif
