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

typedef struct grz_rebound {
    bool any;       // the velocity went against a contact
    size_t hardest; // that contact
    bool hops;      // no rebound would rise by the skin
    bool rests;     // it stays where it is
} grz_rebound;

// Turn a velocity that goes against some of the normals (count × 3, of length 1, the level to the ball) to one that
// goes against none.
void grz_bounce_off(const grz_bouncing *how, const double *normals, size_t count, double velocity[3],
                    grz_rebound *rebound);

#endif
