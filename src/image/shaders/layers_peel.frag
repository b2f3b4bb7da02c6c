#version 450
// SPDX-License-Identifier: MIT
// layers_peel.frag: what is nearest behind the layer before. Source: C. Everitt, "Interactive order-independent transparency" (2001).
#include "shared.h"
#include "layer_sample.h"

layout(binding = 0, rgba32ui) readonly uniform uimage2DArray taken;
layout(location = GRZ_AT_SAMPLE_LAYER) uniform int layer;
layout(location = 0) out uvec4 fragment; // as a node, its first word 1: there is one

void main()
{
    if (layer > 0) {
        uvec4 before = imageLoad(taken, ivec3(gl_FragCoord.xy, layer - 1));
        if (before.x == 0u || gl_FragCoord.z <= uintBitsToFloat(before.z))
            discard;
    }
    fragment = node_of_fragment(1u);
}
