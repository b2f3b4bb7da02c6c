// SPDX-License-Identifier: MIT
// Where two shapes touch, or part last: the points of their contact.
#ifndef GRZ_ASK_SHAPE_CONTACT_H
#define GRZ_ASK_SHAPE_CONTACT_H

#include "ask/shape/compare.h"
#include "geometry/convex/face.h"

// Where the faces of two shapes lie opposite to each other. Coordinates are those of the place, before the shapes are
// grown.
typedef struct grz_shape_contact {
    grz_frame frame; // n: from A to B
    grz_convex_face a, b;
    grz_convex_overlap overlap;
} grz_shape_contact;

// `n`: of length 1. `loose`: how much farther from the plane of contact a face's points may lie than roundings explain,
// at the place. Where surfaces are smooth, a search in doubles knows n to half of its digits only; the contact's is
// better: the points on both sides then lie on one line along it.
void grz_shapes_find_contact(const grz_shape_pair *pair, const double n[3], double loose, grz_shape_contact *contact);

// The same along the normal that is given, as it is.
void grz_shapes_look_along(const grz_shape_pair *pair, const double n[3], double loose, grz_shape_contact *contact);

// How far A must move against the contact's normal to be free of B, at the place, before they are grown; below 0 if
// they are apart. Rounded up.
double grz_shape_contact_depth(const grz_shape_pair *pair, const grz_shape_contact *contact);

// The two points in the world for a point of the overlap: of A grown, and of B, `depth` (in the world) behind it.
void grz_shape_contact_points(const grz_shape_pair *pair, const grz_shape_contact *contact, const double at[2],
                              double depth, double point_a[3], double point_b[3]);

#endif
