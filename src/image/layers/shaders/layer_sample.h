// SPDX-License-Identifier: MIT
// The node of a fragment that the rasteriser made.

layout(location = GRZ_AT_SAMPLE_OBJECT) uniform uvec2 drawn; // the object's number, the number of its first triangle
layout(location = GRZ_AT_SAMPLE_SIZE) uniform uvec2 size;    // pixels a side, layers

uint pixel_number()
{
    return uint(gl_FragCoord.y) * size.x + uint(gl_FragCoord.x);
}

// The node for the current fragment; `next` is its first word.
uvec4 node_of_fragment(uint next)
{
    return uvec4(next, drawn.y + uint(gl_PrimitiveID), floatBitsToUint(gl_FragCoord.z), drawn.x);
}
