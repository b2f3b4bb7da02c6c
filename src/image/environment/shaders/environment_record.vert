#version 450
// SPDX-License-Identifier: MIT
// environment_record.vert: as view.vert, and where the vertex lies in the world, but for a translation.
#include "gpu/shaders/mesh_bindings.h"
#include "image/environment/shaders/environment_bindings.h"

layout(location = 0) in vec3 position;
layout(location = GRZ_AT_CLIP) uniform mat4 clip;
layout(location = GRZ_AT_FRAME) uniform vec4 frame;
layout(location = GRZ_AT_RECORD_LINEAR) uniform mat3 linear; // from buffer coordinates to the world
layout(location = 0) out vec3 world;

void main()
{
    vec3 at = (position - frame.xyz) * frame.w;
    world = linear * at;
    gl_Position = clip * vec4(at, 1.0);
}
