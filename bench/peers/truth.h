// SPDX-License-Identifier: MIT
// The exact answers: Graze's own, by method `bvh` on one thread. A sample of them is checked with `naive`, and CGAL's
// answers are compared with them like all others (docs/reference/performance.md).
#ifndef GRZ_BENCH_PEERS_TRUTH_H
#define GRZ_BENCH_PEERS_TRUTH_H

#include "peer.h"

// Two meshes to be asked about.
typedef struct truth_pair truth_pair;

truth_pair *truth_open(const peer_mesh *a, const peer_mesh *b);
void truth_close(truth_pair *truth);

bool truth_touches(truth_pair *truth, const peer_pose *pose_a, const peer_pose *pose_b);

// Append every touching pair of triangles, sorted by (a, b). `method`: "bvh", or "naive" to ask without any tree.
void truth_pairs(truth_pair *truth, const peer_pose *pose_a, const peer_pose *pose_b, const char *method,
                 peer_pairs *out);

// The distance of the two meshes; `method` as above.
double truth_distance(truth_pair *truth, const peer_pose *pose_a, const peer_pose *pose_b, const char *method);

// How far points are from a mesh at the origin.
void truth_point_distances(const peer_mesh *mesh, const double (*points)[3], uint32_t count, double *distances);

// How far from the truth a distance from a mesh may be before it is wrong: a millionth of the mesh's size, in world
// units, some ten roundings of its coordinates to floats.
double distance_tolerance(const peer_mesh *mesh);

// Append every pair of triangles of one mesh that collide by Graze's definition, neighbours included
// (docs/reference/numbers.md).
void truth_self(const peer_mesh *mesh, peer_pairs *out);

// Sort, and remove duplicates.
void pairs_sort(peer_pairs *pairs);

// Pairs within one set: put the lower number first, then sort.
void pairs_order(peer_pairs *pairs);

// Of two sorted lists: how many of the first are not in the second.
size_t pairs_lacking(const peer_pair *first, size_t first_count, const peer_pair *second, size_t second_count);

// Whether two triangles of a mesh have a vertex in common, by index.
bool pairs_share_vertex(const peer_mesh *mesh, peer_pair pair);

// Keep the pairs without a common vertex.
void pairs_drop_neighbours(const peer_mesh *mesh, peer_pairs *pairs);

#endif
