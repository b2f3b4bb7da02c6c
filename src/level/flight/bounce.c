// SPDX-License-Identifier: MIT
// The contact that is hit hardest is answered first, and so on; what then still goes against a contact is projected
// onto what all leave free (cone.h). Friction is Coulomb's law for impulses. A surface that moves is seen from itself:
// its velocity is taken off before, and added after.
#include "level/flight/bounce.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "level/mover/slide/cone.h"

enum {
    MOST_TURNS = 16 // contacts answered one after the other
};

static const double NOTHING = 0x1p-40; // of the velocity: no component against a plane
static const double FASTEST = 64.0;    // of a velocity that gives way, compared with what pushes

// The least velocity with which a ball rises off a plane by the skin.
static double least_rise(const grz_bouncing *how, const double normal[3])
{
    const double pull = -grz_dot(normal, how->acceleration);
    return pull > 0.0 ? sqrt(2.0 * pull * how->skin) : 0.0;
}

static double length_of(const double v[3])
{
    return sqrt(grz_dot(v, v));
}

// How fast the ball comes away from a contact; below 0: it goes against it.
static double away_from(const grz_bounce_contacts *contacts, size_t i, const double velocity[3])
{
    const double *n = contacts->normals + 3 * i, away = grz_dot(n, velocity);
    return contacts->surfaces != NULL ? away - grz_dot(n, contacts->surfaces[i].velocity) : away;
}

static bool hardest_of(const grz_bounce_contacts *contacts, const double velocity[3], size_t *hardest)
{
    const double speed = length_of(velocity);
    double most = -NOTHING * speed;
    bool any = false;
    for (size_t i = 0; i < contacts->count; i++) {
        const double away = away_from(contacts, i, velocity);
        if (away < most &&
            (contacts->surfaces == NULL || away < -NOTHING * (speed + length_of(contacts->surfaces[i].velocity)))) {
            most = away;
            *hardest = i;
            any = true;
        }
    }
    return any;
}

// The velocity and the acceleration as the surface of a contact sees them, which turns with its object (G.-G. de
// Coriolis, 1835).
static grz_bouncing seen_from(const grz_bounce_contacts *contacts, size_t i, const grz_bouncing *how,
                              const double velocity[3], double seen[3])
{
    grz_bouncing there = *how;
    memcpy(seen, velocity, 3 * sizeof *seen);
    if (contacts->surfaces == NULL)
        return there;
    const grz_bounce_surface *surface = &contacts->surfaces[i];
    double across[3];
    for (int k = 0; k < 3; k++)
        seen[k] -= surface->velocity[k];
    grz_cross(surface->spin, seen, across);
    for (int k = 0; k < 3; k++)
        there.acceleration[k] -= surface->acceleration[k] + 2.0 * across[k];
    return there;
}

static void turn(const grz_bouncing *how, const grz_bounce_contacts *contacts, size_t hardest, double velocity[3])
{
    const double *n = contacts->normals + 3 * hardest;
    double seen[3], along[3];
    const grz_bouncing there = seen_from(contacts, hardest, how, velocity, seen);
    const double into = grz_dot(n, seen), rise = least_rise(&there, n);
    for (int k = 0; k < 3; k++)
        along[k] = seen[k] - into * n[k];
    const double speed = sqrt(grz_dot(along, along)), back = fmax(-how->restitution * into, rise),
                 loss = how->friction * (back - into), kept = speed > loss ? 1.0 - loss / speed : 0.0;
    for (int k = 0; k < 3; k++)
        velocity[k] = kept * along[k] + back * n[k];
    for (int k = 0; k < 3 && contacts->surfaces != NULL; k++)
        velocity[k] += contacts->surfaces[hardest].velocity[k];
}

// True if a contact pushes against the surface of the hardest one.
static bool is_pushed(const grz_bounce_contacts *contacts, size_t hardest)
{
    for (size_t i = 0; i < contacts->count && contacts->surfaces != NULL; i++)
        if (away_from(contacts, i, contacts->surfaces[hardest].velocity) <
            -NOTHING * length_of(contacts->surfaces[i].velocity))
            return true;
    return false;
}

