// SPDX-License-Identifier: MIT
// An angle of any size, without its whole quarter turns.
#ifndef GRZ_GEOMETRY_FUNCTIONS_QUARTER_TURNS_H
#define GRZ_GEOMETRY_FUNCTIONS_QUARTER_TURNS_H

// Returns the number of quarter turns in an angle, modulo 4. What is left, from -pi/4 to pi/4, is *high + *low, with a
// relative error below 2^-74; |*low| is at most 0.6 units in the last place of *high. The angle is finite, not below 0.
int grz_quarter_turns(double angle, double *high, double *low);

#endif
