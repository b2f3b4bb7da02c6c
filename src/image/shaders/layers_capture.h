// SPDX-License-Identifier: MIT
// A triangle's fragments, all of them: in which pixels it may be, and between which depths there. Depths of two triangles that touch in a pixel
// overlap (docs/layers.md).

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_CELLS) buffer cells_buffer
{
    uint cells[]; // for each job those that its first object has, and behind them those that both have
};
layout(std430, binding = GRZ_BIND_VOXEL_BIG) buffer big_buffer
{
    uint big[];
};
layout(location = GRZ_AT_VOXEL_MODE) uniform uint mode;

uint job_number, record_number, job_cells, job_heads;
vec2 box_depths;

void enter_job(uint job, uint record)
{
    job_number = job;
    record_number = record;
    job_heads = job * grid.x * grid.y;
    job_cells = 2u * job_heads;
    box_depths.x = clamp(min(corners[0].z, min(corners[1].z, corners[2].z)) - grow.z, 0.0, float(grid.z));
    box_depths.y = clamp(max(corners[0].z, max(corners[1].z, corners[2].z)) + grow.z, 0.0, float(grid.z));
    find_axes();
}

// The part of a pixel's column that the triangle may be in. A slice's middle is parted from it by the normal where it is further than half a
// slice from this part.
vec2 depths_at(vec2 middle)
{
    vec2 depths = box_depths;
    if (one_over_normal != 0.0) {
        vec2 slices = quotients(middle);
        depths = vec2(max(depths.x, slices.x + 1.0), min(depths.y, slices.y));
    }
    return depths;
}

uint pack_depths(vec2 depths)
{
    return uint(floor(depths.x * GRZ_LAYER_UNITS)) | uint(ceil(depths.y * GRZ_LAYER_UNITS)) << 16;
}

void capture(ivec2 pixel)
{
    uint place = cell_of(pixel), at = job_cells + place, of_both = at + grid.x * grid.y;
    uint wanted = mode == GRZ_LAYER_ALL ? 0xffffffffu : cells[mode == GRZ_LAYER_TEST ? at : of_both];
    if (wanted == 0u)
        return;
    vec2 middle = vec2(pixel) + 0.5;
    if (parted_in_plane(middle))
        return;
    uint bits = column(middle) & wanted;
    vec2 depths = depths_at(middle);
    if (bits == 0u || depths.x > depths.y)
        return;
    uint number, next = GRZ_LAYER_HEAD | (job_heads + place);
    if (mode == GRZ_LAYER_TEST)
        atomicOr(cells[of_both], bits);
    if (!add_node(job_number, number))
        return;
    if (mode == GRZ_LAYER_TEST)
        atomicMax(answers[GRZ_HEAD_MARK_GROUPS], (answers[GRZ_HEAD_RECORDS] + GRZ_VOXEL_GROUP - 1u) / GRZ_VOXEL_GROUP);
    else
        next = atomicExchange(heads[job_heads + place], number + 1u);
    nodes[number] = uvec4(next, record_number, pack_depths(depths), 0u);
}
