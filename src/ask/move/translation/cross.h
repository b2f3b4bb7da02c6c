// SPDX-License-Identifier: MIT
// Do a moving and a resting triangle certainly cross?
#ifndef GRZ_ASK_MOVE_TRANSLATION_CROSS_H
#define GRZ_ASK_MOVE_TRANSLATION_CROSS_H

#include <stdbool.h>

// True: at that time an edge of one of them, A + t · v or B, passes through the inside of the other. False: it is not
// certain; doubles decide, with error bounds.
bool grz_cross_certainly(const double a[3][3], const double b[3][3], const double v[3], double t);

#endif
