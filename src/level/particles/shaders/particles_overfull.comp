#version 450
// SPDX-License-Identifier: MIT
// particles_overfull.comp: count the pixels in which more surfaces were drawn than there are layers. In: the stencil,
// which has counted them. Out: counts[].
#include "level/particles/shaders/particles_bindings.h"
#include "gpu/shaders/group_number.h"
#include "level/particles/shaders/step_plan.h"

layout(local_size_x = GRZ_PARTICLE_TILE, local_size_y = GRZ_PARTICLE_TILE) in;
layout(binding = GRZ_UNIT_PARTICLE_DEPTH) uniform usampler2D stencil;
layout(std430, binding = GRZ_BIND_PARTICLE_COUNTS) buffer counts_buffer
{
    uint counts[];
};

void main()
{
    uint tiles = (resolution + uint(GRZ_PARTICLE_TILE) - 1u) / uint(GRZ_PARTICLE_TILE), group = group_number();
    uvec2 at = uvec2(group % tiles, group / tiles) * uint(GRZ_PARTICLE_TILE) + gl_LocalInvocationID.xy;
    if (all(lessThan(at, uvec2(resolution))) && texelFetch(stencil, ivec2(at), 0).x > layers)
        atomicAdd(counts[GRZ_COUNT_OVERFULL], 1u);
}
