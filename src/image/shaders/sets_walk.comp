#version 450
// SPDX-License-Identifier: MIT
// sets_walk.comp: one fragment an invocation goes through its pixel's list: those of other objects, or of the same one where that is asked about
// itself, whose depths are close. Source: H. Jang, J. Han.
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"
#include "layer_walk.h"

layout(location = GRZ_AT_SETS_THRESHOLD) uniform float threshold;
layout(location = GRZ_AT_SETS_SELF) uniform bool self;

uint first_of_list(inout uvec4 own)
{
    return own.x;
}

uint next_list(inout uvec4 own)
{
    return 0u;
}

bool pairs_up(uvec4 own, uvec4 other)
{
    return (self || own.w != other.w) && abs(uintBitsToFloat(own.z) - uintBitsToFloat(other.z)) <= threshold;
}

uint job_of(uvec4 own)
{
    return 0u;
}
