#version 450
// SPDX-License-Identifier: MIT
// silhouette.frag: keep the pixels that the object covers. For the stencil of its environment.
#include "image/heightmap/shaders/heightmap_bindings.h"

layout(binding = GRZ_UNIT_OBJECT_MAP) uniform sampler2D object_map;

void main()
{
    if (texelFetch(object_map, ivec2(gl_FragCoord.xy), 0).x == 0.0)
        discard;
}
