// SPDX-License-Identifier: MIT
// Solids of lattice cells and their surfaces, and the classification of two of them by counting unit cells.
#ifndef GRZ_TESTS_SUPPORT_LATTICE_H
#define GRZ_TESTS_SUPPORT_LATTICE_H

#include "support_meshes.h"

enum {
    LATTICE = 12 // unit cells along each axis
};

// A set of unit cells.
typedef struct lattice {
    bool full[LATTICE][LATTICE][LATTICE];
} lattice;

// Cubes of `size` cells, `count` along each axis from `origin`, each full with probability share / 16.
lattice lattice_random(random_stream *random, const int origin[3], int count, int size, uint32_t share);
// The block from `low` up to `high`.
lattice lattice_block(const int low[3], const int high[3]);
uint32_t lattice_count(const lattice *cells);

// How the surface of cells is cut into faces.
typedef struct lattice_style {
    int size; // walls of size × size units; the cells must be such cubes, at `origin`
    int origin[3];
    bool diagonals; // two triangles a wall, along a random diagonal; false: quads
    bool merge;     // with quads: some neighbours in one plane become a polygon of six corners
    bool soup;      // vertices of its own for every face
    bool spin;      // some faces are wound the other way
} lattice_style;

// The boundary of the cells, wound counter-clockwise seen from outside unless style->spin. Every unit is `unit` long.
test_mesh lattice_surface(const lattice *cells, const lattice_style *style, random_stream *random, double unit);

// Multiply every position by an integer matrix.
void test_mesh_transform(test_mesh *mesh, const double m[3][3]);

// The truth, by counting cells and looking at shared corners.
grz_solids lattice_classify(const lattice *a, const lattice *b);

#endif
