// SPDX-License-Identifier: MIT
// What --deeper-than and --depth make of a scene, as text and for programs.
#ifndef GRZ_CLI_VERDICTS_DESCRIBE_SCENE_OVERLAPS_H
#define GRZ_CLI_VERDICTS_DESCRIBE_SCENE_OVERLAPS_H

#include "answers/scene.h"
#include "report/report.h"

// How many pairs stand how, and which objects are thin.
void scene_overlaps_describe(const scene_run *run, report *r);

// Whether the line of a pair is left out, because its overlap is within what is allowed.
bool scene_overlaps_hide(const scene_run *run, size_t pair);

// The beginning of a pair's line, "deeper than 0.001: the overlap is …; ". "" where no depth was asked for or is known.
const char *scene_overlaps_text(const scene_run *run, size_t pair, report *r);

// Lines that follow that of a pair: its places, or why its depth is not known.
void scene_overlaps_describe_pair(const scene_run *run, size_t pair, report *r, report_value *into);

// For programs, of the whole scene: `deeper` and `thin`.
void scene_overlaps_put(const scene_run *run, report *r);

#endif
