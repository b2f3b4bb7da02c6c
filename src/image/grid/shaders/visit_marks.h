// SPDX-License-Identifier: MIT
// What the passes over the cells of records share: their buffers, and the list of marked triangles.

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_CELLS) buffer cells_buffer
{
    uint cells[]; // voxels.h and ranges.h say what they hold
};
layout(std430, binding = GRZ_BIND_VOXEL_BIG) buffer big_buffer
{
    uint big[]; // records over many pixels: those of all objects A, then those of all objects B
};
layout(std430, binding = GRZ_BIND_VOXEL_MARKED) buffer marked_buffer
{
    uvec2 marked[]; // a list for each object of each job: record, triangle
};
layout(location = GRZ_AT_VOXEL_MODE) uniform uint mode;

uint job_cells; // where the cells of the job begin

// Append a record's triangle to the marked ones of its job. Once a triangle of an object B (side 1) is marked, the
// pass that marks triangles of A has work to do, so its work groups are set.
void mark(uint job, uint side, uint record, uint triangle)
{
    uint answer = job_answer(job), place = atomicAdd(answers[answer + GRZ_JOB_MARKED + side], 1u);
    marked[answers[answer + GRZ_JOB_FIRST + side] + place] = uvec2(record, triangle);
    if (side == 1u)
        atomicMax(head.mark_groups.x, (head.records[0] + GRZ_DISPATCH_GROUP - 1u) / GRZ_DISPATCH_GROUP);
}
