#version 450
// SPDX-License-Identifier: MIT
// sets_unique.comp: from pairs of drawn fragments to potentially colliding sets, which are pairs of triangles, one
// pair of fragments an invocation. Keeps pairs that were not met before and, for a mesh with itself, drops triangles
// that share a corner.
#include "image/grid/shaders/grid_bindings.h"
#include "image/layers/shaders/layers_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/pair_candidates.h"
#include "image/grid/fragments/shaders/pairs_seen.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_RAW) readonly buffer raw_buffer
{
    uvec2 fragment_pairs[];
};
layout(std430, binding = GRZ_BIND_LAYER_CORNERS) readonly buffer corners_buffer
{
    uint ids[]; // three for each triangle: corners with equal numbers are the same corner
};
layout(location = GRZ_AT_LAYER_RAW_ROOM) uniform uint fragment_pair_room;
layout(location = GRZ_AT_SETS_SELF) uniform bool self;
layout(location = GRZ_AT_SETS_UNTESTED) uniform bool untested;

bool neighbours(uvec2 pair)
{
    bool shared_corner = false;
    for (uint i = 0u; i < 3u; i++)
        for (uint j = 0u; j < 3u; j++)
            shared_corner = shared_corner || ids[3u * pair.x + i] == ids[3u * pair.y + j];
    return shared_corner;
}

void main()
{
    uint number = invocation_number();
    if (number >= min(head.fragment_pairs, fragment_pair_room))
        return;
    uvec2 raw = fragment_pairs[number], pair = uvec2(min(raw.x, raw.y), max(raw.x, raw.y));
    if (first_time(pair) && !(self && neighbours(pair)))
        add_candidate(0u, 0u, 0u, pair.x, pair.y, untested);
}
