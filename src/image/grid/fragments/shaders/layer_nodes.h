// SPDX-License-Identifier: MIT
// Fragments as nodes of linked lists. The fragments of a pixel, or of a slice of it, form a list with the latest
// first. `next` is a node's number plus 1, or 0 at the end of the list. It is GRZ_LAYER_HEAD in a fragment that is in
// no list and walks from a head.

layout(std430, binding = GRZ_BIND_LAYER_NODES) buffer nodes_buffer
{
    uvec4 nodes[]; // next; record; depths; the object, or between two objects the pixel and slice where its walk is
};
layout(std430, binding = GRZ_BIND_LAYER_HEADS) buffer heads_buffer
{
    uint heads[]; // for each list the number of its first node plus 1; 0: empty
};
layout(location = GRZ_AT_LAYER_ROOM) uniform uint node_room;

// Get a new node. False: there is no room left; its job is flagged and runs again.
bool add_node(uint job, out uint number)
{
    number = atomicAdd(head.nodes, 1u);
    if (number < node_room)
        return true;
    atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
    return false;
}
