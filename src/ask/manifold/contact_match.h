// SPDX-License-Identifier: MIT
// Which contact points of two frames are the same, nearest first, one to one.
#ifndef GRZ_ASK_MANIFOLD_CONTACT_MATCH_H
#define GRZ_ASK_MANIFOLD_CONTACT_MATCH_H

#include "base/control.h"

#define GRZ_NO_CONTACT UINT32_MAX

typedef struct grz_half_contact {
    uint64_t object;
    uint32_t part[3]; // vertices of the feature; GRZ_NO_VERTEX twice and the face
} grz_half_contact;

// A contact point of which the lesser half is the first, so that exchanging A and B changes nothing.
typedef struct grz_known_contact {
    grz_half_contact halves[2];
    double at[3], normal[3]; // of length 1, or zeros
    uint64_t index;          // among the caller's points
    uint64_t id;
    uint32_t age, other; // other: its partner in the other frame, or GRZ_NO_CONTACT
} grz_known_contact;

// Contacts of one frame: of the same two objects, in order. `left`: room for the numbers of all of them.
typedef struct grz_contact_range {
    grz_known_contact *items;
    uint32_t first, end;
    uint32_t *left;
} grz_contact_range;

typedef struct grz_contact_matching {
    bool any;            // all pairs are allowed
    double most, cosine; // else: the greatest distance, and the least product of normals
    uint32_t *chain;     // room for the numbers of all contacts of both frames
    grz_control *control;
} grz_contact_matching;

// Pair those of two ranges that have no partner: of all pairs that are allowed the nearest first; of those as near the
// one with the lowest id, then the one whose new contact comes first. Returns GRZ_OK, or the control's status.
grz_status grz_contacts_match(const grz_contact_matching *m, grz_contact_range *before, grz_contact_range *now);

#endif
