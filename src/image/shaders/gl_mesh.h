// SPDX-License-Identifier: MIT
// A mesh in the caller's buffers, or in ours, read word by word.

layout(std430, binding = GRZ_BIND_POSITIONS) readonly buffer positions_buffer
{
    uint positions[];
};
layout(std430, binding = GRZ_BIND_INDICES) readonly buffer indices_buffer
{
    uint indices[];
};
layout(location = GRZ_AT_POSITION_LAYOUT) uniform uvec2 position_layout; // the first vertex's word, words from one to the next
layout(location = GRZ_AT_INDEX_LAYOUT) uniform uvec2 index_layout; // bytes of an index, 0: there are none; the first one's number
layout(location = GRZ_AT_COUNTS) uniform uvec2 counts;             // vertices, triangles
layout(location = GRZ_AT_FIRST) uniform uint first;                // vertex or triangle of this dispatch

uvec3 vertices_of(uint triangle)
{
    uint corner = 3u * triangle;
    uvec3 at = uvec3(corner, corner + 1u, corner + 2u);
    if (index_layout.x == 0u)
        return at;
    at += index_layout.y;
    if (index_layout.x == 4u)
        return uvec3(indices[at.x], indices[at.y], indices[at.z]);
    uvec3 pair = uvec3(indices[at.x >> 1], indices[at.y >> 1], indices[at.z >> 1]);
    return (pair >> (16u * (at & 1u))) & 0xffffu;
}

// Vertices that exist, whatever the indices have become.
uvec3 corners_of(uint triangle)
{
    return min(vertices_of(triangle), uvec3(counts.x - 1u));
}

// Bits of three floats.
uvec3 position_of(uint vertex)
{
    uint at = position_layout.x + vertex * position_layout.y;
    return uvec3(positions[at], positions[at + 1u], positions[at + 2u]);
}
