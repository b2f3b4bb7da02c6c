#version 450
// SPDX-License-Identifier: MIT
// voxels_place.comp: bring triangles into the grids of their jobs. One triangle an invocation; one object a row of
// work groups. Triangles in the grid become records; those over many pixels are also listed for voxels_big.comp. In:
// positions[], indices[], places[]. Out: records[], big[].
#include "gpu/shaders/mesh_bindings.h"
#include "image/grid/shaders/grid_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/shaders/voxel_bounds.h"
#include "image/grid/shaders/places.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_BIG) buffer big_buffer
{
    uint big[];
};
layout(location = GRZ_AT_MIDDLE) uniform vec4 mesh_middle;      // the middle of the mesh's buffer, and 1 / its size
layout(location = GRZ_AT_VOXEL_PLACE) uniform uint first_place; // the place of the first row of work groups
layout(location = GRZ_AT_VOXEL_SIDE) uniform uint side; // 0: objects A, 1: objects B

uint add_record(uint triangle, uvec4 of)
{
    uint place = atomicAdd(head.records[side], 1u), number = place + side * room;
    store_record(number, triangle, pack_record(of.x, grow), corners, of.y);
    if (place % GRZ_DISPATCH_GROUP == 0u) // the invocation with the last such place sets the final number
        atomicMax(head.record_groups[side].x, place / GRZ_DISPATCH_GROUP + 1u);
    return number;
}

void put_aside(uint record)
{
    uint place = atomicAdd(head.big[side], 1u);
    big[side * room + place] = record;
    atomicAdd(head.big_pixels, pixel_count() / GRZ_VOXEL_MOST_PIXELS);
    atomicMax(head.big_groups[side].x, min(place + 1u, GRZ_DISPATCH_ROW));
    atomicMax(head.big_groups[side].y, place / GRZ_DISPATCH_ROW + 1u);
}

void main()
{
    uint triangle = first + gl_GlobalInvocationID.x, place_number = first_place + gl_WorkGroupID.y;
    if (triangle >= counts.y)
        return;
    uvec3 vertices = corners_of(triangle);
    vec4 rows[3] = places[place_number].rows;
    grow = places[place_number].grow.xyz;
    corners[0] = placed(rows, local_position(vertices.x, mesh_middle));
    corners[1] = placed(rows, local_position(vertices.y, mesh_middle));
    corners[2] = placed(rows, local_position(vertices.z, mesh_middle));
    if (!bound_triangle())
        return;
    uint record = add_record(triangle, places[place_number].of);
    if (pixel_count() > GRZ_VOXEL_MOST_PIXELS)
        put_aside(record);
}
