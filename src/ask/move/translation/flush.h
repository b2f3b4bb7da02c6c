// SPDX-License-Identifier: MIT
// Do a moving and a resting triangle lie on each other while the motion is in their plane?
#ifndef GRZ_ASK_MOVE_TRANSLATION_FLUSH_H
#define GRZ_ASK_MOVE_TRANSLATION_FLUSH_H

#include "geometry/sweep/translation.h"

// True if both triangles have area and lie in one plane, and A moves in that plane. Exact.
bool grz_slides_in_plane(const double a[3][3], const double b[3][3], const grz_translation *motion);

// For such triangles: do their insides certainly meet at time t? Computed in doubles with error bounds, so false means
// "not certain".
bool grz_flush_certainly(const double a[3][3], const double b[3][3], const double v[3], double t);

#endif
