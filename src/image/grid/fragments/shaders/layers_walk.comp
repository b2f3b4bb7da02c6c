#version 450
// SPDX-License-Identifier: MIT
// layers_walk.comp: find pairs of fragments. One fragment an invocation goes through the list of its pixel; each
// fragment there whose depths overlap its own makes a pair with it. In: nodes[], heads[]. Out: fragment_pairs[],
// nodes[] (unfinished walks).
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/fragments/shaders/layer_nodes.h"
#include "image/grid/fragments/shaders/layer_walk.h"
#include "image/grid/fragments/shaders/layer_meets.h"

bool makes_pair(uvec4 fragment, uvec4 other)
{
    return fragments_overlap(fragment, other);
}

void main()
{
    walk_lists();
}
