// SPDX-License-Identifier: MIT
// A fast filter in front of the exact triangle-triangle test. It classifies many pairs at once, in doubles with an
// error bound. Most pairs are proved apart or crossing; the exact predicates decide the rest. The verdicts do not
// depend on the SIMD width.
#ifndef GRZ_GEOMETRY_TRIANGLE_PACKET_H
#define GRZ_GEOMETRY_TRIANGLE_PACKET_H

#include <stddef.h>

#include "base/simd.h"
#include "geometry/pose.h"

// One side of the pairs: a mesh and its pose.
typedef struct grz_packet_side {
    const double *positions;   // vertices × 3
    const uint32_t *triangles; // triangles × 3 vertex indices
    const grz_pose *pose;      // NULL: use the positions as they are
    // For self-collision, grz_mesh::identity: vertices with equal numbers are one corner as long as their positions are
    // equal. NULL: every vertex is a corner of its own.
    const uint32_t *identity;
} grz_packet_side;

typedef struct grz_packet_pair {
    uint32_t a, b; // triangle numbers
} grz_packet_pair;

typedef enum grz_packet_verdict {
    GRZ_PACKET_OPEN,     // not decided
    GRZ_PACKET_APART,    // proved: no point in common
    GRZ_PACKET_CROSSING, // proved: a contact of kind GRZ_CROSSING
    GRZ_PACKET_COPLANAR  // proved: a contact of kind GRZ_COPLANAR
} grz_packet_verdict;

enum {
    GRZ_PACKET_MOST = 128 // the largest number of pairs in one call
};

// Classify `count` pairs, at most GRZ_PACKET_MOST; verdicts[i] receives a grz_packet_verdict. If `a` and `b` are the
// same pointer, the pairs are of a mesh with itself. Shared corners then do not count as contact: a pair is "apart" if
// its intersection is contained in the convex hull of the shared corners.
typedef void grz_packet_judge(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs,
                              size_t count, unsigned char *verdicts);

// The function for a SIMD width that this processor supports.
grz_packet_judge *grz_packet_judge_for(grz_simd simd);

extern grz_packet_judge grz_packet_judge_scalar;
extern grz_packet_judge grz_packet_judge_base;
#ifdef GRZ_SIMD_X86
extern grz_packet_judge grz_packet_judge_avx2, grz_packet_judge_avx512;
#endif

#endif
