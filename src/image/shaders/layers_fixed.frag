#version 450
// SPDX-License-Identifier: MIT
// layers_fixed.frag: a fragment into the next of its pixel's layers, as long as there are any. Out: nodes[], heads[] (how many came).
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"
#include "layer_sample.h"

void main()
{
    uint pixel = pixel_number(), layer = atomicAdd(heads[pixel], 1u), at = pixel * size.y + layer;
    if (layer < size.y)
        nodes[at] = node_of_fragment(layer > 0u ? at : 0u);
    else
        atomicAdd(answers[GRZ_HEAD_LEFT_OUT], 1u);
}
