#version 450
// SPDX-License-Identifier: MIT
// voxels_mark.comp: mark the first objects' triangles over few pixels that have one of both, by one record an invocation.
#include "shared.h"
#include "voxel_records.h"
#include "voxels.h"

void main()
{
    uint number = gl_GlobalInvocationID.x;
    if (number >= answers[GRZ_HEAD_RECORDS])
        return;
    record_of_triangle record = load_record(number);
    uint job = frames[record.frame].job.x;
    if (answers[job_answer(job) + GRZ_JOB_MARKED + 1u] == 0u)
        return;
    corners = record.corners;
    grow = frames[record.frame].grow.xyz;
    if (!bound_triangle() || pixel_count() > GRZ_VOXEL_MOST_PIXELS)
        return;
    find_axes(job);
    if (visit_all())
        mark(job, 0u, number, record.triangle);
}
