// SPDX-License-Identifier: MIT
// Contact normals: the direction in which triangle A must move to get away from triangle B (docs/reference/numbers.md,
// "Contact normals").
#ifndef GRZ_CONTACT_CONTACT_NORMAL_H
#define GRZ_CONTACT_CONTACT_NORMAL_H

#include "geometry/triangle/normal.h"
#include "geometry/triangle/pair.h"

// One triangle of a contact.
typedef struct grz_contact_side {
    double own[3][3];       // corners where the pair was decided: world, for self mesh coordinates
    double world[3][3];     // corners in world coordinates
    grz_unit_normal normal; // of `world`
    unsigned sides;         // bit i: the edge from corner i is a side of the user's face, no diagonal
    bool degenerate;        // no area, in world or own coordinates
} grz_contact_side;

// The contact normal: length 1, or zero if neither triangle has a normal.
void grz_contact_normal(const grz_intersection *contact, const grz_contact_side *a, const grz_contact_side *b,
                        double normal[3]);

#endif
