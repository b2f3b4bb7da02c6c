// SPDX-License-Identifier: MIT
// Proofs that two moving features do meet: the upper end of an enclosure.
#ifndef GRZ_GEOMETRY_INCLUSION_PROOF_H
#define GRZ_GEOMETRY_INCLUSION_PROOF_H

#include "geometry/inclusion/nearest_point.h"

// A contact, proved to be at `time` or before.
typedef struct grz_proof {
    double time;
    double normal[3]; // of the contact, nearly; may be 0
    uint8_t feature_a, feature_b;
} grz_proof;

// Look for a contact of a patch near time t, parameters u, v. True if one is proved in [0, t_max].
bool grz_prove_crossing(const grz_feature_pair *m, const grz_patch *patch, double t, double u, double v, double t_max,
                        grz_proof *proof);

// True if the features certainly have points within the separation of each other at time t, in [0, 1]: at the
// parameters u, v of the patch.
bool grz_prove_near(const grz_feature_pair *m, const grz_patch *patch, double t, double u, double v);

// True if A and B certainly touch at time t: decided exactly, where their positions at t are doubles.
bool grz_prove_touch(const grz_feature_pair *m, double t);

// True if an edge of one triangle, or a segment A, certainly passes through the inside of the other at time t.
bool grz_prove_piercing(const grz_feature_pair *m, double t, uint8_t *feature_a, uint8_t *feature_b);

#endif
