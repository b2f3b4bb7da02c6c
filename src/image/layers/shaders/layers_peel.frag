#version 450
// SPDX-License-Identifier: MIT
// layers_peel.frag: depth peeling. Keep only fragments behind the layer before; the depth test keeps the nearest of
// these. Source: C. Everitt, "Interactive order-independent transparency" (2001).
#include "image/layers/shaders/layers_bindings.h"
#include "image/layers/shaders/layer_sample.h"

layout(binding = 0, rgba32ui) readonly uniform uimage2DArray taken;
layout(location = GRZ_AT_SAMPLE_LAYER) uniform int layer;
layout(location = 0) out uvec4 fragment; // a node whose first word is 1; 0: the pixel has no fragment in this layer

void main()
{
    if (layer > 0) {
        uvec4 before = imageLoad(taken, ivec3(gl_FragCoord.xy, layer - 1));
        if (before.x == 0u || gl_FragCoord.z <= uintBitsToFloat(before.z))
            discard;
    }
    fragment = node_of_fragment(1u);
}
