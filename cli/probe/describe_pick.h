// SPDX-License-Identifier: MIT
// The report of what a ray hits.
#ifndef GRZ_CLI_DESCRIBE_PICK_H
#define GRZ_CLI_DESCRIBE_PICK_H

#include "answers/query.h"
#include "report/report.h"

// The pixel that a ray goes through, of a picture of this size.
typedef struct pick_camera {
    uint32_t column, row, width, height;
} pick_camera;

// Describe the hits that a query found, `count` of them in order, once query_measured() has ended it. `camera`: of a
// ray through a pixel; else NULL. report_finish() is due.
report describe_pick(const query *q, const pick_camera *camera, const grz_ray_hit *hits, uint64_t count);

#endif
