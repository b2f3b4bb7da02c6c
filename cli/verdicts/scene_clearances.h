// SPDX-License-Identifier: MIT
// --clearance for all pairs of a scene, of which some may have a clearance of their own.
#ifndef GRZ_CLI_VERDICTS_SCENE_CLEARANCES_H
#define GRZ_CLI_VERDICTS_SCENE_CLEARANCES_H

#include "answers/scene.h"

// Read --clearance A:B=D. On failure returns false, and `message` holds one line.
bool scene_clearances_read(scene_run *run, char message[LOAD_MESSAGE_SIZE]);

// The largest clearance that any pair must have: what the whole scene is asked with.
double scene_clearances_largest(const scene_run *run);

// Ask again about pairs that are too near for that one, but have a smaller one of their own.
grz_status scene_clearances_narrow(scene_run *run, grz_error *error);

void scene_clearances_finish(scene_run *run);

#endif
