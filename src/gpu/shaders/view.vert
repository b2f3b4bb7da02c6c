#version 450
// SPDX-License-Identifier: MIT
// view.vert: take the vertices of a mesh into the view volume; for an offset surface, first move them along their
// normals.
#include "gpu/shaders/mesh_bindings.h"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = GRZ_AT_CLIP) uniform mat4 clip;
layout(location = GRZ_AT_OFFSET) uniform float offset;
layout(location = GRZ_AT_FRAME) uniform vec4 frame; // the mesh's middle, and 1 / its size; (0, 0, 0, 1) for buffers of ours, which hold buffer coordinates

void main()
{
    vec3 at = (position - frame.xyz) * frame.w;
    at = offset != 0.0 ? at + offset * normal : at; // without normals the attribute may hold anything
    gl_Position = clip * vec4(at, 1.0);
}
