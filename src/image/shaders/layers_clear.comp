#version 450
// SPDX-License-Identifier: MIT
// layers_clear.comp: one pixel an invocation: the lists of its slices are empty.
#include "shared.h"

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_HEADS) writeonly buffer heads_buffer
{
    uint heads[];
};
layout(location = GRZ_AT_PLAN_PIXELS) uniform uint pixels;

void main()
{
    for (uint slice = 0u; gl_GlobalInvocationID.x < pixels && slice < GRZ_VOXEL_SLICES; slice++)
        heads[gl_GlobalInvocationID.x * GRZ_VOXEL_SLICES + slice] = 0u;
}
