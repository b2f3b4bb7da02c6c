// SPDX-License-Identifier: MIT
// A point that is inside both solids while A moves proves that they overlap.
#ifndef GRZ_ASK_PENETRATION_WITNESS_H
#define GRZ_ASK_PENETRATION_WITNESS_H

#include "ask/move/translation/follow.h"

// The object A of a path at a time, rounded, and how far that is from where A really is at any time from `low` to
// `high`, at most: by rounding, and because of the time.
typedef struct grz_moved {
    grz_object object;
    double error; // world units, of each vertex
} grz_moved;

grz_moved grz_moved_to(const grz_path *path, double low, double high);

enum {
    GRZ_MOST_CANDIDATES = 225
};

// Points that may be inside of both: between contacts, and vertices. `room` for GRZ_MOST_CANDIDATES points.
grz_status grz_witness_candidates(grz_move_call *call, const grz_object *a, const grz_object *b, double (*points)[3],
                                  size_t *count);

// How far points are inside an object, at least; below 0: a point is not inside, or that is not certain.
grz_status grz_witness_depths(grz_move_call *call, const grz_object *object, const double (*points)[3], size_t count,
                              double *depths);

// Look for a point that is inside of A and of B at all times from `low` to `high`. *depth: how far it is from both
// surfaces, at least; 0 if no such point was found, which proves nothing.
grz_status grz_witness_find(grz_move_call *call, const grz_path *path, double low, double high, double *depth);

#endif
