#version 450
// SPDX-License-Identifier: MIT
// self_unique.comp: as pairs_unique.comp, for a mesh with itself. Drops neighbours that provably touch in the corners
// that they share and nowhere else (docs/internals/layers.md).
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/pair_candidates.h"
#include "image/grid/fragments/shaders/pairs_seen.h"
#include "image/grid/shaders/determinants.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_LAYER_RAW) readonly buffer raw_buffer
{
    uvec2 fragment_pairs[];
};
layout(std430, binding = GRZ_BIND_VOXEL_UNITS) readonly buffer units_buffer
{
    vec4 units[];
};
layout(std430, binding = GRZ_BIND_LAYER_CORNERS) readonly buffer corners_buffer
{
    uint ids[]; // three for each triangle: corners with equal numbers are the same corner
};
layout(location = GRZ_AT_LAYER_RAW_ROOM) uniform uint fragment_pair_room;
layout(location = GRZ_AT_UNIQUE_TEST) uniform bool test;

const float edge_error = 2.25; // as in pairs_test.comp

uvec3 names_of(uint triangle)
{
    return uvec3(ids[3u * triangle], ids[3u * triangle + 1u], ids[3u * triangle + 2u]);
}

// The sign of n · v, or 0 if it is not certain. v is an edge with the error of one; n is exact.
int side_of(vec3 n, vec3 v)
{
    precise float value = (n.x * v.x + n.y * v.y) + n.z * v.z;
    precise float size = sum_of(abs(n) * abs(v)), wrong = edge_error * sum_of(n) * 1.0001 + size * 9.5367431640625e-7; // 2^-20
    return value > wrong ? 1 : (value < -wrong ? -1 : 0);
}

// Two triangles that share the edge u; v and w lead from its beginning to their third corners. True if the triangles
// touch nowhere else for certain: a plane through the edge has v and w on different sides, or the planes of the
// triangles differ.
bool meet_in_edge(vec3 u, vec3 v, vec3 w)
{
    precise vec3 n = across(u, v);
    int side_v = sign_of(u, v, n, edge_error, 0.0), side_w = sign_of(u, w, n, edge_error, 0.0);
    return side_v * side_w < 0 || sign_of(u, v, w, edge_error, edge_error) != 0;
}

// Two triangles that share a corner; a and b lead from it to their other corners. True if a plane through the corner
// has the triangles on different sides for certain.
bool meet_in_corner(vec3 a[2], vec3 b[2])
{
    vec3 middle_a = normalize(normalize(a[0]) + normalize(a[1])), middle_b = normalize(normalize(b[0]) + normalize(b[1]));
    precise vec3 n = middle_a - middle_b; // any vector is a valid normal, as long as all four tests use the same one
    if (side_of(n, a[0]) > 0 && side_of(n, a[1]) > 0 && side_of(n, b[0]) < 0 && side_of(n, b[1]) < 0)
        return true;
    int to_b = sign_of(a[0], a[1], b[0], edge_error, edge_error) * sign_of(a[0], a[1], b[1], edge_error, edge_error);
    int to_a = sign_of(b[0], b[1], a[0], edge_error, edge_error) * sign_of(b[0], b[1], a[1], edge_error, edge_error);
    return to_b > 0 || to_a > 0;
}

// True if two triangles share one or two corners and provably touch nowhere else.
bool only_neighbours(record_of_triangle a, record_of_triangle b, vec3 unit)
{
    uvec3 of_a = names_of(a.triangle), of_b = names_of(b.triangle);
    if (of_a.x == of_a.y || of_a.y == of_a.z || of_a.z == of_a.x || of_b.x == of_b.y || of_b.y == of_b.z || of_b.z == of_b.x)
        return false;
    int i = -1, j = -1, count = 0; // i, j: the last shared corner of either triangle; free_a, free_b: the last one that is not shared
    int free_a = 0, free_b = 0;
    for (int k = 0; k < 3; k++) {
        bool shared_a = of_a[k] == of_b.x || of_a[k] == of_b.y || of_a[k] == of_b.z;
        bool shared_b = of_b[k] == of_a.x || of_b[k] == of_a.y || of_b[k] == of_a.z;
        count += shared_a ? 1 : 0;
        i = shared_a ? k : i;
        free_a = shared_a ? free_a : k;
        free_b = shared_b ? free_b : k;
    }
    if (count != 1 && count != 2)
        return false;
    j = of_b.x == of_a[i] ? 0 : (of_b.y == of_a[i] ? 1 : 2);
    precise vec3 from_a[2], from_b[2];
    for (int k = 0; k < 2; k++) {
        from_a[k] = (a.corners[(i + 1 + k) % 3] - a.corners[i]) * unit;
        from_b[k] = (b.corners[(j + 1 + k) % 3] - b.corners[j]) * unit;
    }
    if (count == 1)
        return meet_in_corner(from_a, from_b);
    bool second = free_a == (i + 2) % 3; // the edge is from_a[0]
    return meet_in_edge(second ? from_a[0] : from_a[1], second ? from_a[1] : from_a[0], free_b == (j + 1) % 3 ? from_b[0] : from_b[1]);
}

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
    if (!boxes_meet(a, b) || only_neighbours(a, b, units[0].xyz))
        return;
    if (test)
        add_pair(0u, a.triangle < b.triangle ? pair.x : pair.y, a.triangle < b.triangle ? pair.y : pair.x);
    else
        add_candidate(0u, 0u, 0u, min(a.triangle, b.triangle), max(a.triangle, b.triangle), false);
}
