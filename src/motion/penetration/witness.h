// SPDX-License-Identifier: MIT
// Points that are certainly inside of two solids, of which one moves.
#ifndef GRZ_MOTION_PENETRATION_WITNESS_H
#define GRZ_MOTION_PENETRATION_WITNESS_H

#include "motion/translate/follow.h"

// The object A of a path at a time, rounded, and how far that is from where A really is at any time from `low` to
// `high`, at most: by rounding, and because of the time.
typedef struct grz_moved {
    grz_object object;
    double error; // world units, of each vertex
} grz_moved;

grz_moved grz_moved_to(const grz_path *path, double low, double high);

// Look for a point that is inside of A and of B at all times from `low` to `high`. *depth: how far it is from both
// surfaces, at least; 0 if no such point was found, which proves nothing.
grz_status grz_witness_find(grz_move_call *call, const grz_path *path, double low, double high, double *depth);

#endif
