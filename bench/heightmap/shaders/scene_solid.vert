#version 450
// scene_solid.vert: a mesh at its pose.
#include "scene.h"
layout(location = 0) in vec3 position;
layout(location = 1) uniform mat4 pose;
layout(location = 5) uniform vec3 tint;
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 colour;

void main()
{
    const vec4 at = pose * vec4(position, 1.0);
    place = at.xyz;
    colour = tint;
    gl_Position = world_to_clip * at;
}
