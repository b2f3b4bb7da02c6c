#version 450
// SPDX-License-Identifier: MIT
// pairs_join.comp: find the pairs of marked triangles whose boxes overlap. One task a work group; each invocation
// compares one marked triangle of object B with all of A. In: tasks[], marked[], records[]. Out: pairs[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/pair_candidates.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_TASKS) readonly buffer tasks_buffer
{
    uvec2 tasks[]; // job, first entry of the list of B
};
layout(std430, binding = GRZ_BIND_VOXEL_MARKED) readonly buffer marked_buffer
{
    uvec2 marked[];
};
shared vec3 group_least[GRZ_DISPATCH_GROUP], group_most[GRZ_DISPATCH_GROUP];
shared uint group_record[GRZ_DISPATCH_GROUP];

// A box in which a record's triangle lies for certain.
void bound_record(uint number, out vec3 least, out vec3 most)
{
    record_of_triangle record = load_record(number);
    least = min(record.corners[0], min(record.corners[1], record.corners[2])) - record.grow;
    most = max(record.corners[0], max(record.corners[1], record.corners[2])) + record.grow;
}

void main()
{
    uvec2 task = tasks[group_number()];
    uint answer = job_answer(task.x), local = gl_LocalInvocationIndex, entry = task.y + local;
    uint a_count = answers[answer + GRZ_JOB_MARKED], b_count = answers[answer + GRZ_JOB_MARKED + 1u];
    uint a_first = answers[answer + GRZ_JOB_FIRST], b_first = answers[answer + GRZ_JOB_FIRST + 1u];
    bool there = entry < b_count;
    uint mine = marked[b_first + (there ? entry : 0u)].x;
    vec3 least, most;
    bound_record(mine, least, most);
    for (uint tile = 0u; tile < a_count; tile += GRZ_DISPATCH_GROUP) {
        uint count = min(a_count - tile, GRZ_DISPATCH_GROUP);
        if (local < count) {
            group_record[local] = marked[a_first + tile + local].x;
            bound_record(group_record[local], group_least[local], group_most[local]);
        }
        barrier();
        for (uint i = 0u; there && i < count; i++)
            if (all(lessThanEqual(group_least[i], most)) && all(lessThanEqual(least, group_most[i])))
                add_pair(task.x, group_record[i], mine);
        barrier();
    }
}
