// SPDX-License-Identifier: MIT
// The maps that are compared, and when a pixel hits. Depth is 0 at the rear. Needs group_number.h.

layout(local_size_x = GRZ_HEIGHT_TILE, local_size_y = GRZ_HEIGHT_TILE) in;
layout(binding = GRZ_UNIT_OBJECT_MAP) uniform sampler2D object_map;           // 0: no object
layout(binding = GRZ_UNIT_ENVIRONMENT_MAP) uniform sampler2D environment_map; // 1: nothing
layout(std430, binding = GRZ_BIND_HEIGHT_FOUND) buffer found_buffer
{
    uint found[]; // GRZ_FOUND_WORDS for each view
};
layout(location = GRZ_AT_HEIGHT_SIDE) uniform uint side;       // pixels a side of a view
layout(location = GRZ_AT_HEIGHT_VIEW) uniform uint first_view; // of the first work group
layout(location = GRZ_AT_HEIGHT_BOUNDED) uniform
    bool bounded; // the environment must also be in front of the object's rear

// The pixel of this invocation, and its view.
uvec2 pixel_of_group(out uint view)
{
    uint tiles = (side + uint(GRZ_HEIGHT_TILE) - 1u) / uint(GRZ_HEIGHT_TILE), group = group_number();
    view = first_view + group / (tiles * tiles);
    return uvec2(group % tiles, group / tiles % tiles) * uint(GRZ_HEIGHT_TILE) + gl_LocalInvocationID.xy;
}

// True if the environment is in front of the rear and behind the object's front. `front` is 0 where there is no object.
bool hits(ivec2 at, out float front, out float depth)
{
    front = texelFetch(object_map, at, 0).x;
    depth = texelFetch(environment_map, at, 0).x;
    if (!(depth < front))
        return false;
    return !bounded || depth > texelFetch(object_map, ivec2(at.x, at.y + int(side)), 0).x;
}
