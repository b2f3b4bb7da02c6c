// SPDX-License-Identifier: MIT
// From the classification of two solids to whether they overlap.
#ifndef GRZ_ASK_SOLIDS_OVERLAP_H
#define GRZ_ASK_SOLIDS_OVERLAP_H

#include <graze/collide.h>

// True if the insides of the two solids have common points. False also if that is not known.
bool grz_solids_overlap(grz_solids solids);

// The same of a query that found pairs, containment and solids. Of meshes without an inside: true if faces cross, or
// one mesh is inside the other.
bool grz_summary_overlaps(const grz_summary *summary);

#endif
