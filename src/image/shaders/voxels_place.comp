#version 450
// SPDX-License-Identifier: MIT
// voxels_place.comp: bring triangles into their job's grid, by one triangle an invocation, one job a row of work groups. Those outside of it
// are left behind; those over many pixels are listed for voxels_big.comp. In: positions[], indices[], places[]. Out: records[], big[].
// A program on the CPU reads what is the same for a work group faster from a uniform block than from a storage buffer.
#include "shared.h"
#include "gl_mesh.h"
#include "voxel_records.h"
#include "voxel_bounds.h"

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_BIG) buffer big_buffer
{
    uint big[];
};
struct place_of_object {
    vec4 rows[3]; // cells = rows · (coordinates in the mesh's buffer, 1)
    vec4 grow;    // what cells are wrong by at most, powers of two
    uvec4 of;     // its job; its own number where all share a grid, else 0
};
layout(std140, binding = GRZ_BIND_VOXEL_PLACES) uniform places_block
{
    place_of_object places[GRZ_VOXEL_JOBS]; // of this side's objects
};
layout(location = GRZ_AT_MIDDLE) uniform vec4 mesh_middle;      // in the mesh's buffer, and one over its size
layout(location = GRZ_AT_VOXEL_PLACE) uniform uint first_place; // of this dispatch
layout(location = GRZ_AT_VOXEL_SIDE) uniform uint side; // 0: first objects, 1: second ones

vec3 place(vec4 rows[3], uint vertex)
{
    precise vec3 at = (uintBitsToFloat(position_of(vertex)) - mesh_middle.xyz) * mesh_middle.w;
    precise vec3 placed;
    for (int i = 0; i < 3; i++)
        placed[i] = ((rows[i].x * at.x + rows[i].y * at.y) + rows[i].z * at.z) + rows[i].w;
    return placed;
}

uint add_record(uint triangle, uvec4 of)
{
    uint place = atomicAdd(answers[GRZ_HEAD_RECORDS + side], 1u), number = place + side * room, at = GRZ_RECORD_VECTORS * number;
    records[at] = uvec4(triangle, pack_record(of.x, grow), floatBitsToUint(corners[0].xy));
    records[at + 1u] = uvec4(floatBitsToUint(corners[0].z), floatBitsToUint(corners[1]));
    records[at + 2u] = uvec4(floatBitsToUint(corners[2]), of.y);
    if (place % GRZ_VOXEL_GROUP == 0u) // some invocation has the last such place
        atomicMax(answers[GRZ_HEAD_RECORD_GROUPS + 4u * side], place / GRZ_VOXEL_GROUP + 1u);
    return number;
}

void put_aside(uint record)
{
    uint place = atomicAdd(answers[GRZ_HEAD_BIG + side], 1u), groups = GRZ_HEAD_BIG_GROUPS + 4u * side;
    big[side * room + place] = record;
    atomicAdd(answers[GRZ_HEAD_BIG_PIXELS], pixel_count() / GRZ_VOXEL_MOST_PIXELS);
    atomicMax(answers[groups], min(place + 1u, GRZ_VOXEL_ROW));
    atomicMax(answers[groups + 1u], place / GRZ_VOXEL_ROW + 1u);
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
