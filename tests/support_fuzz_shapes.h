// SPDX-License-Identifier: MIT
// Meshes, poses and new positions from a fuzzer's bytes: a small program that places boxes, tetrahedra, sheets, polygons and
// triangles on a raster of small integers, takes vertices up again exactly, an ulp beside, or between two others, and damages what
// it has made. So closed meshes, exact coincidences, polygons that cross themselves and extreme exponents are all a few bytes away.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_SHAPES_H
#define GRZ_TESTS_SUPPORT_FUZZ_SHAPES_H

#include "fuzz_input.h"
#include "support_meshes.h"

enum {
    FUZZ_MOST_TRIANGLES = 26
};

// A place: on the raster, at, beside or between vertices of `mesh` or `other` (may be NULL), or extreme. Finite, up to 2^300.
void fuzz_point(fuzz_input *in, const test_mesh *mesh, const test_mesh *other, double point[3]);

// A mesh of 1 to FUZZ_MOST_TRIANGLES triangles that the library accepts. `other` may be NULL.
test_mesh fuzz_mesh(fuzz_input *in, const test_mesh *other);

// The same with a limit of its own, at least 6.
test_mesh fuzz_mesh_up_to(fuzz_input *in, const test_mesh *other, uint64_t most);

// Identity, steps on the raster, turns and mirrors, rotations, singular and extreme matrices; always finite, but it may carry a
// mesh past 2^300.
grz_pose fuzz_pose(fuzz_input *in);

// New positions for a mesh's vertices, some of them moved. Free them.
double *fuzz_moved(fuzz_input *in, const test_mesh *mesh, const test_mesh *other);

// The position as docs/numbers.md defines it, computed a second time. Free it: vertex_count × 3.
double *fuzz_world(const double *positions, uint64_t vertex_count, const grz_pose *pose);

#endif
