// SPDX-License-Identifier: MIT
// Each corner of an object that has moved goes straight from where it was to where it is. Seen from the body, all moves
// at once: a sweep as for the body's own motion finds the first time at which something comes too near. There the body
// gets the velocity that is nearest to its own and gives way to all contacts: a projection onto a polyhedron. Where
// there is none, and time cannot go on, the body is crushed.
#include "level/mover/slide/push.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/vector.h"
#include "level/mover/slide/cone.h"

enum {
    MAX_LEGS = 1000, // of a push
    MAX_STOPS = 16   // legs one after the other in which time hardly goes on
};

static const double FASTEST = 64.0;       // of a push, compared with what pushes
static const double HARDLY = 0x1p-20;     // of the time
static const double NEGLIGIBLE = 0x1p-20; // of the skin: no push

// How far the point of a contact still goes.
static void drift_of(const grz_touch *touch, const double position[3], double out[3])
{
    const grz_level_triangle *t = &touch->triangle;
    double c[3][3], u[3], v[3], r[3], n[3], rv[3], ur[3], uu, weights[3] = {1.0, 0.0, 0.0};
    grz_body_relative(position, t->corners, c);
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
        r[k] = touch->apart.point[k] - c[0][k];
    }
    grz_cross(u, v, n);
    const double nn = grz_dot(n, n);
    if (nn > 0.0) {
        grz_cross(r, v, rv);
        grz_cross(u, r, ur);
        weights[1] = grz_dot(rv, n) / nn;
        weights[2] = grz_dot(ur, n) / nn;
    } else if ((uu = grz_dot(v, v)) > 0.0) { // corners are sorted: the third is furthest from the first
        weights[2] = grz_dot(r, v) / uu;
    }
    for (int i = 1; i < 3; i++)
        weights[i] = fmin(fmax(weights[i], 0.0), 1.0);
    weights[0] = fmax(0.0, 1.0 - weights[1] - weights[2]);
    for (int k = 0; k < 3; k++)
        out[k] = (weights[0] * t->drift[0][k] + weights[1] * t->drift[1][k]) + weights[2] * t->drift[2][k];
}

// The way in the rest of the time: `own`, and what gives way to all contacts. `room`: false if nothing does.
static bool give_way(grz_slide *slide, const double own[3], double way[3], bool *room)
{
    double fastest = sqrt(grz_dot(own, own)), deepest = 0.0, more[3];
    slide->normals.count = slide->depths.count = 0;
    memcpy(way, own, 3 * sizeof *way);
    *room = true;
    for (size_t i = 0; i < slide->touches.count; i++) {
        const grz_touch *touch = &slide->touches.all.items[i];
        double drift[3] = {0.0, 0.0, 0.0};
        if (touch->triangle.moved)
            drift_of(touch, slide->position, drift);
        fastest = fmax(fastest, sqrt(grz_dot(drift, drift)));
        const double depth = grz_dot(touch->apart.normal, drift) - grz_dot(touch->apart.normal, own);
        deepest = fmax(deepest, depth);
        if (!grz_slide_add_normal(slide, touch->apart.normal, depth))
            return false;
    }
    if (deepest <= NEGLIGIBLE * slide->body.skin)
        return true;
    *room = grz_cone_lift(slide->normals.items, slide->depths.items, slide->depths.count, FASTEST * fastest, more);
    for (int k = 0; k < 3 && *room; k++)
        way[k] += more[k];
    return true;
}

// One leg. `moved`: how far time has gone on.
static bool go_on(grz_push *push, grz_slide *slide, bool *room, double *moved)
{
    grz_level *level = slide->level;
    double own[3], way[3], before[3], share;
    const double from = level->time;
    if (grz_control_expired(level->control) || !grz_slide_lift(slide))
        return false;
    for (int k = 0; k < 3; k++)
        own[k] = push->carried[k] * (1.0 - from);
    if (!give_way(slide, own, way, room))
        return false;
    memcpy(before, slide->position, sizeof before);
    level->moves = true;
    const bool done = grz_slide_cast(slide, way, &share);
    level->moves = false;
    if (!done)
        return false;
    level->time = share == 1.0 ? 1.0 : from + share * (1.0 - from);
    for (int k = 0; k < 3; k++)
        push->pushed[k] += share * (way[k] - own[k]);
    if (!grz_slide_look(slide))
        return false;
    if (slide->touches.inside) { // not proved
        level->time = from;
        for (int k = 0; k < 3; k++)
            push->pushed[k] -= share * (way[k] - own[k]);
        memcpy(slide->position, before, sizeof before);
        if (!grz_slide_look(slide))
            return false;
        *room = false;
    }
    *moved = level->time - from;
    return true;
}

bool grz_push_along(grz_push *push, grz_slide *slide)
{
    int stops = 0;
    memset(push->pushed, 0, sizeof push->pushed);
    for (int leg = 0; leg < MAX_LEGS && slide->level->time < 1.0; leg++) {
        double moved;
        bool room;
        if (!go_on(push, slide, &room, &moved))
            return false;
        stops = moved > HARDLY ? 0 : stops + 1;
        if (stops >= MAX_STOPS || (stops > 0 && !room))
            break;
    }
    push->time = slide->level->time;
    push->crushed = push->time < 1.0;
    for (int k = 0; k < 3; k++)
        push->carried[k] *= push->time;
    return true;
}
