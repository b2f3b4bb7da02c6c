#version 450
// SPDX-License-Identifier: MIT
// slices_16.frag: write the bit of a fragment's slice, for up to 16 slices. One object has the lower half of the word,
// the other the upper half. The logic operation OR joins the bits of a pixel. Source: J. Dinerstein, P. Egbert,
// section 3.
#include "image/slices/shaders/slices_bindings.h"

layout(location = GRZ_AT_SLICES) uniform uint slices;
layout(location = GRZ_AT_FIRST_BIT) uniform uint first_bit;
layout(location = 0) out uint cell;

void main()
{
    uint slice = min(uint(clamp(gl_FragCoord.z, 0.0, 1.0) * float(slices)), slices - 1u);
    cell = 1u << (first_bit + slice);
}
