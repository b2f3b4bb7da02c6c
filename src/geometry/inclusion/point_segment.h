// SPDX-License-Identifier: MIT
// When is a moving point on a moving segment? Decided in big integers; the segment may be a point at some times or at
// all.
#ifndef GRZ_GEOMETRY_INCLUSION_POINT_SEGMENT_H
#define GRZ_GEOMETRY_INCLUSION_POINT_SEGMENT_H

#include "geometry/inclusion/exact_interval.h"
#include "geometry/inclusion/polynomials.h"

// x, y: from the point to the segment's ends, over the interval asked about. The answer is open only if the interval
// is too long: a shorter one about the same time has an answer.
grz_interval_answer grz_decide_point_segment(const grz_linear_vector *x, const grz_linear_vector *y);

#endif
