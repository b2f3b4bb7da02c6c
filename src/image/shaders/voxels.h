// SPDX-License-Identifier: MIT
// Which cells of the grid a triangle may touch. A cell is a slice of a pixel; a pixel's slices are the bits of a word. Corners come out of
// the matrix wrong by at most `grow`, so the triangle of the rounded corners is tested against cells that are larger by that on
// all sides, by separating axes: the sides of the cell, edges in the plane of the pixels, the normal; the six edges in the other two
// planes take a third more time, and spare four candidates in a hundred. Any vector will do for an axis, however it was rounded, if
// all three corners are projected on it; what rounding does to projections is in `slack` (docs/slices.md).

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_POSITIONS) readonly buffer positions_buffer
{
    float positions[];
};
layout(std430, binding = GRZ_BIND_VOXEL_INDICES) readonly buffer indices_buffer
{
    uint indices[];
};
layout(std430, binding = GRZ_BIND_VOXEL_CELLS) buffer cells_buffer
{
    uint cells[]; // of the first mesh
};
layout(std430, binding = GRZ_BIND_VOXEL_HITS) buffer hits_buffer
{
    uint hits[]; // cells of both
};
layout(std430, binding = GRZ_BIND_VOXEL_WORK) buffer work_buffer
{
    uint work[]; // of the mesh: head, marked triangles, big triangles
};
layout(location = GRZ_AT_VOXEL_ROWS) uniform vec4 rows[3];
layout(location = GRZ_AT_VOXEL_GROW) uniform vec3 grow;
layout(location = GRZ_AT_VOXEL_GRID) uniform uvec3 grid; // pixels along both sides, slices
layout(location = GRZ_AT_VOXEL_COUNT) uniform uint triangle_count;
layout(location = GRZ_AT_VOXEL_MODE) uniform uint mode;

vec3 corners[3], edges[3], normal;
ivec3 low, high; // cells, last one included

vec3 place(uint vertex)
{
    vec3 at = vec3(positions[3u * vertex], positions[3u * vertex + 1u], positions[3u * vertex + 2u]);
    precise vec3 placed;
    for (int i = 0; i < 3; i++)
        placed[i] = ((rows[i].x * at.x + rows[i].y * at.y) + rows[i].z * at.z) + rows[i].w;
    return placed;
}

// False: it is outside of the grid.
bool load_triangle(uint triangle)
{
    for (uint i = 0u; i < 3u; i++)
        corners[i] = place(indices[3u * triangle + i]);
    vec3 least = min(corners[0], min(corners[1], corners[2])) - grow, most = max(corners[0], max(corners[1], corners[2])) + grow;
    vec3 side = vec3(grid);
    if (any(greaterThan(least, side)) || any(lessThan(most, vec3(0.0))))
        return false;
    low = ivec3(floor(clamp(least, vec3(0.0), side - 1.0)));
    high = ivec3(floor(clamp(most, vec3(0.0), side - 1.0)));
    for (int i = 0; i < 3; i++)
        edges[i] = corners[(i + 1) % 3] - corners[i];
    normal = cross(edges[0], edges[1]);
    return true;
}

uint cell_count()
{
    ivec3 size = high - low + 1;
    return uint(size.x * size.y * size.z);
}

// Whether an axis in the plane of the pixels parts the triangle from a pixel around 0, half as large as `half_side`. p, q, r: the corners.
bool parts_flat(vec2 axis, vec2 p, vec2 q, vec2 r, vec2 half_side)
{
    vec2 size = abs(axis), most = max(abs(p), max(abs(q), abs(r)));
    precise float reach = size.x * half_side.x + size.y * half_side.y;
    precise float scale = size.x * most.x + size.y * most.y;
    precise float slack = reach + (scale + reach) * GRZ_VOXEL_SLACK + GRZ_VOXEL_LEAST;
    precise float a = axis.x * p.x + axis.y * p.y, b = axis.x * q.x + axis.y * q.y, c = axis.x * r.x + axis.y * r.y;
    return min(a, min(b, c)) > slack || max(a, max(b, c)) < -slack;
}

vec2 across(vec2 edge)
{
    return vec2(-edge.y, edge.x);
}

// The bits of those of a pixel's cells, among the wanted ones, from which the normal does not part the triangle. From one slice to the
// next, projections change by the normal's third coordinate.
uint slices_along_normal(ivec2 pixel, uint wanted)
{
    vec3 middle = vec3(vec2(pixel), 0.0) + 0.5, size = abs(normal), half_side = vec3(0.5) + grow;
    vec3 p = corners[0] - middle, q = corners[1] - middle, r = corners[2] - middle;
    vec3 far = max(abs(p), max(abs(q), abs(r)));
    precise float reach = (size.x * half_side.x + size.y * half_side.y) + size.z * half_side.z;
    precise float scale = (size.x * far.x + size.y * far.y) + size.z * (far.z + float(GRZ_VOXEL_SLICES));
    precise float slack = reach + (scale + reach) * GRZ_VOXEL_SLACK + GRZ_VOXEL_LEAST;
    precise float a = (normal.x * p.x + normal.y * p.y) + normal.z * p.z;
    precise float b = (normal.x * q.x + normal.y * q.y) + normal.z * q.z;
    precise float c = (normal.x * r.x + normal.y * r.y) + normal.z * r.z;
    float least = min(a, min(b, c)), most = max(a, max(b, c));
    uint bits = 0u;
    for (int z = low.z; z <= high.z; z++) {
        precise float moved = normal.z * float(z);
        bits |= least - moved > slack || most - moved < -slack ? 0u : 1u << uint(z);
    }
    return bits & wanted;
}

// The bits of a pixel's cells that the triangle may touch, among those that are wanted.
uint column(ivec2 pixel, uint wanted)
{
    if (low == high)
        return wanted & 1u << uint(low.z);
    vec2 middle = vec2(pixel) + 0.5, half_side = vec2(0.5) + grow.xy;
    vec2 p = corners[0].xy - middle, q = corners[1].xy - middle, r = corners[2].xy - middle;
    for (int i = 0; i < 3; i++)
        if (parts_flat(across(edges[i].xy), p, q, r, half_side))
            return 0u;
    return slices_along_normal(pixel, wanted);
}

// Do the mode's work in one pixel. True: the triangle is to be marked.
bool visit(ivec2 pixel)
{
    uint at = uint(pixel.y) * grid.x + uint(pixel.x);
    uint wanted = mode == GRZ_VOXEL_FILL ? 0xffffffffu : (mode == GRZ_VOXEL_TEST ? cells[at] : hits[at]);
    if (wanted == 0u)
        return false;
    uint bits = column(pixel, wanted);
    if (bits == 0u)
        return false;
    if (mode == GRZ_VOXEL_FILL)
        atomicOr(cells[at], bits);
    if (mode == GRZ_VOXEL_TEST)
        atomicOr(hits[at], bits);
    return mode != GRZ_VOXEL_FILL;
}

void mark(uint triangle)
{
    work[GRZ_VOXEL_HEAD + atomicAdd(work[GRZ_VOXEL_MARKED], 1u)] = triangle;
}
