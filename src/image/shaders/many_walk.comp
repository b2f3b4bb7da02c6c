#version 450
// SPDX-License-Identifier: MIT
// many_walk.comp: as layers_walk.comp, of many objects in one grid: those of one object make no pairs.
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"
#include "layer_walk.h"
#include "layer_meets.h"

bool pairs_up(uvec4 own, uvec4 other)
{
    return own.w != other.w && meets(own, other);
}
