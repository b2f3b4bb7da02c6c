// SPDX-License-Identifier: MIT
// Two clean surfaces at one instant: is a point next to a contact of two triangles inside both solids?
#ifndef GRZ_ASK_PENETRATION_MOMENT_MOMENT_CONTACTS_H
#define GRZ_ASK_PENETRATION_MOMENT_MOMENT_CONTACTS_H

#include "ask/penetration/moment/moment.h"
#include "base/control_type.h"
#include "inside/solids/surface.h"

typedef struct grz_moment_contacts {
    grz_moment *moment;
    const grz_posed_surface *surface[2]; // of A and of B, clean, where the path begins
    grz_control *control;
    bool *in_contact[2]; // for each shell: it has a contact that is more than isolated points. Only set, never cleared
    bool both;           // a point inside both solids was found
    bool no_memory;
} grz_moment_contacts;

// Look at a triangle of A and one of B.
void grz_moment_contacts_look(grz_moment_contacts *contacts, uint32_t triangle_a, uint32_t triangle_b);

#endif
