// SPDX-License-Identifier: MIT
// The contact that is hit hardest is answered first, and so on; what then still goes against a contact is projected
// onto what all leave free (cone.h). Friction is Coulomb's law for impulses.
#include "level/flight/bounce.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/slide/cone.h"

enum {
    MOST_TURNS = 16 // contacts answered one after the other
};

static const double NOTHING = 0x1p-40; // of the velocity: no component against a plane

// The least velocity with which a ball rises off a plane by the skin.
static double least_rise(const grz_bouncing *how, const double normal[3])
{
    const double pull = -grz_dot(normal, how->acceleration);
    return pull > 0.0 ? sqrt(2.0 * pull * how->skin) : 0.0;
}

static bool hardest_of(const double *normals, size_t count, const double velocity[3], size_t *hardest)
{
    double most = -NOTHING * sqrt(grz_dot(velocity, velocity));
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const double against = grz_dot(normals + 3 * i, velocity);
        if (against < most) {
            most = against;
            *hardest = i;
            any = true;
        }
    }
    return any;
}

static void turn(const grz_bouncing *how, const double n[3], double velocity[3])
{
    const double into = grz_dot(n, velocity), rise = least_rise(how, n);
    double along[3];
    for (int k = 0; k < 3; k++)
        along[k] = velocity[k] - into * n[k];
    const double speed = sqrt(grz_dot(along, along)), back = fmax(-how->restitution * into, rise),
                 loss = how->friction * (back - into), kept = speed > loss ? 1.0 - loss / speed : 0.0;
    for (int k = 0; k < 3; k++)
        velocity[k] = kept * along[k] + back * n[k];
}

// It hardly moves, and what pulls along the surfaces is held by friction, or leads nowhere.
static bool comes_to_rest(const grz_bouncing *how, const double *normals, size_t count, size_t hardest,
                          const double velocity[3])
{
    double free[3];
    const double *n = normals + 3 * hardest, *a = how->acceleration;
    const double into = grz_dot(n, velocity), square = grz_dot(velocity, velocity) - into * into,
                 slow = 2.0 * sqrt(grz_dot(a, a)) * how->skin, pull = -grz_dot(n, a);
    if (square > slow)
        return false;
    grz_cone_project(normals, count, a, free);
    return sqrt(grz_dot(free, free)) <= how->friction * pull + NOTHING * sqrt(grz_dot(a, a));
}

void grz_bounce_off(const grz_bouncing *how, const double *normals, size_t count, double velocity[3],
                    grz_rebound *rebound)
{
    size_t hardest = 0;
    *rebound = (grz_rebound){.any = hardest_of(normals, count, velocity, &hardest), .hardest = hardest};
    if (!rebound->any)
        return;
    const double *first = normals + 3 * hardest, rise = least_rise(how, first), into = -grz_dot(first, velocity);
    rebound->hops = rise > 0.0 && how->restitution * into < rise && into < 2.0 * rise;
    if (rebound->hops && comes_to_rest(how, normals, count, hardest, velocity)) {
        rebound->rests = true;
        memset(velocity, 0, 3 * sizeof *velocity);
        return;
    }
    for (int i = 0; i < MOST_TURNS && hardest_of(normals, count, velocity, &hardest); i++)
        turn(how, normals + 3 * hardest, velocity);
    if (hardest_of(normals, count, velocity, &hardest)) {
        double free[3];
        grz_cone_project(normals, count, velocity, free);
        memcpy(velocity, free, sizeof free);
    }
    for (int k = 0; k < 3; k++)
        velocity[k] += 0.0; // no -0
    rebound->rests = velocity[0] == 0.0 && velocity[1] == 0.0 && velocity[2] == 0.0 && how->acceleration[0] == 0.0 &&
                     how->acceleration[1] == 0.0 && how->acceleration[2] == 0.0;
}
