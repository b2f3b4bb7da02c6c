// SPDX-License-Identifier: MIT
// What part of a link a contact holds, and whether it holds a point: exact, in the coordinates in which contacts were decided.
#ifndef GRZ_QUERY_CURVE_CLIP_H
#define GRZ_QUERY_CURVE_CLIP_H

#include "query/curves.h"

// A candidate in space.
typedef struct grz_link_shape {
    grz_exact_point end[2]; // in exact order
    size_t node[2];         // of the ends
    bool on_edge;           // it runs along line[0]-line[1]; else along the common line of two planes
    double line[2][3];
    double planes[2][3][3];
} grz_link_shape;

// The part of a link that a contact holds.
typedef struct grz_common_part {
    grz_exact_point end[2]; // in exact order, not the same
    bool on_side;           // a side of the polygon that the contact is runs there, and
    grz_half_plane half;    // the polygon lies in this half-plane
} grz_common_part;

void grz_curves_shape(const grz_joiner *joiner, const grz_candidate_link *candidate, grz_link_shape *link);

// Whether it is certain, from the places alone, that a contact has the link as a side itself, or holds no more than one point of
// it.
bool grz_curves_is_beside(const grz_joiner *joiner, const grz_candidate_link *link, size_t contact);

// False where a contact holds no more than one point of the link.
bool grz_curves_common_part(const grz_joiner *joiner, const grz_link_shape *link, size_t contact, grz_common_part *part);

bool grz_curves_holds(const grz_joiner *joiner, size_t contact, const grz_exact_point *point);

#endif
