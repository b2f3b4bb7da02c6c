#version 450
// Evaluation shader of the flag: the cloth waves, more the further it is from the pole.
#include "scene.h"
layout(quads, equal_spacing, ccw) in;
layout(location = 1) uniform mat4 pose; // columns: along the cloth, up, how far it waves, the foot of the pole
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 colour;

void main()
{
    const vec2 low = gl_in[0].gl_Position.xy, high = gl_in[3].gl_Position.xy, at = mix(low, high, gl_TessCoord.xy);
    const float wave = at.x * sin(12.0 * at.x + 3.0 * at.y - 9.0 * seconds) + 0.3 * at.x * sin(31.0 * at.x - 17.0 * seconds);
    const vec4 world = pose * vec4(at, wave, 1.0);
    place = world.xyz;
    colour = at.y < 0.34 ? vec3(0.8, 0.1, 0.1) : at.y < 0.67 ? vec3(0.95) : vec3(0.1, 0.2, 0.7);
    gl_Position = world_to_clip * world;
}
