// SPDX-License-Identifier: MIT
// Many pairs of triangles at once, in plain doubles with a bound: most are proved apart or crossing, the rest is left to the exact
// predicates. The same verdicts by any width of registers.
#ifndef GRZ_GEOMETRY_TRIANGLE_PACKET_H
#define GRZ_GEOMETRY_TRIANGLE_PACKET_H

#include <stddef.h>

#include "base/simd.h"
#include "geometry/pose.h"

// Whose triangles.
typedef struct grz_packet_side {
    const double *positions;   // three a vertex
    const uint32_t *triangles; // three vertices a triangle
    const grz_pose *pose;      // NULL: positions as they are
    const uint32_t *names;     // equal for vertices that are one corner while their positions are equal; NULL: each is its own
} grz_packet_side;

typedef struct grz_packet_pair {
    uint32_t a, b; // triangles
} grz_packet_pair;

typedef enum grz_packet_verdict {
    GRZ_PACKET_OPEN,    // not known
    GRZ_PACKET_APART,   // no point in common
    GRZ_PACKET_CROSSING // their kind is GRZ_CROSSING
} grz_packet_verdict;

enum {
    GRZ_PACKET_MOST = 128 // pairs of one call
};

// Judge `count` pairs, at most GRZ_PACKET_MOST. Where `a` and `b` are one side, of a mesh with itself, corners that two triangles share
// do not count: apart are those whose intersection is no more than the hull of these.
typedef void grz_packet_judge(const grz_packet_side *a, const grz_packet_side *b, const grz_packet_pair *pairs, size_t count,
                              unsigned char *verdicts);

// The judge for a width that this processor has.
grz_packet_judge *grz_packet_judge_for(grz_simd simd);

extern grz_packet_judge grz_packet_judge_scalar;
extern grz_packet_judge grz_packet_judge_base;
#ifdef GRZ_SIMD_X86
extern grz_packet_judge grz_packet_judge_avx2, grz_packet_judge_avx512;
#endif

#endif
