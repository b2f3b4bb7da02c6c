#version 450
// SPDX-License-Identifier: MIT
// sets_walk.comp: find pairs of drawn fragments that are close. One fragment an invocation goes through the list of
// its pixel; each fragment there of another object (or of the same one, in a self-collision query) within `threshold`
// in depth makes a pair with it. Source: H. Jang, J. Han, "Fast collision detection using the A-buffer" (2008).
#include "image/grid/shaders/grid_bindings.h"
#include "image/layers/shaders/layers_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/fragments/shaders/layer_nodes.h"
#include "image/grid/fragments/shaders/layer_walk.h"

layout(location = GRZ_AT_SETS_THRESHOLD) uniform float threshold; // of depth, 0 to 1 over the view volume
layout(location = GRZ_AT_SETS_SELF) uniform bool self;

uint first_of_list(inout uvec4 fragment)
{
    return fragment.x;
}

uint next_list(inout uvec4 fragment)
{
    return 0u;
}

bool makes_pair(uvec4 fragment, uvec4 other)
{
    return (self || fragment.w != other.w) && abs(uintBitsToFloat(fragment.z) - uintBitsToFloat(other.z)) <= threshold;
}

uint job_of(uvec4 fragment)
{
    return 0u;
}

void main()
{
    walk_lists();
}
