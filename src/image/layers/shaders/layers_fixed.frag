#version 450
// SPDX-License-Identifier: MIT
// layers_fixed.frag: put a fragment into the next free layer of its pixel; if none is free, count it as left out. Out:
// nodes[], heads[] (how many fragments the pixel had). Source: K. Myers, L. Bavoil, "Stencil routed A-buffer" (2007).
#include "image/grid/shaders/grid_bindings.h"
#include "image/layers/shaders/layers_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "image/grid/fragments/shaders/layer_nodes.h"
#include "image/layers/shaders/layer_sample.h"

void main()
{
    uint pixel = pixel_number(), layer = atomicAdd(heads[pixel], 1u), number = pixel * size.y + layer;
    if (layer < size.y)
        nodes[number] = node_of_fragment(layer > 0u ? number : 0u);
    else
        atomicAdd(head.left_out, 1u);
}
