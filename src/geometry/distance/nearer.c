// SPDX-License-Identifier: MIT
// Compares the distance of two triangles with a clearance: by the gap between their boxes, by an enclosure in doubles
// (gap.h), and where the clearance lies within that, by integers (docs/use/distance.md, "Clearance").
#include "geometry/distance/nearer.h"

#include <math.h>

#include "geometry/distance/gap.h"
#include "geometry/distance/nearest.h"

// Coordinates are scaled by a power of two if the largest is not in this range (gap.h).
static const double SMALLEST = 0x1p-60, LARGEST = 0x1p100;
// More than the roundings of the gap between two boxes: of three differences, three squares, two sums and a product.
static const double ROUNDING = 1.0 - 0x1p-48;
// What a scaled coordinate may lose by underflow is less than this, and so is what a distance does.
static const double UNDERFLOW = 0x1p-1000;
// Smaller clearances, scaled, are left to the integers: their squares underflow.
static const double LEAST_CLEARANCE = 0x1p-400;

static inline double smaller(double x, double y)
{
    return x < y ? x : y; // fmin() would be a call
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

// The gaps between the boxes of two triangles along the axes. Returns the largest coordinate in magnitude.
static double box_gaps(const double a[3][3], const double b[3][3], double gaps[3])
{
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        const double low_a = smaller(smaller(a[0][k], a[1][k]), a[2][k]),
                     high_a = larger(larger(a[0][k], a[1][k]), a[2][k]),
                     low_b = smaller(smaller(b[0][k], b[1][k]), b[2][k]),
                     high_b = larger(larger(b[0][k], b[1][k]), b[2][k]);
        gaps[k] = larger(larger(low_a - high_b, low_b - high_a), 0.0);
        largest = larger(largest, larger(larger(-low_a, high_a), larger(-low_b, high_b)));
    }
    return largest;
}

static double scale_for(double largest)
{
    if (largest > SMALLEST && largest <= LARGEST)
        return 1.0;
    const int exponent = -ilogb(largest);
    return ldexp(1.0, exponent < 1000 ? exponent : 1000);
}

// The gap of the scaled triangles.
static grz_gap scaled_gap(const double a[3][3], const double b[3][3], double scale, double limit,
                          grz_triangle_gap_function *gap_of)
{
    double p[3][3], q[3][3], way[3];
    if (scale == 1.0)
        return gap_of(a, b, limit, way);
    for (int i = 0; i < 9; i++) {
        p[i / 3][i % 3] = a[i / 3][i % 3] * scale;
        q[i / 3][i % 3] = b[i / 3][i % 3] * scale;
    }
    return gap_of((const double(*)[3])p, (const double(*)[3])q, limit, way);
}

static bool nearer_exactly(const double a[3][3], const double b[3][3], double clearance)
{
    grz_square square;
    grz_square_of(a, b, grz_triangles_nearest(a, b), &square);
    return grz_square_compare_root(clearance, &square) > 0;
}

bool grz_triangles_nearer(const double a[3][3], const double b[3][3], double clearance,
                          grz_triangle_gap_function *gap_of)
{
    double gaps[3], square = 0.0;
    const double largest = box_gaps(a, b, gaps);
    if (clearance > 4.0 * largest) // any two points are at most 2·3^½ of it apart
        return true;
    const double scale = scale_for(largest), scaled = clearance * scale;
    if (!(scaled > LEAST_CLEARANCE))
        return nearer_exactly(a, b, clearance);
    for (int k = 0; k < 3; k++)
        square += (gaps[k] * scale) * (gaps[k] * scale);
    if (square * ROUNDING > scaled * scaled)
        return false;
    const grz_gap gap = scaled_gap(a, b, scale, scaled, gap_of);
    if (gap.lower - UNDERFLOW >= scaled)
        return false;
    return gap.upper + UNDERFLOW < scaled || nearer_exactly(a, b, clearance);
}
