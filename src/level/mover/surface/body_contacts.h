// SPDX-License-Identifier: MIT
// The contacts of a body at a position: where the level's surface is nearest to it, locally, and at most the skin away.
#ifndef GRZ_LEVEL_MOVER_SURFACE_BODY_CONTACTS_H
#define GRZ_LEVEL_MOVER_SURFACE_BODY_CONTACTS_H

#include "level/mover/body/body.h"
#include "level/mover/body/separation.h"
#include "level/mover/surface/level.h"

typedef struct grz_touch {
    grz_level_triangle triangle;
    grz_separation apart; // its point is relative to the position
    double distance, error;
    uint32_t face;
    bool dropped; // a neighbour is nearer: the surface goes on towards the body
} grz_touch;

typedef struct grz_touches {
    GRZ_ARRAY(grz_touch) all; // the nearest first; in an order that depends on positions only
    size_t count;             // of those at the beginning of `all` that are contacts; the others are dropped
    bool inside;              // a triangle is nearer than the radius, exactly
    double nearest;           // a lower bound of the distance, no larger than radius + skin
    uint64_t compared;        // triangles, since the beginning
} grz_touches;

// Find them. False: the control says to end.
bool grz_touches_find(grz_touches *touches, grz_level *level, const grz_body *body, const double position[3]);

// The same, but only whether the body is inside.
bool grz_body_is_inside(grz_level *level, const grz_body *body, const double position[3], bool *inside);

void grz_touches_finish(grz_touches *touches, grz_control *control);

#endif
