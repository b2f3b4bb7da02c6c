#version 450
// SPDX-License-Identifier: MIT
// layers_lists.frag: a fragment into its pixel's list. Out: nodes[], heads[].
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"
#include "layer_sample.h"

void main()
{
    uint number;
    if (add_node(0u, number))
        nodes[number] = node_of_fragment(atomicExchange(heads[pixel_number()], number + 1u));
}
