#version 450
// SPDX-License-Identifier: MIT
// voxels_place.comp: bring triangles into the grids of their jobs. One triangle an invocation; one object a row of
// work groups. Triangles in the grid become records; those over many pixels are also listed for voxels_big.comp. In:
// positions[], indices[], places[]. Out: records[], big[]. `places` is a uniform block because software renderers read
// that faster than a storage buffer.
#include "gpu/shaders/bindings.h"
#include "image/grid/shaders/bindings.h"
#include "gpu/shaders/gl_mesh.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/shaders/voxel_bounds.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_BIG) buffer big_buffer
{
    uint big[];
};
struct place_of_object {
    vec4 rows[3]; // cells = rows · (coordinates in the mesh's buffer, 1)
    vec4 grow;    // bounds of the error of cells, powers of two
    uvec4 of;     // its job; the object's number where all share a grid, else 0
};
layout(std140, binding = GRZ_BIND_VOXEL_PLACES) uniform places_block
{
    place_of_object places[GRZ_VOXEL_JOBS]; // of this side's objects
};
layout(location = GRZ_AT_MIDDLE) uniform vec4 mesh_middle;      // the middle of the mesh's buffer, and 1 / its size
layout(location = GRZ_AT_VOXEL_PLACE) uniform uint first_place; // the place of the first row of work groups
layout(location = GRZ_AT_VOXEL_SIDE) uniform uint side; // 0: objects A, 1: objects B

vec3 place(vec4 rows[3], uint vertex)
{
    precise vec3 local = (uintBitsToFloat(position_of(vertex)) - mesh_middle.xyz) * mesh_middle.w;
    precise vec3 placed;
    for (int i = 0; i < 3; i++)
        placed[i] = ((rows[i].x * local.x + rows[i].y * local.y) + rows[i].z * local.z) + rows[i].w;
    return placed;
}

uint add_record(uint triangle, uvec4 of)
{
    uint place = atomicAdd(head.records[side], 1u), number = place + side * room, first = GRZ_RECORD_VECTORS * number;
    records[first] = uvec4(triangle, pack_record(of.x, grow), floatBitsToUint(corners[0].xy));
    records[first + 1u] = uvec4(floatBitsToUint(corners[0].z), floatBitsToUint(corners[1]));
    records[first + 2u] = uvec4(floatBitsToUint(corners[2]), of.y);
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
    corners[0] = place(rows, vertices.x);
    corners[1] = place(rows, vertices.y);
    corners[2] = place(rows, vertices.z);
    if (!bound_triangle())
        return;
    uint record = add_record(triangle, places[place_number].of);
    if (pixel_count() > GRZ_VOXEL_MOST_PIXELS)
        put_aside(record);
}
