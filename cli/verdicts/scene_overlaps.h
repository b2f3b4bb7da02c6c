// SPDX-License-Identifier: MIT
// --deeper-than and --depth for all pairs of a scene.
#ifndef GRZ_CLI_VERDICTS_SCENE_OVERLAPS_H
#define GRZ_CLI_VERDICTS_SCENE_OVERLAPS_H

#include "answers/scene.h"

// Read --deeper-than A:B=D. On failure returns false, and `message` holds one line.
bool scene_overlaps_read(scene_run *run, char message[LOAD_MESSAGE_SIZE]);

// Ask about every pair that the scene's answer lists, and about objects that are thinner than the depth. Fills
// run->overlaps, run->overlap_verdicts and run->thin.
grz_status scene_overlaps_ask(scene_run *run, grz_error *error);

// The exit status of all pairs that --deeper-than is about.
int scene_overlaps_status(const scene_run *run);

void scene_overlaps_finish(scene_run *run);

#endif
