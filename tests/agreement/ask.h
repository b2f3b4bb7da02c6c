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

bool agree_is_exact(double lower, double upper);

// Both enclose the same number: they have a number in common, and are the same if both are exact.
bool agree_bounds_agree(double lower, double upper, double other_lower, double other_upper);

// `method` NULL: the one that the library chooses.
grz_penetration_answer agree_along(agree_run *run, const grz_object *a, const grz_object *b, const double d[3],
                                   const char *method);
grz_penetration_answer agree_least(agree_run *run, const grz_object *a, const grz_object *b);
grz_overlap_volume_answer agree_volume(agree_run *run, const grz_object *a, const grz_object *b, const char *method);
// Few cells: bounds hold however far a search has come. With `decide`, deeper than `depth`? Else bounds.
grz_overlap_depth_options agree_depth_options(bool decide, double depth);
grz_overlap_depth_answer agree_depth(agree_run *run, const grz_object *a, const grz_object *b, bool decide,
                                     double depth);
grz_distance_answer agree_distance(agree_run *run, const grz_object *a, const grz_object *b, const char *method);
// A goes to `to`, as grz_move() has it.
grz_move_answer agree_move(agree_run *run, const grz_object *a, const double to[3], const grz_object *b, bool inside,
                           const char *method);

enum {
    AGREE_MOST_INTERVALS = 24
};

typedef struct agree_intervals {
    grz_contact_interval list[AGREE_MOST_INTERVALS];
    uint64_t found; // may be more
} agree_intervals;

agree_intervals agree_intervals_of(agree_run *run, const grz_object *a, const double to[3], const grz_object *b,
                                   const char *method);

// Where points lie, by grz_locate_points().
void agree_locate(agree_run *run, const grz_object *object, const double *points, size_t count,
                  grz_location *locations);

// Where A goes by steps · d.
void agree_way(const agree_run *run, int steps, double to[3]);

// The vertices of a body in the world. The caller frees them.
double *agree_world(const agree_body *body);

// Surfaces that do not meet themselves.
bool agree_is_clean(const agree_situation *s);

// Too many triangles to ask about in each situation: the time of some queries grows with the pairs.
bool agree_is_large(const agree_situation *s);

// The two bodies at a moment of the motion of A by t · d: whole numbers times den, so that nothing is rounded. Free
// with agree_moment_finish(). False if the numbers would be too large.
typedef struct agree_moment {
    grz_mesh *meshes[2];
    grz_object objects[2];
} agree_moment;

bool agree_moment_make(agree_run *run, agree_time t, agree_moment *moment);
void agree_moment_finish(agree_moment *moment);

// How they lie then. False if the numbers would be too large.
bool agree_collide_at(agree_run *run, agree_time t, uint32_t find, grz_summary *summary);

// Times that answers name: the simplest fraction in the bounds, times `scale`. No other one with so small a denominator
// is that near, so that it is the exact time if that is one. False if there is none.
bool agree_moment_of(const agree_situation *s, long double lower, long double upper, int scale, agree_time *t);

#endif
