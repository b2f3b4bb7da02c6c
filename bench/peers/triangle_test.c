// SPDX-License-Identifier: MIT
// The test of two triangles for libraries that leave it to the user: the signs of P. Guigue and O. Devillers, "Fast and
// robust triangle-triangle overlap test using orientation predicates" (2003), in plain doubles with one error bound a
// pair. Pairs that the bound cannot decide, and degenerate ones, go to the library's exact test: a few in a million
// here.
#include "peer.h"

#include "geometry/triangle/pair.h"

// 48 roundings at most, as docs/reference/numbers.md counts them for orient3d, and a margin for the rounding of the
// extents.
#define BOUND (64 * 0x1p-53)

typedef const double *point;

// Volume spanned by d - a, d - b, d - c: positive where d lies on the side to which (b - a) × (c - a) points.
static double orient(point a, point b, point c, point d)
{
    const double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    const double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    const double dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
    return dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx);
}

// The extent of the six corners along an axis. Without fmin() and fmax(), which become function calls because of NaN.
static double extent(const double a[3][3], const double b[3][3], int axis)
{
    double low = a[0][axis], high = low;
    for (int i = 0; i < 3; i++) {
        low = a[i][axis] < low ? a[i][axis] : low;
        low = b[i][axis] < low ? b[i][axis] : low;
        high = a[i][axis] > high ? a[i][axis] : high;
        high = b[i][axis] > high ? b[i][axis] : high;
    }
    return high - low;
}

// Signs of a's corners relative to b's plane; 0 if the bound cannot decide. @return true if all three are certainly on
// one side
static bool sides(const double a[3][3], const double b[3][3], double bound, int sign[3])
{
    for (int i = 0; i < 3; i++) {
        const double volume = orient(b[0], b[1], b[2], a[i]);
        sign[i] = volume > bound ? 1 : volume < -bound ? -1 : 0;
    }
    return sign[0] != 0 && sign[0] == sign[1] && sign[1] == sign[2];
}

// The corner that is alone on its side; all signs are ±1 and not all the same.
static int lone(const int sign[3])
{
    return sign[1] == sign[2] ? 0 : sign[0] == sign[2] ? 1 : 2;
}

bool peer_triangles_touch(const double a[3][3], const double b[3][3])
{
    const double bound = BOUND * extent(a, b, 0) * extent(a, b, 1) * extent(a, b, 2);
    int sign_a[3], sign_b[3];
    if (bound < 0x1p-700) // products may have underflowed
        return grz_triangles_touch(a, b);
    if (sides(a, b, bound, sign_a) || sides(b, a, bound, sign_b))
        return false;
    if (sign_a[0] * sign_a[1] * sign_a[2] * sign_b[0] * sign_b[1] * sign_b[2] == 0)
        return grz_triangles_touch(a, b);
    // Turn both so that the lone corner comes first and lies on the positive side of the other's plane.
    const int i = lone(sign_a), j = lone(sign_b);
    const bool flip_b = sign_a[i] < 0, flip_a = sign_b[j] < 0;
    const point p1 = a[i], q1 = a[(i + (flip_a ? 2 : 1)) % 3], r1 = a[(i + (flip_a ? 1 : 2)) % 3];
    const point p2 = b[j], q2 = b[(j + (flip_b ? 2 : 1)) % 3], r2 = b[(j + (flip_b ? 1 : 2)) % 3];
    // The two intervals on the common line overlap unless one of these is positive.
    const double first = orient(p1, q1, p2, q2), second = orient(p1, r1, r2, p2);
    if (first > bound || second > bound)
        return false;
    return (first < -bound && second < -bound) || grz_triangles_touch(a, b);
}
