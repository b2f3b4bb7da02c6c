#version 450
// SPDX-License-Identifier: MIT
// pairs_plan.comp: one job an invocation. Where there are not too many, each GRZ_VOXEL_GROUP of its second object's marked triangles are a task.
#include "shared.h"
#include "voxel_records.h"

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_TASKS) writeonly buffer tasks_buffer
{
    uvec2 tasks[]; // job, first entry of the list
};
layout(location = GRZ_AT_PAIRS_JOBS) uniform uint job_count;
layout(location = GRZ_AT_PAIRS_LIMIT) uniform uint limit; // pairs of marked triangles that may be tried

void main()
{
    if (gl_GlobalInvocationID.x >= job_count)
        return;
    uint job = gl_GlobalInvocationID.x, at = job_answer(job);
    uint a = answers[at + GRZ_JOB_MARKED], b = answers[at + GRZ_JOB_MARKED + 1u];
    if (a == 0u || b == 0u)
        return;
    if (a > GRZ_PAIRS_MOST || b > GRZ_PAIRS_MOST || a * b > limit) {
        answers[at + GRZ_JOB_FLAGS] = GRZ_JOB_EXHAUSTED;
        return;
    }
    uint count = (b + GRZ_VOXEL_GROUP - 1u) / GRZ_VOXEL_GROUP, place = atomicAdd(answers[GRZ_HEAD_TASKS], count);
    for (uint i = 0u; i < count; i++)
        tasks[place + i] = uvec2(job, i * GRZ_VOXEL_GROUP);
    atomicMax(answers[GRZ_HEAD_TASK_GROUPS], place + count);
}
