// SPDX-License-Identifier: MIT
// Containment by another way than the library's: components joined by sorting positions, and for each a segment in a random
// direction to a point far outside, whose crossings with all triangles are counted.
#ifndef GRZ_TESTS_SUPPORT_COUNT_INSIDE_H
#define GRZ_TESTS_SUPPORT_COUNT_INSIDE_H

#include "support_meshes.h"

// A mesh at its place in the world.
typedef struct counted_mesh {
    const test_mesh *mesh; // its positions decide what hangs together
    const grz_mesh *uploaded;
    const double *world; // vertex_count × 3
} counted_mesh;

// How two objects whose surfaces do not touch lie to each other, as far as closed containers tell: an open one holds nothing.
// False where the meshes are too large for this, or no direction was found that misses every edge.
bool count_relation(random_stream *random, const counted_mesh *a, const counted_mesh *b, grz_relation *relation);

#endif
