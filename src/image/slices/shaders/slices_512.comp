#version 450
// SPDX-License-Identifier: MIT
// slices_512.comp: find the cells that hold both objects in a picture by slices_512.frag. The words of the second
// object follow those of the first. CPU twin: image/slices/analysis.c.
#include "image/slices/shaders/slices_bindings.h"
#include "image/slices/shaders/slices_tile.h"

layout(rgba32ui, binding = 0) readonly uniform uimage2D pictures[8];

// Word number `word` of the pixel. A switch is eight times as fast here as an array with a variable index.
uint load_word(uint word)
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    uvec4 four;
    switch (word / 4u) {
    case 0u: four = imageLoad(pictures[0], pixel); break;
    case 1u: four = imageLoad(pictures[1], pixel); break;
    case 2u: four = imageLoad(pictures[2], pixel); break;
    case 3u: four = imageLoad(pictures[3], pixel); break;
    case 4u: four = imageLoad(pictures[4], pixel); break;
    case 5u: four = imageLoad(pictures[5], pixel); break;
    case 6u: four = imageLoad(pictures[6], pixel); break;
    default: four = imageLoad(pictures[7], pixel); break;
    }
    return (word & 2u) == 0u ? ((word & 1u) == 0u ? four.x : four.y) : ((word & 1u) == 0u ? four.z : four.w);
}

void main()
{
    uint words = (slices + 31u) / 32u;
    begin_tile();
    if (all(lessThan(gl_GlobalInvocationID.xy, size)))
        for (uint i = 0u; i < words; i++)
            add_word(load_word(i) & load_word(words + i), 32u * i);
    end_tile();
}
