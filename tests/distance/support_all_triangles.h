// SPDX-License-Identifier: MIT
// What grz_distance_points() must answer, found without a tree.
#ifndef GRZ_TESTS_SUPPORT_ALL_TRIANGLES_H
#define GRZ_TESTS_SUPPORT_ALL_TRIANGLES_H

#include <graze/distance.h>

// The distance of a point from an object: all triangles in the order of their numbers, compared exactly. The location
// is left at 0.
grz_point_distance test_distance_to_all_triangles(const grz_object *object, const double point[3]);

// Whether two answers are the same, byte for byte.
bool test_same_point_distance(const grz_point_distance *x, const grz_point_distance *y);

#endif
