// SPDX-License-Identifier: MIT
// An object of the level that moves while balls fly: where it is at a time, and how fast its points then are.
#ifndef GRZ_LEVEL_FLIGHT_FLIGHT_TARGET_H
#define GRZ_LEVEL_FLIGHT_FLIGHT_TARGET_H

#include <graze/flight.h>

#include "geometry/box.h"

// An "age" is the time since motion.since; it may be below 0.
typedef struct grz_flight_target {
    uint32_t object; // its index in the level
    grz_flight_motion motion;
    grz_pose pose;        // at the age 0
    double centre[3];     // in the world at the age 0, rounded
    double rate, axis[3]; // radians a second about an axis of length 1. 0: it does not turn
    double radius;        // no point is farther from the centre; 0 if it does not turn
    double size;          // of the numbers in a pose
    grz_box box;          // all places that it turns through; its displacement left out
} grz_flight_target;

// An error if a motion has numbers out of range. `number`: of the object, for the message.
grz_status grz_flight_motion_check(const grz_flight_motion *motion, uint32_t number, grz_error *error);

bool grz_flight_motion_is_rest(const grz_flight_motion *motion);

// `bounds`: of the mesh; NULL: only poses are asked for. The motion has been checked.
void grz_flight_target_set(grz_flight_target *target, uint32_t number, const grz_object *object, const grz_box *bounds,
                           const grz_flight_motion *motion);

// How far the centre has come.
void grz_flight_target_displacement(const grz_flight_target *target, double age, double out[3]);

// The pose about the centre where that was at the age 0; and the pose with the displacement.
void grz_flight_target_turned(const grz_flight_target *target, double age, grz_pose *pose);
void grz_flight_target_pose(const grz_flight_target *target, double age, grz_pose *pose);

// How the point moves that is at `point` in the world.
void grz_flight_target_flow(const grz_flight_target *target, double age, const double point[3], double velocity[3],
                            double acceleration[3]);

// Posed points and displacements are off by less than 2^-49 of this, up to an age, before or after 0. `clock`: the sum
// of the magnitudes of the times that the age was computed from.
double grz_flight_target_size(const grz_flight_target *target, double age, double clock);

#endif
