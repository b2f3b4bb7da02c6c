#version 450
// SPDX-License-Identifier: MIT
// pairs_test.comp: try pairs of triangles by the signs of fifteen determinants, one pair an invocation. Pairs that are
// apart for certain are dropped, pairs that cross for certain are proved, all others are candidates for the
// predicates. Corners are scaled so that the errors of both triangles together are at most 1: an edge is then wrong by
// less than 2.25, and a difference between the two triangles by less than 1.25 (docs/internals/slices.md). In:
// pairs[], records[]. Out: candidates, answers[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/pair_candidates.h"
#include "image/grid/shaders/determinants.h"

layout(local_size_x = GRZ_DISPATCH_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_UNITS) readonly buffer units_buffer
{
    vec4 units[]; // of each job, powers of two: cells · unit are wrong by at most 1, summed over both objects
};
layout(location = GRZ_AT_PAIRS_LIST) uniform bool list;           // false: one proved pair is enough for a job

const float edge_error = 2.25, between_error = 1.25;

// The sign of det(u, v, w), or 0 if it is not certain. u and v are edges, w leads from one triangle to the other.
int sign_of(vec3 u, vec3 v, vec3 w)
{
    return sign_of(u, v, w, edge_error, between_error);
}

// Where the line of an edge passes the other triangle, from its sides of that triangle's edges: 1 beside it, -1
// through it, 0 not certain.
int passes(int a, int b, int c)
{
    if (min(a, min(b, c)) < 0 && max(a, max(b, c)) > 0)
        return 1;
    return a != 0 && a == b && b == c ? -1 : 0;
}

// Whether an edge meets the other triangle: 1 no, -1 it goes through, 0 not certain. `from` and `to` are the sides of
// that triangle's plane on which its ends lie.
int edge_verdict(int from, int to, int passing)
{
    if (passing > 0 || (from != 0 && from == to))
        return 1;
    return passing < 0 && from * to < 0 ? -1 : 0;
}

// 1: apart, -1: crossing, 0: not certain.
int verdict(vec3 a[3], vec3 b[3])
{
    precise vec3 e[3], f[3];
    e[0] = a[1] - a[0], e[1] = a[2] - a[1], e[2] = a[0] - a[2];
    f[0] = b[1] - b[0], f[1] = b[2] - b[1], f[2] = b[0] - b[2];
    precise vec3 between[9];
    for (int i = 0; i < 9; i++)
        between[i] = b[i % 3] - a[i / 3];
    ivec3 side_b, side_a; // the sides of the other triangle's plane on which the corners lie
    for (int i = 0; i < 3; i++) {
        side_b[i] = sign_of(e[0], e[1], between[i]);
        side_a[i] = sign_of(f[0], f[1], between[3 * i]);
    }
    if ((side_b.x != 0 && side_b == side_b.yzx) || (side_a.x != 0 && side_a == side_a.yzx))
        return 1;
    int s[9];
    for (int i = 0; i < 9; i++)
        s[i] = sign_of(e[i / 3], f[i % 3], between[i]);
    bool apart = true, cross = false;
    for (int i = 0; i < 3; i++) {
        int mine = edge_verdict(side_a[i], side_a[(i + 1) % 3], passes(s[3 * i], s[3 * i + 1], s[3 * i + 2]));
        int other = edge_verdict(side_b[i], side_b[(i + 1) % 3], passes(s[i], s[3 + i], s[6 + i]));
        apart = apart && mine > 0 && other > 0;
        cross = cross || mine < 0 || other < 0;
    }
    return cross ? -1 : (apart ? 1 : 0);
}

void main()
{
    uint number = invocation_number();
    if (number >= min(head.pairs, pair_room))
        return;
    uvec2 pair = pairs[number];
    record_of_triangle a = load_record(pair.x), b = load_record(pair.y);
    uint job = a.job, answer = job_answer(job);
    if (!list && answers[answer + GRZ_JOB_PROVED] != 0u)
        return;
    vec3 unit = units[job].xyz;
    for (int i = 0; i < 3; i++) {
        a.corners[i] *= unit;
        b.corners[i] *= unit;
    }
    int found = verdict(a.corners, b.corners);
    if (found > 0)
        return;
    if (list || found == 0) {
        // The job is 0 where objects share a grid, and the object is 0 elsewhere: the sum is the one that counts.
        add_candidate(job, job + a.object, b.object, a.triangle, b.triangle, found < 0);
    } else if (atomicCompSwap(answers[answer + GRZ_JOB_PROVED], 0u, 1u) == 0u) {
        answers[answer + GRZ_JOB_PAIR] = a.triangle;
        answers[answer + GRZ_JOB_PAIR + 1u] = b.triangle;
    }
}
