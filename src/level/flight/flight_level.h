// SPDX-License-Identifier: MIT
// A level of which objects move while a ball flies: what stands is searched as one, each object that moves by itself.
#ifndef GRZ_LEVEL_FLIGHT_FLIGHT_LEVEL_H
#define GRZ_LEVEL_FLIGHT_FLIGHT_LEVEL_H

#include "level/flight/arc.h"

// An object that moves.
typedef struct grz_flight_part {
    grz_flight_target target;
    grz_level_object object; // at the age 0; one that turns: on a chord
    grz_level level;         // of this object alone
    grz_arc arc;
} grz_flight_part;

typedef struct grz_flight_level {
    grz_level *all;         // every object, at one time: what places are proved against
    grz_level *still;       // what stands; `all` if nothing moves
    grz_level standing;     // the objects of `still` if something moves
    grz_box box;            // of `still`
    grz_flight_part *parts; // `count`: what moves, sorted by its index in the level
    size_t count;
    uint64_t chunks; // that were searched for what moves
    grz_arc arc;     // through `still`
} grz_flight_level;

// `all` is open. `motions`: one for each object; NULL: all stand. After a failure grz_flight_level_close() is due, too.
grz_status grz_flight_level_open(grz_flight_level *level, grz_level *all, const grz_flight_motion *motions,
                                 grz_error *error);
void grz_flight_level_close(grz_flight_level *level);

// Put what moves where it is at a time.
void grz_flight_level_pose(grz_flight_level *level, double time);

// How an object moves; NULL: it stands.
const grz_flight_target *grz_flight_level_target(const grz_flight_level *level, uint32_t object);

// The largest number in what moves at a time.
double grz_flight_level_size(const grz_flight_level *level, double time);

// What an arc is asked for. A ball that rests meets only what moves.
typedef struct grz_flight_arc {
    const grz_parabola *path;
    double since, from, to; // since: by the caller's clock; the others are times of the arc
    bool rests;
} grz_flight_arc;

// What comes first between the two times: a contact (its position is in the world), or the end of what is sharp; else
// its time is infinite. `leave`: after this time nothing is met. False: the control says to end.
bool grz_flight_level_first(grz_flight_level *level, grz_slide *slide, const grz_flight_arc *asked,
                            grz_arc_contact *first, double *leave);

#endif
