#version 450
// SPDX-License-Identifier: MIT
// layers_plan.comp: which nodes walk next, through how many lists; where slices are to have lists, these are emptied. One work group.
#include "shared.h"

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_ANSWERS) buffer answers_buffer
{
    uint answers[];
};
layout(std430, binding = GRZ_BIND_LAYER_HEADS) writeonly buffer heads_buffer
{
    uint heads[];
};
layout(location = GRZ_AT_PLAN_STEPS) uniform uint steps;
layout(location = GRZ_AT_PLAN_ROOM) uniform uint node_room;
layout(location = GRZ_AT_PLAN_MOST) uniform uvec2 most;    // fragments, and pairs of them; with more, nothing walks on
layout(location = GRZ_AT_PLAN_PIXELS) uniform uint pixels; // 0: there is no room for more lists than one a pixel

void main()
{
    bool crowded = (steps & GRZ_PLAN_LISTS) != 0u && pixels != 0u && answers[GRZ_HEAD_NODES] / GRZ_LAYER_CROWD > pixels;
    for (uint list = gl_LocalInvocationIndex; crowded && list < pixels * GRZ_VOXEL_SLICES; list += GRZ_VOXEL_GROUP)
        heads[list] = 0u;
    if (gl_LocalInvocationIndex != 0u)
        return;
    uint count = min(answers[GRZ_HEAD_NODES], node_room);
    bool too_many = (steps & GRZ_PLAN_AGAIN) == 0u && answers[GRZ_HEAD_NODES] > most.x;
    if (answers[GRZ_HEAD_GIVEN_UP] != 0u || too_many || answers[GRZ_HEAD_RAW_PAIRS] > most.y) {
        answers[GRZ_HEAD_GIVEN_UP] = 1u;
        answers[GRZ_HEAD_WALK_FROM] = answers[GRZ_HEAD_WALK_TO];
        answers[GRZ_HEAD_WALK_GROUPS] = 0u;
        answers[GRZ_HEAD_RAW_GROUPS] = 0u;
        return;
    }
    if ((steps & GRZ_PLAN_ALL) != 0u)
        answers[GRZ_HEAD_WALK_TO] = count;
    if ((steps & GRZ_PLAN_AGAIN) != 0u) {
        answers[GRZ_HEAD_WALK_FROM] = answers[GRZ_HEAD_WALK_REST];
        answers[GRZ_HEAD_WALK_TO] = count;
    }
    if ((steps & GRZ_PLAN_REST) != 0u)
        answers[GRZ_HEAD_WALK_REST] = count;
    if ((steps & GRZ_PLAN_LISTS) != 0u) {
        answers[GRZ_HEAD_LISTS] = crowded ? GRZ_VOXEL_SLICES : 1u;
        answers[GRZ_HEAD_MARK_GROUPS] = count == 0u ? 0u : (answers[GRZ_HEAD_RECORDS] + GRZ_VOXEL_GROUP - 1u) / GRZ_VOXEL_GROUP;
    }
    uint walkers = answers[GRZ_HEAD_WALK_TO] - answers[GRZ_HEAD_WALK_FROM], groups = (walkers + GRZ_VOXEL_GROUP - 1u) / GRZ_VOXEL_GROUP;
    answers[GRZ_HEAD_WALK_GROUPS] = min(groups, GRZ_VOXEL_ROW);
    answers[GRZ_HEAD_WALK_GROUPS + 1] = (groups + GRZ_VOXEL_ROW - 1u) / GRZ_VOXEL_ROW;
}
