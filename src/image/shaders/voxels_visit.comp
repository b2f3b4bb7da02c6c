#version 450
// SPDX-License-Identifier: MIT
// voxels_visit.comp: fill, test or mark by the triangles over few pixels, one record an invocation. In: records[]. Out: cells[], marked[].
#include "shared.h"
#include "voxel_records.h"
#include "voxel_bounds.h"
#include "voxel_cells.h"
#include "voxels.h"

void main()
{
    uint side = mode == GRZ_VOXEL_TEST ? 1u : 0u, number = side * room + gl_GlobalInvocationID.x;
    if (gl_GlobalInvocationID.x >= answers[GRZ_HEAD_RECORDS + side])
        return;
    record_of_triangle record = load_record(number);
    corners = record.corners;
    grow = record.grow;
    if (!bound_triangle() || pixel_count() > GRZ_VOXEL_MOST_PIXELS)
        return;
    enter_job(record.job);
    if (visit_all())
        mark(record.job, side, number, record.triangle);
}
