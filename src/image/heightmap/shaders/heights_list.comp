#version 450
// SPDX-License-Identifier: MIT
// heights_list.comp: list the pixels that hit. There is room for all: heights_compare.comp has counted them. In: the
// maps, ids, normals. Out: contacts[].
#include "image/heightmap/shaders/heightmap_bindings.h"
#include "gpu/shaders/group_number.h"
#include "image/heightmap/shaders/heights.h"

layout(binding = GRZ_UNIT_IDS) uniform usampler2D ids;
layout(binding = GRZ_UNIT_NORMALS) uniform sampler2D normals;
layout(std430, binding = GRZ_BIND_HEIGHT_CONTACTS) buffer contacts_buffer
{
    uint contacts[]; // GRZ_CONTACT_HEAD, then GRZ_CONTACT_WORDS for each
};
layout(location = GRZ_AT_HEIGHT_RECORD) uniform uint record; // 1: there are ids, 2: there are normals

void main()
{
    uint view;
    uvec2 pixel = pixel_of_group(view);
    ivec2 at = ivec2(pixel.x, pixel.y + view * side);
    float front, depth;
    if (any(greaterThanEqual(pixel, uvec2(side))) || !hits(at, front, depth))
        return;
    uvec2 id = (record & 1u) != 0u ? texelFetch(ids, at, 0).xy : uvec2(0xffffffffu, 0u);
    vec3 normal = (record & 2u) != 0u ? texelFetch(normals, at, 0).xyz : vec3(0.0);
    uint word = GRZ_CONTACT_HEAD + GRZ_CONTACT_WORDS * atomicAdd(contacts[0], 1u);
    contacts[word] = pixel.x;
    contacts[word + 1u] = pixel.y;
    contacts[word + 2u] = view;
    contacts[word + 4u] = floatBitsToUint(depth);
    contacts[word + 5u] = floatBitsToUint(front);
    contacts[word + 6u] = id.x;
    contacts[word + 7u] = id.y;
    contacts[word + 8u] = floatBitsToUint(normal.x);
    contacts[word + 9u] = floatBitsToUint(normal.y);
    contacts[word + 10u] = floatBitsToUint(normal.z);
}
