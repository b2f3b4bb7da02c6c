// SPDX-License-Identifier: MIT
// Short forms of the queries, for the laws. A call that fails breaks the law AGREE_LAW_CALLS.
#ifndef GRZ_TESTS_AGREEMENT_ASK_H
#define GRZ_TESTS_AGREEMENT_ASK_H

#include "agreement.h"

// Check that a call succeeded.
bool agree_call(agree_run *run, grz_status status, const grz_error *error, const char *name);

// How two objects lie: everything that grz_collide() says in brief.
grz_summary agree_collide(agree_run *run, const grz_object *a, const grz_object *b, uint32_t find);

// A law about solids; false where they have none.
bool agree_are_solids(grz_solids solids);
bool agree_insides_meet(grz_solids solids);

typedef struct agree_bounds {
    double lower, upper;
} agree_bounds;

bool agree_is_exact(double lower, double upper);

grz_penetration_answer agree_along(agree_run *run, const grz_object *a, const grz_object *b, const double d[3],
                                   const char *method);

// The two bodies at a moment of the motion of A by t · d: whole numbers times den, so that nothing is rounded. Free
// with agree_moment_finish(). False if the numbers would be too large.
typedef struct agree_moment {
    grz_mesh *meshes[2];
    grz_object objects[2];
} agree_moment;

bool agree_moment_make(agree_run *run, agree_time t, agree_moment *moment);
void agree_moment_finish(agree_moment *moment);

#endif
