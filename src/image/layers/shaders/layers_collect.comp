#version 450
// SPDX-License-Identifier: MIT
// layers_collect.comp: turn peeled layers into nodes, those of a pixel one after the other. In: the layers' images.
// Out: nodes[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/layers/shaders/layers_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/fragments/shaders/layer_nodes.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(binding = 0, rgba32ui) readonly uniform uimage2DArray taken;
layout(location = GRZ_AT_SAMPLE_SIZE) uniform uvec2 size; // pixels a side, layers

void main()
{
    uint number = invocation_number();
    uint pixel = number / size.y, layer = number % size.y;
    if (pixel >= size.x * size.x)
        return;
    uvec4 node = imageLoad(taken, ivec3(pixel % size.x, pixel / size.x, layer));
    node.x = node.x == 0u || layer == 0u ? 0u : number;
    nodes[number] = node;
}
