// SPDX-License-Identifier: MIT
// The three passes over the cells of records, where a cell is a slice of a pixel: fill, test, mark. For each job
// cells[] has a word of slices for each pixel, the cells of A, and behind them as many words, the cells of both.

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
