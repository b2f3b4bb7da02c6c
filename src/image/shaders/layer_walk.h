// SPDX-License-Identifier: MIT
// Going through the lists that a node meets, after layer_nodes.h: those in them that make a pair with it. What follows says which do
// (pairs_up), where the first list begins (first_of_list) and which one comes after it (next_list), and whose job it is (job_of).

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_RAW) writeonly buffer raw_buffer
{
    uvec2 raw_pairs[]; // records, or triangles; GRZ_RAW_ONCE
};
layout(location = GRZ_AT_LAYER_RAW_ROOM) uniform uint raw_room;

uint first_of_list(inout uvec4 own);
uint next_list(inout uvec4 own);
bool pairs_up(uvec4 own, uvec4 other);
uint job_of(uvec4 own);

void main()
{
    uint number = answers[GRZ_HEAD_WALK_FROM] + (gl_WorkGroupID.y * GRZ_VOXEL_ROW + gl_WorkGroupID.x) * GRZ_VOXEL_GROUP +
                  gl_LocalInvocationIndex;
    if (number >= answers[GRZ_HEAD_WALK_TO])
        return;
    uvec4 own = nodes[number];
    uint at = first_of_list(own), last = 0u, steps = 0u;
    while (at != 0u && steps < GRZ_LAYER_STEPS) {
        for (; at != 0u && steps < GRZ_LAYER_STEPS; steps++) {
            uvec4 other = nodes[at - 1u];
            if (pairs_up(own, other)) {
                last = atomicAdd(answers[GRZ_HEAD_RAW_PAIRS], 1u) + 1u;
                if (last <= raw_room)
                    raw_pairs[last - 1u] =
                        uvec2(other.y & GRZ_LAYER_RECORD, (own.y & GRZ_LAYER_RECORD) | (own.y & other.y & GRZ_LAYER_SMALL));
            }
            at = other.x;
        }
        if (at == 0u)
            at = next_list(own);
    }
    if (at == 0u && last == 0u)
        return;
    uint job = job_of(own), flags = job_answer(job) + GRZ_JOB_FLAGS;
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
