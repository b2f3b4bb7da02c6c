#version 450
// SPDX-License-Identifier: MIT
// leaf_refit.comp: fit leaf boxes to the positions in the caller's buffers, one leaf a work group. The coordinates are
// rounded exactly as voxels_place.comp and leaves_load.comp round them. In: positions[], indices[], order[]. Out:
// low and high of leaves[].
#include "gpu/shaders/mesh_bindings.h"
#include "gpu/shaders/gl_mesh_read.h"
#include "gpu/shaders/group_number.h"
#include "gpu/shaders/leaf_in_buffer.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_REFIT_BOXES) buffer leaves_buffer
{
    leaf_box leaves[];
};
layout(std430, binding = GRZ_BIND_REFIT_ORDER) readonly buffer order_buffer
{
    uint order[];
};
layout(location = GRZ_AT_MIDDLE) uniform vec4 mesh_middle;

shared uint group_low[3], group_high[3];

// Bits of floats, changed so that they order as unsigned numbers do, and back.
uvec3 ordered(vec3 at)
{
    uvec3 bits = floatBitsToUint(at);
    return bits ^ mix(uvec3(0x80000000u), uvec3(0xffffffffu), greaterThanEqual(bits, uvec3(0x80000000u)));
}

float from_ordered(uint bits)
{
    return uintBitsToFloat(bits ^ (bits >= 0x80000000u ? 0x80000000u : 0xffffffffu));
}

void main()
{
    uint leaf = group_number(), local = gl_LocalInvocationIndex;
    if (local < 3u) {
        group_low[local] = 0xffffffffu;
        group_high[local] = 0u;
    }
    barrier();
    uvec3 low = uvec3(0xffffffffu), high = uvec3(0u);
    for (uint i = local; i < leaves[leaf].count; i += GRZ_DISPATCH_GROUP) {
        uvec3 vertices = corners_of(order[leaves[leaf].first + i]);
        for (int k = 0; k < 3; k++) {
            uvec3 at = ordered(local_position(vertices[k], mesh_middle));
            low = min(low, at);
            high = max(high, at);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        atomicMin(group_low[axis], low[axis]);
        atomicMax(group_high[axis], high[axis]);
    }
    barrier();
    if (local < 3u) {
        leaves[leaf].low[local] = from_ordered(group_low[local]);
        leaves[leaf].high[local] = from_ordered(group_high[local]);
    }
}
