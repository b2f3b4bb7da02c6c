// SPDX-License-Identifier: MIT
// Sine, cosine, arctangent, cube root and hypotenuse, computed with + - * / sqrt and integers alone. A C library rounds
// its own in its own way, and some of them in another way on another processor; these give the same bytes everywhere.
// Errors are relative to the exact value; where the result is subnormal, 2^-1073 more. They need round-to-nearest.
#ifndef GRZ_GEOMETRY_FUNCTIONS_FUNCTIONS_H
#define GRZ_GEOMETRY_FUNCTIONS_FUNCTIONS_H

#define GRZ_PI 0x1.921fb54442d18p+1 // the double nearest to it

// Errors of at most these.
static const double GRZ_SINE_ERROR = 0x1p-52, GRZ_ARCTANGENT_ERROR = 0x1p-51, GRZ_ROOT_ERROR = 0x1p-52;

// Of an angle in radians, of any size: the double itself is taken for exact. The sine is odd and the cosine even, bit
// for bit. Not a number for infinity and what is no number. Error: GRZ_SINE_ERROR.
double grz_sine(double angle);
double grz_cosine(double angle);

// Both at once.
void grz_sines(double angle, double *sine, double *cosine);

// The angle of the vector (x, y), finite numbers, from the first axis: from -pi to pi, as atan2(y, x), but 0 (with y's
// sign) where both are 0. Odd in y, bit for bit. Error: GRZ_ARCTANGENT_ERROR.
double grz_arctangent(double y, double x);

// Odd, bit for bit; x is finite. Error: GRZ_ROOT_ERROR.
double grz_cube_root(double x);

// The length of the vector (x, y), finite numbers. Error: GRZ_ROOT_ERROR. Infinity where it is beyond the range.
double grz_hypotenuse(double x, double y);

#endif
