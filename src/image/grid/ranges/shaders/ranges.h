// SPDX-License-Identifier: MIT
// The three passes over the cells of records, where a cell is a pixel with a range of depths: widen the ranges of A,
// test the triangles of B against them, mark the triangles of A that meet what was found of B. For each job cells[] has
// two words for each pixel, the range of A, and behind them as many words, the range of the triangles of B that meet
// it. Both words only grow, from 0, which means no triangle: the first is GRZ_RANGE_FAR minus the least depth, the
// second the largest depth plus 1.

uint least_depth(uvec2 range)
{
    return GRZ_RANGE_FAR - range.x;
}

uvec2 load_range(uint cell)
{
    return uvec2(cells[cell], cells[cell + 1u]);
}

// Rounded outwards. A product with a power of two is exact.
uvec2 range_of(vec2 depths)
{
    uint least = uint(floor(depths.x * GRZ_RANGE_UNITS)), most = uint(ceil(depths.y * GRZ_RANGE_UNITS));
    return uvec2(GRZ_RANGE_FAR - least, most + 1u);
}

bool ranges_meet(uvec2 a, uvec2 b)
{
    return a.y != 0u && b.y != 0u && least_depth(a) < b.y && least_depth(b) < a.y;
}

// Other invocations may widen the same range, so what is read here may be too small: then it is written once more.
void widen(uint cell, uvec2 range)
{
    if (cells[cell] < range.x)
        atomicMax(cells[cell], range.x);
    if (cells[cell + 1u] < range.y)
        atomicMax(cells[cell + 1u], range.y);
}

void enter_job(uint job)
{
    job_cells = 4u * job * grid.x * grid.y;
    find_axes();
    find_depths();
}

// Widen, test or mark in one pixel, as `mode` says. True: the triangle is to be marked.
bool visit(ivec2 pixel)
{
    uint cell = job_cells + 2u * cell_of(pixel), cell_of_b = cell + 2u * grid.x * grid.y;
    uvec2 other = mode == GRZ_VOXEL_FILL ? uvec2(0u) : load_range(mode == GRZ_VOXEL_TEST ? cell : cell_of_b);
    if (mode != GRZ_VOXEL_FILL && other.y == 0u)
        return false;
    vec2 middle = vec2(pixel) + 0.5, depths = depths_at(middle);
    if (depths.x > depths.y || axes_separate(middle))
        return false;
    uvec2 range = range_of(depths);
    if (mode != GRZ_VOXEL_FILL && !ranges_meet(range, other))
        return false;
    if (mode != GRZ_VOXEL_MARK)
        widen(mode == GRZ_VOXEL_FILL ? cell : cell_of_b, range);
    return mode != GRZ_VOXEL_FILL;
}
