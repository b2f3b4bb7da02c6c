// SPDX-License-Identifier: MIT
// Which part of a link a contact contains, and whether it contains a point. Exact, in the coordinates of the decision.
#ifndef GRZ_CONTACT_CURVES_CLIP_H
#define GRZ_CONTACT_CURVES_CLIP_H

#include "contact/curves/curves.h"

// The geometry of a candidate.
typedef struct grz_link_shape {
    grz_exact_point end[2]; // in the order of grz_exact_compare()
    size_t node[2];         // the nodes at the ends
    bool on_edge;           // true: it runs along the line line[0]-line[1]; false: along the common line of two planes
    double line[2][3];
    double planes[2][3][3];
} grz_link_shape;

// The part of a link that a contact contains.
typedef struct grz_common_part {
    grz_exact_point end[2]; // in exact order, not the same
    bool on_side;           // the contact is a polygon, and one of its sides runs along this part;
    grz_half_plane half;    // the polygon then lies in this half-plane
} grz_common_part;

// The geometry of a candidate.
void grz_curves_shape(const grz_joiner *joiner, const grz_candidate_link *candidate, grz_link_shape *link);

// True if the places alone prove that a contact has at most one point in common with the link. False if one of its
// sides is the link.
bool grz_curves_is_apart(const grz_joiner *joiner, size_t low, size_t high, size_t contact);

// True if grz_curves_is_apart(), or if one of the contact's sides is the link.
bool grz_curves_is_beside(const grz_joiner *joiner, const grz_candidate_link *link, size_t contact);

// The part of the link that a contact contains. False if that is at most one point.
bool grz_curves_common_part(const grz_joiner *joiner, const grz_link_shape *link, size_t contact,
                            grz_common_part *part);

// True if a contact contains the point.
bool grz_curves_holds(const grz_joiner *joiner, size_t contact, const grz_exact_point *point);

#endif
