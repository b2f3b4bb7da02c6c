// SPDX-License-Identifier: MIT
// Two convex sets spanned by corners, each grown by a radius: are they apart, do they touch, or do they penetrate? And
// how far apart are they? Exact, in integers; slow (some 50 microseconds), for what convex_gap.h and convex_depth.h
// leave open.
#ifndef GRZ_GEOMETRY_CONVEX_EXACT_CONVEX_H
#define GRZ_GEOMETRY_CONVEX_EXACT_CONVEX_H

#include "geometry/convex/convex_gap.h"
#include "geometry/distance/nearest.h"

typedef enum grz_convex_relation {
    GRZ_CONVEX_UNDECIDED,  // the numbers need more digits than big integers have here
    GRZ_CONVEX_APART,      // no point in common
    GRZ_CONVEX_TOUCHING,   // points in common; but a plane separates the two
    GRZ_CONVEX_PENETRATING // no plane separates them: one must move to be free of the other
} grz_convex_relation;

typedef struct grz_convex_exact {
    grz_convex_relation relation;
    bool measured;           // the sets before they are grown are apart, and what follows is known
    grz_root root;           // the distance of the sets before they are grown
    double on_a[3], on_b[3]; // the nearest points of the sets before they are grown, each coordinate rounded to
                             // the nearest double, in world coordinates
    double along[3];         // from A to B, of about the length 1; each coordinate rounded from the exact direction.
                             // Of sets that touch, but are not grown: if `has_normal`
    bool has_normal;         // one plane only separates the sets, which touch
    int corners;             // how many corners of each set span them: on_a is between a[0], …
    uint32_t a[3], b[3];
} grz_convex_exact;

// Decide. Both sets are placed, relative to a common origin and at a common scale. `start`: where the search in
// doubles ended; it makes this one short. `measure`: fill in what belongs to `measured`.
void grz_convex_decide(const grz_convex *a, const grz_convex *b, double radius_a, double radius_b,
                       const grz_simplex *start, bool measure, grz_convex_exact *out);

#endif
