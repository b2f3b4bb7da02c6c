// SPDX-License-Identifier: MIT
// The poses of the two meshes of each query, drawn from fixed seeds, with the exact yes or no.
#ifndef GRZ_BENCH_PEERS_POSES_H
#define GRZ_BENCH_PEERS_POSES_H

#include "shapes.h"
#include "truth.h"

// One query: the poses of A and B, and whether they touch.
typedef struct posed_query {
    peer_pose a, b;
    bool touch;
} posed_query;

typedef struct pose_set {
    posed_query *items;
    uint32_t count;
} pose_set;

// Two meshes, and the exact answers for them.
typedef struct pose_meshes {
    const peer_mesh *a, *b;
    truth_pair *truth;
} pose_meshes;

// Random rotations of both, B where the boxes round the turned boxes overlap; `share` of the queries touch.
pose_set poses_random(const pose_meshes *meshes, uint32_t count, double share, uint64_t seed);

// Random rotations of both; B brought up to A from a random side until they touch, then taken back by `gap`. None
// touches.
pose_set poses_near(const pose_meshes *meshes, uint32_t count, double gap, uint64_t seed);

// B carried once along a closed line, tumbling and swaying by `sway`; A stays.
pose_set poses_along(const pose_meshes *meshes, shape_line *line, uint32_t count, double sway);

// B carried once along the closed middle line of A, a tube: B's z axis stays along the line, and B spins about it and
// sways by `sway` across it.
pose_set poses_through(const pose_meshes *meshes, shape_line *line, uint32_t count, double sway);

// A and B are tubes round one line, which is closed and lies in the plane z = 0. B turned at random and put where the
// two lines are linked, as in a chain; then both turned at random. `share` of the queries touch; where none do, the
// tubes are linked like their lines.
pose_set poses_linked(const pose_meshes *meshes, shape_line *line, uint32_t count, double share, uint64_t seed);

// Both turned at random, by the same turn, and B moved by up to `reach` along each axis.
pose_set poses_shifted(const pose_meshes *meshes, uint32_t count, double reach, uint64_t seed);

// Two gears side by side in one plane, their axes along z and `distance` apart, turned by small steps: the flat sides
// of both lie in the same planes.
pose_set poses_meshing(const pose_meshes *meshes, uint32_t count, double distance);

// B upon A, which is a box from 0 to 1: B's lower side lies in the plane of A's upper one, moved along it at random.
pose_set poses_stacked(const pose_meshes *meshes, uint32_t count, uint64_t seed);

// B turned at random, its origin at most `reach` from A's along each axis. None touches.
pose_set poses_inside(const pose_meshes *meshes, uint32_t count, double reach, uint64_t seed);

void poses_free(pose_set *set);

#endif
