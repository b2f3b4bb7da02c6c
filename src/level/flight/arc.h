// SPDX-License-Identifier: MIT
// One arc of a flight, from its start until the ball comes near the level.
#ifndef GRZ_LEVEL_FLIGHT_ARC_H
#define GRZ_LEVEL_FLIGHT_ARC_H

#include "level/flight/parabola.h"
#include "level/mover/slide/slide.h"

// What became of a search.
typedef struct grz_arc_contact {
    bool met;           // the ball stands at `position` at `time`: near the level, outside but for roundings
    bool goes_on;       // not met, and the level is still ahead: ask again from `time` on
    bool renews;        // not met until `time`: begin a new arc there, or too many digits are lost
    double time;        // of the arc
    double position[3]; // if met
} grz_arc_contact;

typedef struct grz_arc {
    grz_slide *slide; // its body is the ball; its position is used
    grz_parabola path;
    double chunk;        // a power of two: the time of one search
    double last;         // a multiple of it, up to which rounding is small
    double enter, leave; // the times at which the ball may be near the level; enter > leave: never
} grz_arc;

// Depends on the path, the ball and the level only. `box` is that of the level.
void grz_arc_set(grz_arc *arc, grz_slide *slide, const grz_parabola *path, const grz_box *box);

// Search the chunk that holds `time`, from its beginning, so that the answer does not depend on where in it `time` is;
// or, if `exactly`, from `time` itself to the chunk's end. False: the control says to end.
bool grz_arc_search(grz_arc *arc, double time, bool exactly, grz_arc_contact *contact);

#endif
