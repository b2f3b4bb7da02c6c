#version 450
// SPDX-License-Identifier: MIT
// pairs_plan.comp: make the tasks of pairs_join.comp, one job an invocation. If the job does not have too many marked
// triangles, each GRZ_DISPATCH_GROUP of those of object B are a task; else the job is flagged GRZ_JOB_EXHAUSTED. Out:
// tasks[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_TASKS) writeonly buffer tasks_buffer
{
    uvec2 tasks[]; // job, first entry of the list of B
};
layout(location = GRZ_AT_PAIRS_JOBS) uniform uint job_count;
layout(location = GRZ_AT_PAIRS_LIMIT) uniform uint limit; // the most pairs of marked triangles of a job to try

void main()
{
    if (invocation_number() >= job_count)
        return;
    uint job = invocation_number(), answer = job_answer(job);
    uint a = answers[answer + GRZ_JOB_MARKED], b = answers[answer + GRZ_JOB_MARKED + 1u];
    if (a == 0u || b == 0u)
        return;
    if (a > GRZ_PAIRS_MOST || b > GRZ_PAIRS_MOST || a * b > limit) {
        if (answers[answer + GRZ_JOB_FLAGS] == 0u) // else the job overflowed, and its lists are not complete
            answers[answer + GRZ_JOB_FLAGS] = GRZ_JOB_EXHAUSTED;
        return;
    }
    uint count = (b + GRZ_DISPATCH_GROUP - 1u) / GRZ_DISPATCH_GROUP, place = atomicAdd(head.tasks, count);
    for (uint i = 0u; i < count; i++)
        tasks[place + i] = uvec2(job, i * GRZ_DISPATCH_GROUP);
    atomicMax(head.task_groups.x, place + count);
}
