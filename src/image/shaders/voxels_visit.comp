#version 450
// SPDX-License-Identifier: MIT
// voxels_visit.comp: fill, test or mark by the triangles over few pixels, one record an invocation. In: records[]. Out: cells[], marked[].
#include "shared.h"
#include "voxel_records.h"
#include "voxel_bounds.h"
#include "voxels.h"

void main()
{
    uint side = mode == GRZ_VOXEL_TEST ? 1u : 0u, number = side * room + gl_GlobalInvocationID.x;
    if (gl_GlobalInvocationID.x >= answers[GRZ_HEAD_RECORDS + side])
        return;
    record_of_triangle record = load_record(number);
    uint job = frames[record.frame].job.x;
    corners = record.corners;
    grow = frames[record.frame].grow.xyz;
    if (!bound_triangle() || pixel_count() > GRZ_VOXEL_MOST_PIXELS)
        return;
    find_axes(job);
    if (visit_all())
        mark(job, side, number, record.triangle);
}
