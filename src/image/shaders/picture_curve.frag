#version 450
// SPDX-License-Identifier: MIT
// picture_curve.frag: of a segment's rectangle, what is within `width` pixels of the segment.
#include "shared.h"

flat in vec2 from, to;
layout(location = GRZ_AT_WIDTH) uniform float width;
layout(location = GRZ_AT_COLOR) uniform vec4 color;
layout(location = 0) out vec4 shown;

void main()
{
    vec2 along = to - from, at = gl_FragCoord.xy - from;
    float square = dot(along, along), share = square > 0.0 ? clamp(dot(at, along) / square, 0.0, 1.0) : 0.0;
    if (distance(at, share * along) > width)
        discard;
    shown = color;
}
