// SPDX-License-Identifier: MIT
// Meshes, poses and new positions from a fuzzer's bytes. The bytes are a small program: it places boxes, tetrahedra,
// sheets, polygons and triangles on a grid of small integers; reuses vertices exactly, shifted by one ulp, or as
// midpoints; and damages the result. A few bytes are therefore enough for closed meshes, exact coincidences, polygons
// that cross themselves and extreme exponents.
#ifndef GRZ_TESTS_SUPPORT_FUZZ_SHAPES_H
#define GRZ_TESTS_SUPPORT_FUZZ_SHAPES_H

#include "fuzz_input.h"
#include "support_meshes.h"

enum {
    FUZZ_MOST_TRIANGLES = 26
};

// A point: on the grid, at, next to or between vertices of `mesh` or `other` (may be NULL), or an extreme one. Finite,
// up to 2^300.
void fuzz_point(fuzz_input *in, const test_mesh *mesh, const test_mesh *other, double point[3]);

// A mesh of 1 to FUZZ_MOST_TRIANGLES triangles that the library accepts. `other` may be NULL.
test_mesh fuzz_mesh(fuzz_input *in, const test_mesh *other);

// The same with at most `most` triangles; `most` is at least 6.
test_mesh fuzz_mesh_up_to(fuzz_input *in, const test_mesh *other, uint64_t most);

// A pose: identity, integer translations, quarter turns and mirrors, rotations, singular and extreme matrices. Always
// finite, but it may move a mesh beyond 2^300.
grz_pose fuzz_pose(fuzz_input *in);

// New positions for a mesh's vertices, some of them moved. The caller frees them.
double *fuzz_moved(fuzz_input *in, const test_mesh *mesh, const test_mesh *other);

// The world positions as docs/reference/numbers.md defines them, by a second implementation: vertex_count × 3. The
// caller frees them.
double *fuzz_world(const double *positions, uint64_t vertex_count, const grz_pose *pose);

// The mesh as it lies in the world, borrowing all but its positions, which the caller frees. If some of them are beyond
// what a mesh may hold, they are the mesh's own.
test_mesh fuzz_in_world(const test_mesh *mesh, const grz_pose *pose);

// Make a mesh very large or very small, where `kind` says so: from raster points down to subnormal numbers, and up to
// the limit. What would be beyond it stays. Returns by what the others were multiplied.
double fuzz_scale(test_mesh *mesh, uint8_t kind);

#endif
