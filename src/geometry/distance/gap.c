// SPDX-License-Identifier: MIT
// Chooses the width of grz_triangle_gap().
#include "geometry/distance/gap.h"

grz_triangle_gap_function *grz_triangle_gap_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_triangle_gap_of);
}

grz_gap grz_triangle_gap(const double a[3][3], const double b[3][3], double limit, double way[3])
{
    return grz_triangle_gap_of_base(a, b, limit, way);
}
