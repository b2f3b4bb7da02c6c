// SPDX-License-Identifier: MIT
// Surfaces to be inside of: solids of cells, surfaces that run through themselves or twice round, one-sided ones; and what can be
// done to a surface of triangles that leaves it closed or does not.
#ifndef GRZ_TESTS_SUPPORT_SOLIDS_H
#define GRZ_TESTS_SUPPORT_SOLIDS_H

#include "support_meshes.h"

enum {
    SOLID_CELLS = 5,    // along each axis
    SOLID_CELL_SIZE = 4 // a cube from the origin, so many units a cell
};

typedef struct solid_cells {
    bool full[SOLID_CELLS][SOLID_CELLS][SOLID_CELLS];
} solid_cells;

// Each cell is full with a chance of `sevenths` in 7; the middle one is full.
solid_cells solid_random(random_stream *random, uint32_t sevenths);
bool solid_is_full(const solid_cells *s, int x, int y, int z);
// The surface between full and empty cells, wound outwards, two triangles or a quad a wall; every wall has vertices of its own.
test_mesh solid_surface(const solid_cells *s, bool quads);

// Closed, wound outwards, about the z axis: a tube whose wall turns twice round its middle before it meets itself, so that it winds
// twice round its core. 2·around·across triangles; `radius` to the middle, the wall between 0.7 and 1.3 from it.
test_mesh test_mesh_double_tube(double radius, uint32_t around, uint32_t across);
// A Klein bottle: closed, and cannot be wound consistently. Its cross-section is a figure of eight, so there is an inside by the
// even-odd rule. 2·around·across triangles, about the z axis, 2.5 from the axis to the middle.
test_mesh test_mesh_klein_bottle(uint32_t around, uint32_t across);
// So many cubes about the origin, one in the other, the outermost 2·count wide; those whose bit in `reversed` is set are turned
// over.
test_mesh test_mesh_shells(uint32_t count, uint32_t reversed);
// An icosphere whose vertices lie at up to (1 ± share) times their distance; with `crumple`, each coordinate by a factor of its
// own.
test_mesh test_mesh_rough_sphere(random_stream *random, uint32_t subdivisions, double share, bool crumple);

// Of surfaces of triangles. A face is left out.
void test_mesh_drop_face(test_mesh *mesh, uint64_t face);
// Faces are turned over, each with a chance of one half.
void test_mesh_reverse_some(test_mesh *mesh, random_stream *random);
// A face is cut in two along an edge's middle, its neighbour is not: a crack of no width. With `filled` a triangle without area
// closes it.
void test_mesh_split_one_side(test_mesh *mesh, uint64_t face, bool filled);
// Add what changes no inside: faces doubled by their reverse, spikes of two faces with opposite windings, triangles without area,
// filled cracks, and edges collapsed to a point. The mesh stays closed, and balanced if it was.
void test_mesh_add_degenerates(test_mesh *mesh, random_stream *random);
// Every triangle becomes four, at the middles of its edges: exact where coordinates are even integers.
test_mesh test_mesh_subdivided(const test_mesh *mesh);

#endif
