#version 450
// SPDX-License-Identifier: MIT
// picture.vert: a mesh's vertices, relative to the mesh's centre, into clip space; and where they are as seen from the
// eye.
#include "picture_bindings.h"

layout(location = 0) in vec3 position;
layout(location = GRZ_PICTURE_CLIP) uniform mat4 clip;
layout(location = GRZ_PICTURE_VIEW) uniform mat4 view;
layout(location = GRZ_PICTURE_BEHIND) uniform float behind; // how far the depth moves back, so that faces in one place do not flicker
out vec3 seen_at;

void main()
{
    seen_at = (view * vec4(position, 1.0)).xyz;
    gl_Position = clip * vec4(position, 1.0);
    gl_Position.z += behind * gl_Position.w;
}
