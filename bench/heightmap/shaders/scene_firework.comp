#version 450
// scene_firework.comp: a step of time for each particle. Groups of 1,000 burst together, one group after the other; a
// particle that has burnt out starts again with its group's next burst. Nothing comes from the processor but uniforms.
#include "scene.h"
layout(local_size_x = 100) in;
layout(std430, binding = 0) buffer places
{
    vec4 place[]; // position, and seconds since it started
};
layout(std430, binding = 1) buffer speeds
{
    vec4 speed[]; // units a second, and how often it has started
};
layout(location = 1) uniform float duration; // of the step, in seconds; 0: begin
layout(location = 2) uniform vec3 centre;    // of all bursts
layout(location = 3) uniform uint groups;
const float LIFE = 2.0;

void main()
{
    const uint i = gl_GlobalInvocationID.x, group = i / 1000u;
    if (duration == 0.0) { // the groups start one after the other within a life; until then they are below the ground
        place[i] = vec4(centre - vec3(0.0, 0.0, 20.0), LIFE * (1.0 - float(group + 1u) / float(groups)));
        speed[i] = vec4(0.0);
        return;
    }
    vec4 at = place[i], by = speed[i];
    at.w += duration;
    if (at.w >= LIFE) {
        const uint burst = 977u * group + 7919u * uint(by.w);
        const float turn = 6.2831853 * random(2u * i + 31u * burst), up = 2.0 * random(2u * i + 1u + 31u * burst) - 1.0,
                    across = sqrt(1.0 - up * up);
        at.xyz = centre + 0.5 * vec3(random(burst + 1u) - 0.5, random(burst + 2u) - 0.5, 0.6 * random(burst + 3u) - 0.1);
        by.xyz = (0.3 + 0.1 * random(i)) * vec3(across * cos(turn), across * sin(turn), up);
        at.w -= LIFE;
        by.w += 1.0;
    }
    if (by.w > 0.0) {
        by.xyz += duration * (vec3(0.0, 0.0, -0.12) - 0.8 * by.xyz); // gravity, and the drag of the air
        at.xyz += duration * by.xyz;
    }
    place[i] = at;
    speed[i] = by;
}
