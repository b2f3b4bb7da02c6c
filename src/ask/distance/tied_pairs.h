// SPDX-License-Identifier: MIT
// Pairs of triangles between which the answer itself does not choose: at the same distance, or meeting at one time.
#ifndef GRZ_ASK_DISTANCE_TIED_PAIRS_H
#define GRZ_ASK_DISTANCE_TIED_PAIRS_H

#include "mesh/mesh.h"

typedef struct grz_tied_pair {
    uint32_t a, b;                                 // triangles
    const double (*corners_a)[3], (*corners_b)[3]; // where they are compared
} grz_tied_pair;

// The order of such pairs: by the smaller number of their faces, by the larger, by their corners, by the numbers of
// their triangles. -1, 0 or 1. Exchanging the two meshes changes nothing.
int grz_tied_pairs_compare(const grz_mesh *a, const grz_mesh *b, const grz_tied_pair *x, const grz_tied_pair *y);

// How many pairs of faces `count` pairs of triangles are of. `pairs`: structures of `size` bytes, at least 16, each of
// which begins with the numbers of two triangles, uint32_t. They are lost: their memory is used for sorting.
uint64_t grz_count_face_pairs(const grz_mesh *a, const grz_mesh *b, void *pairs, size_t size, size_t count);

#endif
