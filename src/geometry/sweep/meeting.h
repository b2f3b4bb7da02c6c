// SPDX-License-Identifier: MIT
// When does a triangle A that moves straight on, A + t·v, meet a triangle B that stands still? The times are one closed
// interval, "from enter to leave", or none, or all times. Both ends are fractions of integers. They are enclosed in
// doubles first; the integers are computed only where a question needs them, and then kept.
// Triangles may be degenerate (segments, points). Coordinates are at most 2^300 in magnitude, and may be subnormal.
// docs/use/move.md ("Translation, exactly") has the axes, the proof that they suffice, and the error bounds.
#ifndef GRZ_GEOMETRY_SWEEP_MEETING_H
#define GRZ_GEOMETRY_SWEEP_MEETING_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/sweep/translation.h"
#include "geometry/triangle/pair.h"

// What is known of a meeting.
typedef enum grz_meeting_state {
    GRZ_MEETING_OPEN,  // not decided yet: the doubles do not tell
    GRZ_MEETING_NEVER, // proved: no time t, of any sign, at which A + t·v and B have a point in common
    GRZ_MEETING_SURE   // proved: they meet from `enter` to `leave`
} grz_meeting_state;

// The two ends of the interval.
typedef enum grz_meeting_end {
    GRZ_MEETING_ENTER,
    GRZ_MEETING_LEAVE
} grz_meeting_end;

// A time: numerator / denominator · 2^exponent. The denominator is above 0.
typedef struct grz_time {
    grz_integer numerator, denominator;
    int exponent;
} grz_time;

// A time rounded: the nearest double (ties to even), and the doubles on both sides, all three equal if it is one.
// Never -0. A time beyond the largest double is rounded to infinity.
typedef struct grz_time_rounded {
    double nearest, lower, upper;
} grz_time_rounded;

// Compare two times, or a time with a double, which may be infinite: -1, 0 or 1.
int grz_times_compare(const grz_time *x, const grz_time *y);
int grz_time_compare_to(const grz_time *x, double t);

grz_time_rounded grz_time_round(const grz_time *x);

// x - t for a finite double, rounded to the nearest double.
double grz_time_minus(const grz_time *x, double t);

enum {
    GRZ_MEETING_AXES = 32
};

// One pair. Set by grz_meeting_set(); the other functions fill in what they find out, so that it is found once.
// About 7.5 KiB; copying it is allowed. Not for two threads at once.
typedef struct grz_meeting {
    double a[3][3], b[3][3];
    const grz_translation *motion; // borrowed
    grz_meeting_state state;
    // If they meet at all: enter_low <= enter <= enter_high, and the same for leave. Infinite where nothing is known;
    // both intervals are infinite for v = 0. Once an end is known exactly these are the doubles around it.
    double enter_low, enter_high, leave_low, leave_high;
    bool always; // state SURE and v = 0: they touch at all times. enter is -infinity, leave is infinity

    // Below: for the functions here only.
    bool is_exact;      // `ends` and `axis` are set
    bool is_flat;       // the differences b - a do not certainly span three dimensions
    uint32_t axes_open; // axes whose interval may matter
    int axis[2];        // an axis that is active at each end
    grz_time ends[2];   // by grz_meeting_end
} grz_meeting;

// Begin with a pair: what doubles tell. True if they may meet (state OPEN or SURE), false if they never do. Costs some
// hundred nanoseconds. Outside of the range in which doubles tell anything (coordinates or v beyond 2^100 in magnitude,
// or tiny) the state is OPEN.
bool grz_meeting_set(grz_meeting *m, const double a[3][3], const double b[3][3], const grz_translation *motion);

// Do they meet at any time? Exact; the state is NEVER or SURE afterwards. The functions below need a state that is not
// NEVER; where they need an answer to this question they ask it, and the note at each says what they give if it is no.
bool grz_meeting_happens(grz_meeting *m);

// Compare an end of x with an end of y: -1, 0 or 1. Both meet (grz_meeting_happens()), and neither is `always`. Exact,
// in doubles if the enclosures do not overlap.
int grz_meeting_compare(grz_meeting *x, grz_meeting_end x_end, grz_meeting *y, grz_meeting_end y_end);

// Compare an end with a double, which may be infinite: -1, 0 or 1. It meets.
int grz_meeting_compare_to(grz_meeting *m, grz_meeting_end end, double t);

// Do they meet at a time t with from <= t <= to? Exact; false also if they never meet. Either bound may be infinite.
bool grz_meeting_within(grz_meeting *m, double from, double to);

// Round an end. It meets. For `always` all three are infinite.
grz_time_rounded grz_meeting_round(grz_meeting *m, grz_meeting_end end);

// An end as a fraction. It meets, and not `always`.
void grz_meeting_time(grz_meeting *m, grz_meeting_end end, grz_time *time);

// What meets at time `enter`.
typedef struct grz_meeting_contact {
    // The smallest features that hold the inside of the contact (GRZ_CORNER_0 … GRZ_FACE): of a point contact those
    // that the point is in; GRZ_FACE and GRZ_FACE if faces in one plane touch with area. They depend on the corners'
    // positions only: another order of corners gives the other name of the same feature.
    uint8_t a, b;
    // Unit, out of B towards A: -v · normal >= 0. Each component is rounded to the nearest double. If several planes
    // separate the two just before, the normal of a face that is met comes before a product of edges; then the one
    // most against v; then one by its coordinates. The order of corners does not matter; exchanging A and B (and -v
    // for v) negates it, bit for bit.
    double normal[3];
    // A point of the contact at that time, never -0. Where a corner meets anything or two edges cross: rounded to
    // nearest. Where an edge or a face lies along the other: in the middle of the contact, to some 2^-46 of the
    // triangles' size.
    double point[3];
} grz_meeting_contact;

// Find it. It meets. False if A and B meet already before time 0 (enter < 0), or for v = 0: nothing is entered then.
bool grz_meeting_contact_at_enter(grz_meeting *m, grz_meeting_contact *out);

#endif
