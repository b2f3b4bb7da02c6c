#version 450
// SPDX-License-Identifier: MIT
// pairs_test.comp: one pair of triangles an invocation. Signs of fifteen determinants say whether they are apart, or cross; what floats may be
// wrong about is left to the predicates. Corners are in units of what the two are wrong by together, so that an edge is wrong by less
// than 2 and a quarter, a difference between the two triangles by less than 1 and a quarter (docs/slices.md).
#include "shared.h"
#include "voxel_records.h"
#include "pair_candidates.h"
#include "determinants.h"

layout(local_size_x = GRZ_VOXEL_GROUP) in;
layout(std430, binding = GRZ_BIND_VOXEL_UNITS) readonly buffer units_buffer
{
    vec4 units[]; // of jobs: cells · unit are wrong by 1 at most, both objects together; powers of two
};
layout(location = GRZ_AT_PAIRS_LIST) uniform bool list;           // false: one proved pair is enough for a job

const float edge_error = 2.25, between_error = 1.25;

// The sign of det(u, v, w), 0 where it is not known: u and v are edges, w lies between the triangles.
int sign_of(vec3 u, vec3 v, vec3 w)
{
    return sign_of(u, v, w, edge_error, between_error);
}

// Whether the line of an edge passes a triangle: 1 on one side of an edge for sure, -1 through it for sure, 0 not known.
int passes(int a, int b, int c)
{
    if (min(a, min(b, c)) < 0 && max(a, max(b, c)) > 0)
        return 1;
    return a != 0 && a == b && b == c ? -1 : 0;
}

// Of an edge: 1 it misses the triangle, -1 it goes through it, 0 not known. from, to: the sides of the triangle's plane that its ends are on.
int edge_verdict(int from, int to, int passing)
{
    if (passing > 0 || (from != 0 && from == to))
        return 1;
    return passing < 0 && from * to < 0 ? -1 : 0;
}

// 1: apart, -1: they cross, 0: not known.
int verdict(vec3 a[3], vec3 b[3])
{
    precise vec3 e[3], f[3];
    e[0] = a[1] - a[0], e[1] = a[2] - a[1], e[2] = a[0] - a[2];
    f[0] = b[1] - b[0], f[1] = b[2] - b[1], f[2] = b[0] - b[2];
    precise vec3 between[9];
    for (int i = 0; i < 9; i++)
        between[i] = b[i % 3] - a[i / 3];
    ivec3 side_b, side_a; // of the corners, against the other's plane
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
    uint number = gl_GlobalInvocationID.x;
    if (number >= min(answers[GRZ_HEAD_PAIRS], pair_room))
        return;
    uvec2 pair = pairs[number];
    record_of_triangle a = load_record(pair.x), b = load_record(pair.y);
    uint job = a.job, at = job_answer(job);
    if (!list && answers[at + GRZ_JOB_PROVED] != 0u)
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
        // One of job and object is 0.
        add_candidate(job, job + a.object, b.object, a.triangle, b.triangle, found < 0);
    } else if (atomicCompSwap(answers[at + GRZ_JOB_PROVED], 0u, 1u) == 0u) {
        answers[at + GRZ_JOB_PAIR] = a.triangle;
        answers[at + GRZ_JOB_PAIR + 1u] = b.triangle;
    }
}
