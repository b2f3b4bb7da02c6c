// SPDX-License-Identifier: MIT
// Rigid pieces that react to the contacts a query found: impulses at the points of contact, with friction.
#ifndef GRZ_DEMOS_BODIES_H
#define GRZ_DEMOS_BODIES_H

#include <graze/graze.h>

enum {
    BODY_AXES = 5
};

// A piece. One that does not move has a lightness of 0; its top side is at y = 0.
typedef struct body {
    double at[3], turn[4];       // the pose: the centre, and a quaternion x, y, z, w
    double speed[3], spin[3];    // a second
    double lightness, readiness; // 1 / mass, 1 / moment of inertia
    double (*points)[3];         // its vertices, from the centre
    uint32_t point_count;
    double axes[BODY_AXES][3]; // the normals of its sides
    double axes_now[BODY_AXES][3];
    grz_pose pose; // of `at` and `turn`
} body;

// Compute the pose and what depends on it.
void body_set_pose(body *b);

// Let `count` bodies move for `seconds`. The result is of a scene with the bodies as its objects, at their present
// poses, and has contacts.
void bodies_move(body *bodies, uint32_t count, const grz_result *result, double seconds);

#endif
