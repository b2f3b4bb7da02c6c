#version 450
// SPDX-License-Identifier: MIT
// heights_compare.comp: count the pixels of each view where the environment is nearer to the rear than the object's
// front, and find their range. Depth is 0 at the rear. In: both maps. Out: found[].
#include "image/heightmap/shaders/heightmap_bindings.h"
#include "gpu/shaders/group_number.h"
#include "image/heightmap/shaders/heights.h"

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
    uint view, local = gl_LocalInvocationIndex;
    uvec2 pixel = pixel_of_group(view);
    if (local < uint(GRZ_FOUND_WORDS))
        words[local] = 0u;
    barrier();
    if (all(lessThan(pixel, uvec2(side)))) {
        ivec2 at = ivec2(pixel.x, pixel.y + view * side);
        float front, depth;
        if (hits(at, front, depth))
            add_hit(pixel, depth);
        if (front > 0.0)
            atomicAdd(words[GRZ_FOUND_PIXELS], 1u);
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
