// SPDX-License-Identifier: MIT
// Closed surfaces for containment tests: solids made of cells, surfaces that intersect themselves or wind around twice,
// one-sided surfaces. Also changes to a surface of triangles that keep it closed, and changes that do not.
#ifndef GRZ_TESTS_SUPPORT_SOLIDS_H
#define GRZ_TESTS_SUPPORT_SOLIDS_H

#include "support_meshes.h"

enum {
    SOLID_CELLS = 5,    // along each axis
    SOLID_CELL_SIZE = 4 // the side of a cell; the cube of cells starts at the origin
};

typedef struct solid_cells {
    bool full[SOLID_CELLS][SOLID_CELLS][SOLID_CELLS];
} solid_cells;

// Each cell is full with probability sevenths / 7. The middle cell is always full.
solid_cells solid_random(random_stream *random, uint32_t sevenths);
bool solid_is_full(const solid_cells *s, int x, int y, int z);
// The surface between full and empty cells, counter-clockwise seen from outside. Each wall is a quad or two triangles,
// with vertices of its own.
test_mesh solid_surface(const solid_cells *s, bool quads);

// A closed tube around the z axis whose wall goes around the tube's middle twice, so its core has winding number 2.
// 2·around·across triangles. `radius` is the distance from the axis to the middle; the wall is 0.7 to 1.3 away from the
// middle.
test_mesh test_mesh_double_tube(double radius, uint32_t around, uint32_t across);
// A Klein bottle: closed, but not orientable. Its cross-section is a figure of eight, so it has an inside by the
// even-odd rule. 2·around·across triangles around the z axis, 2.5 from the axis to the middle.
test_mesh test_mesh_klein_bottle(uint32_t around, uint32_t across);
// `count` nested cubes around the origin; the outermost is 2·count wide. Cube i is reversed if bit i of `reversed` is
// set.
test_mesh test_mesh_shells(uint32_t count, uint32_t reversed);
// An icosphere whose vertices are scaled by a random factor of up to (1 ± share); with `crumple`, each coordinate has
// its own factor.
test_mesh test_mesh_rough_sphere(random_stream *random, uint32_t subdivisions, double share, bool crumple);

// The functions below need meshes of triangles. Remove a face.
void test_mesh_drop_face(test_mesh *mesh, uint64_t face);
// Reverse each face with probability 1/2.
void test_mesh_reverse_some(test_mesh *mesh, random_stream *random);
// Cut a face in two through the middle of an edge, but not its neighbour: a crack without width. With `filled`, a
// triangle without area closes it.
void test_mesh_split_one_side(test_mesh *mesh, uint64_t face, bool filled);
// Add things that do not change what is inside: faces together with their reverse, spikes of two faces with opposite
// orientation, triangles without area, filled cracks, and edges collapsed to a point. The mesh stays closed, and
// balanced if it was.
void test_mesh_add_degenerates(test_mesh *mesh, random_stream *random);
// Divide every triangle into four at the midpoints of its edges. Exact if the coordinates are even integers.
test_mesh test_mesh_subdivided(const test_mesh *mesh);

#endif
