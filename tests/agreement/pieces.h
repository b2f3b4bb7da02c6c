// SPDX-License-Identifier: MIT
// A solid as a union of convex pieces with whole numbers as corners, and when two such solids overlap while one moves.
// This is the second truth for depths: it knows nothing of surfaces, and shares no code with the library.
#ifndef GRZ_TESTS_AGREEMENT_PIECES_H
#define GRZ_TESTS_AGREEMENT_PIECES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    AGREE_MOST_PIECES = 40,
    AGREE_PIECE_CORNERS = 8,
    AGREE_PIECE_NORMALS = 4,
    AGREE_PIECE_EDGES = 6
};

// A parallelepiped or a tetrahedron. Differences of the corners of all pieces are below 2^14.
typedef struct agree_piece {
    int64_t corners[AGREE_PIECE_CORNERS][3];
    int64_t normals[AGREE_PIECE_NORMALS][3]; // of its faces, of any length; one of two opposite ones is enough
    int64_t edges[AGREE_PIECE_EDGES][3];     // their directions, likewise
    int corner_count, normal_count, edge_count;
} agree_piece;

// The insides of the pieces have no point in common.
typedef struct agree_pieces {
    agree_piece list[AGREE_MOST_PIECES];
    int count;
    bool known; // they are the solid; without any, it is empty
} agree_pieces;

// A moment, as a fraction: the denominator is above 0.
typedef struct agree_time {
    int64_t num, den;
} agree_time;

// Add the parallelepiped with a corner and three edges; the edges span a volume.
void agree_add_box(agree_pieces *pieces, const int64_t corner[3], const int64_t edges[3][3]);
// Add a tetrahedron with a volume.
void agree_add_tetrahedron(agree_pieces *pieces, const int64_t corners[4][3]);

// -1, 0, 1
int agree_time_compare(agree_time a, agree_time b);

typedef enum agree_touch {
    AGREE_APART,   // no common point
    AGREE_TOUCHES, // common points, but the insides have none
    AGREE_OVERLAPS // the insides have common points
} agree_touch;

// How A, moved by t · d, and B lie to each other.
agree_touch agree_pieces_touch(const agree_pieces *a, const agree_pieces *b, const int d[3], agree_time t);

// The first time t >= 0 at which the insides of B and of A, moved by t · d, have no common point. d is not 0.
agree_time agree_pieces_free(const agree_pieces *a, const agree_pieces *b, const int d[3]);

// The first time t >= 0 at which B and A, moved by t · d, have a common point. False if there is none.
bool agree_pieces_first_contact(const agree_pieces *a, const agree_pieces *b, const int d[3], agree_time *t);

// The least way out of two convex solids, |s|²: `num` over `den`. 0 if the insides have no common point. Both have one
// piece only.
void agree_pieces_least(const agree_piece *a, const agree_piece *b, agree_time *squared);

#endif
