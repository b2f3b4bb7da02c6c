#version 450
// scene_plants.geom: three blades for each plant, lines of four pieces that bend in the wind.
#include "scene.h"
layout(points) in;
layout(line_strip, max_vertices = 15) out;
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 colour;

void main()
{
    const vec3 foot = gl_in[0].gl_Position.xyz;
    for (uint blade = 0u; blade < 3u; blade++) {
        const uint seed = 3u * uint(gl_PrimitiveIDIn) + blade;
        const float height = 0.15 + 0.2 * random(seed), turn = 6.2831853 * random(seed + 50000u);
        const vec2 lean = 0.3 * height * vec2(cos(turn), sin(turn)), wind = vec2(0.04 * sin(5.0 * seconds + 4.0 * foot.x), 0.0);
        for (int i = 0; i <= 4; i++) {
            const float along = 0.25 * float(i);
            place = foot + vec3((lean + wind) * along * along, height * along);
            colour = mix(vec3(0.05, 0.3, 0.05), vec3(0.4, 0.8, 0.2), along);
            gl_Position = world_to_clip * vec4(place, 1.0);
            gl_PrimitiveID = gl_PrimitiveIDIn;
            EmitVertex();
        }
        EndPrimitive();
    }
}
