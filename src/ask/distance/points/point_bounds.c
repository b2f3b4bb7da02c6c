// SPDX-License-Identifier: MIT
// Places a point in a frame, with the margin that covers what is rounded (docs/use/distance.md, "From points").
#include "ask/distance/points/point_bounds.h"

#include <math.h>

#include "geometry/vector.h"

// Relative errors: of the place in floats, and of the numbers that are added up for it in doubles.
static const double FLOAT_ERROR = 0x1p-22, DOUBLE_ERROR = 0x1p-48;
// The trees' boxes have a size of about 1 in a frame. A place that is farther away has few digits left for them.
static const double FARTHEST = 64.0;

bool grz_distance_place_set(grz_distance_place *place, const grz_distance_frames *frames, const double point[3])
{
    double from[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        from[k] = point[k] - frames->middle[k];
        sum += fabs(point[k]) + fabs(frames->middle[k]);
    }
    for (int i = 0; i < 3; i++) {
        const double at = grz_dot(frames->frames[0].axes[i], from) * frames->scale;
        // 2^-140: what floats lose by underflow, 2^-150 each time.
        const double error = FLOAT_ERROR * fabs(at) + DOUBLE_ERROR * sum * frames->scale + 0x1p-140;
        if (!(fabs(at) + error < FARTHEST))
            return false;
        place->low[i] = (float)(at - error);
        place->high[i] = (float)(at + error);
    }
    return true;
}

grz_distance_point_bounds *grz_distance_point_bounds_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_distance_point_bounds_of);
}
