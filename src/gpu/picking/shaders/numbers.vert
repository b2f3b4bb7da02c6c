#version 450
// SPDX-License-Identifier: MIT
// numbers.vert: a mesh's vertices into clip space.
#include "gpu/picking/shaders/picking_bindings.h"

layout(location = 0) in vec3 position;
layout(location = GRZ_AT_NUMBERS_CLIP) uniform mat4 clip;
layout(location = GRZ_AT_NUMBERS_FRAME) uniform vec4 frame; // buffer coordinates are (position - frame.xyz) * frame.w

void main()
{
    gl_Position = clip * vec4((position - frame.xyz) * frame.w, 1.0);
}
