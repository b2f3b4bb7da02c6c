// SPDX-License-Identifier: MIT
// Reads a mesh, in the caller's buffers or in ours, word by word: any stride and index type.

layout(std430, binding = GRZ_BIND_POSITIONS) readonly buffer positions_buffer
{
    uint positions[];
};
layout(std430, binding = GRZ_BIND_INDICES) readonly buffer indices_buffer
{
    uint indices[];
};
layout(location = GRZ_AT_POSITION_LAYOUT) uniform uvec2
    position_layout; // the word of the first vertex, words from one vertex to the next
layout(location = GRZ_AT_INDEX_LAYOUT) uniform uvec2
    index_layout; // bytes of an index, or 0 without indices; the position of the first index
layout(location = GRZ_AT_COUNTS) uniform uvec2 counts; // vertices, triangles
layout(location = GRZ_AT_FIRST) uniform uint first;    // the first vertex or triangle of this dispatch

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

// Vertices that exist, even if the caller has changed the indices to invalid ones.
uvec3 corners_of(uint triangle)
{
    return min(vertices_of(triangle), uvec3(counts.x - 1u));
}

// The bits of the three coordinates.
uvec3 position_of(uint vertex)
{
    uint at = position_layout.x + vertex * position_layout.y;
    return uvec3(positions[at], positions[at + 1u], positions[at + 2u]);
}

// The position relative to the middle of the mesh, in units of its size: `frame` is the middle, and 1 / the size.
vec3 local_position(uint vertex, vec4 frame)
{
    precise vec3 local = (uintBitsToFloat(position_of(vertex)) - frame.xyz) * frame.w;
    return local;
}
