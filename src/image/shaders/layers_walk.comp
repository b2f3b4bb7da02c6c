#version 450
// SPDX-License-Identifier: MIT
// layers_walk.comp: one fragment an invocation goes through its pixel's list: those whose depths overlap with its own make a pair, one for each
// pixel. A walk that is not over after GRZ_LAYER_STEPS goes on in the next dispatch.
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"
#include "layer_walk.h"
#include "layer_meets.h"

bool pairs_up(uvec4 own, uvec4 other)
{
    return meets(own, other);
}
