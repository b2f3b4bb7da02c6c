// SPDX-License-Identifier: MIT
// Which way to move triangle A off triangle B where they touch (docs/numbers.md, "contact normals").
#ifndef GRZ_QUERY_CONTACT_NORMAL_H
#define GRZ_QUERY_CONTACT_NORMAL_H

#include "geometry/triangle_normal.h"
#include "geometry/triangle_pair.h"

// A triangle of a contact.
typedef struct grz_contact_side {
    double own[3][3];       // corners where the contact was decided: world coordinates, for self mesh coordinates
    double world[3][3];     // corners in world coordinates
    grz_unit_normal normal; // of `world`
    unsigned sides;         // bit i: the edge from corner i is a side of the user's face, and no diagonal of its triangulation
    bool degenerate;        // no area, in either
} grz_contact_side;

void grz_contact_normal(const grz_intersection *contact, const grz_contact_side *a, const grz_contact_side *b, double normal[3]);

#endif
