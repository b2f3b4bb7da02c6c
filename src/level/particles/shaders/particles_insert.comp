#version 450
// SPDX-License-Identifier: MIT
// particles_insert.comp: take one layer of a view's surfaces into the lists of its pixels, sorted by depth; after the
// last layer, find out what is solid. In: depth, normal, id of the layer. Out: surfaces[], ids[].
#include "level/particles/shaders/particles_bindings.h"
#include "gpu/shaders/group_number.h"
#include "level/particles/shaders/step_plan.h"

layout(local_size_x = GRZ_PARTICLE_TILE, local_size_y = GRZ_PARTICLE_TILE) in;
layout(binding = GRZ_UNIT_PARTICLE_DEPTH) uniform sampler2D depths; // 1: nothing
layout(binding = GRZ_UNIT_PARTICLE_NORMALS) uniform sampler2D normals;
layout(binding = GRZ_UNIT_PARTICLE_ID) uniform usampler2D recorded;
layout(location = GRZ_AT_PARTICLE_VIEW) uniform uint view;
layout(location = GRZ_AT_PARTICLE_LAYER) uniform uint layer;
layout(std430, binding = GRZ_BIND_PARTICLE_SURFACES) buffer surfaces_buffer
{
    vec4 surfaces[];
};
layout(std430, binding = GRZ_BIND_PARTICLE_IDS) buffer ids_buffer
{
    uvec2 ids[];
};

const float FACES_EYE = 1.0, SHOWS_BACK = -1.0;

// How much the depth of the surface grows from a column to the next, and from a row to the next; and its side.
vec3 slopes_of(vec3 normal)
{
    float size = max(abs(normal.x), max(abs(normal.y), abs(normal.z)));
    if (!(size > 0.0) || isinf(size))
        return vec3(0.0, 0.0, FACES_EYE);
    normal /= size;
    vec3 n = vec3(dot(normal, views[view].right.xyz), dot(normal, views[view].up.xyz),
                  dot(normal, views[view].forwards.xyz));
    float across = length(n.xy), away = max(abs(n.z), across / GRZ_STEEPEST);
    if (!(away > 0.0))
        return vec3(0.0, 0.0, FACES_EYE);
    float side = n.z > 0.0 ? SHOWS_BACK : FACES_EYE;
    return vec3(side * n.xy / away * pixel[view], side);
}

// At equal depth fronts come first, so that bodies that touch are one, without a gap.
bool comes_before(vec4 one, vec4 other)
{
    return one.x < other.x || (one.x == other.x && one.w >= other.w);
}

void insert(uint first, uint count, vec4 entry, uvec2 id)
{
    uint at = count;
    while (at > 0u && !comes_before(surfaces[first + at - 1u], entry)) {
        surfaces[first + at] = surfaces[first + at - 1u];
        if (record != 0u)
            ids[first + at] = ids[first + at - 1u];
        at--;
    }
    surfaces[first + at] = entry;
    if (record != 0u)
        ids[first + at] = id;
}

void move(uint first, uint from, inout uint kept, float kind)
{
    vec4 entry = surfaces[first + from];
    entry.w = kind;
    surfaces[first + kept] = entry;
    if (record != 0u)
        ids[first + kept] = ids[first + from];
    kept++;
}

// What is solid: from a surface that faces the eye to the one that closes it, where surfaces in between open and close
// as well.
void close(uint first, uint count)
{
    uint kept = 0u, depth = 0u, opened = 0u;
    for (uint i = 0u; i < count; i++) {
        bool faces_eye = surfaces[first + i].w == FACES_EYE;
        if (sheets != 0u || (!faces_eye && depth == 0u)) {
            move(first, i, kept, faces_eye ? GRZ_ENTRY_FRONT : GRZ_ENTRY_BACK);
        } else if (faces_eye) {
            if (depth == 0u) {
                opened = kept;
                move(first, i, kept, GRZ_ENTRY_FRONT); // until it is closed
            }
            depth++;
        } else {
            depth--;
            if (depth == 0u) {
                surfaces[first + opened].w = GRZ_ENTRY_OPENS;
                move(first, i, kept, GRZ_ENTRY_CLOSES);
            }
        }
    }
    if (kept < layers)
        surfaces[first + kept].w = GRZ_ENTRY_NONE;
}

void main()
{
    uint tiles = (resolution + uint(GRZ_PARTICLE_TILE) - 1u) / uint(GRZ_PARTICLE_TILE), group = group_number();
    uvec2 at = uvec2(group % tiles, group / tiles) * uint(GRZ_PARTICLE_TILE) + gl_LocalInvocationID.xy;
    if (any(greaterThanEqual(at, uvec2(resolution))))
        return;
    uint first = ((view * resolution + at.y) * resolution + at.x) * layers, count = 0u;
    while (count < layer && surfaces[first + count].w != 0.0)
        count++;
    float depth = texelFetch(depths, ivec2(at), 0).x;
    if (depth < 1.0 && count == layer) { // there is one exactly if there was one in the layer before
        vec3 slopes = slopes_of(texelFetch(normals, ivec2(at), 0).xyz);
        uvec2 id = record != 0u ? texelFetch(recorded, ivec2(at), 0).xy : uvec2(0u);
        insert(first, count, vec4(depth * views[view].forwards.w, slopes), id);
        count++;
    }
    if (count < layers)
        surfaces[first + count].w = 0.0;
    if (layer + 1u == layers)
        close(first, count);
}
