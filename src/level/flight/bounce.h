// SPDX-License-Identifier: MIT
// What becomes of a velocity where a ball meets surfaces.
#ifndef GRZ_LEVEL_FLIGHT_BOUNCE_H
#define GRZ_LEVEL_FLIGHT_BOUNCE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct grz_bouncing {
    double restitution, friction, skin;
    double acceleration[3];
} grz_bouncing;

// How a surface moves where it is met.
typedef struct grz_bounce_surface {
    double velocity[3], acceleration[3];
    double spin[3]; // of the object
    bool moves;
} grz_bounce_surface;

typedef struct grz_bounce_contacts {
    const double *normals; // count × 3, of length 1, the level to the ball
    size_t count;
    const grz_bounce_surface *surfaces; // count; NULL: all stand
    double *depths;                     // room for `count`, if there are surfaces
} grz_bounce_contacts;

typedef struct grz_rebound {
    bool any;       // the velocity went against a contact
    size_t hardest; // that contact
    bool hops;      // no rebound would rise by the skin
    bool rests;     // it stays where it is
    bool rides;     // it lies on a surface that moves, and gets its velocity
    bool crushed;   // no velocity goes against none of the surfaces
    bool floats;    // it rests on nothing: it has no velocity, and nothing pulls it (set by the caller)
} grz_rebound;

// Turn a velocity that goes against some contacts to one that goes against none. Surfaces that move are met as seen
// from them.
void grz_bounce_off(const grz_bouncing *how, const grz_bounce_contacts *contacts, double velocity[3],
                    grz_rebound *rebound);

#endif
