// SPDX-License-Identifier: MIT
// Two moving simplices A and B (points, segments or triangles) as the search sees them: the differences of their
// corners, a_i - b_j, which move along straight lines. A and B meet when the convex hull of the differences contains 0.
#ifndef GRZ_GEOMETRY_INCLUSION_MOVING_SIMPLICES_H
#define GRZ_GEOMETRY_INCLUSION_MOVING_SIMPLICES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GRZ_HULL_MOST = 12 // 9 differences at most; arrays are filled up to 4 or 12 with copies of the last one
};

// All numbers but the corners are multiplied by `scale`, a power of two, so that their size is moderate.
typedef struct grz_feature_pair {
    const double (*a[2])[3], (*b[2])[3]; // the corners at time 0 and 1, as given
    int count_a, count_b;                // corners: 1, 2 or 3
    int hull;                            // 4 or 12: the length of the rows below that is in use
    double scale;
    double separation;                       // scaled
    double difference[2][3][GRZ_HULL_MOST];  // [time][coordinate][i · count_b + j] = a_i - b_j
    double edge_a[2][3][3], edge_b[2][3][3]; // [time][edge i][coordinate]: corner (i + 1) % count - corner i
    double most[3];                          // per coordinate, the largest magnitude of a difference
    double most_edge[3];                     // and of an edge
} grz_feature_pair;

void grz_feature_pair_init(grz_feature_pair *m, const double (*const a[2])[3], int count_a,
                           const double (*const b[2])[3], int count_b, double separation);

// The second half: scale, edges and sizes. Everything below but grz_feature_pair_apart_by_axis() needs them.
void grz_feature_pair_prepare(grz_feature_pair *m);

// The differences and edges at one time, rounded.
typedef struct grz_moment {
    double difference[9][3];
    double edge_a[3][3], edge_b[3][3];
} grz_moment;

void grz_feature_pair_at(const grz_feature_pair *m, double t, grz_moment *out);

// True if a coordinate axis separates A and B by more than the separation at all times from 0 to 1. Call it before
// grz_feature_pair_prepare() or after it.
bool grz_feature_pair_apart_by_axis(const grz_feature_pair *m);

// The largest time t in [from, to] such that the direction separates A and B by more than the separation, from A to B
// or from B to A, at all times in [from, t]; proved. A value below `from` if it does not separate them at `from`.
double grz_feature_pair_separated_until(const grz_feature_pair *m, const double direction[3], double from, double to);

#endif
