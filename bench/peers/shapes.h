// SPDX-License-Identifier: MIT
// The benchmark's meshes: read from data/ or generated from a fixed seed, so that anyone gets the same ones. Every
// coordinate is a float.
#ifndef GRZ_BENCH_PEERS_SHAPES_H
#define GRZ_BENCH_PEERS_SHAPES_H

#include "peer.h"

// Numbers from a fixed seed: splitmix64.
typedef struct shape_random {
    uint64_t state;
} shape_random;

uint64_t shape_random_bits(shape_random *random);
double shape_random_in(shape_random *random, double low, double high);

// Read a file by the tool's readers; polygons become fans.
peer_mesh shape_read(const char *path);

// A sphere of six grids of n × n squares (12·n² triangles), radius about 1, made bumpy by smooth noise.
peer_mesh shape_blob(uint32_t n, double bump, uint64_t seed);

// A box from 0 to 1 of six grids of n × n squares (12·n² triangles); the grids share no vertices.
peer_mesh shape_box(uint32_t n);

// A gear: `teeth` teeth of height 0.12 round a hole of radius 0.3, radius 1, from z = 0 to 1. Its flat sides have
// `rings` rings of squares.
peer_mesh shape_gear(uint32_t teeth, uint32_t rings);

// Where a tube's middle line runs, for t in [0, 1).
typedef void shape_line(double t, double point[3]);

// A bumpy tube of `along` × `around` squares round a closed line, radius `radius`.
peer_mesh shape_tube(shape_line *line, uint32_t along, uint32_t around, double radius, double bump, uint64_t seed);

void shape_circle(double t, double point[3]);  // radius 1
void shape_winding(double t, double point[3]); // a closed line that winds in space, about 2 across
void shape_knot(double t,
                double point[3]); // a trefoil, about 6 across; where strands pass each other they are 1.21 apart

// A link of a chain: two straight pieces, 1.7 long and 2.3 apart, joined by half circles. Lies in the plane z = 0.
void shape_link(double t, double point[3]);

// The unit vector along a line.
void shape_tangent(shape_line *line, double t, double tangent[3]);

// A square sheet of n × n squares over [-1, 1]², flat, and its height at a time. `positions` are those of the sheet.
peer_mesh shape_sheet(uint32_t n);
void shape_wave(const peer_mesh *sheet, double time, double (*positions)[3]);

// Raise a sheet into `waves` waves of `height` along an axis, 0 or 1.
void shape_corrugate(peer_mesh *sheet, int axis, uint32_t waves, double height);

void shape_scale(peer_mesh *mesh, double factor);
peer_box shape_bounds(const peer_mesh *mesh);
double shape_diagonal(const peer_mesh *mesh);
void shape_free(peer_mesh *mesh);

#endif
