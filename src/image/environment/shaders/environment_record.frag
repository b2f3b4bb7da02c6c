#version 450
// SPDX-License-Identifier: MIT
// environment_record.frag: leave the object's number, and the triangle's normal in the world: away from the side from which
// its corners are seen clockwise.
#include "image/environment/shaders/environment_bindings.h"

layout(location = 0) in vec3 world;
layout(location = GRZ_AT_RECORD_EYE) uniform vec3 eye; // towards the eye, in the world
layout(location = GRZ_AT_RECORD_ID) uniform uvec2 id;
layout(location = 0) out uvec2 recorded_id;
layout(location = 1) out vec4 recorded_normal;

void main()
{
    vec3 across = cross(dFdx(world), dFdy(world));
    float size = max(abs(across.x), max(abs(across.y), abs(across.z)));
    vec3 normal = size > 0.0 ? normalize(across / size) : vec3(0.0);
    bool towards = dot(normal, eye) > 0.0;
    recorded_normal = vec4(towards == gl_FrontFacing ? normal : -normal, 0.0);
    recorded_id = id;
}
