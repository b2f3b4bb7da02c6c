// SPDX-License-Identifier: MIT
// One mesh in motion: where it is at a time, how fast it moves, and bounds of how it goes on.
#ifndef GRZ_ASK_MOVE_RIGID_MOVING_MESH_H
#define GRZ_ASK_MOVE_RIGID_MOVING_MESH_H

#include <graze/move_rigid.h>

#include "mesh/mesh.h"

typedef struct grz_moving {
    const grz_mesh *mesh;
    grz_motion motion;
    // Of slerp and screw: the turn at 0, the axis of the way (of length 1, or zeros) and half its angle.
    double turn[4], axis[3], half_angle;
    double way[3], along[3], across[3]; // to - from; its parts along the axis and perpendicular to it
    double speed;                       // no point moves faster; of a path: travels farther
    double acceleration;                // of no point is larger, at any time; not used without `directed`
    bool directed;                      // there are velocities; else only `travel` bounds the motion
    bool even_spin;                     // each point's acceleration is spin × (spin × point), at any time
    double error;                       // a posed point is within this of where it really is
} grz_moving;

// Where a mesh is at one time, and how it moves then.
typedef struct grz_moving_state {
    grz_pose pose;
    double velocity[3], spin[3]; // of the mesh's origin; world units and radians in the whole time
} grz_moving_state;

// Check a motion and prepare it. motion NULL: the mesh rests at the identity. `element` is for the error.
grz_status grz_moving_init(grz_moving *moving, const grz_mesh *mesh, const grz_motion *motion, uint64_t element,
                           grz_error *error);

void grz_moving_at(const grz_moving *moving, double t, grz_moving_state *state);

// An upper bound of how far any point gets from its place at `from`, between the two times.
double grz_moving_travel(const grz_moving *moving, double from, double to);

#endif
