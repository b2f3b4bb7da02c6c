// SPDX-License-Identifier: MIT
// An oracle for the times at which a moving triangle meets another, by another algorithm than the library's, in GMP
// integers. The differences b - a of the corners are points; the pair meets at time t if t · v is in their convex hull.
// The oracle cuts the line of all t · v with every point, segment, triangle and parallelogram of the hull that two
// features of the triangles make (corner and corner, corner and edge, corner and face, edge and edge), and keeps the
// first and the last cut.
#ifndef GRZ_TESTS_ORACLE_TRANSLATION_H
#define GRZ_TESTS_ORACLE_TRANSLATION_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct oracle_translation {
    bool meets;
    mpq_t enter, leave;
    // The corners of the smallest features that hold the whole contact at `enter`: bit i for corner i.
    uint8_t a, b;
    int of_v; // v · 2^of_v is the motion
    mpz_t v[3];
    int exponent; // below: the oracle's own numbers
    mpz_t p[6][3], d[3], u[3], w[3], wv[3], vu[3], n[3], x[6];
    mpq_t t;
} oracle_translation;

void oracle_translation_init(oracle_translation *o);
void oracle_translation_finish(oracle_translation *o);

// Component k of v is the sum of parts[k]; v is not 0.
void oracle_translation_find(oracle_translation *o, const double a[3][3], const double b[3][3],
                             const double parts[3][4]);

// True if the plane of A (side 0) or B (side 1) separates the two just before `enter`, and they enter through it.
bool oracle_translation_enters_face(oracle_translation *o, int side);

#endif
