#version 450
// SPDX-License-Identifier: MIT
// picture_curve.vert: a segment as a rectangle of the screen that holds all points within `width` pixels of it. Six
// vertices each. In: ends[], two points a segment, relative to the picture's target.
#include "picture_bindings.h"

layout(std430, binding = GRZ_PICTURE_SEGMENTS) readonly buffer segments_buffer
{
    vec4 ends[];
};
layout(location = GRZ_PICTURE_CLIP) uniform mat4 clip;
layout(location = GRZ_PICTURE_SIZE) uniform vec2 size; // of the picture, pixels
layout(location = GRZ_PICTURE_WIDTH) uniform float width;
flat out vec2 from, to; // pixels

void main()
{
    int segment = gl_VertexID / 6, corner = gl_VertexID % 6;
    bool at_end = corner == 1 || corner == 2 || corner == 4, to_left = corner == 2 || corner == 4 || corner == 5;
    vec4 first = clip * vec4(ends[2 * segment].xyz, 1.0), second = clip * vec4(ends[2 * segment + 1].xyz, 1.0);
    from = (first.xy / first.w * 0.5 + 0.5) * size;
    to = (second.xy / second.w * 0.5 + 0.5) * size;
    vec2 along = to - from;
    float reach = length(along);
    along = reach > 0.0 ? along / reach : vec2(1.0, 0.0);
    vec4 at = at_end ? second : first;
    vec2 offset = (at_end ? along : -along) + (to_left ? 1.0 : -1.0) * vec2(-along.y, along.x);
    gl_Position = at + vec4(offset * (width + 1.0) * 2.0 / size * at.w, 0.0, 0.0);
    if (first.w <= 0.0 || second.w <= 0.0) // behind the eye: nowhere
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
