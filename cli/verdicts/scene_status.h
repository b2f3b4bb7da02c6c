// SPDX-License-Identifier: MIT
// The exit status of a scene.
#ifndef GRZ_CLI_VERDICTS_SCENE_STATUS_H
#define GRZ_CLI_VERDICTS_SCENE_STATUS_H

#include "answers/scene.h"

// Count how the pairs stand to what the command line asks for; and with --allow-touching --strict look for an object
// that has no solid, whether it touches another or not.
grz_status scene_judge(scene_run *run, grz_error *error);

int scene_status(const scene_run *run);

#endif
