// SPDX-License-Identifier: MIT
// Reports for people: the verdict first, then how much, where and how long. Lists (--pairs, --curves) come last, one item a line,
// with every digit; a scene's pairs of objects come before the time. Write errors stay in the stream's error flag; output_finish()
// looks at it.
#ifndef GRZ_CLI_REPORT_TEXT_H
#define GRZ_CLI_REPORT_TEXT_H

#include "info.h"
#include "query.h"
#include "scene.h"

#include <stdio.h>

void report_text_query(const query *q, FILE *stream);
void report_text_scene(const scene_run *run, FILE *stream);
void report_text_info(const info *about, FILE *stream);
void report_text_device(const grz_device *device, FILE *stream);

#endif
