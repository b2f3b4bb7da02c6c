#version 450
// SPDX-License-Identifier: MIT
// layers_plan.comp: choose which fragments walk next and set the work groups of that dispatch; decide whether each
// slice of a pixel gets a list, and empty these lists. Gives the grid up if there are too many fragments, or pairs of
// them. One work group.
#include "image/grid/shaders/grid_bindings.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_ANSWERS) buffer answers_buffer
{
    grz_answer_head head;
};
layout(std430, binding = GRZ_BIND_LAYER_HEADS) writeonly buffer heads_buffer
{
    uint heads[];
};
layout(location = GRZ_AT_PLAN_STEPS) uniform uint steps;
layout(location = GRZ_AT_PLAN_ROOM) uniform uint node_room;
layout(location = GRZ_AT_PLAN_MOST) uniform uvec2 most;    // fragments, and pairs of them: with more, the grid is given up
layout(location = GRZ_AT_PLAN_PIXELS) uniform uint pixels; // 0: slices can have no lists

void main()
{
    bool crowded = (steps & GRZ_PLAN_LISTS) != 0u && pixels != 0u && head.nodes / GRZ_LAYER_CROWD > pixels;
    for (uint list = gl_LocalInvocationIndex; crowded && list < pixels * GRZ_VOXEL_SLICES; list += GRZ_DISPATCH_GROUP)
        heads[list] = 0u;
    if (gl_LocalInvocationIndex != 0u)
        return;
    uint count = min(head.nodes, node_room);
    bool too_many = (steps & GRZ_PLAN_AGAIN) == 0u && head.nodes > most.x;
    if (head.given_up != 0u || too_many || head.fragment_pairs > most.y) {
        head.given_up = 1u;
        head.walk_from = head.walk_to;
        head.walk_groups.x = 0u;
        head.raw_groups.x = 0u;
        return;
    }
    if ((steps & GRZ_PLAN_ALL) != 0u)
        head.walk_to = count;
    if ((steps & GRZ_PLAN_AGAIN) != 0u) {
        head.walk_from = head.walk_rest;
        head.walk_to = count;
    }
    if ((steps & GRZ_PLAN_REST) != 0u)
        head.walk_rest = count;
    if ((steps & GRZ_PLAN_LISTS) != 0u) {
        head.lists = crowded ? GRZ_VOXEL_SLICES : 1u;
        head.mark_groups.x = count == 0u ? 0u : (head.records[0] + GRZ_DISPATCH_GROUP - 1u) / GRZ_DISPATCH_GROUP;
    }
    uint walkers = head.walk_to - head.walk_from, groups = (walkers + GRZ_DISPATCH_GROUP - 1u) / GRZ_DISPATCH_GROUP;
    head.walk_groups.x = min(groups, GRZ_DISPATCH_ROW);
    head.walk_groups.y = (groups + GRZ_DISPATCH_ROW - 1u) / GRZ_DISPATCH_ROW;
}
