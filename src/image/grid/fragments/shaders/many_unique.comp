#version 450
// SPDX-License-Identifier: MIT
// many_unique.comp: as pairs_unique.comp, for many objects in one grid. The triangle of the object with the lower
// number comes first.
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
layout(location = GRZ_AT_UNIQUE_TEST) uniform bool test;

void main()
{
    uint number = invocation_number();
    if (number >= min(head.fragment_pairs, fragment_pair_room))
        return;
    uvec2 raw = fragment_pairs[number];
    bool once = (raw.y & GRZ_RAW_ONCE) != 0u;
    raw.y &= ~GRZ_RAW_ONCE;
    uvec2 pair = uvec2(min(raw.x, raw.y), max(raw.x, raw.y));
    if (!once && !first_time(pair))
        return;
    record_of_triangle a = load_record(pair.x), b = load_record(pair.y);
    if (!boxes_meet(a, b))
        return;
    bool lower = a.object < b.object;
    if (test)
        add_pair(0u, lower ? pair.x : pair.y, lower ? pair.y : pair.x);
    else
        add_candidate(0u, min(a.object, b.object), max(a.object, b.object), lower ? a.triangle : b.triangle,
                      lower ? b.triangle : a.triangle, false);
}
