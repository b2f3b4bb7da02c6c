#version 450
// SPDX-License-Identifier: MIT
// many_walk.comp: as layers_walk.comp, for many objects in one grid: fragments of the same object make no pair.
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/fragments/shaders/layer_nodes.h"
#include "image/grid/fragments/shaders/layer_walk.h"
#include "image/grid/fragments/shaders/layer_meets.h"

bool makes_pair(uvec4 fragment, uvec4 other)
{
    return fragment.w != other.w && fragments_overlap(fragment, other);
}

void main()
{
    walk_lists();
}
