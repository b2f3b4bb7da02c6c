// SPDX-License-Identifier: MIT
// The distance of two convex sets of which one is moved is a convex function of time. So each separating direction
// gives a line below it, and Newton's method from the left never passes the contact: each step is proved by the gap
// along one direction. Source: B. Mirtich, "Impulse-based dynamic simulation of rigid body systems" (1996), for
// conservative advancement. docs/use/mover.md, "The path", derives the bounds.
#include "level/mover/body/core_sweep.h"

#include <math.h>
#include <string.h>

#include "level/mover/body/core_vectors.h"
#include "level/mover/body/separation.h"

// Of the length of the way: what rounding can do to the rate at which a gap falls.
static const double RATE_ROUNDING = 0x1p-48;
// Makes a quotient certainly smaller than the exact one.
static const double BELOW = 1.0 - 0x1p-40;

enum {
    MAX_STEPS = 100 // of one sweep; a few are usual
};

// The distance that a sweep keeps which begins at this one. From far away it stops early in the skin, so that what it
// meets is still outside by most of the skin; what was as near already may come nearer by the next share of it.
static double bar_for(double distance, const grz_sweep_bars *bars)
{
    const double deep = distance - bars->radius, skin = bars->skin;
    if (deep >= 0.75 * skin)
        return bars->radius + 0.625 * skin;
    if (deep >= 0.5 * skin)
        return bars->radius + 0.375 * skin;
    if (deep >= 0.25 * skin)
        return bars->radius + 0.125 * skin;
    return bars->radius + grz_larger(deep - 0.03125 * skin, 0.015625 * skin);
}

// How fast the gap along a direction can fall.
static double fall_of(const double normal[3], const double ways[3][3], bool turns)
{
    double rate = grz_dot(normal, ways[0]);
    for (int i = 1; i < 3 && turns; i++)
        rate = grz_smaller(rate, grz_dot(normal, ways[i]));
    return -rate;
}

double grz_core_sweep(const grz_core *core, const double triangle[3][3], const double drift[3][3], const double way[3],
                      double until, const grz_sweep_bars *bars)
{
    // `fine`: a step that gains less is the last one. Chosen: Newton's method doubles the digits, few are saved.
    const double window = bars->skin * 0.0625, fine = bars->skin * 0x1p-24;
    double bar = 0.0, allowance = 0.0, from_start[3][3], ways[3][3], length = 0.0; // the core's way, seen from a corner
    memcpy(from_start, triangle, sizeof from_start);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            ways[i][k] = drift != NULL ? way[k] - drift[i][k] : way[k];
        length = grz_larger(length, sqrt(grz_dot(ways[i], ways[i])));
    }
    // A box or an ellipsoid may begin at distance 0, which roundings turn into less.
    const double least =
        core->kind == GRZ_CORE_ROUND ? 0.0 : -8.0 * grz_separation_error(grz_separation_size(core, triangle));
    double t = 0.0;
    for (int steps = 0; steps < MAX_STEPS; steps++) {
        double here[3][3], size = 0.0;
        for (int i = 0; i < 9; i++) {
            const double shift = t * ways[i / 3][i % 3];
            here[i / 3][i % 3] = from_start[i / 3][i % 3] - shift;
            size = grz_larger(size, fabs(shift));
        }
        grz_separation s;
        grz_separation_find(core, (const double(*)[3])here, &s);
        const double lower = s.lower - grz_separation_error(size),
                     approach = RATE_ROUNDING * length + fall_of(s.normal, (const double(*)[3])ways, drift != NULL);
        if (t == 0.0) {
            bar = bar_for(lower, bars);
            // An approach of a rounding's size, over the whole way, does not end a sweep.
            allowance = lower >= bars->radius + 0.25 * bars->skin ? window : 0.0;
        }
        // What ends a sweep must not depend on `until`, or the order of triangles would matter.
        if (lower > least && (approach <= 0.0 || lower - (1.0 - t) * approach >= bar - allowance))
            return until;
        if (!(lower > bar + fine))
            return t;
        const double step = (lower - bar) / approach * BELOW;
        if (!(t + step > t))
            return t;
        t += step;
        if (t >= until)
            return until;
    }
    return t; // proved up to here
}
