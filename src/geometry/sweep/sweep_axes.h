// SPDX-License-Identifier: MIT
// The axes onto which a pair is projected, by number, and their constants. docs/use/move.md proves that they suffice.
#ifndef GRZ_GEOMETRY_SWEEP_SWEEP_AXES_H
#define GRZ_GEOMETRY_SWEEP_SWEEP_AXES_H

#include "geometry/sweep/meeting.h"

// Edge i goes from corner i to the next one. `k` is a coordinate.
enum {
    GRZ_AXIS_NORMAL_A,                         // the normal of A
    GRZ_AXIS_NORMAL_B,                         // the normal of B
    GRZ_AXIS_EDGES,                            // + 3 i + j: edge i of A × edge j of B
    GRZ_AXIS_SPATIAL = GRZ_AXIS_EDGES + 9,     // the axes before suffice if b - a span three dimensions
    GRZ_AXIS_UNIT = GRZ_AXIS_SPATIAL,          // + k: the unit vector k
    GRZ_AXIS_ACROSS_A = GRZ_AXIS_UNIT + 3,     // + 3 i + k: unit vector k × edge i of A
    GRZ_AXIS_ACROSS_B = GRZ_AXIS_ACROSS_A + 9, // + 3 j + k: unit vector k × edge j of B
    GRZ_AXIS_COUNT = GRZ_AXIS_ACROSS_B + 9     // GRZ_MEETING_AXES
};

// Where the two triangles stand, exactly: all coordinates · 2^shift.
typedef struct grz_exact_pair {
    const double (*a)[3], (*b)[3];
    const grz_translation *motion;
    grz_integer corners[6][3]; // of A, then of B, measured from the first corner of A
    int shift;
} grz_exact_pair;

// A pair projected onto an axis n: at time t the projections overlap if and only if low <= t · along <= high.
typedef struct grz_exact_slab {
    grz_integer n[3];
    grz_integer along, low, high;         // n · v (0 or above); the least and the largest n · (b - a)
    uint8_t low_a, low_b, high_a, high_b; // which corners make it the least and the largest: bit i for corner i
    bool is_axis;                         // n is not 0
} grz_exact_slab;

void grz_exact_pair_set(const grz_meeting *m, grz_exact_pair *out);

// From corner i to corner j (0 to 2 of A, 3 to 5 of B).
void grz_exact_way(const grz_exact_pair *pair, int i, int j, grz_integer out[3]);

// Project. n is turned so that `along` is 0 or above. False, and only n and is_axis set, if n is 0.
bool grz_exact_project(const grz_exact_pair *pair, int axis, grz_exact_slab *out);

// Which axes' exact intervals include the ends of the meeting: sets state, ends and axis.
void grz_meeting_settle(grz_meeting *m);

#endif
