// SPDX-License-Identifier: MIT Boxes, ellipsoids and cylinders against triangles in rational numbers, by other
// algorithms than the library's: clipping and division.
#ifndef GRZ_TESTS_MOVER_TWIN_H
#define GRZ_TESTS_MOVER_TWIN_H

#include <stdbool.h>

#include <graze/mover.h>

// True if a point of the triangle is inside a box, an ellipsoid or a cylinder, its surface left out. Its half axes are
// each longer by `margin`, exactly.
bool mover_twin_contains_part(const grz_shape *shape, const double position[3], double margin,
                              const double triangle[3][3]);

#endif
