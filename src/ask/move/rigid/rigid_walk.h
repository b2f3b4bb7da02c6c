// SPDX-License-Identifier: MIT
// Follows the pairs of boxes and triangles of two moving trees, the earliest first, to the first contact.
#ifndef GRZ_ASK_MOVE_RIGID_RIGID_WALK_H
#define GRZ_ASK_MOVE_RIGID_RIGID_WALK_H

#include "ask/move/rigid/rigid_boxes.h"
#include "ask/move/rigid/faces.h"
#include "base/simd.h"

// What is known of the first contact.
typedef struct grz_rigid_found {
    double lower;            // there is no contact before, nor at it if `near` has no pair
    double upper;            // there is one at this time or before; infinite: none was found
    bool done;               // everything is decided: the bounds are as near as asked for, or there is no contact
    bool has_near;           // the pair that is nearest at `lower`:
    uint32_t near_a, near_b; // triangles
    uint64_t compared;       // pairs of triangles
} grz_rigid_found;

// What is looked for.
typedef struct grz_rigid_question {
    grz_device *device;
    grz_moving_pair pair;
    const grz_bvh *bvhs[2];
    double tolerance;   // world units, above 0
    double until;       // nothing after this time is of interest
    uint64_t max_steps; // then it gives up
    grz_control *control;
    grz_simd simd;
} grz_rigid_question;

// The objects do not touch at 0. Returns GRZ_OK, or the status with which the control says to end; `found` has what is
// proved in any case.
grz_status grz_rigid_walk(const grz_rigid_question *question, grz_rigid_found *found);

// Whether triangles of both certainly cross at a time; false says nothing. False, too, if the control says to end, or
// after `most` pairs of nodes.
bool grz_rigid_certain_contact(const grz_rigid_question *question, double t, uint64_t most, uint64_t *compared);

enum {
    GRZ_RIGID_NEAR = 32 // triangles whose middles are tried
};

// Whether the middle of one of these triangles, of A or of B, has certainly gone through the other mesh's surface by
// that time. False says nothing.
bool grz_rigid_certain_point(const grz_rigid_question *question, double t, int count,
                             const uint32_t triangles[2][GRZ_RIGID_NEAR]);

#endif
