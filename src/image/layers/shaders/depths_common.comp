#version 450
// SPDX-License-Identifier: MIT
// depths_common.comp: for each pixel, the depths at which two objects are both inside, added up: a part of the view's
// depth. A surface in front of the view counts at depth 0, one behind it at 1. One invocation a pixel sorts the list of
// its fragments. In: nodes[], heads[]. Out: heads[], the bits of a float: the sum, or -1 less the sum if an object has
// an odd number of surfaces, or GRZ_DEPTHS_CROWDED.
#include "image/grid/shaders/grid_bindings.h"
#include "image/layers/shaders/layers_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/fragments/shaders/layer_nodes.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(location = GRZ_AT_SAMPLE_SIZE) uniform uvec2 size; // pixels a side, layers

uint sorted[GRZ_DEPTHS_MOST]; // the bits of a depth, which order as the depth does, and the object as the lowest bit

void main()
{
    uint pixel = invocation_number();
    if (pixel >= size.x * size.x)
        return;
    int count = 0;
    bool crowded = false;
    for (uint link = heads[pixel]; link != 0u && !crowded;) {
        uvec4 node = nodes[link - 1u];
        float depth = clamp(uintBitsToFloat(node.z), 0.0, 1.0);
        uint key = floatBitsToUint(depth) << 1 | node.w;
        crowded = count == GRZ_DEPTHS_MOST;
        int at = count;
        for (; at > 0 && !crowded && sorted[at - 1] > key; at--)
            sorted[at] = sorted[at - 1];
        if (!crowded)
            sorted[at] = key;
        count++;
        link = node.x;
    }
    if (crowded) {
        heads[pixel] = floatBitsToUint(GRZ_DEPTHS_CROWDED);
        return;
    }
    uint inside = 0u; // of object 0, and of object 1, as bits
    float sum = 0.0, before = 0.0;
    for (int i = 0; i < count; i++) {
        float depth = uintBitsToFloat(sorted[i] >> 1);
        sum += inside == 3u ? depth - before : 0.0;
        inside ^= 1u << (sorted[i] & 1u);
        before = depth;
    }
    heads[pixel] = floatBitsToUint(inside == 0u ? sum : -1.0 - sum);
}
