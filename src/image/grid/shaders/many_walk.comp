#version 450
// SPDX-License-Identifier: MIT
// many_walk.comp: as layers_walk.comp, for many objects in one grid: fragments of the same object make no pair.
#include "image/grid/shaders/bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/shaders/layer_nodes.h"
#include "image/grid/shaders/layer_walk.h"
#include "image/grid/shaders/layer_meets.h"

bool pairs_up(uvec4 own, uvec4 other)
{
    return own.w != other.w && meets(own, other);
}

void main()
{
    walk_lists();
}
