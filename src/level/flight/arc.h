// SPDX-License-Identifier: MIT
// One arc of a flight, from its start until the ball comes near the level, or near one object of it that moves.
#ifndef GRZ_LEVEL_FLIGHT_ARC_H
#define GRZ_LEVEL_FLIGHT_ARC_H

#include "level/flight/flight_target.h"
#include "level/flight/parabola.h"
#include "level/mover/slide/slide.h"

// What became of a search.
typedef struct grz_arc_contact {
    bool met;           // the ball stands at `position` at `time`: near the level, outside but for roundings
    bool goes_on;       // not met, and the level is still ahead: ask again from `time` on
    bool renews;        // not met until `time`: begin a new arc there, or too many digits are lost
    bool blind;         // what is there cannot be known: too many digits are lost
    double time;        // of the arc
    double position[3]; // if met; of a target: as seen from it, its displacement taken off
} grz_arc_contact;

typedef struct grz_arc {
    grz_slide *slide;    // its body is the ball; its position is used
    grz_level *level;    // what is searched: what stands, or a target alone, at the age 0
    grz_parabola path;   // of the ball; for a target as seen from its centre, rounded
    double chunk;        // a power of two: the time of one search
    double last;         // a multiple of it, up to which rounding is small
    double enter, leave; // the times at which the ball may be near the level; enter > leave: never
    // Of a target; else NULL.
    const grz_flight_target *target;
    const grz_parabola *ball; // borrowed: its path in the world
    double age, clock;        // of the target when the arc begins; magnitudes of the times
    bool beyond;              // it may be met after `last`, too
    bool blind;               // rounding is not small
} grz_arc;

// Depends on the path, the ball and the level only. `box` is that of the level.
void grz_arc_set(grz_arc *arc, grz_slide *slide, grz_level *level, const grz_parabola *path, const grz_box *box);

// For an object that moves, with `level` its own. The arc begins at the time `since`. Between the times `from` and `to`
// of the arc contacts are wanted; if there are certainly none, the arc may say so.
void grz_arc_set_target(grz_arc *arc, grz_slide *slide, grz_level *level, const grz_flight_target *target,
                        const grz_parabola *ball, double since, double from, double to);

// Search the chunk that holds `time`, from its beginning, so that the answer does not depend on where in it `time` is;
// or, if `exactly`, from `time` itself to the chunk's end. False: the control says to end.
bool grz_arc_search(grz_arc *arc, double time, bool exactly, grz_arc_contact *contact);

#endif
