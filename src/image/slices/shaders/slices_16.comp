#version 450
// SPDX-License-Identifier: MIT
// slices_16.comp: find the cells that hold both objects in a picture by slices_16.frag. CPU twin:
// image/slices/analysis.c.
#include "image/slices/shaders/slices_bindings.h"
#include "image/slices/shaders/slices_tile.h"

layout(r32ui, binding = 0) readonly uniform uimage2D picture;

void main()
{
    begin_tile();
    if (all(lessThan(gl_GlobalInvocationID.xy, size))) {
        uint word = imageLoad(picture, ivec2(gl_GlobalInvocationID.xy)).x;
        add_word(word & (word >> 16) & 0xffffu, 0u);
    }
    end_tile();
}
