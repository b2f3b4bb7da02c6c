// SPDX-License-Identifier: MIT
// The volume that two tetrahedra have in common, and that between two triangles, as rationals.
#ifndef GRZ_TESTS_ORACLE_VOLUME_H
#define GRZ_TESTS_ORACLE_VOLUME_H

#include <gmp.h>

// Add the volume of the intersection of two tetrahedra, whatever their orientation, to `volume`.
void oracle_add_common_volume(const double a[4][3], const double b[4][3], mpq_t volume);

// Set `volume` to that of all points that are below `upper` and above `lower` in z.
void oracle_volume_between(const double upper[3][3], const double lower[3][3], mpq_t volume);

#endif
