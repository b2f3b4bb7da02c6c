#version 450
// SPDX-License-Identifier: MIT
// layers_lists.frag: put a fragment at the front of its pixel's list. Out: nodes[], heads[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/layers/shaders/layers_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/fragments/shaders/layer_nodes.h"
#include "image/layers/shaders/layer_sample.h"

void main()
{
    uint number;
    if (add_node(0u, number))
        nodes[number] = node_of_fragment(atomicExchange(heads[pixel_number()], number + 1u));
}
