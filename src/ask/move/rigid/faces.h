// SPDX-License-Identifier: MIT
// Two triangles in motion: how long they stay apart for certain; whether they certainly cross.
#ifndef GRZ_ASK_MOVE_RIGID_FACES_H
#define GRZ_ASK_MOVE_RIGID_FACES_H

#include "ask/move/rigid/safe_time.h"
#include "geometry/distance/gap.h"

// Two triangles at a time.
typedef struct grz_moving_faces {
    double a[3][3], b[3][3]; // posed corners
    double gap;              // how far they are apart at least along `way`, all errors taken off; may be below 0
    double rate;             // how fast their nearest corners approach each other along it, about
    double way[3];           // of length 1, from A to B; zeros: none was found
    double end;              // until then they are certainly apart
} grz_moving_faces;

// Bring both to a time, with the states at that time, and look ahead.
void grz_moving_faces_ahead(const grz_moving_pair *pair, grz_triangle_gap_function *gap, double t,
                            const grz_moving_state states[2], uint32_t triangle_a, uint32_t triangle_b,
                            grz_moving_faces *faces);

// True if an edge of one triangle certainly goes through the inside of the other, although each corner may be as far as
// `error` from where it is said to be. False says nothing.
bool grz_faces_cross(const double a[3][3], const double b[3][3], double error);

#endif
