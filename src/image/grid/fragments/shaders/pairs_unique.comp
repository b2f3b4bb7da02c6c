#version 450
// SPDX-License-Identifier: MIT
// pairs_unique.comp: from pairs of fragments of two objects to pairs of triangles, one pair of fragments an
// invocation. Keeps pairs that were not met before and whose boxes overlap. In: fragment_pairs[]. Out: pairs[], or
// candidates.
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/pair_candidates.h"
#include "image/grid/fragments/shaders/pairs_seen.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_RAW) readonly buffer raw_buffer
{
    uvec2 fragment_pairs[];
};
layout(location = GRZ_AT_LAYER_RAW_ROOM) uniform uint fragment_pair_room;
layout(location = GRZ_AT_UNIQUE_TEST) uniform bool test; // true: pairs_test.comp tries the pairs next; false: they are candidates

void main()
{
    uint number = invocation_number();
    if (number >= min(head.fragment_pairs, fragment_pair_room))
        return;
    uvec2 pair = fragment_pairs[number];
    if (!first_time(pair))
        return;
    record_of_triangle a = load_record(pair.x), b = load_record(pair.y);
    if (!boxes_meet(a, b))
        return;
    if (test)
        add_pair(a.job, pair.x, pair.y);
    else
        add_candidate(a.job, a.job, 0u, a.triangle, b.triangle, false);
}
