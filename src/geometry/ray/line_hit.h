// SPDX-License-Identifier: MIT
// Lines through the insides of triangles, for many of them: compiled for each width of processors.
#ifndef GRZ_GEOMETRY_RAY_LINE_HIT_H
#define GRZ_GEOMETRY_RAY_LINE_HIT_H

#include "base/simd.h"
#include "geometry/pose.h"
#include "geometry/ray/line_triangle.h"

typedef struct grz_line_hit {
    double t, lower, upper; // the nearest double, and the two around the exact parameter
    double distance;        // as grz_line_length()
    double point[3];        // as grz_line_point()
    double unit[3];         // as grz_triangle_normal()
} grz_line_hit;

// The line goes through the inside of the triangle, which is known. False: double-doubles are not enough.
typedef bool grz_line_describe(const grz_line *line, const double c[3][3], grz_line_hit *hit);

grz_line_describe *grz_line_describe_for(grz_simd simd);

enum {
    GRZ_LINE_FOUR = 4
};

// Up to four lines that go through the insides of triangles, side by side.
typedef struct grz_line_four {
    double corner[3][3][GRZ_LINE_FOUR]; // [corner][coordinate]
    double origin[3][GRZ_LINE_FOUR], direction[3][GRZ_LINE_FOUR], tail[3][GRZ_LINE_FOUR];
} grz_line_four;

// The line is in range.
static inline void grz_line_four_set(grz_line_four *four, uint32_t lane, const grz_line *line, const double c[3][3])
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            four->corner[i][k][lane] = c[i][k];
        four->origin[k][lane] = line->origin[k];
        four->direction[k][lane] = line->direction[k];
        four->tail[k][lane] = line->tail[k];
    }
}

// As grz_line_describe() for all of them, which takes the time of one. Returns bits: bit i is set if lane i is known.
// What it says is what integers give, bit for bit; but lanes may be known to only one of the two functions.
typedef uint32_t grz_line_describe_four(const grz_line_four *four, grz_line_hit hits[GRZ_LINE_FOUR]);

grz_line_describe_four *grz_line_describe_four_for(grz_simd simd);

// As grz_line_crosses(), for a triangle whose corners are floats in mesh coordinates: at[k][i] is coordinate k of
// corner i. Doubles alone: OPEN where they do not tell.
typedef grz_crossing grz_line_crosses_posed(const grz_line *line, const grz_pose *pose, const float at[3][3],
                                            grz_line_crossing *out);

grz_line_crosses_posed *grz_line_crosses_posed_for(grz_simd simd);

grz_line_crosses_posed grz_line_crosses_posed_of_scalar, grz_line_crosses_posed_of_base;

grz_line_describe grz_line_describe_of_scalar, grz_line_describe_of_base;
grz_line_describe_four grz_line_describe_four_of_scalar, grz_line_describe_four_of_base;
#ifdef GRZ_SIMD_X86
grz_line_describe_four grz_line_describe_four_of_avx2, grz_line_describe_four_of_avx512;
grz_line_describe grz_line_describe_of_avx2, grz_line_describe_of_avx512;
grz_line_crosses_posed grz_line_crosses_posed_of_avx2, grz_line_crosses_posed_of_avx512;
#endif

#endif
