// SPDX-License-Identifier: MIT
// What is drawn, for a fragment of it.

layout(location = GRZ_AT_SAMPLE_OBJECT) uniform uvec2 drawn; // the object's number, its first triangle's
layout(location = GRZ_AT_SAMPLE_SIZE) uniform uvec2 size;    // pixels a side, layers

uint pixel_number()
{
    return uint(gl_FragCoord.y) * size.x + uint(gl_FragCoord.x);
}

// A node before which another one is.
uvec4 node_of_fragment(uint next)
{
    return uvec4(next, drawn.y + uint(gl_PrimitiveID), floatBitsToUint(gl_FragCoord.z), drawn.x);
}
