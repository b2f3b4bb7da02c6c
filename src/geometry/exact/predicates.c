// SPDX-License-Identifier: MIT
// orient2d and orient3d in three stages. Each stage either proves the sign or passes on to the next.
//   filter    the determinant in doubles, compared with an error bound from the largest coordinate differences;
//   adaptive  if all coordinate differences are exact doubles: the determinant as an expansion, which is exact;
//             otherwise: the determinant in double-double arithmetic, compared with an error bound;
//   integer   big integers: everything else, and all input for which an earlier stage could underflow.
// Sources: the stages follow J. R. Shewchuk (1997), the form of the filter G. Melquiond and S. Pion, "Formally
// certified floating-point filters for homogeneous geometric predicates" (2007). docs/reference/numbers.md derives the
// bounds.
#include "geometry/exact/predicates.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "geometry/exact/determinant.h"
#include "geometry/exact/expansion.h"
#include "geometry/exact/integer_orient.h"

#ifdef GRZ_COUNT_PREDICATES
static _Thread_local grz_predicate_counts counts2, counts3;
#define COUNT(counts, stage) ((counts).stage++)
#else
static const grz_predicate_counts counts2, counts3;
#define COUNT(counts, stage) ((void)0)
#endif

grz_predicate_counts grz_orient2d_counts(void)
{
    return counts2;
}

grz_predicate_counts grz_orient3d_counts(void)
{
    return counts3;
}

// Error bounds as multiples of M. M is the product, over the axes, of the largest coordinate difference; u = 2^-53.
static const double ORIENT2D_FILTER = 10.0 * 0x1p-53;     // derived: 8u + O(u²)
static const double ORIENT3D_FILTER = 50.0 * 0x1p-53;     // derived: 48u + O(u²)
static const double ORIENT2D_ADAPTIVE = 64.0 * 0x1p-106;  // derived: 20u² + O(u³)
static const double ORIENT3D_ADAPTIVE = 256.0 * 0x1p-106; // derived: 144u² + O(u³)

// An intermediate result could underflow if M is below LEAST_M, or if a difference or its rounding error is below
// SMALL: derived in docs/reference/numbers.md ("Underflow").
static const double ORIENT2D_LEAST_M = 0x1p-900;
static const double ORIENT3D_LEAST_M = 0x1p-700;
static const double SMALL_2D = 0x1p-450;
static const double SMALL_3D = 0x1p-290;

// The largest of three magnitudes.
static double largest(double a, double b, double c)
{
    double largest_ab = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return largest_ab > fabs(c) ? largest_ab : fabs(c);
}

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

// What the exact coordinate differences look like.
typedef enum grz_differences {
    DIFFERENCES_DOUBLES, // each is exactly one double
    DIFFERENCES_TAILED,  // some need two doubles: rounded difference and rounding error
    DIFFERENCES_SMALL    // some part is so small that a product of three could underflow
} grz_differences;

static grz_differences classify(const dd *difference, int count, double small)
{
    bool tailed = false;
    for (int i = 0; i < count; i++) {
        double high = fabs(difference[i].high), low = fabs(difference[i].low);
        if ((high != 0.0 && high < small) || (low != 0.0 && low < small))
            return DIFFERENCES_SMALL;
        tailed = tailed || low != 0.0;
    }
    return tailed ? DIFFERENCES_TAILED : DIFFERENCES_DOUBLES;
}

// a·d - b·c
static dd dd_minor(dd a, dd b, dd c, dd d)
{
    return dd_add(dd_multiply(a, d), dd_negate(dd_multiply(b, c)));
}

// The adaptive and the integer stage; m is the filter's M.
static int orient2d_slow(const double a[2], const double b[2], const double c[2], double m)
{
    assert(isfinite(m));
    // Two equal points, or all on one line along an axis.
    const bool on_x = a[0] == b[0] && b[0] == c[0], on_y = a[1] == b[1] && b[1] == c[1];
    if (on_x || on_y || (b[0] == c[0] && b[1] == c[1]) || (a[0] == c[0] && a[1] == c[1]) ||
        (a[0] == b[0] && a[1] == b[1])) {
        COUNT(counts2, adaptive);
        return 0;
    }
    dd difference[4] = {dd_difference(b[0], a[0]), dd_difference(b[1], a[1]), dd_difference(c[0], a[0]),
                        dd_difference(c[1], a[1])};
    grz_differences kind = classify(difference, 4, SMALL_2D);
    if (kind == DIFFERENCES_DOUBLES) {
        double h[4];
        COUNT(counts2, expansion);
        two_by_two(difference[0].high, difference[1].high, difference[2].high, difference[3].high, h);
        for (int i = 3; i >= 0; i--)
            if (h[i] != 0.0)
                return sign_of(h[i]);
        return 0;
    }
    if (kind == DIFFERENCES_TAILED && m > ORIENT2D_LEAST_M) {
        dd value = dd_minor(difference[0], difference[1], difference[2], difference[3]);
        if (fabs(value.high) > ORIENT2D_ADAPTIVE * m) {
            COUNT(counts2, adaptive);
            return sign_of(value.high);
        }
    }
    COUNT(counts2, integer);
    return grz_integer_orient2d(a, b, c);
}

int grz_orient2d(const double a[2], const double b[2], const double c[2])
{
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1];
    double m = largest(ux, vx, 0.0) * largest(uy, vy, 0.0);
    double value = ux * vy - uy * vx;
    if (fabs(value) > ORIENT2D_FILTER * m && m > ORIENT2D_LEAST_M) {
        COUNT(counts2, filter);
        return sign_of(value);
    }
    return orient2d_slow(a, b, c, m);
}

