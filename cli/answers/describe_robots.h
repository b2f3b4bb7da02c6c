// SPDX-License-Identifier: MIT
// What the report of a scene says of its robots, and of poses that need a word.
#ifndef GRZ_CLI_DESCRIBE_ROBOTS_H
#define GRZ_CLI_DESCRIBE_ROBOTS_H

#include "answers/scene.h"
#include "report/report.h"

// For people: a line for each robot, and the notes as warnings.
void describe_robots(const scene_run *run, report *r);

// For programs: `notes`, a list of texts.
void put_notes(const scene_run *run, report *r);

#endif
