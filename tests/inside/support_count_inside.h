// SPDX-License-Identifier: MIT
// Containment by another algorithm than the library's. Components are found by sorting positions. For each component a
// segment in a random direction goes to a point far outside, and its crossings with all triangles are counted.
#ifndef GRZ_TESTS_SUPPORT_COUNT_INSIDE_H
#define GRZ_TESTS_SUPPORT_COUNT_INSIDE_H

#include "support_meshes.h"

// A mesh at its position in the world.
typedef struct counted_mesh {
    const test_mesh *mesh; // its positions decide which faces are connected
    const grz_mesh *uploaded;
    const double *world; // vertex_count × 3
} counted_mesh;

// The relation of two objects whose surfaces do not touch. Only a closed object can contain another.
// False if the meshes are too large for this method, or if no direction was found that misses every edge.
bool count_relation(random_stream *random, const counted_mesh *a, const counted_mesh *b, grz_relation *relation);

#endif
