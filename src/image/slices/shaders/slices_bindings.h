// SPDX-License-Identifier: MIT
// Constants that C and GLSL share for method `slices`: its pictures and their analysis.
#ifndef GRZ_IMAGE_SLICES_SLICES_BINDINGS_H
#define GRZ_IMAGE_SLICES_SLICES_BINDINGS_H

// Uniform locations of slices_16.frag and slices_512.frag, after those of view.vert.
#define GRZ_AT_SLICES 2
#define GRZ_AT_FIRST_BIT 3

// The analysis: work groups of GRZ_TILE × GRZ_TILE pixels.
#define GRZ_TILE 8
#define GRZ_BIND_TILES 0
#define GRZ_AT_TILE_SLICES 0
#define GRZ_AT_TILE_SIZE 1

// The words of a tile (grz_tile): how many cells hold both objects, and the first and the last of their columns, rows
// and slices. In a tile with 0 cells the other words have no meaning.
#define GRZ_TILE_CELLS 0
#define GRZ_TILE_LEAST 1
#define GRZ_TILE_LAST 4
#define GRZ_TILE_WORDS 8

#endif
