// SPDX-License-Identifier: MIT
// capture(): make the fragment of a triangle in a pixel, if it may touch the pixel, with the range of depths that it
// may have there. If two triangles touch within a pixel, their ranges overlap (proof: docs/internals/layers.md).

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_CELLS) buffer cells_buffer
{
    uint cells[]; // for each job a word of slices for each pixel: cells of A; behind them as many words: cells of both
};
layout(std430, binding = GRZ_BIND_VOXEL_BIG) buffer big_buffer
{
    uint big[];
};
layout(location = GRZ_AT_VOXEL_MODE) uniform uint mode;

uint job_number, record_number, object_number, job_cells, job_pixels;

void enter_job(uint job, uint record, uint object)
{
    job_number = job;
    object_number = object;
    record_number = record;
    job_pixels = job * grid.x * grid.y;
    job_cells = 2u * job_pixels;
    find_axes();
    find_depths();
}

uint pack_depths(vec2 depths)
{
    return uint(floor(depths.x * GRZ_LAYER_UNITS)) | uint(ceil(depths.y * GRZ_LAYER_UNITS)) << 16;
}

// A fragment that is in no list. It will walk through the lists of its pixel, which the next pass makes, from this
// slice on.
void note_fragment(uint pixel, uint slice, vec2 depths)
{
    uint number;
    if (!add_node(job_number, number))
        return;
    nodes[number] = uvec4(GRZ_LAYER_HEAD, record_number | GRZ_LAYER_FIRST_SLICE, pack_depths(depths),
                          pixel * GRZ_VOXEL_SLICES + slice);
}

// Add the triangle to the list of a pixel or, where slices have lists, to the list of each slice that its depths reach.
void add_fragments(uint pixel, uint lists, uvec2 slices, vec2 depths, uint bits)
{
    uint first = pixel * lists, last = lists > 1u ? first + slices.y : first;
    bits |= GRZ_LAYER_FIRST_SLICE;
    for (uint list = lists > 1u ? first + slices.x : first; list <= last; list++) {
        uint number;
        if (!add_node(job_number, number))
            return;
        nodes[number] =
            uvec4(atomicExchange(heads[list], number + 1u), record_number | bits, pack_depths(depths), object_number);
        bits &= ~GRZ_LAYER_FIRST_SLICE;
    }
}

uvec2 slices_of(vec2 depths)
{
    return min(uvec2(depths), grid.z - 1u);
}

// Between two objects: a fragment only where both have cells.
void capture_shared(ivec2 pixel)
{
    uint place = cell_of(pixel), cell = job_cells + place, shared_cell = cell + grid.x * grid.y;
    uint wanted = cells[mode == GRZ_LAYER_TEST ? cell : shared_cell];
    if (wanted == 0u)
        return;
    vec2 middle = vec2(pixel) + 0.5;
    if (axes_separate(middle))
        return;
    uint bits = column(middle) & wanted;
    vec2 depths = depths_at(middle);
    if (bits == 0u || depths.x > depths.y)
        return;
    if (mode == GRZ_LAYER_TEST) {
        atomicOr(cells[shared_cell], bits);
        note_fragment(job_pixels + place, slices_of(depths).x, depths);
    } else {
        add_fragments(job_pixels + place, head.lists, slices_of(depths), depths, 0u);
    }
}

// Of a mesh with itself, or of many objects: fragments everywhere, and each slice of a pixel has a list. Two fragments
// make their pair only in the first slice that both are in; it is the first slice of one of them. A small triangle
// gets a fragment in every pixel of its bounding box, with the depths of the box. Two small triangles then make one
// pair in all: in the first column and the first row that both boxes have, which are the first column of one box and
// the first row of one.
void capture_all(ivec2 pixel)
{
    bool small = pixel_count() <= GRZ_LAYER_SMALL_PIXELS;
    vec2 middle = vec2(pixel) + 0.5, depths = small ? box_depths : depths_at(middle);
    if (depths.x > depths.y || (!small && axes_separate(middle)))
        return;
    uint bits = (small ? GRZ_LAYER_SMALL : 0u) | (pixel.x == low.x ? GRZ_LAYER_FIRST_COLUMN : 0u) |
                (pixel.y == low.y ? GRZ_LAYER_FIRST_ROW : 0u);
    add_fragments(cell_of(pixel), GRZ_VOXEL_SLICES, slices_of(depths), depths, bits);
}

void capture(ivec2 pixel)
{
    if (mode == GRZ_LAYER_ALL)
        capture_all(pixel);
    else
        capture_shared(pixel);
}
