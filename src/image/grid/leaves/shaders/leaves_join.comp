#version 450
// SPDX-License-Identifier: MIT
// leaves_join.comp: find the pairs of listed boxes of each job that meet. One task a work group; each invocation
// compares one box of object B with up to GRZ_LEAF_JOIN boxes of object A. A box that meets another for the first time
// gets room for its triangles' records. In: tasks[], listed[]. Out: leaf_pairs[], wanted[], meshes[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/leaves/shaders/leaves.h"
#include "gpu/shaders/group_number.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LEAF_TASKS) readonly buffer tasks_buffer
{
    uvec4 tasks[]; // job, first box of B, first box of A
};
layout(std430, binding = GRZ_BIND_LEAF_PAIRS) buffer leaf_pairs_buffer
{
    uvec2 leaf_pairs[]; // listed boxes, of A and of B
};
layout(std430, binding = GRZ_BIND_LEAF_WANTED) buffer wanted_buffer
{
    uint wanted[]; // listed boxes that meet another, mesh by mesh
};
layout(std430, binding = GRZ_BIND_LEAF_MESHES) buffer meshes_buffer
{
    leaf_mesh meshes[];
};
layout(location = GRZ_AT_LEAF_PAIR_ROOM) uniform uint leaf_pair_room;
layout(location = GRZ_AT_LEAF_RECORD_ROOM) uniform uint record_room;
layout(location = GRZ_AT_LEAF_CHUNKS) uniform uint chunks; // work groups of leaves_pairs.comp for a pair

void want(uint job, uint entry)
{
    if (atomicCompSwap(listed[entry].first_record, GRZ_LEAF_NONE, GRZ_LEAF_PENDING) != GRZ_LEAF_NONE)
        return;
    uint count = listed[entry].count, mesh = listed[entry].mesh, first = atomicAdd(head.leaf_records, count);
    listed[entry].first_record = first;
    if (first + count > record_room || first + count < first) {
        atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
        return;
    }
    uint place = atomicAdd(meshes[mesh].wanted, 1u);
    wanted[meshes[mesh].first_box + place] = entry;
    atomicMax(meshes[mesh].groups_x, min(place + 1u, GRZ_DISPATCH_ROW));
    atomicMax(meshes[mesh].groups_y, place / GRZ_DISPATCH_ROW + 1u);
}

void add_leaf_pair(uint job, uint a, uint b)
{
    uint place = atomicAdd(head.leaf_pairs, 1u);
    if (place >= leaf_pair_room) {
        atomicOr(answers[job_answer(job) + GRZ_JOB_FLAGS], GRZ_JOB_OVERFLOW);
        return;
    }
    leaf_pairs[place] = uvec2(a, b);
    uint groups = (place + 1u) * chunks;
    atomicMax(head.leaf_groups.x, min(groups, GRZ_DISPATCH_ROW));
    atomicMax(head.leaf_groups.y, (groups - 1u) / GRZ_DISPATCH_ROW + 1u);
    want(job, a);
    want(job, b);
}

void main()
{
    uvec4 task = tasks[group_number()];
    uint job = task.x, answer = job_answer(job);
    uint a_count = answers[answer + GRZ_JOB_MARKED], b_count = answers[answer + GRZ_JOB_MARKED + 1u];
    uint a_first = answers[answer + GRZ_JOB_FIRST], b_first = answers[answer + GRZ_JOB_FIRST + 1u];
    uint b = task.y + gl_LocalInvocationIndex, a_end = min(a_count, task.z + GRZ_LEAF_JOIN);
    if (b >= b_count)
        return;
    listed_box mine = listed[b_first + b];
    for (uint a = task.z; a < a_end; a++)
        if (listed_meet(listed[a_first + a], mine))
            add_leaf_pair(job, a_first + a, b_first + b);
}
