// SPDX-License-Identifier: MIT
// Balls that fly among objects that move: what the tests of flights have in common.
#ifndef GRZ_TESTS_FLIGHT_SUPPORT_FLYING_H
#define GRZ_TESTS_FLIGHT_SUPPORT_FLYING_H

#include <graze/flight.h>

#include "pair_generator.h"
#include "support_movers.h"

grz_flight_options flying_ball(double radius, const grz_flight_motion *motions);

// grz_flight_advance(), which must not fail.
uint64_t flying_advance(const test_level *level, const grz_flight_options *options, double until, grz_flight *flight,
                        grz_bounce *bounces, uint64_t most);

// The level where it is at a time, by grz_flight_pose().
test_level flying_level_at(const test_level *level, const grz_flight_motion *motions, double time);

// Boxes and spheres at random places, in a room (object 0) or not.
test_level flying_stones(random_stream *random, int count, bool room);

// A multiple of 1/16, from -2 to 2.
double flying_dyadic(random_stream *random);

// None, straight, ballistic, turning, turning about a centre elsewhere.
grz_flight_motion flying_motion(random_stream *random);

// A place outside of the level at a time. False: none was found.
bool flying_place(const test_level *level, const grz_flight_options *options, double time, random_stream *random,
                  double p[3]);

// A velocity with which the ball comes about to where an object will be, if that turns about its mesh's origin.
void flying_aim(const test_level *level, const grz_flight_options *options, random_stream *random, const double p[3],
                double v[3]);

#endif
