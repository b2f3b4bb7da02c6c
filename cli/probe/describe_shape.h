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

// Whether that is known. It is not in two cases: rounding leaves open whether the shape reaches the surface; or the
// shape is apart from an open mesh and in its box.
bool shape_is_decided(const shape_answers *answers);

// Describe the answers of a query, once query_measured() has ended it. report_finish() is due; `answers` must outlive
// the report.
report describe_shape(const query *q, const shape_answers *answers);

#endif
