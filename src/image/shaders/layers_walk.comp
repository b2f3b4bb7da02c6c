#version 450
// SPDX-License-Identifier: MIT
// layers_walk.comp: one fragment an invocation goes through its pixel's list: those whose depths overlap with its own make a pair, one for each
// pixel. A walk that is not over after GRZ_LAYER_STEPS goes on in the next dispatch.
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_RAW) writeonly buffer raw_buffer
{
    uvec2 raw_pairs[]; // records
};
layout(location = GRZ_AT_LAYER_RAW_ROOM) uniform uint raw_room;

void main()
{
    uint number = answers[GRZ_HEAD_WALK_FROM] +
                  (gl_WorkGroupID.y * GRZ_VOXEL_ROW + gl_WorkGroupID.x) * GRZ_VOXEL_GROUP + gl_LocalInvocationIndex;
    if (number >= answers[GRZ_HEAD_WALK_TO])
        return;
    uvec4 own = nodes[number];
    uint at = own.x, low = own.z & 0xffffu, high = own.z >> 16, last = 0u;
    if ((at & GRZ_LAYER_HEAD) != 0u)
        at = heads[at & ~GRZ_LAYER_HEAD];
    for (uint steps = 0u; at != 0u && steps < GRZ_LAYER_STEPS; steps++) {
        uvec4 other = nodes[at - 1u];
        if ((other.z & 0xffffu) <= high && other.z >> 16 >= low) {
            last = atomicAdd(answers[GRZ_HEAD_RAW_PAIRS], 1u) + 1u;
            if (last <= raw_room)
                raw_pairs[last - 1u] = uvec2(other.y, own.y);
        }
        at = other.x;
    }
    if (at == 0u && last == 0u)
        return;
    uint job = load_record(own.y).job, flags = job_answer(job) + GRZ_JOB_FLAGS;
    if (last > raw_room)
        atomicOr(answers[flags], GRZ_JOB_OVERFLOW);
    uint groups = (min(last, raw_room) + GRZ_VOXEL_GROUP - 1u) / GRZ_VOXEL_GROUP;
    atomicMax(answers[GRZ_HEAD_RAW_GROUPS], min(groups, GRZ_VOXEL_ROW));
    atomicMax(answers[GRZ_HEAD_RAW_GROUPS + 1], (groups + GRZ_VOXEL_ROW - 1u) / GRZ_VOXEL_ROW);
    if (at == 0u)
        return;
    atomicOr(answers[flags], GRZ_JOB_LONG);
    uint rest;
    if (add_node(job, rest))
        nodes[rest] = uvec4(at, own.yzw);
}
