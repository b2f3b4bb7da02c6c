// SPDX-License-Identifier: MIT
// The report of a scene.
#ifndef GRZ_CLI_DESCRIBE_SCENE_H
#define GRZ_CLI_DESCRIBE_SCENE_H

#include "answers/scene.h"
#include "report/report.h"

// Describe what a run has found; it must outlive the report. report_finish() is due.
report describe_scene(const scene_run *run);

#endif
