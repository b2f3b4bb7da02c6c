#version 450
// SPDX-License-Identifier: MIT
// layers_big.comp: fragments of the triangles over many pixels, listed by voxels_place.comp, with a work group for
// each. In and out as in layers_visit.comp.
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
    uint side = mode == GRZ_LAYER_TEST ? 1u : 0u, place = group_number();
    if (place >= head.big[side])
        return;
    uint number = big[side * room + place];
    record_of_triangle record = load_record(number);
    corners = record.corners;
    grow = record.grow;
    if (head.given_up != 0u || too_many_pixels(record.job) || !bound_triangle())
        return;
    ivec2 size = high.xy - low.xy + 1;
    enter_job(record.job, number, record.object);
    for (uint i = gl_LocalInvocationIndex; i < uint(size.x * size.y); i += GRZ_DISPATCH_GROUP)
        capture(low.xy + ivec2(i % uint(size.x), i / uint(size.x)));
}
