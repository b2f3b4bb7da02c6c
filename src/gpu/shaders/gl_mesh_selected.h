// SPDX-License-Identifier: MIT
// Writes triangles to be read back. Include after gl_mesh_read.h.

layout(std430, binding = GRZ_BIND_SELECTED) buffer selected_buffer
{
    uint selected[]; // head, then GRZ_SELECTED_WORDS a triangle
};

void write_selected(uint place, uint triangle, uvec3 vertex, uvec3 p, uvec3 q, uvec3 r)
{
    uint at = GRZ_SELECTED_HEAD + place * GRZ_SELECTED_WORDS;
    uvec3 bits[3] = uvec3[3](p, q, r);
    selected[at + GRZ_SELECTED_TRIANGLE] = triangle;
    for (uint i = 0u; i < 3u; i++) {
        selected[at + GRZ_SELECTED_VERTICES + i] = vertex[i];
        for (uint axis = 0u; axis < 3u; axis++)
            selected[at + GRZ_SELECTED_POSITIONS + 3u * i + axis] = bits[i][axis];
    }
}
