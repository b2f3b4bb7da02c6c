#version 450
// SPDX-License-Identifier: MIT
// picture.frag: a face in its object's colour, or in that for faces that touch, by the light of two lamps that move with the eye.
// Sides are not told apart. In: marks[], one bit a triangle.
#include "shared.h"

in vec3 seen_at;
layout(std430, binding = GRZ_BIND_MARKS) readonly buffer marks_buffer
{
    uint marks[];
};
layout(location = GRZ_AT_COLOR) uniform vec4 color;
layout(location = GRZ_AT_MARK_COLOR) uniform vec4 mark_color;
layout(location = 0) out vec4 shown;

void main()
{
    uint triangle = uint(gl_PrimitiveID);
    bool marked = (marks[triangle / 32u] >> (triangle % 32u) & 1u) != 0u;
    vec3 across = cross(dFdx(seen_at), dFdy(seen_at));
    float size = length(across);
    vec3 normal = size > 0.0 ? across / size : vec3(0.0, 0.0, 1.0);
    float key = abs(dot(normal, normalize(vec3(-0.4, 0.5, 0.75)))), fill = abs(dot(normal, normalize(vec3(0.8, -0.1, 0.6))));
    vec4 paint = marked ? mark_color : color;
    shown = vec4(paint.rgb * min(0.28 + 0.55 * key + 0.25 * fill, 1.0), paint.a);
}
