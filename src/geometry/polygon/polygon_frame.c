// SPDX-License-Identifier: MIT
// A rotated frame in which AABBs of a polygon's edges are small. The corners are moved, scaled and rotated so that most
// of the edge length is parallel to an axis. Example: a comb that lies obliquely becomes axis-aligned, and the boxes of
// its teeth no longer overlap. The frame is used for sorting and searching only: every decision uses exact signs of the
// original coordinates.
//
// Error bound, u = 2^-53. The rounded numbers cosine and sine define a linear map that is exactly a rotation with a
// scaling, whatever their values are. The shifted coordinates are at most 1 in magnitude, with an error of u. Their
// error becomes 1.5u under the map; the two products add u/2 each, and their sum adds u: 3.5u in all, less than 2^-51.
#include "geometry/polygon/polygon_parts.h"

#include <assert.h>

#include "geometry/functions/functions.h"

enum {
    FEW = 32 // up to this many corners, rotating does not pay
};

// Of an angle from -pi to pi: cosine and sine of its half. cos 2x is 2 cos²x - 1 and 1 - 2 sin²x; the one of the two is
// used that does not cancel.
static void halve_angle(double *cosine, double *sine)
{
    const bool sharp = *cosine >= 0.0;
    const double larger = sqrt(0.5 + 0.5 * fabs(*cosine)), smaller = 0.5 * fabs(*sine) / larger;
    *cosine = sharp ? larger : smaller;
    *sine = copysign(sharp ? smaller : larger, *sine);
}

// The direction of the frame's first axis. The angle of each edge is multiplied by four, so that edges parallel or
// perpendicular to each other point in the same direction; these directions are summed, weighted by squared length.
// `cosine` and `sine` have been set to 1 and 0, and stay so where no direction is preferred.
// shifted  the corners relative to the first one, at most 1 in magnitude
static void find_direction(const double *shifted, uint32_t count, double *cosine, double *sine)
{
    double sum[2] = {0.0, 0.0};
    for (size_t i = 0, before = count - 1; i < count; before = i++) {
        const double x = shifted[2 * i] - shifted[2 * before], y = shifted[2 * i + 1] - shifted[2 * before + 1];
        const double twice[2] = {x * x - y * y, 2.0 * x * y}, square = x * x + y * y;
        if (square > 0.0) {
            sum[0] += (twice[0] * twice[0] - twice[1] * twice[1]) / square;
            sum[1] += 2.0 * twice[0] * twice[1] / square;
        }
    }
    const double length = grz_hypotenuse(sum[0], sum[1]);
    if (!(length > 0.0))
        return;
    *cosine = sum[0] / length;
    *sine = sum[1] / length;
    halve_angle(cosine, sine);
    halve_angle(cosine, sine);
}

bool grz_polygon_rotate(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count)
{
    if (!grz_array_reserve(allocator, &scratch->rotated, (size_t)count * 2))
        return false;
    const double *points = scratch->points.items;
    double *rotated = scratch->rotated.items, largest = 0.0, cosine = 1.0, sine = 0.0;
    for (size_t i = 2; i < (size_t)count * 2; i++) {
        const double distance = fabs(points[i] - points[i % 2]);
        largest = distance > largest ? distance : largest;
    }
    const grz_power_of_two scale = grz_normalising_power(largest > 0.0 ? largest : 1.0);
    for (size_t i = 0; i < (size_t)count * 2; i++)
        rotated[i] = 0.5 * ((points[i] - points[i % 2]) * scale.first * scale.second);
    if (count >= FEW)
        find_direction(rotated, count, &cosine, &sine);
    // Both lines are written as sums, because gcc 12 turns a sum next to a difference into a fused multiply-add in
    // spite of -ffp-contract=off.
    const double minus_sine = -sine;
    for (size_t i = 0; i < count; i++) {
        const double x = rotated[2 * i], y = rotated[2 * i + 1];
        rotated[2 * i] = cosine * x + sine * y;
        rotated[2 * i + 1] = cosine * y + minus_sine * x;
        assert(fabs(rotated[2 * i]) <= 1.5 && fabs(rotated[2 * i + 1]) <= 1.5);
    }
    return true;
}
