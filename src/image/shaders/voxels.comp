#version 450
// SPDX-License-Identifier: MIT
// voxels.comp: fill or test by one triangle an invocation, one job a row of work groups. Triangles that reach over many pixels are listed for
// voxels_big.comp, since loops may not be long here. In: positions[], indices[], frames[]. Out: cells[], records[], big[], marked[].
#include "shared.h"
#include "gl_mesh.h"
#include "voxel_records.h"
#include "voxels.h"

layout(location = GRZ_AT_MIDDLE) uniform vec4 mesh_middle;         // in the mesh's buffer, and one over its size
layout(location = GRZ_AT_VOXEL_FRAME) uniform uint first_frame; // of the jobs of this dispatch

vec3 place(vec4 rows[3], uint vertex)
{
    precise vec3 at = (uintBitsToFloat(position_of(vertex)) - mesh_middle.xyz) * mesh_middle.w;
    precise vec3 placed;
    for (int i = 0; i < 3; i++)
        placed[i] = ((rows[i].x * at.x + rows[i].y * at.y) + rows[i].z * at.z) + rows[i].w;
    return placed;
}

void put_aside(uint side, uint record)
{
    uint place = atomicAdd(answers[GRZ_HEAD_BIG + side], 1u), groups = GRZ_HEAD_BIG_GROUPS + 4u * side;
    big[side * room + place] = record;
    atomicMax(answers[groups], min(place + 1u, GRZ_VOXEL_ROW));
    atomicMax(answers[groups + 1u], place / GRZ_VOXEL_ROW + 1u);
}

void main()
{
    uint triangle = first + gl_GlobalInvocationID.x, frame = first_frame + gl_WorkGroupID.y;
    uint side = mode == GRZ_VOXEL_FILL ? 0u : 1u;
    if (triangle >= counts.y)
        return;
    uvec3 vertices = corners_of(triangle);
    vec4 rows[3] = frames[frame].rows;
    grow = frames[frame].grow.xyz;
    corners[0] = place(rows, vertices.x);
    corners[1] = place(rows, vertices.y);
    corners[2] = place(rows, vertices.z);
    if (!bound_triangle())
        return;
    bool is_big = pixel_count() > GRZ_VOXEL_MOST_PIXELS, marks = false;
    if (!is_big) {
        find_axes(frames[frame].job.x);
        marks = visit_all();
        if (side == 1u && !marks)
            return;
    }
    uint record = add_record(side, triangle, frame, corners[0], corners[1], corners[2]);
    if (is_big)
        put_aside(side, record);
    if (marks)
        mark(frames[frame].job.x, side, record, triangle);
}