static bool same_point(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// True if the points lie in one plane perpendicular to an axis, as flat parts of machines often do.
static bool share_a_coordinate(const double a[3], const double b[3], const double c[3], const double d[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] == b[i] && b[i] == c[i] && c[i] == d[i])
            return true;
    return false;
}

// The determinant with the rows u, v, w as an expansion h. All numbers are single doubles (low is 0). Returns the
// length of h, at least 1 and at most 24.
static int expansion_determinant(const dd u[3], const dd v[3], const dd w[3], double *h)
{
    double term[3][8], sum[16];
    int count[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double minor[4];
        two_by_two(v[j].high, v[k].high, w[j].high, w[k].high, minor);
        count[i] = scale_expansion(4, minor, u[i].high, term[i]);
    }
    int sum_count = expansion_sum(count[0], term[0], count[1], term[1], sum);
    assert(count[0] <= 8 && count[1] <= 8 && count[2] <= 8 && sum_count <= 16);
    return expansion_sum(sum_count, sum, count[2], term[2], h);
}

static dd dd_determinant(const dd u[3], const dd v[3], const dd w[3])
{
    dd x = dd_multiply(u[0], dd_minor(v[1], v[2], w[1], w[2]));
    dd y = dd_multiply(u[1], dd_minor(v[2], v[0], w[2], w[0]));
    dd z = dd_multiply(u[2], dd_minor(v[0], v[1], w[0], w[1]));
    return dd_add(dd_add(x, y), z);
}

// The rows b - a, c - a, d - a, exactly.
static void differences3(const double a[3], const double b[3], const double c[3], const double d[3], dd out[9])
{
    for (int i = 0; i < 3; i++) {
        out[i] = dd_difference(b[i], a[i]);
        out[3 + i] = dd_difference(c[i], a[i]);
        out[6 + i] = dd_difference(d[i], a[i]);
    }
}

// The adaptive and the integer stage; m is the filter's M.
static int orient3d_slow(const double a[3], const double b[3], const double c[3], const double d[3], double m)
{
    assert(isfinite(m));
    if (share_a_coordinate(a, b, c, d) || same_point(a, d) || same_point(b, d) || same_point(c, d) ||
        same_point(a, b) || same_point(b, c) || same_point(a, c)) {
        COUNT(counts3, adaptive);
        return 0;
    }
    dd rows[9];
    differences3(a, b, c, d, rows);
    grz_differences kind = classify(rows, 9, SMALL_3D);
    if (kind == DIFFERENCES_DOUBLES) {
        double h[24];
        COUNT(counts3, expansion);
        return sign_of(h[expansion_determinant(rows, rows + 3, rows + 6, h) - 1]);
    }
    if (kind == DIFFERENCES_TAILED && m > ORIENT3D_LEAST_M) {
        dd value = dd_determinant(rows, rows + 3, rows + 6);
        if (fabs(value.high) > ORIENT3D_ADAPTIVE * m) {
            COUNT(counts3, adaptive);
            return sign_of(value.high);
        }
    }
    COUNT(counts3, integer);
    return grz_integer_orient3d(a, b, c, d);
}

int grz_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    double wx = d[0] - a[0], wy = d[1] - a[1], wz = d[2] - a[2];
    double m = largest(ux, vx, wx) * largest(uy, vy, wy) * largest(uz, vz, wz);
    double value = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
    if (fabs(value) > ORIENT3D_FILTER * m && m > ORIENT3D_LEAST_M) {
        COUNT(counts3, filter);
        return sign_of(value);
    }
    return orient3d_slow(a, b, c, d, m);
}

bool grz_orient2d_approximate(const double a[2], const double b[2], const double c[2], dd *value, double *error)
{
    dd d[4] = {dd_difference(b[0], a[0]), dd_difference(b[1], a[1]), dd_difference(c[0], a[0]),
               dd_difference(c[1], a[1])};
    double m = largest(d[0].high, d[2].high, 0.0) * largest(d[1].high, d[3].high, 0.0);
    if (classify(d, 4, SMALL_2D) == DIFFERENCES_SMALL || !(m > ORIENT2D_LEAST_M))
        return false;
    *value = dd_minor(d[0], d[1], d[2], d[3]);
    *error = ORIENT2D_ADAPTIVE * m;
    return true;
}

bool grz_plane_distances_approximate(const double a[3], const double b[3], const double c[3],
                                     const double *const points[], int count, dd value[], double error[])
{
    dd rows[6], normal[3];
    double m[3];
    for (int i = 0; i < 3; i++) {
        rows[i] = dd_difference(b[i], a[i]);
        rows[3 + i] = dd_difference(c[i], a[i]);
        m[i] = largest(rows[i].high, rows[3 + i].high, 0.0);
    }
    if (classify(rows, 6, SMALL_3D) == DIFFERENCES_SMALL)
        return false;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = dd_minor(rows[j], rows[k], rows[3 + j], rows[3 + k]);
    }
    for (int n = 0; n < count; n++) {
        dd w[3];
        double product = 1.0;
        for (int i = 0; i < 3; i++) {
            w[i] = dd_difference(points[n][i], a[i]);
            product *= largest(m[i], w[i].high, 0.0);
        }
        if (classify(w, 3, SMALL_3D) == DIFFERENCES_SMALL || !(product > ORIENT3D_LEAST_M))
            return false;
        value[n] =
            dd_add(dd_add(dd_multiply(w[0], normal[0]), dd_multiply(w[1], normal[1])), dd_multiply(w[2], normal[2]));
        error[n] = ORIENT3D_ADAPTIVE * product;
    }
    return true;
}
