#version 450
// SPDX-License-Identifier: MIT
// layers_collect.comp: layers that were peeled become nodes, each pixel's one behind the other.
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(binding = 0, rgba32ui) readonly uniform uimage2DArray taken;
layout(location = GRZ_AT_SAMPLE_SIZE) uniform uvec2 size; // pixels a side, layers

void main()
{
    uint at = (gl_WorkGroupID.y * GRZ_VOXEL_ROW + gl_WorkGroupID.x) * GRZ_VOXEL_GROUP + gl_LocalInvocationIndex;
    uint pixel = at / size.y, layer = at % size.y;
    if (pixel >= size.x * size.x)
        return;
    uvec4 node = imageLoad(taken, ivec3(pixel % size.x, pixel / size.x, layer));
    node.x = node.x == 0u || layer == 0u ? 0u : at;
    nodes[at] = node;
}
