// SPDX-License-Identifier: MIT
// Moves a body along a displacement, and slides along what it meets.
#ifndef GRZ_LEVEL_MOVER_SLIDE_SLIDE_H
#define GRZ_LEVEL_MOVER_SLIDE_SLIDE_H

#include <graze/mover.h>

#include "level/mover/surface/body_contacts.h"

// Adds normals that the rules of walking know beside those of the contacts. False: none. `wall`: whether the contact is
// a wall, or may be a stair.
typedef bool grz_slide_rule(const void *context, const grz_touch *touch, double normal[3], bool *wall);

// A contact of a body with sharp edges, since the slide began.
typedef struct grz_past_contact {
    uint32_t object, triangle;
    double normal[3];
    bool seen; // within the skin at the present position
} grz_past_contact;

// Of the skin: how far out contacts are lifted, and clean-ups try to go. It is the middle between 5/8, where a sweep
// from far away ends, and 3/4, where "far away" begins: bar_for() in core_sweep.c.
#define GRZ_LIFT_TO 0.6875

// A body that is being moved. Set it up once for a step.
typedef struct grz_slide {
    grz_level *level;
    grz_body body;
    grz_touches touches; // at `position`, after grz_slide_look()
    double position[3];
    grz_slide_rule *rule; // may be NULL
    const void *rule_context;
    GRZ_ARRAY(double) normals; // working memory, for grz_slide_along()
    GRZ_ARRAY(double) depths;
    GRZ_ARRAY(grz_past_contact) past;
    GRZ_ARRAY(double) rules; // normals of the rule, since grz_slide_along() began
    bool met_wall;           // the rule has added a normal, or a contact left less than the displacement
    uint32_t iterations;     // since the beginning
} grz_slide;

// All of these return false if the control says to end.

// Find the contacts at the position.
bool grz_slide_look(grz_slide *slide);

// Go straight along `way` until something is met. `share` receives how much of the way was gone, 0 to 1. The contacts
// are not looked for. Where the level moves, the way is gone in the rest of its time.
bool grz_slide_cast(grz_slide *slide, const double way[3], double *share);

// Add a plane to `normals` and `depths`.
bool grz_slide_add_normal(grz_slide *slide, const double normal[3], double depth);

// If the body is deep in the skin, lift it. The contacts are those of the new position.
bool grz_slide_lift(grz_slide *slide);

// The shortest way out of what the body is inside of, by its contacts, if they have one. It is not gone, and not
// proved. This one returns false if there is none.
bool grz_slide_out(grz_slide *slide, double way[3]);

// Go along a displacement, sliding. The contacts at the beginning are known; those of the end are.
bool grz_slide_along(grz_slide *slide, const double displacement[3], grz_mover_outcome *outcome);

void grz_slide_finish(grz_slide *slide);

#endif
