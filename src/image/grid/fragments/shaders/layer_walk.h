// SPDX-License-Identifier: MIT
// walk_lists(): one fragment an invocation goes through the lists of its pixel and writes the pairs that it makes. A
// file that includes this one also defines which fragments make a pair (pairs_up), where the first list begins
// (first_of_list), which list comes next (next_list), and the job (job_of). Include after group_number.h and
// layer_nodes.h.

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_RAW) writeonly buffer raw_buffer
{
    uvec2 fragment_pairs[]; // two records, or two triangles; the second may have the bit GRZ_RAW_ONCE
};
layout(location = GRZ_AT_LAYER_RAW_ROOM) uniform uint fragment_pair_room; // pairs of fragments that fit

uint first_of_list(inout uvec4 fragment);
uint next_list(inout uvec4 fragment);
bool makes_pair(uvec4 fragment, uvec4 other);
uint job_of(uvec4 fragment);

// A walk that is not over after GRZ_LAYER_STEPS becomes a new node, which the next dispatch walks on from.
void walk_lists()
{
    uint number = head.walk_from + invocation_number();
    if (number >= head.walk_to)
        return;
    uvec4 fragment = nodes[number];
    uint link = first_of_list(fragment), last = 0u, steps = 0u;
    while (link != 0u && steps < GRZ_LAYER_STEPS) {
        for (; link != 0u && steps < GRZ_LAYER_STEPS; steps++) {
            uvec4 other = nodes[link - 1u];
            if (makes_pair(fragment, other)) {
                last = atomicAdd(head.fragment_pairs, 1u) + 1u;
                if (last <= fragment_pair_room)
                    fragment_pairs[last - 1u] =
                        uvec2(other.y & GRZ_LAYER_RECORD,
                              (fragment.y & GRZ_LAYER_RECORD) | (fragment.y & other.y & GRZ_LAYER_SMALL));
            }
            link = other.x;
        }
        if (link == 0u)
            link = next_list(fragment);
    }
    if (link == 0u && last == 0u)
        return;
    uint job = job_of(fragment), flags = job_answer(job) + GRZ_JOB_FLAGS;
    if (last > fragment_pair_room)
        atomicOr(answers[flags], GRZ_JOB_OVERFLOW);
    uint groups = (min(last, fragment_pair_room) + GRZ_DISPATCH_GROUP - 1u) / GRZ_DISPATCH_GROUP;
    atomicMax(head.raw_groups.x, min(groups, GRZ_DISPATCH_ROW));
    atomicMax(head.raw_groups.y, (groups + GRZ_DISPATCH_ROW - 1u) / GRZ_DISPATCH_ROW);
    if (link == 0u)
        return;
    atomicOr(answers[flags], GRZ_JOB_LONG);
    uint rest;
    if (add_node(job, rest))
        nodes[rest] = uvec4(link, fragment.yzw);
}
