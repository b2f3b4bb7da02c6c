// SPDX-License-Identifier: MIT
// One run of `graze move ROBOT.urdf`: robots whose joints move evenly from one value to another, and objects that rest.
// Which two touch first? Every pair is followed by itself, in the frame of the link above both, so that links which
// move together cost nothing.
#ifndef GRZ_CLI_SWEEP_SWEEP_H
#define GRZ_CLI_SWEEP_SWEEP_H

#include "answers/measure.h"
#include "arguments/options.h"
#include "assembly/exclusions.h"
#include "assembly/robot_objects.h"
#include "progress.h"

#include <graze/graze.h>

// Plain data.
typedef struct sweep {
    const options *given;
    grz_device *device;
    grz_scene *scene;
    grz_result *result;
    scene_objects objects;
    exclusions excluded;
    uint64_t asked; // pairs of which one at least is a robot's, those that are excluded among them
    // What was found. Nothing touches before `lower`, which is infinite if all is clear.
    double lower;
    grz_move_answer first;   // of the pair that touches first; `contact` false: none is known
    uint32_t a, b;           // that pair
    size_t undecided;        // pairs of which it is not known
    uint32_t open_a, open_b; // the one of them that comes near first
    progress *bar;
    measures measured;
} sweep;

// Run the command. Returns the exit status.
int sweep_run(const options *given);

#endif
