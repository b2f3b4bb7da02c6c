#version 450
// SPDX-License-Identifier: MIT
// heights_compare.comp: count the pixels of each view where the environment is nearer to the rear than the object's
// front, and find their range. Depth is 0 at the rear. In: both maps. Out: found[].
#include "image/heightmap/shaders/bindings.h"
#include "gpu/shaders/group_number.h"

layout(local_size_x = GRZ_HEIGHT_TILE, local_size_y = GRZ_HEIGHT_TILE) in;
layout(binding = GRZ_UNIT_OBJECT_MAP) uniform sampler2D object_map;           // 0: no object
layout(binding = GRZ_UNIT_ENVIRONMENT_MAP) uniform sampler2D environment_map; // 1: nothing
layout(std430, binding = GRZ_BIND_HEIGHT_FOUND) buffer found_buffer
{
    uint found[]; // GRZ_FOUND_WORDS for each view
};
layout(location = GRZ_AT_HEIGHT_SIDE) uniform uint side;       // pixels a side of a view
layout(location = GRZ_AT_HEIGHT_VIEW) uniform uint first_view; // of the first work group
layout(location = GRZ_AT_HEIGHT_BOUNDED) uniform bool bounded; // the environment must also be in front of the object's rear

shared uint words[GRZ_FOUND_WORDS];

void add_hit(uvec2 pixel, float depth)
{
    atomicAdd(words[GRZ_FOUND_HITS], 1u);
    for (int i = 0; i < 2; i++) {
        atomicMax(words[GRZ_FOUND_NOT_LEAST + i], ~pixel[i]);
        atomicMax(words[GRZ_FOUND_LAST + i], pixel[i]);
    }
    atomicMax(words[GRZ_FOUND_NOT_NEAREST], ~floatBitsToUint(depth));
    atomicMax(words[GRZ_FOUND_FARTHEST], floatBitsToUint(depth));
}

void main()
{
    uint tiles = (side + uint(GRZ_HEIGHT_TILE) - 1u) / uint(GRZ_HEIGHT_TILE), group = group_number();
    uint view = first_view + group / (tiles * tiles), local = gl_LocalInvocationIndex;
    uvec2 tile = uvec2(group % tiles, group / tiles % tiles);
    uvec2 pixel = tile * uint(GRZ_HEIGHT_TILE) + gl_LocalInvocationID.xy;
    if (local < uint(GRZ_FOUND_WORDS))
        words[local] = 0u;
    barrier();
    if (all(lessThan(pixel, uvec2(side)))) {
        ivec2 at = ivec2(pixel.x, pixel.y + view * side);
        float front = texelFetch(object_map, at, 0).x, depth = texelFetch(environment_map, at, 0).x;
        if (front > 0.0) {
            atomicAdd(words[GRZ_FOUND_PIXELS], 1u);
            bool hit = depth < front;
            if (hit && bounded)
                hit = depth > texelFetch(object_map, ivec2(at.x, at.y + int(side)), 0).x;
            if (hit)
                add_hit(pixel, depth);
        }
    }
    barrier();
    if (local >= uint(GRZ_FOUND_WORDS) || words[GRZ_FOUND_PIXELS] == 0u)
        return;
    uint word = view * GRZ_FOUND_WORDS + local;
    if (local <= uint(GRZ_FOUND_HITS))
        atomicAdd(found[word], words[local]);
    else
        atomicMax(found[word], words[local]);
}
