// SPDX-License-Identifier: MIT
// One run of `graze scene`: its files, the scene made of them, and what the query found. command_scene.c fills it, the reports
// print it.
#ifndef GRZ_CLI_SCENE_H
#define GRZ_CLI_SCENE_H

#include "options.h"
#include "progress.h"
#include "scene_objects.h"

#include <graze/graze.h>

// Plain data.
typedef struct scene_run {
    const options *given;
    grz_device *device;
    grz_scene *scene;
    scene_objects objects;
    grz_result *result;
    // What was found. A copy: the result is used again for the counting of pair after pair.
    grz_summary summary;
    grz_scene_pair *pairs; // owned
    size_t pair_count;
    progress *bar;
    bool drawn;   // the picture is written
    bool counted; // false where there were more pairs of faces than can be listed: which objects touch is known, not how often
    double start_ms;
    double load_ms, total_ms;
    double peak_memory_mb;
} scene_run;

#endif
