#version 450
// SPDX-License-Identifier: MIT
// layers_visit.comp: make the fragments of triangles over few pixels, one record an invocation. In: records[],
// cells[]. Out: nodes[], heads[], cells[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/voxel_bounds.h"
#include "image/grid/shaders/voxel_cells.h"
#include "image/grid/shaders/voxel_depths.h"
#include "image/grid/fragments/shaders/layer_nodes.h"
#include "image/grid/fragments/shaders/layers_capture.h"

void main()
{
    uint side = mode == GRZ_LAYER_TEST ? 1u : 0u, number = side * room + invocation_number();
    if (invocation_number() >= head.records[side])
        return;
    record_of_triangle record = load_record(number);
    corners = record.corners;
    grow = record.grow;
    if (!bound_triangle() || pixel_count() > GRZ_VOXEL_MOST_PIXELS)
        return;
    enter_job(record.job, number, record.object);
    ivec2 pixel = low.xy;
    for (uint left = pixel_count(); left > 0u; left--) {
        capture(pixel);
        pixel = pixel.x < high.x ? ivec2(pixel.x + 1, pixel.y) : ivec2(low.x, pixel.y + 1);
    }
}
