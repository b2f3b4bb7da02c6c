#version 450
// SPDX-License-Identifier: MIT
// picture.vert: a mesh's vertices, relative to the mesh's centre, into clip space; and where they are seen from the eye.
#include "shared.h"

layout(location = 0) in vec3 position;
layout(location = GRZ_AT_CLIP) uniform mat4 clip;
layout(location = GRZ_AT_VIEW) uniform mat4 view;
out vec3 seen_at;

void main()
{
    seen_at = (view * vec4(position, 1.0)).xyz;
    gl_Position = clip * vec4(position, 1.0);
}
