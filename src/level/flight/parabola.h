// SPDX-License-Identifier: MIT
// The path of a thrown ball: start + velocity · t + acceleration · t²/2.
#ifndef GRZ_LEVEL_FLIGHT_PARABOLA_H
#define GRZ_LEVEL_FLIGHT_PARABOLA_H

#include "geometry/box.h"

typedef struct grz_parabola {
    double start[3], velocity[3], acceleration[3]; // at most 2^100 in magnitude
} grz_parabola;

// Where it is at a time, 0 to 2^101, rounded: off by less than 2^-50 of grz_parabola_size() in each coordinate.
void grz_parabola_at(const grz_parabola *path, double time, double out[3]);

// The largest number that can occur up to a time.
double grz_parabola_size(const grz_parabola *path, double time);

// An interval that holds all times from 0 to `until` (up to 2^101) at which it is in the box. False: there are none.
bool grz_parabola_in_box(const grz_parabola *path, const grz_box *box, double until, double *enter, double *leave);

#endif
