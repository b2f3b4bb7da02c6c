#version 450
// SPDX-License-Identifier: MIT
// voxels_visit.comp: fill, test or mark with the triangles over few pixels, one record an invocation. In: records[].
// Out: cells[], marked[]. CPU twin: tests/image/test_voxels.c.
#include "image/grid/shaders/bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/voxel_bounds.h"
#include "image/grid/shaders/voxel_cells.h"
#include "image/grid/shaders/voxels.h"

void main()
{
    uint side = mode == GRZ_VOXEL_TEST ? 1u : 0u, number = side * room + invocation_number();
    if (invocation_number() >= head.records[side])
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
