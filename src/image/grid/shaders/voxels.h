// SPDX-License-Identifier: MIT
// The three passes over the cells of records: fill, test, mark.

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_CELLS) buffer cells_buffer
{
    uint cells[]; // for each job a word of slices for each pixel: cells of A; behind them as many words: cells of both
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

void enter_job(uint job)
{
    job_cells = 2u * job * grid.x * grid.y;
    find_axes();
}

// Fill, test or mark in one pixel, as `mode` says. True: the triangle is to be marked.
bool visit(ivec2 pixel)
{
    uint cell = job_cells + cell_of(pixel), shared_cell = cell + grid.x * grid.y;
    uint wanted = mode == GRZ_VOXEL_FILL ? 0xffffffffu : cells[mode == GRZ_VOXEL_TEST ? cell : shared_cell];
    if (wanted == 0u)
        return false;
    vec2 middle = vec2(pixel) + 0.5;
    if (axes_separate(middle))
        return false;
    uint bits = column(middle) & wanted;
    if (bits == 0u)
        return false;
    if (mode == GRZ_VOXEL_FILL)
        atomicOr(cells[cell], bits);
    if (mode == GRZ_VOXEL_TEST)
        atomicOr(cells[shared_cell], bits);
    return mode != GRZ_VOXEL_FILL;
}

bool visit_all()
{
    bool marks = false;
    ivec2 pixel = low.xy;
    for (uint left = pixel_count(); left > 0u; left--) {
        marks = visit(pixel) || marks;
        pixel = pixel.x < high.x ? ivec2(pixel.x + 1, pixel.y) : ivec2(low.x, pixel.y + 1);
    }
    return marks;
}

// Append a record's triangle to the marked ones of its job. Once a triangle of an object B (side 1) is marked, the
// pass that marks triangles of A has work to do, so its work groups are set.
void mark(uint job, uint side, uint record, uint triangle)
{
    uint answer = job_answer(job), place = atomicAdd(answers[answer + GRZ_JOB_MARKED + side], 1u);
    marked[answers[answer + GRZ_JOB_FIRST + side] + place] = uvec2(record, triangle);
    if (side == 1u)
        atomicMax(head.mark_groups.x, (head.records[0] + GRZ_DISPATCH_GROUP - 1u) / GRZ_DISPATCH_GROUP);
}