// It hardly moves, and what pulls along the surfaces is held by friction, or leads nowhere. All as the hardest contact
// sees it.
static bool comes_to_rest(const grz_bouncing *how, const grz_bounce_contacts *contacts, size_t hardest,
                          const double velocity[3])
{
    double free[3];
    const double *n = contacts->normals + 3 * hardest, *a = how->acceleration;
    const double into = grz_dot(n, velocity), square = grz_dot(velocity, velocity) - into * into,
                 slow = 2.0 * sqrt(grz_dot(a, a)) * how->skin, pull = -grz_dot(n, a);
    if (square > slow || is_pushed(contacts, hardest))
        return false;
    grz_cone_project(contacts->normals, contacts->count, a, free);
    return sqrt(grz_dot(free, free)) <= how->friction * pull + NOTHING * sqrt(grz_dot(a, a));
}

// What still goes against contacts: the nearest velocity that goes against none. False: there is none.
static bool give_way(const grz_bounce_contacts *contacts, double velocity[3])
{
    double out[3], fastest = length_of(velocity);
    if (contacts->surfaces == NULL) {
        grz_cone_project(contacts->normals, contacts->count, velocity, out);
        memcpy(velocity, out, sizeof out);
        return true;
    }
    for (size_t i = 0; i < contacts->count; i++) {
        contacts->depths[i] = -away_from(contacts, i, velocity);
        fastest = fmax(fastest, length_of(contacts->surfaces[i].velocity));
    }
    if (!grz_cone_lift(contacts->normals, contacts->depths, contacts->count, FASTEST * fastest, out))
        return false;
    for (int k = 0; k < 3; k++)
        velocity[k] += out[k];
    return true;
}

// True if the velocity is that of the contact's surface, which moves, and nothing pulls the ball away.
static bool goes_along(const grz_bouncing *how, const grz_bounce_contacts *contacts, size_t hardest,
                       const double velocity[3])
{
    if (contacts->surfaces == NULL)
        return false;
    double seen[3];
    const grz_bouncing there = seen_from(contacts, hardest, how, velocity, seen);
    return grz_dot(there.acceleration, there.acceleration) == 0.0 &&
           length_of(seen) <= NOTHING * length_of(contacts->surfaces[hardest].velocity);
}

void grz_bounce_off(const grz_bouncing *how, const grz_bounce_contacts *contacts, double velocity[3],
                    grz_rebound *rebound)
{
    size_t hardest = 0;
    double seen[3];
    *rebound = (grz_rebound){.any = hardest_of(contacts, velocity, &hardest), .hardest = hardest};
    if (!rebound->any)
        return;
    const grz_bouncing there = seen_from(contacts, hardest, how, velocity, seen);
    const grz_bounce_surface *surface = contacts->surfaces != NULL ? &contacts->surfaces[hardest] : NULL;
    const double *first = contacts->normals + 3 * hardest, rise = least_rise(&there, first),
                 into = -grz_dot(first, seen);
    rebound->hops = rise > 0.0 && how->restitution * into < rise && into < 2.0 * rise;
    if (rebound->hops && comes_to_rest(&there, contacts, hardest, seen)) {
        rebound->rides = surface != NULL && surface->moves;
        rebound->rests = !rebound->rides;
        memset(velocity, 0, 3 * sizeof *velocity);
        for (int k = 0; k < 3 && rebound->rides; k++)
            velocity[k] = surface->velocity[k] + rise * first[k];
        if (rebound->rests)
            return;
    }
    for (int i = 0; i < MOST_TURNS && hardest_of(contacts, velocity, &hardest); i++)
        turn(how, contacts, hardest, velocity);
    if (hardest_of(contacts, velocity, &hardest))
        rebound->crushed = !give_way(contacts, velocity);
    for (int k = 0; k < 3; k++)
        velocity[k] += 0.0; // no -0
    if (surface != NULL && surface->moves)
        rebound->rides = rebound->rides || goes_along(how, contacts, rebound->hardest, velocity);
    else
        rebound->rests = velocity[0] == 0.0 && velocity[1] == 0.0 && velocity[2] == 0.0 &&
                         how->acceleration[0] == 0.0 && how->acceleration[1] == 0.0 && how->acceleration[2] == 0.0;
}
