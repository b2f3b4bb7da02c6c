#version 450
// SPDX-License-Identifier: MIT
// numbers.frag: the number of the object, from 1, and of the triangle, as the two colours of an integer picture.
#include "gpu/picking/shaders/picking_bindings.h"

layout(location = GRZ_AT_NUMBERS_OBJECT) uniform uint object;
layout(location = GRZ_AT_NUMBERS_FIRST) uniform uint first; // the first triangle of this draw
layout(location = 0) out uvec2 numbers;

void main()
{
    numbers = uvec2(object, first + uint(gl_PrimitiveID));
}
