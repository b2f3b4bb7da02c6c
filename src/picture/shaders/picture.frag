#version 450
// SPDX-License-Identifier: MIT
// picture.frag: a face in its object's colour, or in that of faces that touch, by the light of two lamps that move with
// the eye, and of the sky. Both sides of a face look the same. Glass is clear where it faces the eye and denser where
// it turns away. In: marks[], one bit a triangle; paints[], red, green and blue of a triangle, lowest byte first, if
// has_paints.
#include "picture_bindings.h"

in vec3 seen_at;
layout(std430, binding = GRZ_PICTURE_MARKS) readonly buffer marks_buffer
{
    uint marks[];
};
layout(std430, binding = GRZ_PICTURE_PAINTS) readonly buffer paints_buffer
{
    uint paints[];
};
layout(location = GRZ_PICTURE_COLOR) uniform vec3 color;
layout(location = GRZ_PICTURE_MARK_COLOR) uniform vec3 mark_color;
layout(location = GRZ_PICTURE_RANGE) uniform vec2 range; // depths beyond the target that are drawn: from, to
layout(location = GRZ_PICTURE_BODY) uniform uint body;
layout(location = GRZ_PICTURE_HAS_PAINTS) uniform uint has_paints;
layout(location = GRZ_PICTURE_GLASS) uniform vec2 glass; // opacity where it faces the eye, and at its edge; (1, 1) is opaque
layout(location = 0) out vec4 shown;
layout(location = 1) out uint surface;

void main()
{
    float depth = -seen_at.z;
    if (!(depth >= range.x && depth < range.y))
        discard;
    uint triangle = uint(gl_PrimitiveID);
    bool marked = (marks[triangle / 32u] >> (triangle % 32u) & 1u) != 0u;
    vec3 across = cross(dFdx(seen_at), dFdy(seen_at));
    float size = length(across);
    vec3 normal = size > 0.0 ? across / size : vec3(0.0, 0.0, 1.0);
    normal = normal.z < 0.0 ? -normal : normal;
    float key = max(dot(normal, normalize(vec3(-0.45, 0.6, 0.7))), 0.0), fill = max(dot(normal, normalize(vec3(0.8, 0.0, 0.6))), 0.0);
    float light = 0.58 + 0.36 * key + 0.12 * fill + 0.08 * normal.y;
    float edge = 1.0 - normal.z;
    vec3 plain = has_paints != 0u ? unpackUnorm4x8(paints[triangle]).rgb : color;
    shown = vec4((marked ? mark_color : plain) * clamp(light, 0.0, 1.06), mix(glass.x, glass.y, edge * edge));
    uvec2 turned = uvec2(clamp(normal.xy * 127.0 + 128.0, 0.0, 255.0));
    surface = body << 16 | turned.x << 8 | turned.y;
}
