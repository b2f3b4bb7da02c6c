#version 450
// SPDX-License-Identifier: MIT
// slices_512.frag: as slices_16.frag, for up to 512 slices of each object, in eight targets of four words.
#include "image/slices/shaders/slices_bindings.h"

layout(location = GRZ_AT_SLICES) uniform uint slices;
layout(location = GRZ_AT_FIRST_BIT) uniform uint first_bit;
layout(location = 0) out uvec4 cells[8];

uvec4 four_words(uint first, uint word, uint bit)
{
    return bit * uvec4(equal(uvec4(word), first + uvec4(0u, 1u, 2u, 3u)));
}

void main()
{
    uint place = first_bit + min(uint(clamp(gl_FragCoord.z, 0.0, 1.0) * float(slices)), slices - 1u);
    uint word = place / 32u, bit = 1u << (place % 32u);
    cells[0] = four_words(0u, word, bit);
    cells[1] = four_words(4u, word, bit);
    cells[2] = four_words(8u, word, bit);
    cells[3] = four_words(12u, word, bit);
    cells[4] = four_words(16u, word, bit);
    cells[5] = four_words(20u, word, bit);
    cells[6] = four_words(24u, word, bit);
    cells[7] = four_words(28u, word, bit);
}
