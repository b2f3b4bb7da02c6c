// SPDX-License-Identifier: MIT
// The certainty of a number, from the bounds that are proved for it. Every answer with such bounds is labelled by one
// of these two.
#ifndef GRZ_BASE_CERTAINTY_H
#define GRZ_BASE_CERTAINTY_H

#include <graze/collide.h>

// Of a number that is rounded to nearest from the exact one, or of bounds that are the whole answer:
// grz_certainty_of_bounds() of <graze/collide.h>.

// Of a number that was chosen between the bounds, such as the upper one: it is the nearest double for certain only if
// they are equal. Neighbours are enclosed, since the other one may be nearer.
grz_certainty grz_certainty_of_estimate(double lower, double upper);

#endif
