// SPDX-License-Identifier: MIT
// Reports for programs: one JSON object, every key there in every case, null where a key does not apply. Each returns false, and
// has written nothing, where memory ran out; write errors stay in the stream's error flag, and output_finish() looks at it.
#ifndef GRZ_CLI_REPORT_JSON_H
#define GRZ_CLI_REPORT_JSON_H

#include "info.h"
#include "query.h"
#include "scene.h"

#include <stdio.h>

bool report_json_query(const query *q, FILE *stream);
bool report_json_scene(const scene_run *run, FILE *stream);
bool report_json_info(const info *about, FILE *stream);
bool report_json_device(const grz_device *device, FILE *stream);

#endif
