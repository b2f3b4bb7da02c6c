// SPDX-License-Identifier: MIT
// The report of how a shape lies to a mesh.
#ifndef GRZ_CLI_DESCRIBE_SHAPE_H
#define GRZ_CLI_DESCRIBE_SHAPE_H

#include "answers/query.h"
#include "report/report.h"

// What was found of a shape and a mesh.
typedef struct shape_answers {
    grz_shape_object_answer surface; // the shape and the mesh's surface
    uint32_t *faces;                 // that the shape touches; with --all all of them
    uint64_t face_count;
    bool has_depth;         // the mesh is convex, and the shape is not apart from it
    grz_shape_answer depth; // of the shape and the convex solid
} shape_answers;

// Whether the shape and the solid that the mesh bounds have points in common.
bool shape_collides(const shape_answers *answers);

// Whether that is known. It is unknown in two cases: a round shape nearly touches the surface, and rounding hides
// whether it does; or the shape lies in the box of an open mesh without touching it.
bool shape_is_decided(const shape_answers *answers);

// Describe the answers of a query, once query_measured() has ended it. report_finish() is due; `answers` must outlive
// the report.
report describe_shape(const query *q, const shape_answers *answers);

#endif
