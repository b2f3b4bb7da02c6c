// SPDX-License-Identifier: MIT
// walk_lists(): one fragment an invocation goes through the lists of its pixel and writes the pairs that it makes. A
// file that includes this one also defines which fragments make a pair (pairs_up), where the first list begins
// (first_of_list), which list comes next (next_list), and the job (job_of). Include after layer_nodes.h.

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_RAW) writeonly buffer raw_buffer
{
    uvec2 raw_pairs[]; // pairs of fragments: two records, or two triangles; the second may have the bit GRZ_RAW_ONCE
};
layout(location = GRZ_AT_LAYER_RAW_ROOM) uniform uint raw_room; // pairs of fragments that fit

uint first_of_list(inout uvec4 own);
uint next_list(inout uvec4 own);
bool pairs_up(uvec4 own, uvec4 other);
uint job_of(uvec4 own);

// A walk that is not over after GRZ_LAYER_STEPS becomes a new node, which the next dispatch walks on from.
void walk_lists()
{
    uint number = head.walk_from + (gl_WorkGroupID.y * GRZ_VOXEL_ROW + gl_WorkGroupID.x) * GRZ_VOXEL_GROUP +
                  gl_LocalInvocationIndex;
    if (number >= head.walk_to)
        return;
    uvec4 own = nodes[number];
    uint at = first_of_list(own), last = 0u, steps = 0u;
    while (at != 0u && steps < GRZ_LAYER_STEPS) {
        for (; at != 0u && steps < GRZ_LAYER_STEPS; steps++) {
            uvec4 other = nodes[at - 1u];
            if (pairs_up(own, other)) {
                last = atomicAdd(head.raw_pairs, 1u) + 1u;
                if (last <= raw_room)
                    raw_pairs[last - 1u] = uvec2(other.y & GRZ_LAYER_RECORD,
                                                 (own.y & GRZ_LAYER_RECORD) | (own.y & other.y & GRZ_LAYER_SMALL));
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
    atomicMax(head.raw_groups.x, min(groups, GRZ_VOXEL_ROW));
    atomicMax(head.raw_groups.y, (groups + GRZ_VOXEL_ROW - 1u) / GRZ_VOXEL_ROW);
    if (at == 0u)
        return;
    atomicOr(answers[flags], GRZ_JOB_LONG);
    uint rest;
    if (add_node(job, rest))
        nodes[rest] = uvec4(at, own.yzw);
}
