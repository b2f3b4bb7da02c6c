#version 450
// SPDX-License-Identifier: MIT
// leaves_select.comp: list the leaf boxes that reach into the region of their job. One box an invocation; one object a
// row of work groups. A corner of the box goes through the same arithmetic as a vertex, so the same bound covers it
// (grid_frame.c). In: leaves[], places[]. Out: listed[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/shaders/places.h"
#include "image/grid/leaves/shaders/leaves.h"
#include "gpu/shaders/leaf_in_buffer.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LEAF_BOXES) readonly buffer leaves_buffer
{
    leaf_box leaves[];
};
layout(location = GRZ_AT_VOXEL_PLACE) uniform uint first_place; // the place of the first row of work groups
layout(location = GRZ_AT_VOXEL_SIDE) uniform uint side;         // 0: objects A, 1: objects B
layout(location = GRZ_AT_LEAF_COUNT) uniform uint leaf_count;

void main()
{
    uint leaf = gl_GlobalInvocationID.x, number = first_place + gl_WorkGroupID.y;
    if (leaf >= leaf_count)
        return;
    leaf_box mine = leaves[leaf];
    vec4 rows[3] = places[number].rows;
    precise vec3 low, high;
    for (int i = 0; i < 3; i++) {
        // The corners of the box where this coordinate is least and largest.
        bvec3 falling = lessThan(rows[i].xyz, vec3(0.0));
        vec3 least = mix(mine.low, mine.high, falling), most = mix(mine.high, mine.low, falling);
        low[i] = ((rows[i].x * least.x + rows[i].y * least.y) + rows[i].z * least.z) + rows[i].w;
        high[i] = ((rows[i].x * most.x + rows[i].y * most.y) + rows[i].z * most.z) + rows[i].w;
    }
    low -= places[number].grow.xyz;
    high += places[number].grow.xyz;
    if (any(greaterThan(low, places[number].sides.xyz)) || any(lessThan(high, vec3(0.0))))
        return;
    uvec4 of = places[number].of;
    uint entry = of.z + atomicAdd(answers[job_answer(of.x) + GRZ_JOB_MARKED + side], 1u);
    listed[entry] = listed_box(low, leaf, high, mine.count, of.x | number << 8, of.w, GRZ_LEAF_NONE, 0u);
}
