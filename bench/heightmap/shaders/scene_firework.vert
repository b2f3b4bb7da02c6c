#version 450
// scene_firework.vert: a particle, from the buffer that the compute shader writes.
#include "scene.h"
layout(location = 0) in vec4 particle; // position, and seconds since it started
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 colour;

void main()
{
    const float heat = 1.0 - 0.5 * particle.w;
    const uint group = uint(gl_VertexID) / 1000u;
    place = particle.xyz;
    colour = heat * mix(vec3(1.0, 0.9, 0.6), vec3(random(group), random(group + 100u), random(group + 200u)), 1.0 - heat * heat);
    gl_Position = world_to_clip * vec4(place, 1.0);
}
