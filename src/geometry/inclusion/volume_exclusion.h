// SPDX-License-Identifier: MIT
// Exclusion by volume: while four moving points are in no common plane, the two features that they span are apart.
#ifndef GRZ_GEOMETRY_INCLUSION_VOLUME_EXCLUSION_H
#define GRZ_GEOMETRY_INCLUSION_VOLUME_EXCLUSION_H

#include "geometry/inclusion/nearest_point.h"

// A time t in [from, to] such that the four points of a patch are certainly in no common plane at any time in [from,
// t]; `from` if none was found.
double grz_volume_until(const grz_feature_pair *m, const grz_patch *patch, double from, double to);

#endif
