#version 450
// SPDX-License-Identifier: MIT
// layers_walk.comp: one fragment an invocation goes through its pixel's list: those whose depths overlap with its own make a pair, one for each
// pixel. A walk that is not over after GRZ_LAYER_STEPS goes on in the next dispatch.
#include "shared.h"
#include "voxel_records.h"
#include "layer_nodes.h"
#include "layer_walk.h"

uint first_of_list(uint next)
{
    return (next & GRZ_LAYER_HEAD) != 0u ? heads[next & ~GRZ_LAYER_HEAD] : next;
}

bool pairs_up(uvec4 own, uvec4 other)
{
    uint first = own.y | other.y, wanted = GRZ_LAYER_FIRST_SLICE; // of two objects, all are in the first slice: it has their only list
    if ((own.y & other.y & GRZ_LAYER_SMALL) != 0u)
        wanted |= GRZ_LAYER_FIRST_COLUMN | GRZ_LAYER_FIRST_ROW;
    return (first & wanted) == wanted && (other.z & 0xffffu) <= own.z >> 16 && other.z >> 16 >= (own.z & 0xffffu);
}

uint job_of(uvec4 own)
{
    return load_record(own.y & GRZ_LAYER_RECORD).job;
}
