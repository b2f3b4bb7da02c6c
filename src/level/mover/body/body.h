// SPDX-License-Identifier: MIT
// What is moved: a sphere, a capsule, a box, an ellipsoid or a cylinder, at a position.
#ifndef GRZ_LEVEL_MOVER_BODY_BODY_H
#define GRZ_LEVEL_MOVER_BODY_BODY_H

#include "level/mover/body/core.h"

// At a position p the core of what is round is the point p, or the segment between the rounded points p - half and p +
// half. Other cores lie around p.
typedef struct grz_body {
    double half[3];
    int count; // ends of the core: 1 or 2
    double radius, skin;
    double thickness, extent; // the radius or the least half axis; no point is further from the position
    grz_core core;            // if it is not round
} grz_body;

// The ends of a round core in the world, as a triangle of which two or three corners are equal.
static inline void grz_body_corners(const grz_body *body, const double position[3], double corners[3][3])
{
    for (int k = 0; k < 3; k++) {
        corners[0][k] = body->count == 2 ? position[k] - body->half[k] : position[k];
        corners[1][k] = corners[2][k] = body->count == 2 ? position[k] + body->half[k] : position[k];
    }
}

// The core relative to the position.
static inline grz_core grz_body_core(const grz_body *body, const double position[3])
{
    double corners[3][3];
    if (body->core.kind != GRZ_CORE_ROUND)
        return body->core;
    grz_core core = {.count = body->count};
    grz_body_corners(body, position, corners);
    for (int i = 0; i < body->count; i++)
        for (int k = 0; k < 3; k++)
            core.ends[i][k] = corners[i][k] - position[k];
    return core;
}

// A point relative to the position.
static inline void grz_body_relative(const double position[3], const double corners[3][3], double out[3][3])
{
    for (int i = 0; i < 9; i++)
        out[i / 3][i % 3] = corners[i / 3][i % 3] - position[i % 3];
}

#endif
