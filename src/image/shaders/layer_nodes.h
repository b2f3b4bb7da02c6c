// SPDX-License-Identifier: MIT
// Fragments: where a triangle may be in a pixel. Those of a pixel, or of a slice of it, are a list, the last one first: what is next in it is
// a node's number plus 1, 0 at the end, or GRZ_LAYER_HEAD where its lists are yet to be.

layout(std430, binding = GRZ_BIND_LAYER_NODES) buffer nodes_buffer
{
    uvec4 nodes[]; // next, record, depths; object, or of two objects where it is: pixel and slice
};
layout(std430, binding = GRZ_BIND_LAYER_HEADS) buffer heads_buffer
{
    uint heads[]; // for each list the first node's number plus 1
};
layout(location = GRZ_AT_LAYER_ROOM) uniform uint node_room;

// A new node; false: there is no room, and its job is to be done again.
bool add_node(uint job, out uint number)
{
    number = atomicAdd(answers[GRZ_HEAD_NODES], 1u);
    if (number < node_room)
        return true;
    atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
    return false;
}
