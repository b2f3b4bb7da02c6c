// SPDX-License-Identifier: MIT
// When do two features first meet that move, every corner along a straight line of its own at constant speed? The time
// is enclosed: no contact is missed, whatever is rounded. docs/use/move_deforming.md has the method and the bounds.
// A corner is at (1-t)·x0 + t·x1 at time t, a real number: x0, x1 are its positions at the times 0 and 1, at most 2^300
// in magnitude. Features may be degenerate. Needs round-to-nearest with subnormal numbers kept (base/fp_guard.h).
#ifndef GRZ_GEOMETRY_INCLUSION_INCLUSION_H
#define GRZ_GEOMETRY_INCLUSION_INCLUSION_H

#include <stdbool.h>
#include <stdint.h>

typedef enum grz_meeting {
    GRZ_MEET_NEVER,    // proved: no contact in [0, t_max]
    GRZ_MEET_PROVED,   // proved: the first contact is in [lower, upper]
    GRZ_MEET_UNDECIDED // proved: no contact in [0, lower); later contact is neither proved nor excluded
} grz_meeting;

typedef struct grz_inclusion_limits {
    double from;            // no contact before this time: the caller knows. 0 or above, below t_max
    double t_max;           // the times asked about are `from` to t_max; above 0, at most 1
    double time_tolerance;  // upper - lower is at most this, where rounding permits; above 0
    double space_tolerance; // the search may end when the features at `lower` are nearer than this; 0 or above
    // "Contact" means that the distance of the features is at most this; 0 or above. 0: they have a common point.
    double separation;
    uint32_t steps; // the search ends after so many steps, with what is proved until then; 1 or more
} grz_inclusion_limits;

typedef struct grz_inclusion {
    grz_meeting meeting;
    double lower; // no contact in [0, lower). GRZ_MEET_NEVER: t_max
    double upper; // GRZ_MEET_PROVED: there is a contact at this time or before. Else t_max
    // The features that meet, or that are nearest where the search ended: GRZ_CORNER_0 to GRZ_FACE
    // (geometry/triangle/pair.h). Not known (0) after GRZ_MEET_NEVER.
    uint8_t feature_a, feature_b;
    bool out_of_steps; // the search ended because of limits.steps
    uint32_t steps;    // how many steps were taken
} grz_inclusion;

// Tolerance 2^-40 in time, none in space, no separation, 4096 steps, for times 0 to t_max (`from` is 0).
grz_inclusion_limits grz_inclusion_limits_until(double t_max);

// A vertex and a face: x[0] = { vertex, corners 0, 1, 2 of the face } at time 0, x[1] the same at time 1. A contact at
// the rim of the face counts.
grz_inclusion grz_include_vertex_face(const double x[2][4][3], const grz_inclusion_limits *limits);

// Two edges: x[0] = { ends of A, ends of B } at time 0, x[1] the same at time 1.
grz_inclusion grz_include_edges(const double x[2][4][3], const grz_inclusion_limits *limits);

// Two triangles with their insides. a[0], b[0] are their corners at time 0, a[1], b[1] at time 1.
grz_inclusion grz_include_triangles(const double a[2][3][3], const double b[2][3][3],
                                    const grz_inclusion_limits *limits);

#endif
