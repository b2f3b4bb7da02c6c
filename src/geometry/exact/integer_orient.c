// SPDX-License-Identifier: MIT
// orient2d and orient3d in big integers. All coordinates are multiplied by one power of two that makes them integers.
// The length of the numbers therefore depends on how far apart the exponents of the coordinates are.
#include "geometry/exact/integer_orient.h"

#include "geometry/exact/integer.h"

int grz_integer_orient2d(const double a[2], const double b[2], const double c[2])
{
    const double *const points[3] = {a, b, c};
    const int shift = grz_integer_common_shift(points, 3, 2);
    grz_integer u[2], v[2], result;
    for (int i = 0; i < 2; i++) {
        grz_integer_difference(a[i], b[i], shift, &u[i]);
        grz_integer_difference(a[i], c[i], shift, &v[i]);
    }
    grz_integer_determinant2(&u[0], &u[1], &v[0], &v[1], &result);
    return result.sign;
}

int grz_integer_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double *const points[4] = {a, b, c, d};
    const int shift = grz_integer_common_shift(points, 4, 3);
    grz_integer u[3], v[3], w[3], result;
    for (int i = 0; i < 3; i++) {
        grz_integer_difference(a[i], b[i], shift, &u[i]);
        grz_integer_difference(a[i], c[i], shift, &v[i]);
        grz_integer_difference(a[i], d[i], shift, &w[i]);
    }
    grz_integer_determinant3(u, v, w, &result);
    return result.sign;
}
