// What all shaders of the scene read. The block is that of <graze/environment.h>; for the screen the benchmark fills it
// in for its camera.
layout(std140, binding = 0) uniform grz_environment_block
{
    mat4 world_to_clip;
    vec4 forwards;
    uvec4 view;
};
layout(location = 0) uniform float seconds;

// A number from 0 to 1 that looks random.
float random(uint seed)
{
    seed = (seed ^ 61u) ^ (seed >> 16);
    seed *= 9u;
    seed ^= seed >> 4;
    seed *= 0x27d4eb2du;
    seed ^= seed >> 15;
    return float(seed >> 8) / 16777215.0;
}
