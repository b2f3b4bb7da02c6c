#version 450
// SPDX-License-Identifier: MIT
// picture_curve.frag: of a segment's rectangle, what is within `width` pixels of the segment.
#include "picture_bindings.h"

flat in vec2 from, to;
layout(location = GRZ_PICTURE_WIDTH) uniform float width;
layout(location = GRZ_PICTURE_COLOR) uniform vec3 color;
layout(location = 0) out vec4 shown;
layout(location = 1) out uint surface;

void main()
{
    vec2 along = to - from, at = gl_FragCoord.xy - from;
    float square = dot(along, along), share = square > 0.0 ? clamp(dot(at, along) / square, 0.0, 1.0) : 0.0;
    if (distance(at, share * along) > width)
        discard;
    shown = vec4(color, 1.0);
    surface = GRZ_PICTURE_LINE;
}
